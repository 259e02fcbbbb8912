"""Bytes of somebody's file as text and back, and where in it something stands."""

import re
from typing import Final

BOM: Final = "\ufeff"
MOST_OURS: Final = 100
"""The most elements or equal keys that are taken out of one place of a file."""
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_BREAK = re.compile(r"\r\n|\n|\r")


class NotParsedError(ValueError):
    """A text that is not what it should be, or that cannot be changed without touching what is not ours.

    Attributes:
        line: where, from 1.
        column: the character in that line, from 1.
        reason: what is wrong there, a clause for people ("a comma is missing").
    """

    def __init__(self, line: int, column: int, reason: str) -> None:
        super().__init__(f"line {line}, column {column}: {reason}")
        self.line = line
        self.column = column
        self.reason = reason


class UnfitError(NotParsedError):
    """A text that parses, and does not have the form that a change of it needs."""


def decoded(data: bytes) -> str:
    """The text of a file; a byte order mark stays as its first character, line breaks as they are.

    Raises:
        NotParsedError: it is not UTF-8 text.
    """
    if data.startswith(_UTF16):
        raise NotParsedError(1, 1, "the file is UTF-16, not UTF-8")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise wrong(data[: error.start].decode("utf-8"), error.start, "this is not UTF-8 text") from error
    if "\0" in text:
        raise wrong(text, text.index("\0"), "there is a NUL character: this is not UTF-8 text")
    return text


def encoded(text: str) -> bytes:
    """The bytes of a text that `decoded` gave, changed or not."""
    return text.encode("utf-8")


def line_ending(text: str) -> str:
    """What ends most lines of the text; a line feed where there are none, or as many of two kinds."""
    both = text.count("\r\n")
    counts = {"\n": text.count("\n") - both, "\r\n": both, "\r": text.count("\r") - both}
    return max(counts, key=counts.__getitem__)


def position(text: str, index: int) -> tuple[int, int]:
    """The line and the column of a character, both from 1; an index past the end is the end."""
    before = text[:index].removeprefix(BOM)
    breaks = list(_BREAK.finditer(before))
    return len(breaks) + 1, len(before) - (breaks[-1].end() if breaks else 0) + 1


def wrong(text: str, index: int, reason: str) -> NotParsedError:
    """The error that says what is wrong at an index of the text."""
    return NotParsedError(*position(text, index), reason)


def unfit(text: str, index: int, reason: str) -> UnfitError:
    """The error that says what, at an index of a text that parses, keeps it from being changed."""
    return UnfitError(*position(text, index), reason)


def not_too_many(text: str, index: int, count: int, most: int = MOST_OURS) -> None:
    """Raises `NotParsedError` at an index where more of ours stands than ever came from here: each is a cut."""
    if count > most:
        raise wrong(text, index, f"{count:,} things here are BigMind's; take out all but {most} by hand")


def line_start(text: str, index: int) -> int:
    """Where the line of an index begins."""
    return max(text.rfind("\n", 0, index), text.rfind("\r", 0, index)) + 1


def line_end(text: str, index: int) -> int:
    """Where the line of an index ends, before its line break."""
    found = _BREAK.search(text, index)
    return found.start() if found else len(text)


def before_break(text: str, index: int) -> int:
    """The start of the line break that ends at an index; the index itself where none does."""
    if text.endswith("\r\n", 0, index):
        return index - 2
    return index - 1 if text.endswith(("\n", "\r"), 0, index) else index


def after_break(text: str, index: int) -> int:
    """Past the line break that begins at an index; the index itself where none does."""
    found = _BREAK.match(text, index)
    return found.end() if found else index


def own_line(text: str, index: int) -> str | None:
    """The indentation of what stands at an index, when nothing stands before it on its line."""
    before = text[line_start(text, index) : index]
    return before if not before.strip(" \t") else None


def indentation(text: str, index: int) -> str:
    """The white space that the line of an index begins with."""
    start = line_start(text, index)
    line = text[start : line_end(text, start)]
    return line[: len(line) - len(line.lstrip(" \t"))]


def without_lines(text: str, start: int, end: int) -> str:
    """The text without the lines from the one of `start` to the one of `end`, and without one line break."""
    first, last = line_start(text, start), line_end(text, end)
    if first == 0:
        return text[after_break(text, last) :]
    return text[: before_break(text, first)] + text[last:]
