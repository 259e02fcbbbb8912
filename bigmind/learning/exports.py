"""What ChatGPT and Claude hand out of a person's account: their conversations, and what they remember of the person.

Read as a stream, from the zip itself or from a file of it. The formats are nobody's promise: what is missing is left
out, and what is unknown is passed over.
"""

import os
import re
import stat
import zipfile
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any, BinaryIO, cast

from bigmind.core.progress import BYTES, Phase, Progress
from bigmind.core.shapes import is_object
from bigmind.learning.json_stream import ANY, Events, Readable, Shape, keys, records, taken, unusable

MOST_UNPACKED = 8 * 1024**3
"""Bytes of the parts that are read."""
MOST_PARTS = 500
MOST_TIMES = 100
"""How many times its own size a zip archive may unpack to: words are packed to a tenth, a bomb to a thousandth."""
ALWAYS_UNPACKED = 64 * 1024**2
"""Bytes up to which nobody asks for that."""
MOST_LISTED = 16 * 1024**2
"""Bytes of the list of an archive's parts, which is held at once: of a hundred thousand parts, say."""
_BEGIN = 64
_PART = re.compile(r"(?:conversations(?:-\d+)?|memories|projects)\.json")
_LONG = 4_000
_OPENING = 600

_MESSAGE: Shape = {
    "author": {"role": 40},
    "recipient": 40,
    "create_time": 40,
    "content": {"content_type": 40, "parts": _OPENING, "user_profile": _LONG, "user_instructions": _LONG},
    "metadata": {"user_context_message_data": {"about_user_message": _LONG, "about_model_message": _LONG}},
}
_RECORD: Mapping[str, Shape] = {
    # ChatGPT
    "title": 300,
    "create_time": 40,
    "update_time": 40,
    "conversation_id": 100,
    "id": 100,
    "mapping": {ANY: {"message": _MESSAGE}},
    # Claude
    "uuid": 100,
    "name": 300,
    "summary": _LONG,
    "created_at": 40,
    "updated_at": 40,
    "project_uuid": 100,
    "project": {"uuid": 100, "name": 200},
    "chat_messages": {"sender": 40, "text": _OPENING, "content": {"type": 40, "text": _OPENING}},
    # Claude's memory and projects
    "conversations_memory": 20_000,
    "project_memories": {ANY: 20_000},
    "description": _LONG,
    "prompt_template": 20_000,
}
_LISTS = frozenset({"conversations", "memories", "projects"})

