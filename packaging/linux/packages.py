"""Makes the packages of Linux of bundles: `build/bundle-venv/bin/python packaging/linux/packages.py window|server …`.

For each kind a .deb, an .rpm and a .tar.xz in `dist`, and a list of checksums of them all. With BIGMIND_QUICK=1 there
is the .deb alone, and a larger one: to be tried, not to be given away.
"""

import hashlib
import os
import re
import shutil
import string
import subprocess
import sys
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.with_name("bundle")), str(ROOT)]

from command_pages import write_command_pages  # noqa: E402 - beside it

from app.desktop.preflight import WAYLAND_LIBRARIES, WINDOW_LIBRARIES  # noqa: E402
from bigmind import VERSION  # noqa: E402

DIST = ROOT / "dist"
NAMES = {"window": "bigmind", "server": "bigmind-server"}
EDGES = (16, 24, 32, 48, 64, 128, 256, 512)
BASE = {"deb": ["libstdc++6", "libgcc-s1"], "rpm": ["libstdc++", "libgcc"]}
RECOMMENDED = {
    "deb": ["libgl1-mesa-dri", "fonts-dejavu-core | fonts-noto-core", "xdg-utils", "dbus-user-session"],
    "rpm": ["mesa-dri-drivers", "dejavu-sans-fonts", "xdg-utils"],
}
GLIBC = re.compile(r"GLIBC_(\d+)\.(\d+)")


def main() -> None:
    """Make those of the kinds that are named; of both, when none is."""
    for kind in sys.argv[1:] or NAMES:
        if kind not in NAMES:
            sys.exit(__doc__)
        bundle = DIST / kind / "bigmind"
        tree = ROOT / "build" / "bundle" / kind / "tree"
        shutil.rmtree(tree, ignore_errors=True)
        lay_out(bundle, tree, with_window=kind == "window")
        for make in (deb,) if is_quick() else (deb, rpm, archive):
            made = make(kind, bundle, tree)
            print(f"{made.relative_to(ROOT)}: {made.stat().st_size / 1_000_000:.1f} MB")
    write_checksums()


def is_quick() -> bool:
    """Whether what is made is to be tried only."""
    return os.environ.get("BIGMIND_QUICK") == "1"


@cache
def package_version() -> str:
    """Of a release, its version; of a checkout between two, one that comes before the next and after the last."""
    if told := os.environ.get("BIGMIND_PACKAGE_VERSION"):
        return told
    git = ["git", "-C", str(ROOT)]
    tags = subprocess.run(
        [*git, "tag", "--points-at", "HEAD"], capture_output=True, text=True, check=False
    ).stdout.split()
    count = subprocess.run([*git, "rev-list", "--count", "HEAD"], capture_output=True, text=True, check=False).stdout
    return VERSION if f"v{VERSION}" in tags or not count.strip() else f"{VERSION}~{count.strip()}"


def lay_out(bundle: Path, tree: Path, *, with_window: bool) -> None:
    """Everything that lies beside the bundle: how desktops, shells, `man` and systemd find it."""
    share, assets = tree / "usr/share", bundle / "lib/assets/icons"
    put(HERE / "bigmind.service", tree / "usr/lib/systemd/user")
    put(ROOT / "NOTICE", share / "doc/bigmind")
    put(ROOT / "LICENSE", share / "doc/bigmind", "copyright")
    write_command_pages(share)
    if with_window:
        put(HERE / "bigmind.desktop", share / "applications")
        put(HERE / "app.bigmind.BigMind.metainfo.xml", share / "metainfo")
        put(assets / "bigmind.svg", share / "icons/hicolor/scalable/apps")
        for edge in EDGES:
            put(assets / f"bigmind-{edge}.png", share / f"icons/hicolor/{edge}x{edge}/apps", "bigmind.png")


def put(file: Path, folder: Path, name: str = "") -> None:
    """Copy a file into a folder, which is made."""
    folder.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(file, folder / (name or file.name))


def depends(kind: str, form: str, bundle: Path) -> list[str]:
    """What a package needs of the distribution; for a window, what BigMind would say is missing."""
    libc = glibc(bundle)
    wanted = [f"libc6 (>= {libc})" if form == "deb" else f"glibc >= {libc}", *BASE[form]]
    if kind == "window":
        libraries = (*WINDOW_LIBRARIES, *WAYLAND_LIBRARIES)
        wanted += [each.apt.replace("|", " | ") if form == "deb" else each.dnf for each in libraries]
    return list(dict.fromkeys(wanted))


def glibc(bundle: Path) -> str:
    """The oldest C library that has all that the bundle's programs and libraries call."""
    files = [
        str(each) for each in bundle.rglob("*") if each.is_file() and (".so" in each.name or os.access(each, os.X_OK))
    ]
    told = subprocess.run(["objdump", "-T", *files], capture_output=True, text=True, check=False).stdout
    return "{}.{}".format(*max((int(major), int(minor)) for major, minor in GLIBC.findall(told)))


