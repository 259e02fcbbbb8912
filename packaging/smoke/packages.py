"""Tries the packages of Linux that `make bundle` made: `.venv/bin/python packaging/smoke/packages.py [EARLIER.deb]`.

The .rpm and the .tar.xz are unpacked and tried like a bundle. The .deb, as root, is installed in a bare Debian,
launched as a desktop does, used, upgraded (from the earlier package, where one is named), removed and purged.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path
from time import monotonic

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(1, str(ROOT))

import checks  # noqa: E402 - beside it
from debian import PERSON, Debian, make_bare, mount_apart, unpacked  # noqa: E402
from desktop import Desktop, clicked_together, desktop_session  # noqa: E402
from installed import SECONDS, Installed, said  # noqa: E402
from smoke import loads_nothing_else  # noqa: E402

DIST = ROOT / "dist"
SMOKE = Path(__file__).with_name("smoke.py")


def main() -> None:
    """Try them all; ends with 1 at the first thing that is not as it should be."""
    is_apart = "BIGMIND_SMOKE_MOUNTS" in os.environ
    if not is_apart:
        try_descriptions()
        try_unpacked()
    if os.geteuid() != 0:
        print("NOT TRIED: the .deb in a bare Debian, which only root can make.")
        return
    mount_apart()
    make_bare()
    earlier = [Path(each).resolve() for each in sys.argv[1:]]
    with tempfile.TemporaryDirectory() as scratch, unpacked(Path(scratch)) as debian:
        try_installed(debian, earlier[0] if earlier else None, newest("bigmind_*_amd64.deb"))
    with tempfile.TemporaryDirectory() as scratch, unpacked(Path(scratch)) as debian:
        try_server_package(debian, newest("bigmind-server_*_amd64.deb"))


def newest(pattern: str) -> Path:
    """The file that was made last."""
    return max(DIST.glob(pattern), key=lambda each: each.stat().st_mtime)


def try_descriptions() -> None:
    """What of the other systems' packages runs here, and what desktops and software centers read."""
    linux = ROOT / "packaging" / "linux"
    subprocess.run(["desktop-file-validate", str(linux / "bigmind.desktop")], check=True)
    about = ["appstreamcli", "validate", "--no-net", str(linux / "app.bigmind.BigMind.metainfo.xml")]
    subprocess.run(about, check=True, stdout=subprocess.DEVNULL)
    with tempfile.TemporaryDirectory() as scratch:
        payload = Path(scratch, "payload")
        (payload / "lib").mkdir(parents=True)
        for name in ("bigmind.exe", "bigmind-app.exe", "lib/something"):
            (payload / name).write_text("a stand-in")
        make = [sys.executable, str(ROOT / "packaging" / "windows" / "make_installer.py")]
        subprocess.run([*make, str(payload), f"{scratch}/made.exe"], check=True, stdout=subprocess.DEVNULL)
        assert Path(scratch, "made.exe").read_bytes().startswith(b"MZ")
    said("NSIS compiles the installer of Windows; the desktop entry and its metainfo are ones")


def try_unpacked() -> None:
    """The same check that a bundle gets, against what the other packages hold."""
    with tempfile.TemporaryDirectory() as scratch:
        rpm, archive = Path(scratch, "rpm"), Path(scratch, "archive")
        rpm.mkdir()
        archive.mkdir()
        content = subprocess.run(
            ["rpm2cpio", str(newest("bigmind-[0-9]*.rpm"))], check=True, stdout=subprocess.PIPE
        ).stdout
        subprocess.run(["cpio", "-idm", "--quiet"], input=content, cwd=rpm, check=True)
        subprocess.run(["tar", "-xf", str(newest("bigmind-[0-9]*.tar.xz")), "-C", str(archive)], check=True)
        for name, folder in (("rpm", rpm / "usr/lib/bigmind"), ("tar.xz", next(archive.iterdir()))):
            print(f"the .{name}:", flush=True)
            subprocess.run([sys.executable, str(SMOKE), str(folder)], check=True)


