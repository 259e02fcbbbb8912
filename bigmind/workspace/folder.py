"""Files of a workspace: each opened once, never through a link that leads out, and judged by what was read then."""

import codecs
import errno
import hashlib
import os
import stat
import sys
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from bigmind.disk.windows_paths import is_taken_for_another, leads_to_another_machine, of_any_length
from bigmind.workspace.windows_names import without_prefix

LONGEST_PATH = 4_096
MOST_BYTES = 1_000_000
_FOLLOW_NOTHING = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_WITHOUT_WAITING = getattr(os, "O_NONBLOCK", 0)
"""A pipe that nobody writes to is opened all the same, and then seen to be none of ours."""
HAS_FOLDER_HANDLES = os.open in os.supports_dir_fd and hasattr(os, "O_DIRECTORY")
"""Whether a path can be opened part by part, each in the folder that was opened before; not on Windows."""


class WorkspaceFault(Exception):  # noqa: N818 - a fault of the workspace, and told as one
    """Why something in a workspace is no evidence, in a sentence. `reason` is one of the words below, for programs."""

    def __init__(self, message: str, reason: str = "unreadable") -> None:
        """`reason`: `outside`, `link`, `missing`, `no_file`, `too_large` or `unreadable`."""
        super().__init__(message)
        self.reason = reason


@dataclass(frozen=True, slots=True)
class FileText:
    """A file as it was read.

    Attributes:
        path: in the workspace, with `/`.
        size: in bytes.
        digest: SHA-256 of the bytes, in hexadecimal.
        text: as `text_of` reads it.
    """

    path: str
    size: int
    digest: str
    text: str


class Folder:
    """A workspace, by its real path."""

    def __init__(self, root: Path) -> None:
        """The folder at `root`.

        Raises:
            WorkspaceFault: when it is gone, or none.
        """
        try:
            self.root = _real_path(root)
        except (OSError, RuntimeError, ValueError):
            raise WorkspaceFault("The folder is gone.", "missing") from None
        if not self.root.is_dir():
            raise WorkspaceFault("It is no folder.", "no_file")

    def read(self, path: str, most: int = MOST_BYTES) -> FileText:
        """A file inside the workspace.

        Args:
            path: relative, with `/`.
            most: bytes; a larger file is none.

        Raises:
            WorkspaceFault: saying why it is no evidence.
        """
        handle = self._open(path)
        try:
            state = os.fstat(handle)
            if not stat.S_ISREG(state.st_mode):
                raise WorkspaceFault(f"{_shown(path)} is no ordinary file.", "no_file")
            if state.st_size > most:
                raise WorkspaceFault(f"{_shown(path)} has more than {most:,} bytes.", "too_large")
            data = _read(handle, most + 1)
        except OSError as error:
            raise _unreadable(path, error) from None
        finally:
            os.close(handle)
        if len(data) > most:
            raise WorkspaceFault(f"{_shown(path)} has more than {most:,} bytes.", "too_large")
        inside = "/".join(_parts(path))
        return FileText(inside, len(data), hashlib.sha256(data).hexdigest(), text_of(data))

    def names(self, path: str, most: int = 1_000) -> list[str]:
        """The names in a folder inside the workspace, in their order; at most so many, and those that are text.

        Raises:
            WorkspaceFault: when there is no such folder.
        """
        handle = self._open(path) if HAS_FOLDER_HANDLES else None
        try:
            target = handle if handle is not None else of_any_length(self._real(path))
            found: list[str] = []
            with os.scandir(target) as entries:
                for entry in entries:
                    if len(found) > most * 10:
                        break
                    if not any("\ud800" <= each <= "\udfff" for each in entry.name):
                        found.append(entry.name)
            return sorted(found)[:most]
        except OSError as error:
            raise _unreadable(path, error) from None
        finally:
            if handle is not None:
                os.close(handle)

    def is_there(self, path: str) -> bool:
        """Whether there is such a file or folder inside the workspace."""
        try:
            if HAS_FOLDER_HANDLES:
                os.close(self._open(path))
            else:
                self._real(path)
        except WorkspaceFault:
            return False
        return True

    def _open(self, path: str) -> int:
        real = self._real(path)
        parts = real.relative_to(self.root).parts
        try:
            if not HAS_FOLDER_HANDLES:
                return self._open_whole(real, path)
            handle = os.open(self.root, os.O_RDONLY | os.O_DIRECTORY | _FOLLOW_NOTHING)
            for number, part in enumerate(parts):
                kind = os.O_DIRECTORY if number + 1 < len(parts) else _WITHOUT_WAITING
                try:
                    inner = os.open(part, os.O_RDONLY | kind | _FOLLOW_NOTHING, dir_fd=handle)
                finally:
                    os.close(handle)
                handle = inner
        except OSError as error:
            raise _unreadable(path, error) from None
        return handle

    def _open_whole(self, real: Path, path: str) -> int:
        """Where no part can be opened in another: the path is opened whole, and must still lead inside afterwards."""
        whole = of_any_length(real)
        if not stat.S_ISREG(whole.lstat().st_mode):  # Windows opens no folder, and says that it may not be read
            raise WorkspaceFault(f"{_shown(path)} is no ordinary file.", "no_file")
        handle = os.open(whole, os.O_RDONLY | _FOLLOW_NOTHING)
        if not _is_real(real) or not _is_same(handle, whole):
            os.close(handle)
            raise WorkspaceFault(f"{_shown(path)} became a link while it was opened.", "link")
        return handle

    def _real(self, path: str, system: str = sys.platform) -> Path:
        """The real path of what is named; a link that stays inside is followed here, and none when it is opened.

        Args:
            path: relative, with `/`.
            system: as `sys.platform` says it.

        Raises:
            WorkspaceFault: when it leads out, or to nothing.
        """
        parts = _parts(path)
        if leads_to_another_machine(self.root.joinpath(*parts), (self.root,), system):
            raise WorkspaceFault(f"{_shown(path)} leads out of the workspace.", "outside")
        try:
            real = _real_path(self.root.joinpath(*parts))
        except (OSError, RuntimeError, ValueError) as error:
            raise _unreadable(path, error) from None
        if real != self.root and self.root not in real.parents:
            raise WorkspaceFault(f"{_shown(path)} leads out of the workspace.", "outside")
        return real


