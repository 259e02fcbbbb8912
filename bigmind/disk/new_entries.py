"""New files and folders of names that nothing has: there at once, or refused at once.

Python's `tempfile` takes Windows' refusal of a folder that may not be written into for a name that is taken, and tries
two billion others (3.11 and 3.12): whoever waits for that waits for hours.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bigmind.disk.open_files import remove

_CREATE = os.O_CREAT | os.O_EXCL | os.O_RDWR | getattr(os, "O_TEMPORARY", 0)
"""On Windows a file of no meaning goes with whoever made it, also where that is killed."""


def new_folder(parent: Path, prefix: str) -> Path:
    """Make a private folder; raises OSError."""
    folder = parent / f"{prefix}{_unlike_any()}"
    folder.mkdir(0o700)
    return folder


@contextmanager
def tried_file(folder: Path) -> Generator[Path]:
    """An empty file for the length of a block: whether one can be made there, and where it then is; raises OSError."""
    path = folder / f".bigmind-{_unlike_any()}"
    opened = os.open(path, _CREATE, 0o600)
    try:
        yield path
    finally:
        os.close(opened)
        remove(path)


def _unlike_any() -> str:
    return os.urandom(8).hex()