def filled(template: str, target: Path, kind: str, bundle: Path, more: dict[str, str]) -> Path:
    """A template of this folder with what stands in its braces, written to a file."""
    told = {
        "NAME": NAMES[kind],
        "OTHER": next(each for each in NAMES.values() if each != NAMES[kind]),
        "VERSION": package_version(),
        "FLAVOUR": "" if kind == "window" else " (the server alone)",
        "BUNDLE": str(bundle),
        "SCRIPTS": str(HERE),
        "AFTER_REMOVAL": str(after_removal(target.parent)),
        **more,
    }
    target.write_text(string.Template((HERE / template).read_text()).substitute(told))
    return target


def after_removal(folder: Path) -> Path:
    """What runs when the files are gone: what was started meanwhile is ended, then the words; one file for packages."""
    scripts = [(HERE / name).read_text() for name in ("end_running.sh", "after_removal.sh")]
    target = folder / "after_removal.sh"
    target.write_text("".join(scripts))
    return target


def deb(kind: str, bundle: Path, tree: Path) -> Path:
    """The .deb, by nfpm."""
    wanted, recommended = depends(kind, "deb", bundle), RECOMMENDED["deb"] if kind == "window" else []
    more = {
        "TREE": str(tree),
        "DEPENDS": ", ".join(f'"{each}"' for each in wanted),
        "RECOMMENDS": ", ".join(f'"{each}"' for each in recommended),
    }
    settings = filled("nfpm.yaml", tree.with_name("nfpm.yaml"), kind, bundle, more)
    program, target = Path(sys.executable).with_name("nfpm"), DIST / f"{NAMES[kind]}_{package_version()}_amd64.deb"
    command = [str(program), "package", "--config", str(settings), "--packager", "deb", "--target", str(target)]
    # From there it looks where links lead: in a checkout `bigmind` is a folder, and bigmind-app became an empty one.
    subprocess.run(command, cwd=bundle, check=True, stdout=subprocess.DEVNULL)
    return compressed(target)


def rpm(kind: str, bundle: Path, tree: Path) -> Path:
    """The .rpm, by rpmbuild."""
    work = tree.with_name("rpm")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    files = work / "files"
    files.write_text("".join(f'"/{each.relative_to(tree)}"\n' for each in sorted(tree.rglob("*")) if each.is_file()))
    recommended = RECOMMENDED["rpm"] if kind == "window" else []
    tags = [f"Requires: {each}" for each in depends(kind, "rpm", bundle)]
    tags += [f"Recommends: {each}" for each in recommended]
    more = {"TREE": str(tree), "REQUIRES": "\n".join(tags), "FILES": str(files)}
    spec = filled("rpm.spec", work / "bigmind.spec", kind, bundle, more)
    settings = {
        "_topdir": str(work),
        "_rpmdir": str(DIST),
        "_rpmfilename": "%{NAME}-%{VERSION}-%{RELEASE}.%{ARCH}.rpm",
        "_binary_payload": "w6T0.xzdio",
        "_buildhost": "bigmind.invalid",
    }
    options = [word for name, value in settings.items() for word in ("--define", f"{name} {value}")]
    done = subprocess.run(
        ["rpmbuild", "-bb", "--target", "x86_64", *options, str(spec)], check=False, capture_output=True, text=True
    )
    if done.returncode:
        sys.exit(f"rpmbuild could not make the package:\n{done.stderr}")
    shutil.rmtree(work / "BUILDROOT", ignore_errors=True)
    return DIST / f"{NAMES[kind]}-{package_version()}-1.x86_64.rpm"


def compressed(deb: Path) -> Path:
    """The same .deb with its data compressed by all cores; nfpm's own way takes minutes on one, for more bytes."""
    work = deb.with_suffix(".parts")
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir()
    subprocess.run(["ar", "x", str(deb)], cwd=work, check=True)
    subprocess.run(["xz", "-0" if is_quick() else "-6", "-T0", "data.tar"], cwd=work, check=True)
    deb.unlink()
    [control] = [each.name for each in work.glob("control.tar*")]
    subprocess.run(["ar", "rcD", str(deb), "debian-binary", control, "data.tar.xz"], cwd=work, check=True)
    shutil.rmtree(work)
    return deb


def archive(kind: str, bundle: Path, tree: Path) -> Path:
    """The same for everybody else: the bundle, with what lies beside it under `share`."""
    name = f"{NAMES[kind]}-{package_version()}-linux-x86_64"
    target = DIST / f"{name}.tar.xz"
    options = [
        "--owner=0",
        "--group=0",
        "--sort=name",
        "--mtime=@1767225600",
        "-I",
        "xz -0 -T0" if is_quick() else "xz -6 -T0",
    ]
    # S: what a link leads to keeps its name.
    places = [f"--transform=s,^bigmind,{name},S", f"--transform=s,^usr/share,{name}/share,S"]
    sources = ["-C", str(bundle.parent), "bigmind", "-C", str(tree), "usr/share"]
    subprocess.run(["tar", *options, *places, "-cf", str(target), *sources], check=True)
    return target


def write_checksums() -> None:
    """The SHA-256 of everything that is given away, as `sha256sum --check` reads it."""
    files = sorted(
        each for form in ("deb", "rpm", "tar.xz", "cdx.json", "whl", "tar.gz") for each in DIST.glob(f"*.{form}")
    )
    lines = [f"{hashlib.sha256(each.read_bytes()).hexdigest()}  {each.name}\n" for each in files]
    (DIST / "SHA256SUMS").write_text("".join(lines))


if __name__ == "__main__":
    main()
