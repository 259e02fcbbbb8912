"""Paths that are longer than Windows takes, where it is not set to take such; the data folder must not be one."""

import stat
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path, PurePath

from bigmind.core.errors import BigMindError, Code

MOST_LETTERS = 259
"""Of a path, where Windows is not set to take longer ones; what is longer is not found, and cannot be made."""
LONGEST_BELOW = 60
"""Letters of a path in the data folder, behind its own."""


@cache
def takes_long_paths() -> bool:
    """Whether this Windows is set to take paths that are longer than `MOST_LETTERS`; any other system does."""
    if sys.platform != "win32":
        return True
    import winreg  # noqa: PLC0415 - only Windows has it

    try:
        with winreg.OpenKey(winreg.HKEY_LOCAL_MACHINE, r"SYSTEM\CurrentControlSet\Control\FileSystem") as key:
            return winreg.QueryValueEx(key, "LongPathsEnabled")[0] == 1
    except OSError:  # before Windows 10 1607
        return False


def is_too_long(path: PurePath, room: int = 0, takes_long: Callable[[], bool] = takes_long_paths) -> bool:
    """Whether Windows finds and makes nothing by a path, or by one with `room` more letters.

    Args:
        path: whole.
        room: for the names of what is made in or beside it.
        takes_long: whether the system takes such.
    """
    return len(str(path)) + room > MOST_LETTERS and not takes_long()


def check_data_folder(home: Path) -> None:
    """Refuse a data folder that cannot be one; it need not exist.

    Raises:
        BigMindError: `store_unusable`, when it, or one above it, is a file; or its path is too long for Windows.
    """
    refuse_long_folder(home)
    if file := _file_in_place_of(home):
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"BigMind's data folder cannot be {home}: {'that' if file == home else file} is a file.",
            "Set BIGMIND_HOME to a folder (one that is not there yet is made), or move that file away.",
        )


def refuse_long_folder(
    home: Path, system: str = sys.platform, takes_long: Callable[[], bool] = takes_long_paths
) -> None:
    """Refuse a data folder whose files would be none that Windows can make.

    Args:
        home: it.
        system: as `sys.platform` says it.
        takes_long: whether longer paths are taken; by default, what it is set to.

    Raises:
        BigMindError: `store_unusable`.
    """
    if system == "win32" and is_too_long(home, LONGEST_BELOW, takes_long):
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"BigMind's data folder cannot be {home}: its path has {len(str(home))} letters.",
            f"Windows is set to take short paths only: set BIGMIND_HOME to a folder with at most "
            f"{MOST_LETTERS - LONGEST_BELOW}.",
        )


def _file_in_place_of(folder: Path) -> Path | None:
    """What is no folder where it or one above it is to be; None for none, or where the system does not say."""
    try:
        return None if stat.S_ISDIR(folder.stat().st_mode) else folder
    except (FileNotFoundError, NotADirectoryError):
        return _file_in_place_of(folder.parent) if folder != folder.parent else None
    except OSError:
        return None
