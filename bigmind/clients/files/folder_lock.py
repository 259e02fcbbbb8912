"""The lock of a folder with files of other programs, so that one BigMind at a time writes there.

Each BigMind has a home and locks of its own; the folder is what two of them share. filelock, which those locks are of,
locks files, and one of ours would stay in a folder that is not. Windows locks no folder: a mutex stands for it there,
named by what the disk calls the folder. Other programs know nothing of the lock: what they write in the same moment
`writer` finds by exchanging files. Of two BigMinds that exchanged at once, each could take the other's words for its
own. Windows exchanges no files (ReplaceFile leaves the name to nobody for a moment, in which an IDE would begin with
empty settings): there a program is overlooked that writes all of its words between the last look and the replacing.
"""

import os
import stat
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

MOST_WAITED_SECONDS = 5.0
"""A write takes milliseconds; who holds the folder longer hangs, or is another program with a lock of its own there."""
_BETWEEN_SECONDS = 0.005
_OF_ALL_PYTHONS = 0xFFFF_FFFF, 0xFFFF_FFFF_FFFF_FFFF
"""The part of a disk's number, and of a folder's, that every Python tells; from 3.12 on there is more of either."""


@contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Hold the lock of a folder for the length of a block; the end of a process gives it back.

    Nobody waits where the folder cannot be opened or its file system knows no locks.

    Raises:
        TimeoutError: when somebody else has held it for five seconds.
    """
    with _alone_on_windows(folder) if sys.platform == "win32" else _alone_elsewhere(folder):
        yield


@contextmanager
def _alone_elsewhere(folder: Path) -> Generator[None]:
    try:
        opened = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))  # a pipe there would be waited for
    except OSError:  # what is no folder, and one that may be entered but not listed
        yield
        return
    try:
        _wait(lambda: _is_locked_now(opened))
        yield
    finally:
        os.close(opened)


@contextmanager
def _alone_on_windows(folder: Path) -> Generator[None]:
    from bigmind.disk.named_mutex import mutexes_here  # noqa: PLC0415 - loads ctypes, and is for Windows only

    name, mutexes = mutex_name(folder), mutexes_here()
    mutex = mutexes.open(name) if name else None
    if mutex is None:
        yield
        return
    try:
        _wait(lambda: mutexes.is_taken_now(mutex))
        try:
            yield
        finally:
            mutexes.give_back(mutex)
    finally:
        mutexes.close(mutex)


def mutex_name(folder: Path) -> str:
    """What stands for a folder, however its path is written; empty for what is none."""
    try:
        about = folder.stat()
    except OSError:
        return ""
    if not stat.S_ISDIR(about.st_mode):
        return ""
    disk, number = (told & part for told, part in zip((about.st_dev, about.st_ino), _OF_ALL_PYTHONS, strict=True))
    return f"BigMind-writes-{disk:x}-{number:x}"


def _wait(is_ours: Callable[[], bool]) -> None:
    until = monotonic() + MOST_WAITED_SECONDS
    while not is_ours():
        if monotonic() > until:
            raise TimeoutError("its folder is held by another program")
        sleep(_BETWEEN_SECONDS)


def _is_locked_now(opened: int) -> bool:
    """Lock an open folder, unless another has locked it; on a file system without such locks it is ours anyway."""
    if sys.platform == "win32":
        return True
    import fcntl  # noqa: PLC0415 - there is none on Windows

    try:
        fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True
    return True
