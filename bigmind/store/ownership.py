"""One process owns the store. A second one is told who has it."""

import json
import os
from contextlib import suppress
from pathlib import Path

from filelock import FileLock, Timeout

from bigmind.core.clock import iso, system_clock
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.existence import is_folder_or_raises
from bigmind.disk.open_files import remove
from bigmind.local.store_owner import State, noted
from bigmind.paths import (
    PRIVATE_FILE,
    UNWRITABLE_HINT,
    lock_file,
    make_private_folder,
    narrow,
    owner_file,
    write_note,
)

PROBED_SECONDS = 0.1
"""Who asks whether the store is owned has its lock for a moment: that is waited for."""


class Ownership:
    """The exclusive right to open the store of one home; the operating system takes it back when the process ends."""

    def __init__(self, home: Path, purpose: str, file: Path | None = None) -> None:
        """Take the right, or say who has it.

        Args:
            home: the data folder.
            purpose: what this process is, in words: `bigmind serve`.
            file: the database, where it is not in the home: two homes may name the same one.

        Raises:
            BigMindError: `store_in_use`; `storage_full` or `store_unusable`, when the folder takes no file.
        """
        make_private_folder(home)
        self._home = home
        self._lock = FileLock(lock_file(home), mode=PRIVATE_FILE, thread_local=False)
        try:
            self._lock.acquire(timeout=PROBED_SECONDS, poll_interval=PROBED_SECONDS / 10)
        except Timeout:
            raise BigMindError(
                Code.STORE_IN_USE,
                f"The memory in {home} is already open in {noted(home) or 'another process'}.",
                "Use that one (`bigmind status` shows its address), or end it with `bigmind stop`.",
            ) from None
        except OSError as error:
            raise BigMindError(
                Code.STORE_UNUSABLE,
                f"The memory in {home} cannot be locked: {error.strerror}.",
                UNWRITABLE_HINT,
            ) from error
        _narrow(lock_file(home))
        self._purpose, self._since = purpose, iso(system_clock())
        self._beside: FileLock | None = None
        try:
            if file is not None:
                self._beside = _lock_beside(file)
                _take(self._beside, file)
            self.say("starting")
        except BigMindError:
            self._give_back()
            raise

    def say(self, state: State) -> None:
        """Note for others what this process is, and what it does.

        Raises:
            BigMindError: `storage_full`, `store_unusable`.
        """
        owner = {"pid": os.getpid(), "purpose": self._purpose, "since": self._since, "state": state}
        write_note(owner_file(self._home), json.dumps(owner))

    def _give_back(self) -> None:
        if self._beside is not None:
            self._beside.release()
        self._lock.release()

    def release(self) -> None:
        """Give the right back. The lock file stays: removing it would let two processes lock two files."""
        if self._lock.is_locked:  # a second call must not remove what the next owner says of itself
            try:
                remove(owner_file(self._home))
            finally:
                self._give_back()


def _lock_beside(file: Path) -> FileLock:
    """The lock of a database of its own folder, which stays as it is: others may keep their things there too.

    A folder that is not there is not made: a path that was mistyped would be an empty memory, and nobody told.
    """
    try:
        is_there = is_folder_or_raises(file.parent)
    except OSError as error:
        raise _unusable(file.parent, error) from error
    if not is_there:
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"The memory is to be in {file}, and there is no folder {file.parent}.",
            "Check BIGMIND_DB_PATH; or make that folder first, if a new memory is to begin there.",
        )
    return FileLock(file.with_name(f"{file.name}.lock"), mode=PRIVATE_FILE, thread_local=False)


def _take(lock: FileLock, file: Path) -> None:
    try:
        lock.acquire(timeout=0)
    except Timeout:
        _refuse_unlockable(Path(lock.lock_file))
        raise BigMindError(
            Code.STORE_IN_USE,
            f"The memory in {file} is already open in a BigMind with another data folder.",
            "Use that one, or end it; set BIGMIND_DB_PATH to another file for a memory of its own.",
        ) from None
    except OSError as error:
        raise _unusable(file.parent, error) from error
    _narrow(Path(lock.lock_file))


def _refuse_unlockable(lock: Path) -> None:
    """Tell a folder that takes no lock from a lock that somebody has: the library tries both until its time is over.

    Raises:
        BigMindError: `store_unusable`.
    """
    try:
        os.close(os.open(lock, os.O_RDWR | os.O_CREAT, PRIVATE_FILE))
    except OSError as error:
        raise _unusable(lock.parent, error) from error


def _narrow(lock: Path) -> None:
    """The mode that a lock is made with is none for one that was there, as after a copy."""
    with suppress(OSError):  # somebody else's: it is locked all the same
        narrow(lock, PRIVATE_FILE)


def _unusable(folder: Path, error: OSError) -> BigMindError:
    return BigMindError(
        Code.STORE_UNUSABLE,
        f"No file can be made in the folder {folder}: {error.strerror or error}.",
        "Set BIGMIND_DB_PATH to a file in a folder that you may write to.",
    )


def is_held(home: Path, pid: int) -> bool:
    """Whether the process that said it holds the store has not given it back; asked while that process ends."""
    said = noted(home)
    return said is not None and said.pid == pid
