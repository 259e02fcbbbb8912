"""Where an export may be written, and what may be read.

An agent is told what to do by text that others may have written, and the server acts with the person's own rights. So
an agent's token reaches only `.json` below the person's home and the temporary folder (to import, also `.db`), never
BigMind's own folder, and writes into no hidden folder, where programs keep what they obey. A person may name any place.
Nobody overwrites anything, and no refusal says what a file holds.

The disk of a team's server is nobody's own: a token reaches there the folder alone that the server keeps for its user,
and a page what was sent or made by it, unless an admin asks; of other places nothing is told, not even what is there.
"""

import errno
import os
import shutil
import stat
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path, PureWindowsPath
from typing import BinaryIO

from bigmind.core.errors import BigMindError, Code, FieldProblem, shown
from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.paths import PRIVATE_FILE, make_private_folder, scratch_folder, sync_folder, transfer_folder
from bigmind.store.access import Access

MOST_BYTES = 2 * 1024**3
"""Bytes of a file to import."""

EXPORTS = frozenset({".json"})
IMPORTS = frozenset({".json", ".db"})

MOST_KEPT = 2
"""Exports that a team's server keeps for a user's tokens; a newer one takes the place of the oldest."""

_ON_PAGES = frozenset({Presence.PAGE, Presence.PASSPHRASE})


def may_name_any(caller: Caller, mode: Mode) -> bool:
    """Whether any place of the disk may be named: by a person; in a team by an admin, or at the server's machine."""
    is_at_machine = mode is Mode.PERSONAL or caller.presence not in _ON_PAGES
    return caller.is_person and (is_at_machine or caller.role.includes(Role.ADMIN))


def place_for_export(access: Access, given: str | None, name: str = "") -> Path:
    """The file that an export is to become; nothing stands there yet.

    Args:
        access: of the caller.
        given: the path that was asked for, with the suffix of `name`; None for the documents folder, or in a team for
            that of the user where no other place may be named.
        name: of a file that nobody named; by default one that says when the memory was exported.

    Raises:
        BigMindError: `invalid_input` or `forbidden`, when it may not be written there; `not_found`, when there is
            no such folder; `conflict`, when something stands there.
    """
    name = name or f"bigmind_export_{access.now:%Y%m%d_%H%M%S}.json"
    path = _folder_for(access) / name if given is None else _absolute("output_path", given)
    suffix = Path(name).suffix
    if path.suffix != suffix or _is_reserved(path.name):
        raise _refused("output_path", given, f"a path that ends in {suffix}")
    place = _resolved("output_path", path.parent) / path.name
    if given is not None:
        _permit("output_path", access, place, EXPORTS, hidden=False)
    if not place.parent.is_dir():
        raise BigMindError(Code.NOT_FOUND, f"There is no folder {shown(str(place.parent), 200)}.", "Make it first.")
    if os.path.lexists(place):
        raise _taken(place)
    return place


def _folder_for(access: Access) -> Path:
    """Where a file goes that nobody named a place for."""
    if access.mode is Mode.PERSONAL or may_name_any(access.caller, access.mode):
        return _documents()
    folder = transfer_folder(access.store.home, access.caller.user_id)
    make_private_folder(folder)
    kept = sorted(folder.glob("*.json"), key=lambda each: each.stat().st_mtime)
    for each in kept[: max(0, len(kept) + 1 - MOST_KEPT)]:
        each.unlink(missing_ok=True)
    return folder


def remove_kept_exports(home: Path) -> None:
    """Remove all that is kept for tokens: an export may hold what was forgotten since."""
    shutil.rmtree(transfer_folder(home), ignore_errors=True)


def _documents() -> Path:
    import platformdirs  # noqa: PLC0415 - not needed where a place is given

    documents = platformdirs.user_documents_path()
    return documents if documents.is_dir() else Path.home()


