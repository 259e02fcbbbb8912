"""Reads an export as a stream, and trusts nothing of it: size, depth, keys and numbers are bounded on the way.

What is said of a bad file is where and of what kind, never its content: an agent may have named somebody else's.
"""

import codecs
import os
from collections.abc import Generator, Iterator
from typing import Any, BinaryIO, TypeVar

import ijson  # pyright: ignore[reportMissingTypeStubs]
from pydantic import BaseModel, ValidationError

from bigmind.core.errors import BigMindError, Code, FieldProblem
from bigmind.core.plain_text import shortened, visible
from bigmind.core.progress import BYTES, Phase, Progress, nobody_waits
from bigmind.core.shapes import is_list, is_object
from bigmind.portable.format.document import Header
from bigmind.portable.format.kind_records import Sections
from bigmind.portable.format.records import FORMAT, FORMS, READ, VERSION, Record

MOST_DEPTH = 12
MOST_TOKEN = 16 * 1024 * 1024
"""Bytes of one text, number or run of blanks; the longest moment, every character escaped, has fewer."""
MOST_EVENTS = 500_000
"""Values, keys and brackets of one record."""
MOST_RECORD = 32 * 1024 * 1024
"""Bytes of one record."""
BUFFER = 64 * 1024
MOST_PROBLEMS = 20

Model = TypeVar("Model", bound=BaseModel)

Event = tuple[str, Any]
Numbered = tuple[str, int, object]
"""A section, the number of the record in it from 1, and the record: one, or what may be one."""

_FORMS = (
    (codecs.BOM_UTF16_LE, "is UTF-16; save it as UTF-8 first"),
    (codecs.BOM_UTF16_BE, "is UTF-16; save it as UTF-8 first"),
    (b"PK", "is a zip archive; unpack it first"),
    (b"\x1f\x8b", "is compressed with gzip; unpack it first"),
    (b"BZh", "is compressed with bzip2; unpack it first"),
    (b"\xfd7zXZ", "is compressed with xz; unpack it first"),
    (b"\x28\xb5\x2f\xfd", "is compressed with zstd; unpack it first"),
    (b"SQLite format 3", "is a SQLite database"),
    (b"\x89PNG", "is a picture"),
    (b"%PDF", "is a PDF"),
    (b"age-encryption.org", "is encrypted with age; decrypt it first"),
)


def not_an_export(why: str, hint: str = "Nothing was changed.") -> BigMindError:
    """The file as a whole is not what it should be."""
    return BigMindError(Code.INVALID_INPUT, f"The file {why}.", hint)


class ExportFile:
    """An export as a source of records, one after the other in the order of the file."""

    def __init__(self, file: BinaryIO, name: str, sections: Sections) -> None:
        """Look at the beginning and read the header. An export has no other sections than these.

        Raises:
            BigMindError: `invalid_input`, when it is no export, or one of an unknown version.
        """
        self.name = name
        self._file = file
        self._sections = sections
        self._place = "its beginning"
        self._mark = 0
        """Bytes of the mark that editors of Windows put before UTF-8."""
        self._check_form()
        self.header = self._header()

    def _check_form(self) -> None:
        self._file.seek(0)
        start = self._file.read(1024)
        if start.startswith(codecs.BOM_UTF8):
            self._mark = len(codecs.BOM_UTF8)
            start = start[self._mark :]
        for signature, why in _FORMS:
            if start.startswith(signature):
                raise not_an_export(why)
        if not start.strip():
            raise not_an_export("is empty")
        if not start.lstrip().startswith(b"{") or b"\x00" in start:
            raise not_an_export("is not an export: it does not begin with a JSON object")

    def _header(self) -> Header:
        events = self._opened()
        for key in _keys(events, "the document"):
            if key == "header":
                return _checked_header(_header_made(events))
            if key not in self._sections:
                # It is not named: what has no header may be anybody's file.
                raise not_an_export("is not an export of BigMind: it has a part that no export has, before any header")
            _skip(events)
        raise not_an_export("has no header, so it is not an export of BigMind")

    def _opened(self) -> "_Events":
        self._file.seek(self._mark)
        events = _Events(self._file, self, self._mark)
        next(events)
        return events

    def place(self, place: str) -> None:
        """Note where the reading is, for an error that comes from within."""
        self._place = place

    def described(self) -> str:
        """Where the reading is, in words."""
        return self._place

    def records(self, progress: Progress = nobody_waits) -> Iterator[Numbered]:
        """Everything in the file; `progress` is told how many of its bytes are read.

        Raises:
            BigMindError: `invalid_input`, saying where the file is not what it should be.
        """
        phase = Phase(progress, "Reading the file", os.fstat(self._file.fileno()).st_size, BYTES)
        events = self._opened()
        for key in _keys(events, "the document"):
            if key in self._sections:
                yield from self._section(events, key, phase)
            elif key == "header":
                _header_made(events)
            else:
                raise not_an_export(f"has a part that no export has, {_named(key)}")
        for _ in events:  # the parser finds out at the end whether anything stands behind it
            raise not_an_export("goes on behind the end of the document")

    def _section(self, events: "_Events", section: str, phase: Phase) -> Iterator[Numbered]:
        if next(events)[0] != "start_array":
            raise not_an_export(f"is not right: {section} is not a list")
        for number, event in enumerate(events, start=1):
            if event[0] == "end_array":
                return
            self.place(f"record {number} of {section}")
            events.begin_record()
            yield section, number, _made(events, event)
            events.end_record()
            phase.reach(events.bytes_read)


