"""What lies in the working files of a repository, by content that is hashed here: no setting or filter of git's counts.

A file is known by the id that git would give its bytes. It is hashed once for as long as the system says that nothing
of it changed.
"""

import hashlib
import os
import stat
import sys
import threading
import time
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from bigmind.disk.windows_paths import is_taken_for_another, mode_of, with_prefix
from bigmind.workspace.folder import WorkspaceFault
from bigmind.workspace.windows_names import is_own_of_git, link_bytes

MOST_FILES = 100_000
MOST_BYTES = 4_000_000_000
"""Of all files that are hashed for one look; what was hashed before costs nothing."""
MOST_REMEMBERED = 300_000
FRESH_NANOSECONDS = 2_000_000_000
"""A file that was written so lately may be written again within the same tick of the clock: it is not remembered."""
MOST_OF_TEXT = 16_000_000
"""Bytes of a file in which line ends are looked at."""
HAS_CHANGE_TIME = os.name != "nt"
"""Whether the system tells when a file was last changed, which nobody can set; where not, nothing is remembered."""
HAS_MODES = os.name != "nt"
PROGRAM, LINK, MODULE, OTHER_REPOSITORY, LOCKED = "x", "l", "m", "r", "u"
"""What a path is, beside an ordinary file: one that can be run, a link, a module, a repository that is none, and what
is there and cannot be read."""
_PIECE = 1 << 20
_NOT_INSIDE = frozenset({"", ".", "..", ".git"})
"""What no part of a path may be, on any system."""
_OPENING = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)


@dataclass(frozen=True, slots=True)
class WorkingFile:
    """A path of the working files.

    Attributes:
        id: as git would give it to the bytes.
        plain: the same with line ends as git keeps them.
        kind: empty for an ordinary file, else a letter, as above.
    """

    id: str
    plain: str
    kind: str = ""


_Signature = tuple[int, int, int, int, int, str]
_known: dict[_Signature, tuple[str, str]] = {}
_lock = threading.Lock()


class WorkingFiles:
    """The files below a folder, as git would know their bytes.

    Args:
        root: the real path.
        algorithm: of the repository's object ids: `sha1` or `sha256`.
        has_programs: whether it counts that a file can be run.
    """

    def __init__(self, root: Path, algorithm: str, *, has_programs: bool = HAS_MODES) -> None:
        self._root = with_prefix(root)
        self._algorithm = algorithm
        self._has_programs = has_programs
        self._folders: dict[str, bool] = {"": True}
        self._bytes = 0

    def are_in_folders(self, paths: Iterable[str]) -> list[str]:
        """Those of some paths to which no link is on the way, inside of the folder."""
        return [each for each in paths if is_inside(each) and self._is_folder(each.rpartition("/")[0])]

    def found(self, paths: Iterable[str]) -> dict[str, WorkingFile]:
        """The files of those paths that are there, none outside of the folder.

        Raises:
            WorkspaceFault: when there is more than is looked through.
        """
        found: dict[str, WorkingFile] = {}
        for number, path in enumerate(paths):
            if number >= MOST_FILES:
                raise WorkspaceFault(f"The workspace has more than {MOST_FILES:,} files.", "too_large")
            if is_inside(path) and self._is_folder(path.rpartition("/")[0]) and (file := self._file(path)) is not None:
                found[path] = file
        return found

    def _is_folder(self, folder: str) -> bool:
        """Whether a folder is one, and no link on the way; nothing is looked at behind a link, wherever it leads."""
        known = self._folders.get(folder)
        if known is None:
            known, end = True, 0
            while known and end < len(folder):
                end = folder.find("/", end + 1)
                end = end if end > 0 else len(folder)
                known = self._is_folder_itself(folder[:end])
            self._folders[folder] = known
        return known

    def _is_folder_itself(self, folder: str) -> bool:
        if folder not in self._folders:
            try:
                mode = mode_of(os.lstat(self._root / folder))
            except (OSError, ValueError):
                mode = 0
            self._folders[folder] = stat.S_ISDIR(mode)
        return self._folders[folder]

    def _file(self, path: str) -> WorkingFile | None:
        whole = self._root / path
        try:
            state = os.lstat(whole)
            if stat.S_ISLNK(mode_of(state)):
                link = self._blob(link_bytes(os.readlink(whole)))  # noqa: PTH115 - a Path tells `./x` as `x`
                return WorkingFile(link, link, LINK if HAS_MODES else "")
            if not stat.S_ISREG(state.st_mode):
                return None
            known = _known.get(self._signature(state)) or self._read(whole, path)
        except (FileNotFoundError, NotADirectoryError, ValueError):
            return None
        except OSError:
            return WorkingFile("unreadable", "unreadable", LOCKED)
        if known is None:
            return None
        return WorkingFile(*known, PROGRAM if self._has_programs and state.st_mode & stat.S_IXUSR else "")

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
        if HAS_CHANGE_TIME and time.time_ns() - max(state.st_mtime_ns, state.st_ctime_ns) > FRESH_NANOSECONDS:
            _remember(self._signature(state), found)
        return found

    def _hashed(self, handle: int, size: int) -> tuple[str, str]:
        hashed = hashlib.new(self._algorithm, f"blob {size}\0".encode(), usedforsecurity=False)
        kept = bytearray()
        while piece := os.read(handle, _PIECE):
            hashed.update(piece)
            if size <= MOST_OF_TEXT:
                kept += piece
        whole = hashed.hexdigest()
        has_line_ends = b"\r\n" in kept and b"\0" not in kept
        return whole, self._blob(kept.replace(b"\r\n", b"\n")) if has_line_ends else whole

    def _blob(self, data: bytes | bytearray) -> str:
        return hashlib.new(self._algorithm, f"blob {len(data)}\0".encode() + data, usedforsecurity=False).hexdigest()


def is_inside(path: str, system: str = sys.platform) -> bool:
    """Whether a path that a repository names stays in the workspace; a tree made by hand may name any."""
    parts = path.split("/")
    if system == "win32" and any(is_own_of_git(each, system) or is_taken_for_another(each, system) for each in parts):
        return False
    return _NOT_INSIDE.isdisjoint(parts)


def _remember(signature: _Signature, found: tuple[str, str]) -> None:
    with _lock:
        if len(_known) >= MOST_REMEMBERED:
            for old in list(_known)[: MOST_REMEMBERED // 4]:
                del _known[old]
        _known[signature] = found
