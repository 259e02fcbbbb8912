"""Makes plans: which files change, from which bytes to which. Pure, but for the reading of files that is handed in."""

import json
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bigmind.clients.editing.editor import MISSING, Editor
from bigmind.clients.editing.editors import editor
from bigmind.clients.editing.file_text import NotParsedError, UnfitError, decoded, encoded
from bigmind.clients.editing.marked_block import block_of, with_block, without_block
from bigmind.clients.files.changes import FileChange, digest
from bigmind.clients.leftovers import (
    is_hook,
    is_our_block,
    is_our_entry,
    is_our_file,
    is_our_hook,
    marked,
    runs_ours,
)
from bigmind.clients.parts import Block, Entry, Format, Item, OwnFile, Part, Steps
from bigmind.core.errors import BigMindError, Code

Read = Callable[[Path], bytes | None]
"""The bytes of a file; None where there is none."""
NO_MARK = "\0"
"""Stands in no element: one more is put beside the others."""


@dataclass(frozen=True, slots=True)
class PartLocation:
    """A part of a file that is ours, by its place alone: enough to find it again, whatever stands there now."""

    path: Path
    kind: str
    place: str


@dataclass(frozen=True, slots=True)
class FileOrigin:
    """What a file was before anything of ours stood in it, and what we made of it.

    Attributes:
        before: its bytes; None where there was no file.
        after: the SHA-256 of what we wrote.
        mode: its permission bits; None where there was no file.
        is_known: whether `before` is: a copy can be lost.
    """

    before: bytes | None
    after: str
    mode: int | None = None
    is_known: bool = True


def placed(part: Part) -> PartLocation:
    """The place of a part, as the ledger keeps it."""
    match part:
        case Entry():
            place = {"format": part.format, "steps": part.steps}
        case Item():
            place = {"format": part.format, "steps": part.steps, "mark": part.mark}
        case Block() | OwnFile():
            place = {}
    return PartLocation(part.file, type(part).__name__.lower(), json.dumps(place))


def installing(parts: Sequence[Part], read: Read) -> list[FileChange]:
    """What an install changes; nothing for one that is there already.

    Raises:
        BigMindError: `conflict`, for a file that does not parse: it says which, and where.
    """
    changes: list[FileChange] = []
    for path in dict.fromkeys(part.file for part in parts):
        ours = [part for part in parts if part.file == path]
        before = read(path)
        after = _with_parts(path, before, ours)
        if after != before:
            changes.append(
                FileChange(path, before, after, any(isinstance(each, Entry) and each.secret for each in ours))
            )
    return changes


def _with_parts(path: Path, before: bytes | None, parts: Sequence[Part]) -> bytes:
    if own := [part for part in parts if isinstance(part, OwnFile)]:
        return own[-1].text.encode()
    with _errors_of(path):
        text = decoded(before or b"")
        for part in parts:
            text = _with_part(text, part)
        return encoded(text)


def _with_part(text: str, part: Part) -> str:
    match part:
        case Entry():
            return editor(part.format).with_value(text, part.steps, part.value)
        case Item():
            return editor(part.format).with_item(text, part.steps, part.value, part.mark)
        case Block():
            return with_block(text, part.text)
        case OwnFile():
            return part.text


def removing(
    leaving: Sequence[PartLocation],
    staying: Sequence[PartLocation],
    read: Read,
    origin: Callable[[Path], FileOrigin | None],
) -> list[FileChange]:
    """What the removal of some parts changes.

    A file that is byte for byte what we made of it becomes what it was before; of any other only our parts are taken.

    Args:
        leaving: the parts that go.
        staying: parts of others in the same files; a place that both have stays.
        read: reads files.
        origin: what a file was before; None where nothing is known of it.

    Raises:
        BigMindError: `conflict`, for a file that does not parse: it says which, and where.
    """
    changes: list[FileChange] = []
    kept = {(each.path, each.kind, each.place) for each in staying}
    for path in dict.fromkeys(each.path for each in leaving):
        before = read(path)
        if before is None:
            continue
        going = [each for each in leaving if each.path == path and (path, each.kind, each.place) not in kept]
        others = any(each.path == path for each in staying)
        was = origin(path)
        after = _without_parts(path, before, going, others=others, origin=was)
        if after != before:
            changes.append(FileChange(path, before, after, mode=was.mode if was and not others else None))
    return changes


def _without_parts(
    path: Path, current: bytes, going: Sequence[PartLocation], *, others: bool, origin: FileOrigin | None
) -> bytes | None:
    if origin is not None and origin.is_known and not others and digest(current) == origin.after:
        return origin.before
    return stripped(path, current, going, origin.before if origin and origin.is_known else None)