def text_of(data: bytes) -> str:
    """The text of a file: in UTF-16 where it begins so, as PowerShell writes it, else in UTF-8; no text is replaced."""
    is_wide = data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    return data.decode("utf-16" if is_wide else "utf-8", "replace")


def _parts(path: str, system: str = sys.platform) -> tuple[str, ...]:
    given = PurePosixPath(path.replace("\\", "/") if system == "win32" else path)
    is_bad = not path or "\0" in path or len(path) > LONGEST_PATH or given.is_absolute() or ".." in given.parts
    if is_bad or any(is_taken_for_another(part, system) for part in given.parts):
        raise WorkspaceFault(f"{_shown(path)} is no path inside the workspace.", "outside")
    return given.parts


def _real_path(path: Path) -> Path:
    """A path without links, however long it is, by the one name that it has."""
    return Path(without_prefix(str(of_any_length(path).resolve(strict=True))))


def _is_real(path: Path) -> bool:
    try:
        return _real_path(path) == path
    except (OSError, RuntimeError, ValueError):
        return False


def _is_same(handle: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except OSError:
        return False


def _read(handle: int, most: int) -> bytes:
    pieces, left = list[bytes](), most
    while left > 0 and (piece := os.read(handle, min(left, 1 << 20))):
        pieces.append(piece)
        left -= len(piece)
    return b"".join(pieces)


def _unreadable(path: str, error: Exception) -> WorkspaceFault:
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return WorkspaceFault(f"There is no {_shown(path)}.", "missing")
    if isinstance(error, RuntimeError) or (isinstance(error, OSError) and error.errno == errno.ELOOP):
        return WorkspaceFault(f"{_shown(path)} is a link that cannot be followed.", "link")
    if isinstance(error, OSError) and error.errno in {errno.ENXIO, errno.EOPNOTSUPP}:
        return WorkspaceFault(f"{_shown(path)} is no ordinary file.", "no_file")
    told = error.strerror if isinstance(error, OSError) and error.strerror else type(error).__name__
    return WorkspaceFault(f"{_shown(path)} cannot be read: {told}.", "unreadable")


def _shown(path: str) -> str:
    told = "".join(each if each.isprintable() else "\N{REPLACEMENT CHARACTER}" for each in path)
    return told if len(told) <= 200 else f"{told[:199]}…"  # noqa: PLR2004 - as people read it