_FORMS = (
    (b"\xff\xfe", "is UTF-16; save it as UTF-8 first"),
    (b"\xfe\xff", "is UTF-16; save it as UTF-8 first"),
    (b"\x1f\x8b", "is compressed with gzip; unpack it first"),
    (b"7z\xbc\xaf", "is a 7z archive; choose the zip that you were sent"),
    (b"SQLite format 3", "is a SQLite database; a memory of BigMind is brought in on Export & import"),
    (b"%PDF", "is a PDF; choose the zip that you were sent, or the conversations.json in it"),
    (b"\x89PNG", "is a picture; choose the zip that you were sent"),
    (b"<", "is a page (chat.html); choose the zip that you were sent, or the conversations.json in it"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """A record of an export, of which only what is known is there, and the file of the export it stands in."""

    file: str
    content: Mapping[str, Any]


def parts_of(file: BinaryIO, name: str, progress: Progress) -> Iterator[Part]:
    """Each record of an export; projects first, for others name them by their ids only.

    Raises:
        BigMindError: `invalid_input`, saying what the file is instead, or where it is not right.
    """
    file.seek(0)
    start = file.read(_BEGIN)
    file.seek(0)
    if start.startswith(b"PK"):
        yield from _of_zip(file, progress)
        return
    for signature, why in _FORMS:
        if start.lstrip().startswith(signature):
            raise unusable(why)
    size = file.seek(0, 2)
    file.seek(3 if start.startswith(b"\xef\xbb\xbf") else 0)
    yield from _of_json(file, name, Phase(progress, "Reading the file", size, BYTES))


def _of_zip(file: BinaryIO, progress: Progress) -> Iterator[Part]:
    with _opened(file) as archive:
        wanted = sorted(_wanted(archive), key=_order)
        if not wanted:
            raise unusable(
                "is a zip archive without a conversations.json", "Choose the zip that ChatGPT or Claude sent you."
            )
        size = sum(each.file_size for each in wanted)
        if size > MOST_UNPACKED or len(wanted) > MOST_PARTS:
            raise unusable(f"unpacks to {size:,} bytes in {len(wanted):,} parts; that is more than is read at once")
        if size > max(ALWAYS_UNPACKED, MOST_TIMES * file.seek(0, os.SEEK_END)):
            raise unusable(f"unpacks to {size:,} bytes, more than {MOST_TIMES} times its size; no export of words does")
        phase = Phase(progress, "Reading the file", size, BYTES)
        for each in wanted:
            with _told_damage():
                opened = archive.open(each)
            with opened:
                yield from _of_json(_Sound(opened), PurePosixPath(each.filename).name, phase)


@contextmanager
def _opened(file: BinaryIO) -> Generator[zipfile.ZipFile]:
    try:
        archive = zipfile.ZipFile(cast("BinaryIO", _Bounded(file)))
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, UnicodeDecodeError):
        raise unusable("begins as a zip archive and is none: it may have been cut off", "Fetch it once more.") from None
    with archive:
        yield archive


class _Bounded:
    """An archive's file, of which no more is read at once than the list of its parts may take."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self.seek, self.tell, self.seekable = file.seek, file.tell, file.seekable

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        if size > MOST_LISTED:
            raise unusable("is a zip archive of more parts than are read at once; unpack it first")
        return self._file.read(size)


def _wanted(archive: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    for each in archive.infolist():
        path = PurePosixPath(each.filename)
        is_project = path.suffix == ".json" and path.parent.name == "projects"
        if stat.S_ISLNK(each.external_attr >> 16) or each.is_dir():
            continue
        if _PART.fullmatch(path.name) or is_project:
            if each.flag_bits & 1:
                raise unusable("is a zip archive with a password; unpack it first")
            yield each


def _order(each: zipfile.ZipInfo) -> tuple[bool, str]:
    return "projects" not in each.filename, each.filename


class _Sound:
    """A part of an archive; says so when it is damaged."""

    def __init__(self, file: Readable) -> None:
        self._file = file

    def read(self, size: int = -1, /) -> bytes:
        """The next bytes."""
        with _told_damage():
            return self._file.read(size)


@contextmanager
def _told_damage() -> Generator[None]:
    try:
        yield
    except NotImplementedError:
        raise unusable("is a zip archive packed in a way that is not read here; unpack it first") from None
    except Exception:  # noqa: BLE001 - each Python reads more ways of packing, and each way has an error of its own
        raise unusable("is a zip archive that is damaged", "Fetch it once more.") from None


def _of_json(file: Readable, name: str, phase: Phase) -> Iterator[Part]:
    events = Events(file, name, phase)
    begin = next(events, ("", None))
    if begin[0] == "start_array":
        yield from _of_list(events, name)
    elif begin[0] == "start_map":
        yield from _of_object(events, name)
    else:
        raise unusable("is no export of ChatGPT or Claude: it is neither a list nor an object")
    for _ in events:  # the parser finds out at the end whether anything stands behind it
        raise unusable(f"goes on behind the end of {name}")


def _of_list(events: Events, name: str) -> Iterator[Part]:
    for event in records(events):
        content = taken(events, event, _RECORD)
        if is_object(content):
            yield Part(name, content)


def _of_object(events: Events, name: str) -> Iterator[Part]:
    """One record, or an object that has them in a list."""
    own: dict[str, Any] = {}
    for key in keys(events):
        event = next(events)
        if key in _LISTS and event[0] == "start_array":
            yield from _of_list(events, name)
            continue
        value = taken(events, event, _RECORD.get(key))
        if value is not None:
            own[key] = value
    if own:
        yield Part(name, own)
