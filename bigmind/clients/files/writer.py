"""Writes the files of other programs: the old bytes or the new ones, never half, and never over what they wrote."""

import os
import re
import stat
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from bigmind.clients.files.changes import FileChange
from bigmind.clients.files.exchange import exchanged
from bigmind.clients.files.folder_lock import alone_in
from bigmind.core.errors import BigMindError, Code
from bigmind.core.ids import new_id
from bigmind.disk.existence import is_gone, seen
from bigmind.disk.flushing import sync_folder, to_disk
from bigmind.disk.open_files import BRIEFLY_SECONDS, patiently, remove, rename
from bigmind.disk.windows_paths import is_link
from bigmind.paths import NO_ROOM, PRIVATE_FILE, PRIVATE_FOLDER
from bigmind.text.phrasing import megabytes

MOST_BYTES = 32 * 1024 * 1024
LEFT_SECONDS = 60.0
ANY_NEW_FILE, ANY_NEW_FOLDER = 0o666, 0o777
"""Of which the person's umask takes away what it does."""
PERMISSIONS = 0o777
"""Without the bits by which a program runs as its owner: what is written has none, whoever swaps files meanwhile."""
SCRATCH = ".bigmind-"
"""In the name of a file that is in the making, beside the one it will be; what a killed process left is removed."""
UNIQUE, UNIQUE_LENGTH = "[0-9a-f]{8}-[0-9a-f]{4}", 13
"""What follows in it, and makes it one of its own."""


@dataclass(frozen=True, slots=True)
class Root:
    """The folder that nothing may leave: the person's home, or the chosen workspace."""

    folder: Path
    is_home: bool

    def real(self, path: Path) -> Path:
        """The file that `path` really is, links followed.

        Raises:
            BigMindError: `forbidden`, when it is outside the folder, or a link leads out of the folder it stands in.
        """
        top = self.folder.resolve()
        if not path.is_absolute() or ".." in path.parts or not path.is_relative_to(self.folder):
            raise _forbidden(f"{path} is outside of {self.folder}.", "Only files in there are written.")
        found = top
        for step in path.relative_to(self.folder).parts:
            there = found / step
            if is_link(there):
                there = self._followed(found, there)
            found = there
        return found

    def _followed(self, folder: Path, link: Path) -> Path:
        try:
            goal = link.resolve()
        except (OSError, RuntimeError) as error:  # links in a circle; which of the two depends on the Python
            raise _conflict(f"{link} is a link that leads nowhere.", "Remove it, and try again.") from error
        if not goal.is_relative_to(folder):
            raise _forbidden(
                f"{link} is a link that leads out of {folder}, to {goal}.",
                f"BigMind writes through no such link. Connect the client by hand in {goal}, or replace the link.",
            )
        return goal


def read_file(root: Root, path: Path) -> bytes | None:
    """The bytes of a client's file; None where there is none.

    Raises:
        BigMindError: `forbidden`, as `Root.real`; `conflict`, for what cannot be read, is no file, or is too large.
    """
    real = root.real(path)
    try:
        found = real.stat()
        if not stat.S_ISREG(found.st_mode):
            raise _conflict(f"{path} is no ordinary file.", "Move it away, and try again.")
        if found.st_size > MOST_BYTES:
            raise _conflict(f"{path} is larger than {megabytes(MOST_BYTES)}.", "It was left alone.")
        return patiently(real.read_bytes, patience=BRIEFLY_SECONDS)  # a page, or whoever writes, may wait for it
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise _failed(path, "read", error) from error


