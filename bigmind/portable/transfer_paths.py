"""Where an export may be written, and what may be read.

An agent is told what to do by text that others may have written, and the server acts with the person's own rights. So
an agent's token reaches only `.json` below the person's home and the temporary folder (to import, also `.db`), never
BigMind's own folder, and writes into no hidden folder, where programs keep what they obey. A person may name any place.
Nobody overwrites anything, and no refusal says what a file holds.

The disk of a team's server is nobody's own: a token reaches there the folder alone that the server keeps for its user,
and a page what was sent or made by it, unless an admin asks; of other places nothing is told, not even what is there.
"""

import os
import stat
import sys
import tempfile
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path, PurePath, PureWindowsPath
from time import time
from typing import BinaryIO

from sqlmodel import select

from bigmind.core.errors import BigMindError, Code, FieldProblem, shown
from bigmind.core.operation import Mode, may_name_any
from bigmind.disk import open_files
from bigmind.disk.existence import is_folder_or_raises, is_known_folder
from bigmind.disk.flushing import sync_folder, to_disk
from bigmind.disk.long_paths import MOST_LETTERS, is_too_long, letters_of
from bigmind.disk.refused_writes import why_refused
from bigmind.disk.windows_paths import is_taken_for_another, names_another_machine
from bigmind.paths import (
    NO_ROOM,
    PRIVATE_FILE,
    as_pasted,
    make_private_folder,
    require_encodable,
    scratch_folder,
    transfer_folder,
)
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.store.access import Access
from bigmind.store.store import Store

MOST_BYTES = 2 * 1024**3
"""Bytes of a file to import."""

_LONGER = 20
"""Letters that the name of a file has more while it is written."""
EXPORTS = frozenset({".json"})
IMPORTS = frozenset({".json", ".db"})
ORDINARY_FILE = "an ordinary file: no folder, pipe or device"
_KINDS = {"output_path": EXPORTS, "path": IMPORTS}

MOST_KEPT = 2
"""Exports that a team's server keeps for a user's tokens; a newer one takes the place of the oldest."""
KEPT_SECONDS = 86_400
"""How long it keeps them; they go at a look that is taken every six hours, or with anybody's next export."""


SENT, MADE = "upload-", "export-"
"""How the folders among the scratch files begin that hold what a browser sent, and what one is to fetch."""


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
    path = _place_for(access, name) if given is None else _absolute("output_path", access, given)
    suffix = Path(name).suffix
    place = _resolved("output_path", access, path.parent) / path.name
    if given is not None:
        _permit("output_path", access, place, hidden=False)
    if expected := fit_name(path.name, suffix):
        raise _refused("output_path", given, expected)
    if is_too_long(place, _LONGER):
        raise _too_long(place, _LONGER)
    try:
        is_there = is_folder_or_raises(place.parent)
    except OSError as error:
        raise _unwritable(place, error) from None
    if not is_there:
        raise BigMindError(Code.NOT_FOUND, f"There is no folder {shown(str(place.parent), 200)}.", "Make it first.")
    if os.path.lexists(place):
        raise _taken(place)
    return place


def _place_for(access: Access, name: str) -> Path:
    """Where a file goes that nobody named a place for."""
    if access.mode is Mode.PERSONAL or may_name_any(access.caller, access.mode):
        return documents_folder() / name
    remove_old_exports(access.store)
    folder = _kept_for(access)
    make_private_folder(folder)
    kept = sorted(folder.glob(f"*{Path(name).suffix}"), key=_written_at)
    for each in kept[: max(0, len(kept) + 1 - MOST_KEPT)]:
        with suppress(OSError):
            open_files.remove(each)
    place = folder / name
    # With a number of its own: whoever may name no other file is never told that the name is taken.
    return place.with_stem(f"{place.stem}_{os.urandom(4).hex()}")


def _kept_for(access: Access) -> Path:
    """The folder of the caller's tokens."""
    with access.read() as work:
        return transfer_folder(access.store.home, work.session.get_one(User, access.caller.user_id).uid)


