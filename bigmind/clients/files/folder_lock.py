"""The lock of a folder with files of other programs, so that one BigMind at a time writes there.

Each BigMind has a home and locks of its own; the folder is what two of them share. filelock, which those locks are of,
locks files, and one of ours would stay in a folder that is not. Other programs know nothing of the
lock: what they write in the same moment `writer` finds by exchanging files. Of two BigMinds that exchanged at once,
each could take the other's words for its own. Windows locks no folder, and exchanges no files either.
"""

import os
import sys
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from time import monotonic, sleep

MOST_WAITED_SECONDS = 5.0
"""A write takes milliseconds; who holds the folder longer hangs, or is another program with a lock of its own there."""
_BETWEEN_SECONDS = 0.005


@contextmanager
def alone_in(folder: Path) -> Generator[None]:
    """Hold the lock of a folder for the length of a block; the end of a process gives it back.

    Nobody waits where the folder cannot be opened or its file system knows no locks.

    Raises:
        TimeoutError: when somebody else has held it for five seconds.
    """
    try:
        opened = os.open(folder, os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))  # a pipe there would be waited for
    except OSError:  # Windows, what is no folder, and one that may be entered but not listed
        yield
        return
    try:
        _lock(opened)
        yield
    finally:
        os.close(opened)


def _lock(opened: int) -> None:
    if sys.platform == "win32":
        return
    import fcntl  # noqa: PLC0415 - there is none on Windows

    until = monotonic() + MOST_WAITED_SECONDS
    while True:
        try:
            fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if monotonic() > until:
                raise TimeoutError("its folder is held by another program") from None
            sleep(_BETWEEN_SECONDS)
        except OSError:  # no such locks on this file system
            return
        else:
            return
