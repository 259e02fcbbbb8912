"""What stands at a path, told alike by every Python.

Where a folder may not be looked into, or a disk does not answer, `Path.exists` and its like raise with Python 3.11 to
3.13 and say no with 3.14. So whoever can meet such a place asks here, by a name that says what it wants to hear
then: `is_known_file` says no, and `is_file_or_raises` raises.
"""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager
from errno import ELOOP, ENOENT, ENOTDIR
from pathlib import Path
from typing import BinaryIO

_NOWHERE = (ENOENT, ENOTDIR, ELOOP)
_NOWHERE_ON_WINDOWS = (123, 1921)
"""A name that no file can have, and a link that leads nowhere; Windows has no number of C for either."""


def is_known_file(path: Path) -> bool:
    """Whether a file is seen there, links followed; False also where that cannot be known."""
    return os.path.isfile(path)  # noqa: PTH113 - see above


def is_known_folder(path: Path) -> bool:
    """Whether a folder is seen there, links followed; False also where that cannot be known."""
    return os.path.isdir(path)  # noqa: PTH112 - see above


def is_known_socket(path: Path) -> bool:
    """Whether a socket is seen there, links followed; False also where that cannot be known."""
    try:
        return stat.S_ISSOCK(path.stat().st_mode)
    except OSError:
        return False


def is_gone(path: Path) -> bool:
    """Whether it is sure that nothing stands there, links followed; False also where that cannot be known."""
    try:
        return seen(path) is None
    except OSError:
        return False


def identity(path: Path) -> tuple[int, int] | None:
    """Which file or folder stands there, whatever it is called; None where there is none, or that cannot be known."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino


def beginning_of(path: Path, most: int) -> bytes:
    """The first `most` bytes of an ordinary file, links followed; a pipe in its place is not waited for.

    Raises:
        OSError: no ordinary file stands there, or it may not be read.
    """
    with _ordinary(path) as file:
        return file.read(most)


def end_of(path: Path, most: int) -> bytes:
    """The last `most` bytes of an ordinary file. As `beginning_of`."""
    with _ordinary(path) as file:
        file.seek(max(0, os.fstat(file.fileno()).st_size - most))
        return file.read(most)


@contextmanager
def _ordinary(path: Path) -> Generator[BinaryIO]:
    with open(path, "rb", opener=_without_waiting) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise FileNotFoundError(ENOENT, "no ordinary file", str(path))
        yield file


def _without_waiting(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def seen(path: Path) -> os.stat_result | None:
    """What stands there, links followed; None when it is sure that nothing does, as of links that lead in a circle.

    Raises:
        OSError: that cannot be known.
    """
    try:
        return path.stat()
    except OSError as error:
        if error.errno in _NOWHERE or getattr(error, "winerror", None) in _NOWHERE_ON_WINDOWS:
            return None
        raise


def is_file_or_raises(path: Path) -> bool:
    """Whether an ordinary file stands there, links followed. Raises as `seen`."""
    found = seen(path)
    return found is not None and stat.S_ISREG(found.st_mode)


def is_folder_or_raises(path: Path) -> bool:
    """Whether a folder stands there, links followed. Raises as `seen`."""
    found = seen(path)
    return found is not None and stat.S_ISDIR(found.st_mode)
