"""One process owns the store. A second one is told who has it."""

import json
import os
from pathlib import Path

from filelock import FileLock, Timeout

from bigmind.core.clock import iso, system_clock
from bigmind.core.errors import BigMindError, Code
from bigmind.paths import PRIVATE_FILE, lock_file, make_private_folder, owner_file, write_private_file


class Ownership:
    """The exclusive right to open the store of one home; the operating system takes it back when the process ends."""

    def __init__(self, home: Path, purpose: str) -> None:
        """Take the right, or say who has it.

        Args:
            home: the data folder.
            purpose: what this process is, in words: `bigmind serve`.

        Raises:
            BigMindError: `store_in_use`; `storage_full` or `store_unusable`, when the folder takes no file.
        """
        make_private_folder(home)
        self._home = home
        self._lock = FileLock(lock_file(home), mode=PRIVATE_FILE, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise BigMindError(
                Code.STORE_IN_USE,
                f"The memory in {home} is already open in {self._holder()}.",
                "Use that one (`bigmind status` shows its address), or end it with `bigmind stop`.",
            ) from None
        except OSError as error:
            raise BigMindError(
                Code.STORE_UNUSABLE,
                f"The memory in {home} cannot be locked: {error.strerror}.",
                "Check the permissions of that folder, or set BIGMIND_HOME to one that you may write to.",
            ) from error
        owner = {"pid": os.getpid(), "purpose": purpose, "since": iso(system_clock())}
        try:
            write_private_file(owner_file(home), json.dumps(owner))
        except BigMindError:
            self._lock.release()
            raise

    def _holder(self) -> str:
        try:
            owner = json.loads(owner_file(self._home).read_text(encoding="utf-8"))
            return f"`{owner['purpose']}` (process {owner['pid']}, since {owner['since']})"
        except (OSError, ValueError, KeyError, TypeError):
            return "another process"

    def release(self) -> None:
        """Give the right back. The lock file stays: removing it would let two processes lock two files."""
        if self._lock.is_locked:  # a second call must not remove what the next owner says of itself
            try:
                owner_file(self._home).unlink(missing_ok=True)
            finally:
                self._lock.release()


def is_held(home: Path, pid: int) -> bool:
    """Whether the process that said it holds the store has not given it back; asked while that process ends."""
    try:
        return json.loads(owner_file(home).read_text(encoding="utf-8"))["pid"] == pid
    except (OSError, ValueError, KeyError, TypeError):
        return False