def try_installed(debian: Debian, earlier: Path | None, package: Path) -> None:
    """The life of the .deb: installed, used on a desktop, upgraded with data in it, removed, purged."""
    before = debian.files()
    debian.install(earlier or package)
    said(f"apt installed {(earlier or package).name} in a Debian without Python")
    debian.run("apt-get", "install", "-y", "--no-install-recommends", "libglib2.0-bin", "desktop-file-utils", "man-db")
    debian.run("desktop-file-validate", "/usr/share/applications/bigmind.desktop")
    assert "BIGMIND" in debian.run("man", "bigmind", person=PERSON)
    assert not (debian.root / "usr/bin/python3").exists()
    assert os.readlink(debian.root / "usr/lib/bigmind/bigmind-app") == "bigmind"  # noqa: PTH115 - it leads into its own root
    with ExitStack() as stack:
        desktop = stack.enter_context(desktop_session(debian))
        installed = debian.installed(**desktop.around)
        (installed.person / ".claude").mkdir()
        debian.run("chown", f"{PERSON}:", f"/home/{PERSON}/.claude")
        with launched(debian, installed, desktop):
            checks.remembers(installed)
            checks.finds_by_meaning(installed)
            loads_nothing_else(debian.root / "usr/lib/bigmind", debian.root)
            clicked_together(installed)
            checks.backs_up(installed)
            upgrade(debian, installed, package)
        with launched(debian, installed, desktop):
            assert checks.FACT in str(installed.operation("memory_list_facts"))
            said("after the upgrade the memory is what it was")
            installed.run("clients", "remove", "claude-code", "--yes")
            checks.ends(installed)
    remove(debian, before)


@contextmanager
def launched(debian: Debian, installed: Installed, desktop: Desktop) -> Iterator[None]:
    """The desktop entry, launched as a desktop does, until the window is painted and the icon is in the tray."""
    entry = ["gio", "launch", "/usr/share/applications/bigmind.desktop"]
    around = {**installed.environment()}
    process = subprocess.Popen(
        [*debian.entering(), *entry], env=around, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    until = monotonic() + SECONDS
    while not (installed.home / "run.json").exists():
        assert monotonic() < until, "it does not run"
    desktop.sees_window()
    desktop.sees_icon()
    yield
    process.wait(SECONDS)


def upgrade(debian: Debian, installed: Installed, package: Path) -> None:
    """A package over a running app: it is asked to end, and its files are replaced."""
    server = installed.running()["pid"]
    told = debian.install(package)
    assert "BigMind is asked to end" in told, told
    assert not (installed.home / "run.json").exists(), "it was ended in order"
    assert not Path(f"/proc/{server}").exists() or Path(f"/proc/{server}/stat").read_text().split()[2] == "Z"
    said(f"upgraded to {package.name}: the running app was asked to end, and did")


def remove(debian: Debian, before: set[str]) -> None:
    """What is left of it is the memory alone; `purge` takes nothing of anybody's."""
    told = debian.run("apt-get", "remove", "-y", "bigmind")
    assert ".local/share/BigMind" in told, told
    left = {each for each in debian.files() - before if "bigmind" in each.lower() or each.startswith(f"home/{PERSON}")}
    person = {each for each in left if each.startswith(f"home/{PERSON}/")}
    odd = left - person - {each for each in left if each.startswith("var/lib/")}
    assert not odd, sorted(odd)[:20]
    kept = {each for each in person if each.startswith(f"home/{PERSON}/.local/share/BigMind/")}
    assert f"home/{PERSON}/.local/share/BigMind/bigmind.db" in kept
    cached = {each for each in person - kept if each.startswith(f"home/{PERSON}/.cache/")}
    assert person == kept | cached, sorted(person - kept - cached)
    of_whom = ", ".join(sorted({each.split("/")[3] for each in cached})) or "nobody"
    said(f"removed: what is left is the memory ({len(kept)} files), and what is cached by {of_whom}")
    debian.run("apt-get", "purge", "-y", "bigmind")
    assert {each for each in debian.files() if each.startswith(f"home/{PERSON}/.local/share/BigMind/")} == kept
    said("purged: the memory is still there")


def try_server_package(debian: Debian, package: Path) -> None:
    """The package without a window: no Qt, a unit of the person's systemd, the same memory."""
    debian.run("apt-get", "install", "-y", "--no-install-recommends", "systemd")
    debian.install(package)
    unit = "/usr/lib/systemd/user/bigmind.service"
    told = debian.run("systemd-analyze", "--user", "--man=no", "verify", unit, person=PERSON, XDG_RUNTIME_DIR="/tmp")  # noqa: S108
    assert "bigmind.service" not in told, told
    assert not list((debian.root / "usr/lib/bigmind").rglob("*Qt6*"))
    installed = debian.installed()
    checks.remembers(installed)
    checks.finds_by_meaning(installed)
    checks.ends(installed)
    with_display = replace(installed, around={**installed.around, "DISPLAY": ":0"})
    process = subprocess.Popen(
        [*with_display.command, "app"],
        env=with_display.environment(),
        text=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    assert process.stderr is not None
    line = process.stderr.readline()
    assert "window is not installed" in line, line
    assert "pip" not in line, line
    process.terminate()
    process.wait(SECONDS)
    said("the server's package: without Qt; of a window it says that it is no part of it")


if __name__ == "__main__":
    main()
