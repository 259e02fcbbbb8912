"""Reads JSON of any size as a stream, and takes of it only what is asked for: nothing else is ever held.

What is said of a bad file is where and of what kind, never its content.
"""

import sys
from collections.abc import Generator, Iterator, Mapping
from typing import Any, Protocol, TypeAlias

import ijson  # pyright: ignore[reportMissingTypeStubs]

from bigmind.core.errors import BigMindError, Code
from bigmind.core.plain_text import clean, shortened
from bigmind.core.progress import Phase

MOST_DEPTH = 64
MOST_TOKEN = 16 * 1024 * 1024
"""Bytes of one text, number or run of blanks."""
MOST_MEMBERS = 5_000
"""Entries that are taken of one list, or of one object with keys of its own."""
LONGEST_TEXT = 20_000
"""Characters that are taken of one text."""
MOST_TAKEN = 64 * 1024 * 1024
"""Bytes that are held of one record; of its lists, what comes behind them is passed over."""
_OF_ONE = 200
"""Of these, what a value takes beside its letters, about."""
BUFFER = 64 * 1024

Event: TypeAlias = tuple[str, Any]
Shape: TypeAlias = int | Mapping[str, "Shape"]
"""What is taken of a value: of a text so many characters, also of each one of a list; or of an object, or of each one
of a list, what stands under these keys, `*` being any."""

ANY = "*"


class Readable(Protocol):
    """What gives bytes."""

    def read(self, size: int = -1, /) -> bytes:
        """The next ones."""
        ...


def unusable(why: str, hint: str = "Nothing was learned from it.") -> BigMindError:
    """The file as a whole is not what it should be."""
    return BigMindError(Code.INVALID_INPUT, f"The file {why}.", hint)


class Events:
    """The parser's events, with what must not grow bounded on the way."""

    def __init__(self, file: Readable, name: str, phase: Phase) -> None:
        self._file = _Counted(file, phase)
        self._name = name
        self.number = 0
        """Of the record that is being read."""
        self.room = MOST_TAKEN
        """Bytes that may still be held of it."""
        self._iterator = self._checked()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._iterator)

    def _checked(self) -> Generator[Event]:
        depth = 0
        try:
            for event, value in ijson.basic_parse(self._file, use_float=True, buf_size=BUFFER):
                self._file.since_event = 0
                depth += (event in {"start_map", "start_array"}) - (event in {"end_map", "end_array"})
                if depth > MOST_DEPTH:
                    raise unusable(f"is nested deeper than {MOST_DEPTH} levels{self._where()}")
                yield event, value
        except (ijson.JSONError, ValueError):
            cut = "ends before it is complete, or " if self._file.at_end else ""
            raise unusable(f"{cut}is not JSON in UTF-8{self._where()} (before byte {self._file.count:,})") from None

    def _where(self) -> str:
        return f", in {self._name}" + (f", after record {self.number:,}" if self.number else "")


class _Counted:
    """The bytes of a file, counted; refuses to go on when they are all one token."""

    def __init__(self, file: Readable, phase: Phase) -> None:
        self._file = file
        self._phase = phase
        self.count = self.since_event = 0
        self.at_end = False

    def read(self, size: int = -1) -> bytes:
        """The next bytes, for the parser."""
        if self.since_event > MOST_TOKEN:
            raise unusable(f"holds a text or number of more than {MOST_TOKEN:,} bytes")
        part = self._file.read(size)
        self.count += len(part)
        self.since_event += len(part)
        self.at_end = not part
        self._phase.add(len(part))
        return part


def records(events: Events) -> Iterator[Event]:
    """The first event of each record of a list that has begun; whoever asks takes or skips each."""
    for event in events:
        if event[0] == "end_array":
            return
        events.number += 1
        events.room = MOST_TAKEN
        yield event


def keys(events: Events) -> Iterator[str]:
    """The keys of an object that has begun; whoever asks takes or skips each value."""
    for kind, key in events:
        if kind == "end_map":
            return
        yield key


def taken(events: Events, event: Event, shape: Shape | None) -> Any:
    """What is wanted of the value that begins with `event`; None for what is of another kind."""
    kind, value = event
    events.room -= _OF_ONE if shape is not None else 0
    if kind == "start_map":
        return _members(events, shape) if isinstance(shape, Mapping) else skip(events, event)
    if kind == "start_array":
        found: list[Any] = []
        for each in events:
            if each[0] == "end_array":
                break
            wanted = shape if len(found) < MOST_MEMBERS and events.room > 0 else None
            made = taken(events, each, wanted)
            if made is not None:
                found.append(made)
        return found if shape is not None else None
    if not isinstance(shape, int):
        return None
    if not isinstance(value, str):
        return value
    text = shortened(clean(value), shape)
    events.room -= sys.getsizeof(text)
    return text


def _members(events: Events, shape: Mapping[str, Shape]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key in keys(events):
        any_key = shape.get(ANY) if len(found) < MOST_MEMBERS and events.room > 0 else None
        wanted = shape.get(key, any_key)
        value = taken(events, next(events), wanted)
        if value is not None and len(key) <= LONGEST_TEXT:
            events.room -= sys.getsizeof(key)
            found[key] = value
    return found


def skip(events: Events, event: Event) -> None:
    """Pass over the value that begins with `event`."""
    depth = event[0] in {"start_map", "start_array"}
    while depth:
        kind = next(events)[0]
        depth += (kind in {"start_map", "start_array"}) - (kind in {"end_map", "end_array"})
