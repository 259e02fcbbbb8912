"""A Debian without Python, compilers and desktop, in a folder of its own: packages are installed as people do it."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from installed import Installed

KEPT = Path(__file__).resolve().parents[2] / "build" / "bare-debian.tar"
"""Made once: a minute and a half, and 170 MB."""
RELEASE = "bookworm"
APART = "BIGMIND_SMOKE_MOUNTS"
PERSON = "ada"
UNDATED = ('Acquire::Check-Valid-Until "false"', 'Acquire::Check-Date "false"')
"""A mirror may be a copy of some day."""


def mount_apart() -> None:
    """Run again with mounts of our own: they end with the process, however that ends."""
    if APART not in os.environ:
        command = ["unshare", "--mount", "--propagation", "private", sys.executable, *sys.argv]
        sys.exit(subprocess.run(command, env={**os.environ, APART: "1"}, check=False).returncode)


def make_bare() -> None:
    """Fetch it, from where this machine's own apt has its packages."""
    if KEPT.exists():
        return
    lists = Path("/etc/apt")
    sources = [each for each in (lists / "sources.list", *(lists / "sources.list.d").iterdir()) if each.is_file()]
    told = "\n".join(each.read_text() for each in sources if each.suffix in {".list", ".sources"})
    KEPT.parent.mkdir(parents=True, exist_ok=True)
    made = KEPT.with_suffix(".part.tar")
    options = [word for each in UNDATED for word in ("--aptopt", each)]
    command = ["mmdebstrap", "--variant=minbase", "--mode=root", "--quiet", *options, RELEASE, str(made), "-"]
    subprocess.run(command, input=told, text=True, check=True)
    made.rename(KEPT)


@dataclass
class Debian:
    """One that is unpacked, and has a person."""

    root: Path

    def run(self, *command: str, person: str = "root", **more: str) -> str:
        """Run a command in it; what it says."""
        around = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LANG": "C.UTF-8", "DEBIAN_FRONTEND": "noninteractive"}
        done = subprocess.run(
            [*self.entering(person), *command],
            env={**around, **more},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{command} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def entering(self, person: str = PERSON) -> Sequence[str]:
        """What stands before a command of somebody in it."""
        return [shutil.which("chroot") or "/usr/sbin/chroot", f"--userspec={person}", str(self.root)]

    def install(self, package: Path) -> str:
        """`apt install ./package`, as a person does; what apt says."""
        name = f"/var/tmp/{package.name}"  # noqa: S108 - in its own root
        shutil.copyfile(package, self.root / name.lstrip("/"))
        try:
            return self.run("apt-get", "install", "-y", "--allow-downgrades", name)
        finally:
            (self.root / name.lstrip("/")).unlink()

    def installed(self, **around: str) -> Installed:
        """BigMind as its person has it."""
        command = [*self.entering(), "/usr/bin/bigmind"]
        path = {"PATH": "/usr/local/bin:/usr/bin:/bin", "USER": PERSON, "LOGNAME": PERSON}
        return Installed(command, self.root / "home" / PERSON, f"/home/{PERSON}", {**path, **around}, place="")

    def files(self) -> set[str]:
        """Every file of the system and of its person: not what apt keeps for itself, nor what runs."""
        passed_over = {"proc", "dev", "sys", "tmp", "run"}
        found: set[str] = set()
        for place, folders, files in os.walk(self.root):
            here = Path(place).relative_to(self.root)
            if here == Path():
                folders[:] = [each for each in folders if each not in passed_over]
            if here.as_posix() in {"var/cache", "var/lib/apt", "var/log", "var/lib/dpkg"}:
                folders.clear()
                continue
            found |= {str(here / each) for each in files}
        return found


@contextmanager
def unpacked(folder: Path) -> Iterator[Debian]:
    """One, in an empty folder, for the length of a block."""
    root = folder / "debian"
    root.mkdir()
    subprocess.run(["tar", "--numeric-owner", "-xpf", str(KEPT), "-C", str(root)], check=True)
    shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
    if Path("/etc/hosts").exists():
        shutil.copyfile("/etc/hosts", root / "etc/hosts")
    for each in ("proc", "dev"):
        subprocess.run(["mount", "--rbind", f"/{each}", str(root / each)], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=1777", "tmpfs", str(root / "dev/shm")], check=True)
    screens = root / "tmp/.X11-unix"
    screens.mkdir(mode=0o1777)
    Path("/tmp/.X11-unix").mkdir(mode=0o1777, exist_ok=True)  # noqa: S108 - where X servers are
    subprocess.run(["mount", "--bind", "/tmp/.X11-unix", str(screens)], check=True)  # noqa: S108
    debian = Debian(root)
    debian.run("useradd", "--create-home", PERSON)
    debian.run("apt-get", "update", "-q")
    try:
        yield debian
    finally:
        for each in (screens, root / "dev/shm", root / "dev", root / "proc"):
            subprocess.run(["umount", "--recursive", "--lazy", str(each)], check=False)
        if str(root) not in Path("/proc/self/mounts").read_text():  # else it would be this machine's /dev that went
            shutil.rmtree(root, ignore_errors=True)