def stripped(path: Path, current: bytes, going: Sequence[PartLocation], was: bytes | None) -> bytes | None:
    """A file without the given parts; None when nothing is left of a file that we made.

    What stood at their places before us is there again.

    Args:
        path: of the file, for errors.
        current: its bytes.
        going: the parts to take out.
        was: its bytes before anything of ours stood in it; None when there was no file, or nothing is known of it.
    """
    if any(each.kind == "ownfile" for each in going):
        return was
    with _errors_of(path):
        text = decoded(current)
        before = decoded(was) if was is not None else ""
        for each in going:
            text = _without_part(text, each, before)
        is_empty = was is None and (not text.strip() or "".join(text.split()) == "{}")
        return None if is_empty and going else encoded(text)


def met(change: FileChange, parts: Sequence[PartLocation], *, in_home: bool) -> bytes | None:
    """What is the person's of a file of which the ledger knows nothing; None when all of it is ours.

    It is the whole file, byte for byte, but for what an earlier install of ours left there.

    Args:
        change: the file, as it is and as it will be; they may be the same.
        parts: what is ours in it then.
        in_home: whether it is in the person's home, and in no workspace.
    """
    if change.before is None:
        return None
    if any(each.kind == "ownfile" for each in parts):
        return None if is_our_file(change.before, change.after) else change.before
    with _errors_of(change.path):
        left = _left(decoded(change.before), decoded(change.after or b""), parts, in_home=in_home)
    return stripped(change.path, change.before, left, None) if left else change.before


def _left(text: str, written: str, parts: Sequence[PartLocation], *, in_home: bool) -> list[PartLocation]:
    """The parts that an earlier install left; where a server or a hook is ours, all else that bears our marks is."""
    places = {each: json.loads(each.place) for each in parts}
    ours = [
        each
        for each, place in places.items()
        if (each.kind == "block" and is_our_block(text, in_home=in_home))
        or (each.kind == "entry" and is_our_entry(place, text, written, in_home=in_home))
        or (each.kind == "item" and is_our_hook(place, text, written, in_home=in_home))
    ]
    others = [each for each, place in places.items() if each.kind == "item" and not is_hook(place)]
    return [*ours, *others] if ours else []


def _without_part(text: str, part: PartLocation, before: str) -> str:
    if part.kind == "block":
        return _without_block(text, before)
    place: dict[str, Any] = json.loads(part.place)
    edit, steps = editor(Format(place["format"])), tuple(place["steps"])
    if part.kind == "entry":
        return _without_entry(edit, text, steps, before)
    return _without_items(edit, text, steps, place["mark"], before)


def _without_items(edit: Editor, text: str, steps: Steps, mark: str, before: str) -> str:
    theirs, now = marked(edit.value(before, steps), mark), marked(edit.value(text, steps), mark)
    if theirs and now == theirs:
        return text
    if theirs and now:
        text = edit.with_item(text, steps, theirs[0], mark)
        for each in theirs[1:]:
            text = edit.with_item(text, steps, each, NO_MARK)
        return text
    return edit.pruned(edit.without_items(text, steps, mark), steps, before)


def _without_block(text: str, before: str) -> str:
    theirs, now = block_of(before), block_of(text)
    if theirs is None or now is None:
        return without_block(text)
    return text if now == theirs else with_block(text, theirs)


def _without_entry(edit: Editor, text: str, steps: Steps, before: str) -> str:
    theirs, now = edit.value(before, steps), edit.value(text, steps)
    if theirs is MISSING:
        return edit.pruned(edit.without_value(text, steps), steps[:-1], before)
    return edit.with_value(text, steps, theirs) if runs_ours(now) else text  # else it is somebody else's by now


def standing(part: Part, read: Read) -> Any | None:
    """What stands at the place of an entry at present; None for nothing, and for a file that does not parse."""
    data = read(part.file)
    if data is None or not isinstance(part, Entry):
        return None
    try:
        found = editor_of(part).value(decoded(data), part.steps)
    except NotParsedError:
        return None
    return None if found is MISSING else found


def editor_of(part: Entry | Item) -> Editor:
    """What edits the file of a part."""
    return editor(part.format)


@contextmanager
def _errors_of(path: Path) -> Generator[None]:
    """Says of which file an editor's error is."""
    try:
        yield
    except NotParsedError as error:
        fault = "cannot be changed" if isinstance(error, UnfitError) else "does not parse"
        raise BigMindError(
            Code.CONFLICT,
            f"{path} {fault}: line {error.line}, column {error.column}: {error.reason}.",
            "It was left alone. Mend the file, or let its program write it anew, and try again.",
        ) from error
