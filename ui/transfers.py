"""Files that pass through: what a browser sent to be imported, and exports that it is to fetch.

Each lies alone in a private folder of the home, and is gone after its use, after an hour, when BigMind ends, and as
soon as anything is forgotten for good, pruned or masked: no copy of that may be left.
"""

import asyncio
import os
import threading
from dataclasses import dataclass
from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Change
from bigmind.core.operation import Caller
from bigmind.disk.new_entries import new_folder
from bigmind.disk.open_files import briefly, remove_tree
from bigmind.paths import make_private_folder, scratch_folder
from bigmind.portable.transfer_paths import MADE, SENT
from bigmind.store.store import Store

KEPT_SECONDS = 3_600.0
MOST_KEPT = 2
"""Whole files of one kind that a user has at once; a newer one takes the place of the oldest."""


@dataclass(slots=True)
class _Kept:
    user_id: int
    is_whole: bool = False


class TransferFolder:
    """The folders of one kind of files. `place` runs on the event loop, the rest on any thread."""

    def __init__(self, home: Path, prefix: str, gone: str) -> None:
        """Remove what an earlier run left.

        Args:
            home: the data folder.
            prefix: what the names of the folders begin with; no other kind has the same.
            gone: what to do when a file is asked for that is here no more.
        """
        self._root = Path(os.path.realpath(scratch_folder(home)))
        self._prefix = prefix
        self._gone = gone
        self._lock = threading.Lock()
        self._kept: dict[Path, _Kept] = {}
        self._is_closed = False
        self._remove_all()

    def place(self, caller: Caller, name: str) -> Path:
        """Where a new file of that name may be written, by and for the caller.

        Raises:
            BigMindError: `unavailable`, once BigMind ends.
        """
        with self._lock:
            if self._is_closed:
                raise BigMindError(Code.UNAVAILABLE, "BigMind is ending.", "Start it again, then repeat this.")
            make_private_folder(self._root)
            folder = new_folder(self._root, self._prefix)
            self._kept[folder] = _Kept(caller.user_id)
        loop = asyncio.get_running_loop()
        loop.call_later(KEPT_SECONDS, loop.run_in_executor, None, self.remove, folder / name)
        return folder / name

    def keep(self, path: Path) -> None:
        """Note that a file is whole, and remove its user's oldest ones if there are more than are kept.

        Raises:
            BigMindError: `not_found`, when it was removed while it was written.
        """
        with self._lock:
            if (kept := self._kept.get(path.parent)) is None or not path.is_file():
                raise self.gone()
            kept.is_whole = True
            whole = [folder for folder, each in self._kept.items() if each.is_whole and each.user_id == kept.user_id]
        for folder in whole[:-MOST_KEPT]:
            self.remove(folder / path.name)

    def find(self, caller: Caller, path: Path) -> Path | None:
        """The caller's file that a path leads to, however it is written; None for one that leads elsewhere.

        Raises:
            BigMindError: `not_found`, when it leads to where such files lie, but to none of the caller's.
        """
        try:
            found = Path(os.path.realpath(path.expanduser()))
        except (OSError, RuntimeError, ValueError):  # nobody's home, or no path at all: whoever opens it says so
            return None
        if not any(_is_same(each, self._root) for each in found.parents):
            return None
        kept = self._kept.get(found.parent)
        if kept is None or kept.user_id != caller.user_id or not found.is_file():
            raise self.gone()
        return found

    def remove(self, path: Path) -> None:
        """Remove a file with its folder; what is not there, or is none of these, does no harm."""
        folder = path.parent
        with self._lock:
            self._kept.pop(folder, None)
        # Also one that is not known any more: on Windows a file that is still being written outlives its removal.
        if folder.parent == self._root and folder.name.startswith(self._prefix):
            remove_tree(folder)

    def empty(self) -> None:
        """Remove all there are, also what is still being written."""
        with self._lock:
            self._kept.clear()
            with briefly():
                self._remove_all()

    def close(self) -> None:
        """The same, and take no new ones."""
        with self._lock:
            self._is_closed = True
        self.empty()

    def gone(self) -> BigMindError:
        """What is said of a file that is here no more."""
        return BigMindError(Code.NOT_FOUND, "This file is here no more: it is kept for an hour at most.", self._gone)

    def _remove_all(self) -> None:
        for folder in self._root.glob(f"{self._prefix}*"):
            remove_tree(folder)


class Transfers:
    """Both kinds of one server: `sent` by a browser, and `made` for one."""

    def __init__(self, store: Store) -> None:
        """Listen for what is forgotten: an export that was made before holds it still."""
        self.sent = TransferFolder(store.home, SENT, "Choose it once more.")
        self.made = TransferFolder(store.home, MADE, "Export again.")
        self._unsubscribe = store.events.subscribe(self._hear)

    def _hear(self, change: Change) -> None:
        # Those of all users: an admin's export holds what others forget.
        if change.action is Action.FORGOTTEN:
            self.sent.empty()
            self.made.empty()

    def close(self) -> None:
        """Remove all, and take no new ones. From any thread."""
        self._unsubscribe()
        self.sent.close()
        self.made.close()


def _is_same(one: Path, other: Path) -> bool:
    """Whether they are one folder; where the case of letters does not count, names may differ."""
    try:
        return one == other or one.samefile(other)
    except OSError:
        return False
