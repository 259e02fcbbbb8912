"""What is written is on the disk itself when somebody says that it is."""

import os
import sys
from contextlib import suppress
from pathlib import Path

_FULL_SYNC = 51
"""F_FULLFSYNC of macOS' fcntl(2)."""


def to_disk(file: int, system: str = sys.platform) -> None:
    """Wait until what was written to an open file is on the disk; macOS' `fsync` leaves it in the drive's own memory.

    Raises:
        OSError: when the operating system does not let us.
    """
    if system == "darwin":
        import fcntl  # noqa: PLC0415 - there is none on Windows

        with suppress(OSError):  # file systems of networks have no such order
            fcntl.fcntl(file, _FULL_SYNC)
            return
    os.fsync(file)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder on disk; without effect where folders cannot be opened."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        to_disk(descriptor)
    finally:
        os.close(descriptor)