def write_change(root: Root, change: FileChange, made_folders: int = 0) -> int:
    """Make one change, if the file is still what the plan says.

    Args:
        root: what it may not leave.
        change: the file, as it is and as it will be.
        made_folders: how many of the folders around it, from the innermost, go with it when it goes and they are empty.

    Returns:
        How many folders were made for it.

    Raises:
        BigMindError: `conflict`, when it is not, or may not be written; `forbidden`, as `Root.real`; `storage_full`.
            The file is as it was then, or as the other program left it.
    """
    real = root.real(change.path)
    try:
        _refuse_read_only(change.path, real)
        _sweep(real)
        if change.after is not None:
            return _put_in_folder(change, real, change.after, root)
        with alone_in(real.parent):
            _take_away(change, real)
            _remove_empty(real.parent, made_folders)
    except TimeoutError as error:
        told = f"{change.path} cannot be written: its folder is held by another program."
        raise _conflict(told, "Try again in a moment.") from error
    except OSError as error:
        raise _failed(change.path, "written", error) from error
    return 0


def _put_in_folder(change: FileChange, real: Path, data: bytes, root: Root) -> int:
    """Write a file, and the folders around it that are missing. Returns how many were made; none when it fails."""
    missing = [each for each in real.parents if is_gone(each)]
    try:
        _make_folders(missing, root)
        with alone_in(real.parent):
            _put(change, real, data)
        sync_folder(real.parent)
    except BaseException:  # also of a process that is told to stop: no folder of ours stays behind
        _remove_empty(real.parent, len(missing))
        raise
    return len(missing)


def _take_away(change: FileChange, real: Path) -> None:
    """Remove a file, once it is seen under another name that nobody writes to that it is the one that was meant."""
    _expect(change, real)
    aside = _scratch(real)
    with suppress(FileNotFoundError):
        rename(real, aside)
        if aside.read_bytes() != change.before:
            _appear(change, aside, real)
            raise _meanwhile(change.path)
        remove(aside)


def _put(change: FileChange, real: Path, data: bytes) -> None:
    scratch = _scratch(real)
    try:
        _write(scratch, data, _mode(change, real), seen(real))
        _expect(change, real)
        if change.before is None:
            _appear(change, scratch, real)
        else:
            _swap(change, scratch, real)
    finally:
        with suppress(OSError):
            remove(scratch)


def _scratch(real: Path) -> Path:
    return real.with_name(f".{real.name}{SCRATCH}{new_id()[:UNIQUE_LENGTH]}")


def _appear(change: FileChange, scratch: Path, real: Path) -> None:
    """Give a new file its name, unless somebody else has given it by now."""
    try:
        if os.name == "nt":
            rename(scratch, real)  # refused there, when the name is taken
        elif not _linked(scratch, real):
            scratch.replace(real)
    except FileExistsError:
        raise _meanwhile(change.path) from None


def _swap(change: FileChange, scratch: Path, real: Path) -> None:
    """Put the new file in place of the old one, and look at what that was.

    Who wrote between the first look and the swap finds their words there again.
    """
    if not exchanged(scratch, real):
        put_over(change, scratch, real)
        return
    if scratch.read_bytes() == change.before:
        return
    exchanged(scratch, real)
    if scratch.read_bytes() != change.after:  # and once more in this moment: the newest words stay
        exchanged(scratch, real)
    raise _meanwhile(change.path)


def put_over(
    change: FileChange,
    scratch: Path,
    real: Path,
    act: Callable[[Path, Path], object] = os.replace,
    system: str = os.name,
) -> None:
    """Put the new file in place of the old one, where the two cannot be exchanged.

    Who had it open, and is waited for, may have been writing: it is looked at before every try.

    Raises:
        BigMindError: `conflict`, when it is not what the plan says any more.
    """

    def put() -> None:
        _expect(change, real)
        act(scratch, real)

    patiently(put, system)


def _linked(file: Path, name: Path) -> bool:
    """Give a file a second name; False where the file system knows no such thing, as that of a memory stick."""
    try:
        os.link(file, name)
    except FileExistsError:
        raise
    except OSError:
        return False
    return True