def _written_at(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # it went away meanwhile
        return 0.0


def remove_kept_exports(home: Path) -> None:
    """Remove all that is kept for tokens and for pages: an export may hold what was forgotten, or masked, since."""
    open_files.remove_tree(transfer_folder(home))
    for kind in (SENT, MADE):
        for each in scratch_folder(home).glob(f"{kind}*"):
            open_files.remove_tree(each)


def remove_old_exports(store: Store) -> None:
    """Remove what was kept for tokens for long enough, and what is of nobody here, as after another store began."""
    folders = list(transfer_folder(store.home).glob("*"))
    if not folders:
        return
    with store.read(NOBODY, "exports") as work:  # after the look: whose folder was there is a user by now
        users = set(work.session.exec(select(User.uid)))
    for folder in folders:
        if folder.name not in users:
            open_files.remove_tree(folder)
        for each in folder.glob("*"):
            if abs(time() - _written_at(each)) > KEPT_SECONDS:  # also by a clock that was ahead
                with suppress(OSError):
                    open_files.remove(each)


def documents_folder() -> Path:
    """Where exports go that nobody named a place for: the documents folder, or the home where none is seen."""
    import platformdirs  # noqa: PLC0415 - not needed where a place is given

    documents = platformdirs.user_documents_path()
    return documents if is_known_folder(documents) else Path.home()


@contextmanager
def new_file(place: Path) -> Generator[BinaryIO]:
    """A file that appears at `place` when the block ends: whole, on disk, private; not at all when it raises.

    On Windows it is as private as its folder.

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
            to_disk(file.fileno())
        _appear(scratch, place)
    except OSError as error:
        raise _unwritable(place, error) from error
    finally:
        open_files.remove(scratch)


def _appear(scratch: Path, place: Path) -> None:
    """Give a finished file its name, unless something has it: a link is refused where a rename would overwrite."""
    if os.name == "nt":
        try:
            open_files.rename(scratch, place)  # refused there, when the name is taken
        except FileExistsError:
            raise _taken(place) from None
        return
    try:
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
    path = _resolved("path", access, _absolute("path", access, given))
    _permit("path", access, path, hidden=True)
    try:
        # Without O_NONBLOCK the opening of a pipe would wait for its writer.
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    except FileNotFoundError:
        if is_too_long(path):
            raise _too_long(path) from None
        raise BigMindError(
            Code.NOT_FOUND, f"There is no file {shown(str(path), 200)}.", "Give its whole path."
        ) from None
    except OSError as error:
        # Windows does not open a folder as a file. `Path.is_dir` would raise for what cannot be asked.
        is_folder = os.path.isdir(path)  # noqa: PTH112
        expected = ORDINARY_FILE if is_folder else f"a file that can be read ({error.strerror})"
        raise _refused("path", given, expected) from None
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
        raise _refused("path", given, ORDINARY_FILE)
    if about.st_size == 0:  # also what the system makes up when it is read, as below /proc
        raise BigMindError(Code.INVALID_INPUT, "The file is empty.", "Nothing was changed.")
    if about.st_size > MOST_BYTES:
        raise BigMindError(
            Code.TOO_LARGE, f"The file has {about.st_size:,} bytes.", f"At most {MOST_BYTES:,} are imported at once."
        )


def _absolute(field: str, access: Access, given: str) -> Path:
    try:
        require_encodable(given)
        path = Path(as_pasted(given)).expanduser()
    except (ValueError, RuntimeError):  # a lone surrogate; a home that nobody has
        raise _leads_nowhere(field, access, given, "the path of a file") from None
    if "\x00" in given or not path.is_absolute():
        raise _leads_nowhere(field, access, given, "an absolute path, or one that begins with ~/")
    if is_foreign_share(path) and not may_name_any(access.caller, access.mode):  # before anything looks at it
        raise _not_own(field, access) if access.mode is Mode.TEAM else _outside(field)
    return path


def _resolved(field: str, access: Access, path: Path) -> Path:
    try:
        return path.resolve()
    except (OSError, RuntimeError):  # links in a circle, a name too long
        raise _leads_nowhere(field, access, str(path), "a path that leads somewhere") from None


def _leads_nowhere(field: str, access: Access, given: str, expected: str) -> BigMindError:
    """The refusal of what is no path here: for whoever may name no other place, that of every other place."""
    if access.mode is Mode.TEAM and not may_name_any(access.caller, access.mode):
        return _not_own(field, access)
    return _refused(field, given, expected)


def _permit(field: str, access: Access, place: Path, *, hidden: bool) -> None:
    """Keep whoever asks to the places that are meant for them."""
    if may_name_any(access.caller, access.mode):
        return
    if access.mode is Mode.TEAM:
        _permit_own(field, access, place)
        return
    below = [place.relative_to(root) for root in _roots() if place.is_relative_to(root)]
    is_hidden = not hidden and all(_leads_through_hidden(place, each) for each in below)
    if not below or is_hidden or place.suffix not in _KINDS[field] or place.is_relative_to(access.store.home.resolve()):
        raise _outside(field)


def _leads_through_hidden(place: Path, below: Path) -> bool:
    """Whether the end of a path leads through what is not shown to a person: programs keep there what they obey."""
    steps = (place, *place.parents)[: len(below.parts)]
    return any(each.name.startswith(".") or _is_hidden(each) for each in steps)


def _is_hidden(place: Path) -> bool:
    """Whether Windows' own mark hides it, as AppData. What macOS marks so holds places for documents, too: iCloud."""
    if os.name != "nt":
        return False
    try:
        about = place.stat()
    except OSError:  # the file is not there yet
        return False
    return bool(getattr(about, "st_file_attributes", 0) & stat.FILE_ATTRIBUTE_HIDDEN)


def is_foreign_share(path: PurePath) -> bool:
    r"""Whether a path is of a shared folder (`\\host\share`) where neither the home nor the temporary folder is.

    To look at one Windows calls whatever machine stands in it, and signs the person in there.
    """
    return isinstance(path, PureWindowsPath) and names_another_machine(str(path), _roots(), "win32")


def _outside(field: str) -> BigMindError:
    kinds = " or ".join(sorted(_KINDS[field]))
    return BigMindError(
        Code.FORBIDDEN,
        f"A client's token may not use this {field}.",
        f"Name a {kinds} file below the home folder or the temporary folder, in no hidden folder; "
        "the person can use any place with the `bigmind` command.",
    )


def _permit_own(field: str, access: Access, place: Path) -> None:
    """Keep a page in a team to what it was sent or made; a token to reading what it exported without a path."""
    is_page = access.caller.is_person
    root = scratch_folder(access.store.home) if is_page else _kept_for(access)
    if not place.is_relative_to(root.resolve()) or not (is_page or field == "path"):
        raise _not_own(field, access)


def _not_own(field: str, access: Access) -> BigMindError:
    return BigMindError(
        Code.FORBIDDEN,
        f"The disk of a team's server is nobody's own: this {field} may not be named.",
        "Send the file with the page."
        if access.caller.is_person
        else "Leave output_path out; memory_import takes the path that memory_export then answers. "
        "Other files are sent and fetched on the page Export & import.",
    )


def _roots() -> list[Path]:
    """The home and the temporary folder; not where one is the root of everything, as in some containers."""
    roots = [Path(tempfile.gettempdir())]
    with suppress(RuntimeError):
        roots.append(Path.home())
    return [each for root in roots if (each := root.resolve()) != Path(each.anchor)]


def _too_long(path: Path, room: int = 0) -> BigMindError:
    return BigMindError(
        Code.INVALID_INPUT,
        f"The path has {letters_of(path)} letters, {shown(str(path), 100)}.",
        f"Windows is set to take at most {MOST_LETTERS - room} here: name a folder with a shorter path.",
    )


def fit_name(name: str, suffix: str, system: str = sys.platform) -> str:
    """What would be the name of a new file, where this one is none; empty where it is one.

    Args:
        name: of the file.
        suffix: that it has to have.
        system: as `sys.platform` says it.
    """
    if PurePath(name).suffix != suffix:
        return f"a path that ends in {suffix}"
    if not is_taken_for_another(name, system):
        return ""
    if ":" in name:
        return "a file name without a colon, which Windows keeps for streams"
    return "another file name: Windows keeps this one for a device"


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
    if error.errno in NO_ROOM:
        return BigMindError(
            Code.STORAGE_FULL, "The disk is full; no export was left behind.", "Make room, or name another place."
        )
    return BigMindError(
        Code.FORBIDDEN,
        f"The export cannot be written to {shown(str(place.parent), 200)}: {why_refused(error, place.parent)}.",
        "Name another place.",
    )