@contextmanager
def new_file(place: Path) -> Generator[BinaryIO]:
    """A file that appears at `place` when the block ends: whole, on disk, private; not at all when it raises.

    Raises:
        BigMindError: `conflict`, when something came to stand there meanwhile; `storage_full`; `forbidden`, when the
            folder may not be written to.
    """
    scratch = place.with_name(f".{place.stem[:100]}.{os.urandom(8).hex()}.part")
    try:
        handle = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0), PRIVATE_FILE)
    except OSError as error:
        raise _unwritable(place, error) from error
    try:
        with os.fdopen(handle, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        _appear(scratch, place)
    except OSError as error:
        raise _unwritable(place, error) from error
    finally:
        scratch.unlink(missing_ok=True)


def _appear(scratch: Path, place: Path) -> None:
    """Give a finished file its name, unless something has it: a link is refused where a rename would overwrite."""
    try:
        if os.name == "nt":
            scratch.rename(place)  # refused on Windows, when the name is taken
        else:
            os.link(scratch, place, follow_symlinks=False)
            sync_folder(place.parent)
    except FileExistsError:
        raise _taken(place) from None
    except (PermissionError, NotImplementedError):
        # A file system without links, such as FAT: the name is taken first, by an empty file of ours.
        os.close(os.open(place, os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
        scratch.replace(place)


@contextmanager
def opened_for_import(access: Access, given: str) -> Generator[tuple[Path, BinaryIO]]:
    """An ordinary file of bounded size, opened, with its path.

    Raises:
        BigMindError: `invalid_input`, `forbidden`, `not_found`, `too_large`.
    """
    path = _resolved("path", _absolute("path", given))
    _permit("path", access, path, IMPORTS, hidden=True)
    try:
        # Without O_NONBLOCK the opening of a pipe would wait for its writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        raise BigMindError(
            Code.NOT_FOUND, f"There is no file {shown(str(path), 200)}.", "Give its whole path."
        ) from None
    except OSError as error:
        raise _refused("path", given, f"a file that can be read ({error.strerror})") from None
    try:
        _check_file(handle, given)
    except BigMindError:
        os.close(handle)
        raise
    with os.fdopen(handle, "rb") as file:
        yield path, file


def _check_file(handle: int, given: str) -> None:
    about = os.fstat(handle)
    if not stat.S_ISREG(about.st_mode):
        raise _refused("path", given, "an ordinary file: no folder, pipe or device")
    if about.st_size == 0:  # also what the system makes up when it is read, as below /proc
        raise BigMindError(Code.INVALID_INPUT, "The file is empty.", "Nothing was changed.")
    if about.st_size > MOST_BYTES:
        raise BigMindError(
            Code.TOO_LARGE, f"The file has {about.st_size:,} bytes.", f"At most {MOST_BYTES:,} are imported at once."
        )


def _absolute(field: str, given: str) -> Path:
    try:
        os.fsencode(given)
        path = Path(given).expanduser()
    except (ValueError, RuntimeError):  # a lone surrogate; a home that nobody has
        raise _refused(field, given, "the path of a file") from None
    if "\x00" in given or not path.is_absolute():
        raise _refused(field, given, "an absolute path, or one that begins with ~/")
    return path


def _resolved(field: str, path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links in a circle, a name too long
        raise _refused(field, str(path), "a path that leads somewhere") from None


def _permit(field: str, access: Access, place: Path, suffixes: frozenset[str], *, hidden: bool) -> None:
    """Keep whoever asks to the places that are meant for them."""
    if may_name_any(access.caller, access.mode):
        return
    if access.mode is Mode.TEAM:
        _permit_own(field, access, place)
        return
    below = [place.relative_to(root) for root in _roots() if place.is_relative_to(root)]
    is_hidden = not hidden and all(any(part.startswith(".") for part in each.parts) for each in below)
    if not below or is_hidden or place.suffix not in suffixes or place.is_relative_to(access.store.home.resolve()):
        kinds = " or ".join(sorted(suffixes))
        raise BigMindError(
            Code.FORBIDDEN,
            f"A client's token may not use this {field}.",
            f"Name a {kinds} file below the home folder or the temporary folder, in no hidden folder; "
            "the person can use any place with the `bigmind` command.",
        )


def _permit_own(field: str, access: Access, place: Path) -> None:
    """Keep a page in a team to what it was sent or made; a token to reading what it exported without a path."""
    home, is_page = access.store.home, access.caller.is_person
    root = scratch_folder(home) if is_page else transfer_folder(home, access.caller.user_id)
    if place.is_relative_to(root.resolve()) and (is_page or field == "path"):
        return
    raise BigMindError(
        Code.FORBIDDEN,
        f"The disk of a team's server is nobody's own: this {field} may not be named.",
        "Send the file with the page."
        if is_page
        else "Leave output_path out; memory_import takes the path that memory_export then answers. "
        "Other files are sent and fetched on the page Export & import.",
    )


def _roots() -> list[Path]:
    """The home and the temporary folder; not where one is the root of everything, as in some containers."""
    roots = [Path(tempfile.gettempdir())]
    with suppress(RuntimeError):
        roots.append(Path.home())
    return [each for root in roots if (each := root.resolve()) != Path(each.anchor)]


def _is_reserved(name: str) -> bool:
    """Whether Windows would take the name for a device or for a stream of another file."""
    return os.name == "nt" and (":" in name or PureWindowsPath(name).is_reserved())


def _refused(field: str, given: object, expected: str) -> BigMindError:
    problem = FieldProblem(field, shown(given), expected)
    return BigMindError(Code.INVALID_INPUT, "The input is not valid.", problems=(problem,))


def _taken(place: Path) -> BigMindError:
    return BigMindError(
        Code.CONFLICT,
        f"There is something at {shown(str(place), 200)} already.",
        "Nothing is overwritten: name another file.",
    )


def _unwritable(place: Path, error: OSError) -> BigMindError:
    if error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}:
        return BigMindError(
            Code.STORAGE_FULL, "The disk is full; no export was left behind.", "Make room, or name another place."
        )
    return BigMindError(
        Code.FORBIDDEN,
        f"The export cannot be written to {shown(str(place.parent), 200)}: {error.strerror}.",
        "Name another place.",
    )
