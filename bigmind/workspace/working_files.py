"""What lies in the working files of a repository, by content that is hashed here: no setting or filter of git's counts.

A file is known by the id that git would give its bytes. It is hashed once for as long as the system says that nothing
of it changed.
"""

import hashlib
import os
import stat
import threading
import time
from collections.abc import Iterable
from pathlib import Path

from bigmind.workspace.folder import WorkspaceFault

MOST_FILES = 100_000
MOST_BYTES = 4_000_000_000
"""Of all files that are hashed for one look; what was hashed before costs nothing."""
MOST_REMEMBERED = 300_000
FRESH_NANOSECONDS = 2_000_000_000
"""A file that was written so lately may be written again within the same tick of the clock: it is not remembered."""
_PIECE = 1 << 20
_OPENING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)

_Signature = tuple[int, int, int, int, int, str]
_known: dict[_Signature, tuple[str, str]] = {}
_lock = threading.Lock()


class WorkingFiles:
    """The files below a folder, as git would know their bytes.

    Args:
        root: the real path.
        algorithm: of the repository's object ids: `sha1` or `sha256`.
    """

    def __init__(self, root: Path, algorithm: str) -> None:
        self._root = root
        self._algorithm = algorithm
        self._folders: dict[str, bool] = {"": True}
        self._bytes = 0

    def ids(self, paths: Iterable[str]) -> dict[str, tuple[str, str]]:
        """The ids of the files that are there, each by its bytes, and by them with line ends as git keeps them.

        Raises:
            WorkspaceFault: when there is more than is looked through.
        """
        found: dict[str, tuple[str, str]] = {}
        for number, path in enumerate(paths):
            if number >= MOST_FILES:
                raise WorkspaceFault(f"The workspace has more than {MOST_FILES:,} files.", "too_large")
            if self._is_inside(path.rpartition("/")[0]) and (known := self._id(path)) is not None:
                found[path] = known
        return found

    def _is_inside(self, folder: str) -> bool:
        """Whether a folder is one, and no link on the way."""
        known = self._folders.get(folder)
        if known is None:
            try:
                mode = os.lstat(self._root / folder).st_mode
            except (OSError, ValueError):
                mode = 0
            known = stat.S_ISDIR(mode) and self._is_inside(folder.rpartition("/")[0])
            self._folders[folder] = known
        return known

    def _id(self, path: str) -> tuple[str, str] | None:
        whole = self._root / path
        try:
            state = os.lstat(whole)
            if stat.S_ISLNK(state.st_mode):
                link = self._blob(os.fsencode(whole.readlink()))
                return link, link
            if not stat.S_ISREG(state.st_mode):
                return None
            signature = self._signature(state)
            if (known := _known.get(signature)) is not None:
                return known
            return self._read(whole, path)
        except (OSError, ValueError):
            return None

    def _signature(self, state: os.stat_result) -> _Signature:
        times = (state.st_size, state.st_mtime_ns, state.st_ctime_ns)
        return state.st_dev, state.st_ino, *times, self._algorithm

    def _read(self, whole: Path, path: str) -> tuple[str, str] | None:
        handle = os.open(whole, _OPENING)
        try:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                return None
            self._bytes += state.st_size
            if self._bytes > MOST_BYTES:
                raise WorkspaceFault(f"There is too much to hash, at {path[:200]}.", "too_large")
            found = self._hashed(handle, state.st_size)
        finally:
            os.close(handle)
        if time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) > FRESH_NANOSECONDS:
            _remember(self._signature(state), found)
        return found

    def _hashed(self, handle: int, size: int) -> tuple[str, str]:
        hashed = hashlib.new(self._algorithm, f"blob {size}\0".encode(), usedforsecurity=False)
        first, kept = True, b""
        while piece := os.read(handle, _PIECE):
            hashed.update(piece)
            kept, first = (piece, False) if first else (b"", False)
        whole = hashed.hexdigest()
        has_line_ends = b"\r\n" in kept and b"\0" not in kept and len(kept) == size
        return whole, self._blob(kept.replace(b"\r\n", b"\n")) if has_line_ends else whole

    def _blob(self, data: bytes) -> str:
        return hashlib.new(self._algorithm, f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()


def _remember(signature: _Signature, found: tuple[str, str]) -> None:
    with _lock:
        if len(_known) >= MOST_REMEMBERED:
            for old in list(_known)[: MOST_REMEMBERED // 4]:
                del _known[old]
        _known[signature] = found
