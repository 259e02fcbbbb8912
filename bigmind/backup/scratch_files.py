"""Files in the making: private, and removed, also after a process that was killed."""

import hashlib
import logging
import os
import shutil
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import time
from typing import IO

from bigmind.backup.files import is_backup
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.existence import is_gone, seen
from bigmind.disk.flushing import to_disk
from bigmind.disk.new_entries import new_folder
from bigmind.disk.open_files import remove, remove_tree
from bigmind.paths import PRIVATE_FILE, PRIVATE_FOLDER, backups_folder, make_folder, make_private_folder, scratch_folder
from bigmind.text.phrasing import room_needed

log = logging.getLogger(__name__)

PREFIX = "backup-"
ORPHANED_SECONDS = 3_600
SPARE_BYTES = 16_777_216
STEP_BYTES = 4_194_304


class PacedWriter:
    """Writes to a file and has it on disk step by step: what a disk is given at once, the store has to wait for."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._since = 0

    def write(self, data: bytes) -> int:
        """Write; now and then wait until it is on disk."""
        written = self._file.write(data)
        self._since += written
        if self._since >= STEP_BYTES:
            self.flush()
        return written

    def flush(self) -> None:
        """Have the disk take it."""
        self._file.flush()
        os.fsync(self._file.fileno())
        self._since = 0

    def finish(self) -> None:
        """Have all of it on disk."""
        self._file.flush()
        to_disk(self._file.fileno())


@contextmanager
def paced(path: Path) -> Generator[PacedWriter]:
    """A new private file to write to, in place of one that may be left there; on disk when the block ends.

    On Windows it is as private as its folder, which a person may share.
    """
    remove(path)  # who has that one open, or made it wider, is to see nothing of this
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_BINARY", 0)
    with os.fdopen(os.open(path, flags, PRIVATE_FILE), "wb") as file:
        target = PacedWriter(file)
        yield target
        target.finish()


@contextmanager
def scratch(home: Path) -> Generator[Path]:
    """A folder for this block. It is in the home and not among the backups: what is not encrypted yet is in it."""
    make_private_folder(scratch_folder(home))
    folder = new_folder(scratch_folder(home), PREFIX)
    try:
        yield folder
    finally:
        remove_tree(folder)


def partial_of(home: Path, path: Path) -> Path:
    """Where a backup is written until it is verified. It says of which home, because several may share a folder."""
    return path.with_name(f".{path.name}.{_tag(home)}.partial")


def _tag(home: Path) -> str:
    return hashlib.sha256(os.path.normcase(home.absolute()).encode()).hexdigest()[:8]


def sweep(home: Path, folder: Path) -> None:
    """Remove what a killed process left. Call it before anything is in the making."""
    with suppress(FileNotFoundError):
        for each in scratch_folder(home).glob(f"{PREFIX}*"):
            remove_tree(each)
    with suppress(OSError):  # a drive that is not there now is swept when it is back
        for each in folder.iterdir():
            with suppress(OSError):  # one that a program has open, say, or that is read-only: the others go
                if _is_partial(each, home) or _is_orphan(each, own=folder == backups_folder(home)):
                    remove(each)


def _is_partial(path: Path, home: Path) -> bool:
    return path.name.startswith(".bigmind-") and path.name.endswith(f".{_tag(home)}.partial")


def _is_orphan(path: Path, *, own: bool) -> bool:
    """A manifest, or the making of one, without a backup; in a folder that others may write to, only after a while."""
    half = path.name.startswith(".bigmind-") and path.name.endswith(".json.partial")
    alone = path.suffix == ".json" and is_backup(path.stem) and is_gone(path.with_name(path.stem))
    return (half or alone) and (own or time() - path.stat().st_mtime > ORPHANED_SECONDS)


CHOSEN_FOLDER = PRIVATE_FOLDER if os.name == "posix" else 0o777
"""Mode of a folder that a person chose for backups, where it is made. On Windows it is as its disk has it: made
private, it could not be read at the computer that a disk is carried to."""
OTHER_FOLDER = "Connect the drive that it is on, or set BIGMIND_BACKUP_FOLDER to another one."


def prepare(home: Path, folder: Path) -> None:
    """Make the folder of backups for this user alone. One that a person chose and made keeps the mode they gave it.

    See `CHOSEN_FOLDER`.
    """
    if folder == backups_folder(home):
        make_private_folder(folder)
    elif (found := seen(folder)) is None:
        make_folder(folder, OTHER_FOLDER, CHOSEN_FOLDER)
    elif not stat.S_ISDIR(found.st_mode):
        raise BigMindError(
            Code.STORE_UNUSABLE, f"{folder} is no folder.", "Set BIGMIND_BACKUP_FOLDER to one that you may write to."
        )


def require_room(home: Path, folder: Path, size: int) -> None:
    """Refuse before the disk is full: other programs, and the store itself, need it too.

    Args:
        home: where a copy is made first, and restored last.
        folder: where the backup will be.
        size: of the store, in bytes.

    Raises:
        BigMindError: `storage_full`.
    """
    wanted: dict[int, tuple[Path, int]] = {}
    for place in (home, folder):
        device = place.stat().st_dev
        wanted[device] = (place, wanted.get(device, (place, 0))[1] + size)
    for place, needed in wanted.values():
        free = shutil.disk_usage(place).free
        if free < needed + SPARE_BYTES:
            elsewhere = "" if place == home else ", or set BIGMIND_BACKUP_FOLDER to a folder on another disk"
            raise BigMindError(
                Code.STORAGE_FULL,
                room_needed(needed, SPARE_BYTES, place, free),
                f"Make room there{elsewhere}. Nothing was changed.",
            )
