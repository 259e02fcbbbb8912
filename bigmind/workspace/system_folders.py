"""Folders that are no project's: the system's own, drives and homes as a whole. Their names differ between systems."""

import os
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path, PurePath, PurePosixPath

A_DRIVE = "the root of a drive"
A_HOME = "a home, or what holds it"
OF_SYSTEM = "a folder of the system"


@dataclass(frozen=True, slots=True)
class SystemFolders:
    """The folders of a system, from the root of a drive on; `*` stands for any name.

    Attributes:
        own: the system's, with all that lies in them.
        holders: of much, projects among it; what lies in them may be one.
        homes: of persons, and what holds them.
        drives: where the system puts drives; one that is elsewhere, as a container's folder, may be a project.
        ignores_case: whether names differ by more than the case of their letters.
        guest: the folders of another system, whose drives may be mounted here.
        guest_drives: where they are.
    """

    own: tuple[str, ...]
    holders: tuple[str, ...]
    homes: tuple[str, ...]
    drives: tuple[str, ...] = ()
    ignores_case: bool = True
    guest: "SystemFolders | None" = None
    guest_drives: tuple[str, ...] = ()

    def kind(self, folder: PurePath) -> str:
        """What a folder is that is no project's, in words; empty for any other."""
        names = folder.parts[1:]
        if not names:
            return A_DRIVE
        if self._is_among(names, self.homes):
            return A_HOME
        if self.guest is not None and (below := self._below_guest(names)):
            return self.guest.kind(PurePosixPath("/", *below))
        is_own = any(self._is_among(names[: place + 1], self.own) for place in range(len(names)))
        return OF_SYSTEM if is_own or self._is_among(names, self.holders) else ""

    def is_place_of_drive(self, folder: PurePath) -> bool:
        """Whether a folder is a drive as a whole, where one is mounted there."""
        return self._is_among(folder.parts[1:], self.drives)

    def _below_guest(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The names below the drive of another system on which a folder lies; none for any other."""
        patterns = [each.split("/") for each in self.guest_drives]
        return next((names[len(each) :] for each in patterns if self._is_like(names[: len(each)], each)), ())

    def _is_among(self, names: tuple[str, ...], patterns: Iterable[str]) -> bool:
        return any(self._is_like(names, each.split("/")) for each in patterns)

    def _is_like(self, names: tuple[str, ...], pattern: list[str]) -> bool:
        if self.ignores_case:
            names, pattern = tuple(map(str.casefold, names)), [*map(str.casefold, pattern)]
        return len(names) == len(pattern) and all(map(fnmatchcase, names, pattern))


WINDOWS = SystemFolders(
    own=("Windows", "Program Files", "Program Files (x86)", "ProgramData", "$Recycle.Bin", "System Volume Information"),
    holders=(),
    homes=("Users", "Users/*"),
)
_UNIX_OWN = (
    *("bin", "boot", "dev/fd", "etc", "lib", "lib32", "lib64", "libx32", "nix/store", "proc", "sbin", "snap", "sys"),
    *("usr/bin", "usr/include", "usr/lib", "usr/lib32", "usr/lib64", "usr/libexec", "usr/sbin", "usr/share"),
    *("var/cache", "var/log", "var/spool"),
)
_UNIX_HOLDERS = (
    *("dev", "dev/shm", "media", "mnt", "opt", "run", "run/user", "srv", "tmp", "usr", "usr/local", "usr/src"),
    *("var", "var/lib", "var/tmp", "media/*", "run/media", "run/media/*"),
)
UNIX = SystemFolders(
    own=_UNIX_OWN,
    holders=_UNIX_HOLDERS,
    homes=("root", "home", "home/*", "usr/home", "usr/home/*", "var/home", "var/home/*"),
    drives=("mnt/*", "media/*/*", "run/media/*/*"),
    ignores_case=False,
    guest=WINDOWS,
    guest_drives=("mnt/[a-z]",),  # where the Windows subsystem for Linux puts them
)
MACOS = SystemFolders(
    own=(
        *("Applications", "Library", "System", "bin", "cores", "sbin", "usr/bin", "usr/lib", "usr/libexec", "usr/sbin"),
        *("usr/share", "private/etc", "private/var/db", "private/var/log"),
    ),
    holders=(
        *("Volumes", "dev", "opt", "usr", "usr/local"),
        *("private", "private/tmp", "private/var", "private/var/folders"),
    ),
    homes=("Users", "Users/*", "private/var/root"),
    drives=("Volumes/*",),
)


def folders_of(system: str = sys.platform) -> SystemFolders:
    """Those of a system, as `sys.platform` says it."""
    return {"darwin": MACOS, "win32": WINDOWS}.get(system, UNIX)


def what_holds_more(folder: Path) -> str:
    """What a folder of this machine, by its real path, is that is no project's, in words; empty for any other."""
    known = folders_of()
    if known.is_place_of_drive(folder) and os.path.ismount(folder):
        return A_DRIVE
    person = Path(os.path.realpath(Path.home()))
    return known.kind(folder) or (A_HOME if folder == person or folder in person.parents else "")
