"""Where the data folder can be: in the place of no file, and no deeper than its own files let it."""

import os
import stat
import sys
from collections.abc import Callable
from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.disk.long_paths import MOST_LETTERS, is_too_long, letters_of, takes_long_paths

LONGEST_BELOW = 90
"""Letters of the longest path in the data folder, behind its own: of the hundredth backup of a second in the making."""
DAILY_BELOW = 60
"""The same of what BigMind needs each day: tokens, and backups by the clock."""


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

    One that has something in it was taken before: it is refused only where what is needed each day has no room.

    Args:
        home: it.
        system: as `sys.platform` says it.
        takes_long: whether longer paths are taken; by default, what it is set to.

    Raises:
        BigMindError: `store_unusable`.
    """
    if system != "win32" or not is_too_long(home, LONGEST_BELOW, takes_long):
        return
    if not _has_something(home) or is_too_long(home, DAILY_BELOW, takes_long):
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"BigMind's data folder cannot be {home}: its path has {letters_of(home)} letters.",
            f"Windows is set to take short paths only: set BIGMIND_HOME to a folder with at most "
            f"{MOST_LETTERS - LONGEST_BELOW}; move a memory that is in there to it first.",
        )


def _has_something(folder: Path) -> bool:
    try:
        with os.scandir(folder) as found:
            return any(found)
    except OSError:
        return False


def _file_in_place_of(folder: Path) -> Path | None:
    """What is no folder where it or one above it is to be; None for none, or where the system does not say."""
    try:
        return None if stat.S_ISDIR(folder.stat().st_mode) else folder
    except (FileNotFoundError, NotADirectoryError):
        return _file_in_place_of(folder.parent) if folder != folder.parent else None
    except OSError:
        return None