def _write(scratch: Path, data: bytes, mode: int | None, replaced: os.stat_result | None) -> None:
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    opened = os.open(scratch, flags, ANY_NEW_FILE if mode is None else PRIVATE_FILE)
    with os.fdopen(opened, "wb") as file:
        file.write(data)
        file.flush()
        if os.name == "posix":
            if replaced is not None:
                _give(file.fileno(), replaced)
            if mode is not None:
                os.fchmod(file.fileno(), mode)
        to_disk(file.fileno())


def _give(opened: int, replaced: os.stat_result) -> None:
    """Have a file belong to whom the one that it replaces belongs, and to that one's group, as far as one may."""
    if sys.platform != "win32":
        for owner in (replaced.st_uid, -1):
            with suppress(OSError):
                os.fchown(opened, owner, replaced.st_gid)
                return


def _mode(change: FileChange, real: Path) -> int | None:
    """Private, where it holds a token; else as it was once, or is; None for a new file like any other."""
    if change.is_private:
        return PRIVATE_FILE
    if change.mode is not None:
        return change.mode & PERMISSIONS
    return None if change.before is None else real.stat().st_mode & PERMISSIONS


def _expect(change: FileChange, real: Path) -> None:
    try:
        now = real.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        now = None
    if now != change.before:
        raise _meanwhile(change.path)


def _make_folders(missing: Sequence[Path], root: Root) -> None:
    """Make folders, of which the innermost is the first: private in a home, like all others in a workspace."""
    for each in reversed(missing):
        each.mkdir(PRIVATE_FOLDER if root.is_home else ANY_NEW_FOLDER, exist_ok=True)


def _remove_empty(folder: Path, levels: int) -> None:
    """Take away the folders that were made for it and hold nothing any more."""
    for each in (folder, *folder.parents)[:levels]:
        try:
            each.rmdir()
        except FileNotFoundError:  # somebody took it away already; the one around it may be empty
            continue
        except OSError:  # somebody else's files stand in it by now
            return


def remove_empty_folders(root: Root, made: Mapping[Path, int]) -> None:
    """Take away the folders that were made for files which are gone, and hold nothing any more.

    Args:
        root: what they may not leave.
        made: how many folders were made around each file, from the innermost.
    """
    folders: set[Path] = set()
    for path, levels in made.items():
        with suppress(BigMindError):  # a link leads out of the root by now: what is there is none of our business
            folders.update(root.real(path).parents[:levels])
    for each in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
        _remove_empty(each, 1)


def _sweep(real: Path) -> None:
    """Remove what a killed process left; what is young may be another's that writes now.

    Others can put anything of such a name into a workspace: what is no file of ours is none of our business.
    """
    ours = re.compile(re.escape(f".{real.name}{SCRATCH}") + UNIQUE)
    with suppress(OSError):
        for left in real.parent.iterdir():
            if ours.fullmatch(left.name):
                _sweep_file(left)


def _sweep_file(left: Path) -> None:
    with suppress(OSError):
        found = left.lstat()
        if stat.S_ISREG(found.st_mode) and time.time() - found.st_mtime > LEFT_SECONDS:
            remove(left)


def _refuse_read_only(path: Path, real: Path) -> None:
    if (found := seen(real)) is not None and not found.st_mode & stat.S_IWUSR:
        raise _conflict(f"{path} is read-only.", "Somebody wants it so. Make it writable, and try again.")


def _meanwhile(path: Path) -> BigMindError:
    return _conflict(f"{path} was changed by another program meanwhile.", "Look at the new plan, and try again.")


def _conflict(message: str, hint: str) -> BigMindError:
    return BigMindError(Code.CONFLICT, message, hint)


def _forbidden(message: str, hint: str) -> BigMindError:
    return BigMindError(Code.FORBIDDEN, message, hint)


def _failed(path: Path, what: str, error: OSError) -> BigMindError:
    said = f"{path} cannot be {what}: {error.strerror or error}."
    if error.errno in NO_ROOM:
        return BigMindError(Code.STORAGE_FULL, said, "Make room on its disk, and try again.")
    return _conflict(said, "Check its permissions, and try again.")
