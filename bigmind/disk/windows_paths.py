r"""Paths as Windows reads them: names that are taken for others, and what leads to another machine.

Windows signs its user in at whatever machine a path names (`\\server\share`), as soon as anybody only looks whether
there is such a file. So what somebody else wrote is judged by its words, and by those of the links on its way.
"""

import os
import re
import stat
import sys
from collections.abc import Callable, Iterable
from errno import EINVAL
from pathlib import Path, PurePath
from typing import TypeVar

AnyPath = TypeVar("AnyPath", bound=PurePath)
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul", "conin$", "conout$"}
    | {f"{port}{number}" for port in ("com", "lpt") for number in "123456789¹²³"}
)
"""Names that Windows takes for a device: `PureWindowsPath.is_reserved` says so, and is gone with Python 3.15."""

_VERBATIM = re.compile(r"\\(?:\\[?.]|\?\?)\\")
r"""How a path begins that Windows takes as it stands: `\\?\`, `\\.\` and `\??\`."""
_OF_A_DISK = re.compile(r"[a-z]:|volume\{")
"""What can stand behind that and is a disk of this machine, or what its user made one."""
_MOST_LINKS = 40
_LEADS_ELSEWHERE = 0x2000_0000
"""The bit of a reparse point that leads to another name: of a link and a junction, not of what a cloud still holds."""


def mode_of(state: os.stat_result) -> int:
    """The mode of what `lstat` found; a link's for a junction, of which Python says that it is a folder."""
    return stat.S_IFLNK if getattr(state, "st_reparse_tag", 0) & _LEADS_ELSEWHERE else state.st_mode


def is_link(path: Path, look: Callable[[Path], os.stat_result] = os.lstat) -> bool:
    """Whether a path leads elsewhere; of a junction `Path.is_symlink` says that it does not.

    Args:
        path: what is looked at; what is not there, or may not be looked at, leads nowhere.
        look: what looks at it, and follows nothing.
    """
    try:
        return stat.S_ISLNK(mode_of(look(path)))
    except (OSError, ValueError):
        return False


def is_device(name: str) -> bool:
    """Whether a file's name is a device's, whatever ending it has."""
    return name.partition(".")[0].partition(":")[0].rstrip().casefold() in _DEVICES


def is_taken_for_another(name: str, system: str = sys.platform) -> bool:
    """Whether Windows opens another file, a stream or a device by a name in a folder.

    It leaves out dots and spaces at the end, so one file would have many names.
    """
    if system != "win32":
        return False
    has_other_end = name != name.rstrip(". ") and name not in {".", ".."}
    return has_other_end or ":" in name or "\\" in name or is_device(name)


def share_of(path: str) -> str:
    r"""The shared folder that a path is of, as `\\server\share` in small letters; empty for one of this machine."""
    told = _told(path)
    if begin := _VERBATIM.match(told):
        rest = told[begin.end() :]
        return _share(rest.removeprefix("unc\\")) if rest.startswith("unc\\") else ""
    return _share(told[2:]) if told.startswith("\\\\") else ""


def names_another_machine(path: str, near: Iterable[PurePath | str] = (), system: str = sys.platform) -> bool:
    """Whether a path is of a machine that is none of those where `near` lies; only on Windows.

    Args:
        path: as somebody else wrote it.
        near: paths that may be looked at anyway.
        system: as `sys.platform` says it.
    """
    if system != "win32":
        return False
    if share := share_of(path):
        return share not in {share_of(str(each)) for each in near}
    told = _told(path)
    begin = _VERBATIM.match(told)
    # Of a device, or by a name that may lead anywhere: `\\?\GLOBALROOT\Device\Mup\server`.
    return begin is not None and not _OF_A_DISK.match(told, begin.end())


def leads_to_another_machine(path: Path, near: Iterable[PurePath | str] = (), system: str = sys.platform) -> bool:
    """The same of a path and of the links on its way, of which none is followed before its words are judged.

    A link that cannot be read may lead anywhere.
    """
    if system != "win32":
        return False
    shares = {share_of(str(each)) for each in near} - {""}
    if names_another_machine(str(path), shares, system):
        return True
    steps, found, followed = [*reversed(path.parts)], Path(), 0
    while steps:
        step = steps.pop()
        try:
            link = _link(found / step)
        except OSError:
            return True
        if link is None:
            found = found.parent if step == ".." else found / step
        elif names_another_machine(link, shares, system) or followed == _MOST_LINKS:
            return True
        else:
            followed += 1
            steps += reversed(Path(link).parts)
    return False


def leads_away(folder: Path, told: str, near: Iterable[PurePath | str] = (), system: str = sys.platform) -> bool:
    """The same of a path that a file in a folder tells."""
    places = tuple(near)
    return names_another_machine(told, places, system) or leads_to_another_machine(folder / told, places, system)


def with_prefix(path: AnyPath, system: str = sys.platform) -> AnyPath:
    r"""A whole path as Windows takes it however long it is, and its names as they stand: with `\\?\`."""
    told = str(path)
    if system != "win32" or told.startswith(("\\\\?\\", "\\\\.\\")) or not path.is_absolute():
        return path
    return type(path)(f"\\\\?\\UNC\\{told[2:]}" if told.startswith("\\\\") else f"\\\\?\\{told}")


def of_any_length(path: Path, system: str = sys.platform) -> Path:
    """A path as Windows takes it however long it is: a prefix, behind which `..` and dots at ends would be names."""
    return with_prefix(Path(os.path.abspath(path)), system) if system == "win32" else path  # noqa: PTH100 - see above


def _told(path: str) -> str:
    return path.strip().replace("/", "\\").casefold()


def _share(rest: str) -> str:
    return "\\\\" + "\\".join(rest.split("\\")[:2])


def _link(path: Path) -> str | None:
    """Where a link leads; None for what is none, or is not there.

    Raises:
        OSError: it is a link, or may be one, and cannot be read.
    """
    for each in dict.fromkeys((path, of_any_length(path))):
        try:
            return os.readlink(each)  # noqa: PTH115 - a Path would change how it is told
        except (FileNotFoundError, NotADirectoryError):
            continue
        except ValueError:
            return None
        except OSError as error:
            if error.errno != EINVAL and stat.S_ISLNK(mode_of(os.lstat(each))):
                raise
            return None
    return None