class _Events:
    """The parser's events, with what must not grow counted on the way."""

    def __init__(self, file: BinaryIO, where: ExportFile, start: int) -> None:
        self._bytes = _Counted(file, start)
        self._where = where
        self._events = 0
        self._begin: int | None = None
        self._iterator = self._checked()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._iterator)

    def described(self) -> str:
        return self._where.described()

    @property
    def bytes_read(self) -> int:
        """How many bytes the parser was given so far."""
        return self._bytes.count

    def begin_record(self) -> None:
        self._events, self._begin = 0, self._bytes.count

    def end_record(self) -> None:
        self._begin = None

    def _checked(self) -> Generator[Event]:
        depth = 0
        try:
            for event, value in ijson.basic_parse(self._bytes, use_float=True, buf_size=BUFFER):
                self._bytes.since_event = 0
                depth += (event in {"start_map", "start_array"}) - (event in {"end_map", "end_array"})
                self._check_bounds(depth)
                yield event, value
        except (ijson.JSONError, ValueError):
            cut = "ends before it is complete, or " if self._bytes.at_end else ""
            raise not_an_export(
                f"{cut}is not JSON in UTF-8, after {self.described()} (before byte {self._bytes.count:,})"
            ) from None

    def _check_bounds(self, depth: int) -> None:
        self._events += 1
        if depth > MOST_DEPTH:
            raise not_an_export(f"is nested deeper than {MOST_DEPTH} levels, in {self.described()}")
        if self._begin is not None and (
            self._events > MOST_EVENTS or self._bytes.count - self._begin > MOST_RECORD + BUFFER
        ):
            raise not_an_export(f"holds too much in {self.described()}")


class _Counted:
    """The file's bytes, counted; refuses to go on when they are all one token."""

    def __init__(self, file: BinaryIO, start: int) -> None:
        self._file = file
        self.count = start
        self.since_event = 0
        self.at_end = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes, for the parser."""
        if self.since_event > MOST_TOKEN:
            raise not_an_export(f"holds a text or number of more than {MOST_TOKEN:,} bytes")
        try:
            part = self._file.read(size)
        except OSError:
            raise not_an_export("cannot be read to its end") from None
        self.count += len(part)
        self.since_event += len(part)
        self.at_end = not part
        return part


def _made(events: _Events, event: Event) -> object:
    """The value that begins with `event`."""
    kind, value = event
    if kind == "start_map":
        return {key: _made(events, next(events)) for key in _keys(events, events.described())}
    if kind == "start_array":
        made: list[object] = []
        for each in events:
            if each[0] == "end_array":
                break
            made.append(_made(events, each))
        return made
    return value


def _header_made(events: _Events) -> object:
    """The header; it may grow no further than a record."""
    events.begin_record()
    made = _made(events, next(events))
    events.end_record()
    return made


def _skip(events: _Events) -> None:
    """Read the next value without ever holding it."""
    depth = 0
    for kind, _ in events:
        depth += (kind in {"start_map", "start_array"}) - (kind in {"end_map", "end_array"})
        if depth == 0:
            return


def _keys(events: _Events, where: str) -> Iterator[str]:
    """The keys of an object up to its end; whoever asks reads each value."""
    seen: set[str] = set()
    for kind, key in events:
        if kind == "end_map":
            return
        if key in seen:
            raise not_an_export(f"is not right: a key stands twice in {where}")
        seen.add(key)
        yield key


def _checked_header(value: object) -> Header:
    if not is_object(value) or value.get("format") != FORMAT:
        raise not_an_export("is not an export of BigMind: its header does not say so")
    version = value.get("version")
    if type(version) is not int or version not in READ:
        found = f"version {version}" if type(version) is int else "an unknown version"
        raise not_an_export(
            f"is an export of {found}; this BigMind reads versions up to {VERSION}", "Is there a newer BigMind?"
        )
    return _validated(Header, value, "header", "The header")


def checked(kind: type[Record], number: int, content: object) -> Record:
    """The record that `content` is, of that number of its section.

    Raises:
        BigMindError: `invalid_input`, with the fields that are not right.
    """
    if isinstance(content, kind):
        return content
    section = kind.section
    return _validated(kind, content, f"{section}[{number}]", f"Record {number} of {section}")


def _validated(kind: type[Model], content: object, place: str, name: str) -> Model:
    try:
        return kind.model_validate(content)
    except ValidationError as error:
        found = error.errors(include_url=False)[:MOST_PROBLEMS]
    problems = tuple(
        FieldProblem(
            place + "".join(map(_step, each["loc"])),
            "nothing" if each["type"] == "missing" else kind_of(each["input"]),
            _expected(each["type"], each["msg"], each.get("ctx", {}).get("pattern", "")),
        )
        for each in found
    )
    raise BigMindError(Code.INVALID_INPUT, f"{name} is not valid; nothing was imported.", problems=problems)


def _step(part: str | int) -> str:
    """A key of an object, or a place in a list, which counts from 1 as records do."""
    return f"[{part + 1}]" if isinstance(part, int) else f".{_named(part)}"


def _expected(kind: str, message: str, pattern: str) -> str:
    if kind == "missing":
        return "a value: the field is required"
    if kind == "extra_forbidden":
        return "no such field"
    if kind in {"model_type", "model_attributes_type", "dict_type"}:
        return "an object"
    if pattern in FORMS:
        return FORMS[pattern]
    return message.removeprefix("Value error, ").removeprefix("Input should be ")


def _named(key: str) -> str:
    return shortened(visible(key), 40)


def kind_of(value: object) -> str:
    """What a value is, without saying it."""
    if is_object(value):
        return "an object"
    if is_list(value):
        return f"a list of {len(value)}"
    if isinstance(value, str):
        return f"a text of {len(value)} characters"
    if isinstance(value, bool):
        return "true or false"
    return "null" if value is None else "a number"
