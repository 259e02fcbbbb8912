"""The one rule for text at the boundary: NUL is removed, a lone surrogate becomes U+FFFD, nothing else is changed.

SQLite ends a string at NUL in `length()` and PostgreSQL refuses it; a lone surrogate cannot be written as UTF-8 at
all. Both are therefore settled once, where text enters, so that what is stored is what comes back everywhere.
(Fields of a line or a paragraph also lose white space at their ends, like a form's; `Content` is kept as it is. What
shows nothing at all, white space or characters that nobody sees, counts as empty in all of them.)
"""

import codecs
import io
import re
from typing import Any, cast

_LONE_SURROGATE = re.compile("[\ud800-\udfff]")
_UNSEEN = re.compile(
    "\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\U000e0000-\U000e007f]"
    # One variation selector chooses an emoji's or a character's look; a row of them spells a message of its own.
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)
# Every character that those begin with, as one set: most texts hold none, and that is found out in a fifth of the time.
_PERHAPS_UNSEEN = re.compile(
    "[\r\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufe00-\ufe0f\U000e0000-\U000e007f\U000e0100-\U000e01ef]"
)

# White space and controls, fillers and joiners: what a reader sees nothing of.
_SEEN = re.compile(
    "[^\\s\x00-\x1f\x7f-\x9f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u2800"
    "\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff]"
)
_ENCODINGS = {codecs.BOM_UTF8: "utf-8-sig", codecs.BOM_UTF16_LE: "utf-16", codecs.BOM_UTF16_BE: "utf-16"}
"""By how a file begins: Windows' own programs write so, and its PowerShell redirects in UTF-16."""


def clean(text: str) -> str:
    """`text` without NUL characters and with U+FFFD for each lone surrogate."""
    if "\x00" in text:
        text = text.replace("\x00", "")
    # isascii() reads a flag, so ordinary text costs nothing.
    return text if text.isascii() else _LONE_SURROGATE.sub("\ufffd", text)


def text_of(data: bytes, errors: str = "strict") -> str:
    """The text of a file that a person made, its lines ended by a line feed.

    Args:
        data: of the file.
        errors: what becomes of bytes that are no text, as `bytes.decode` knows it.

    Raises:
        UnicodeDecodeError: when it is neither UTF-8 nor begins as one of UTF-16 does.
    """
    encoding = next((each for mark, each in _ENCODINGS.items() if data.startswith(mark)), "utf-8")
    return io.IncrementalNewlineDecoder(None, translate=True).decode(data.decode(encoding, errors), final=True)


def left_out(data: Any) -> int:
    """How many characters `clean` leaves out of parsed JSON: what is stored is shorter by them, and is said to be."""
    match data:
        case str():
            return data.count("\x00")
        case dict():
            return sum(map(left_out, cast("dict[str, Any]", data).values()))
        case list():
            return sum(map(left_out, cast("list[Any]", data)))
        case _:
            return 0


def seen(text: str) -> str:
    """`text`, or nothing where a reader would see nothing of it: that is no text."""
    return text if _SEEN.search(text) else ""


def visible(text: str) -> str:
    """`text` with U+FFFD for what a terminal would obey and a reader could not see, for showing it.

    These are control characters but for line ends and tabs, bidirectional overrides and isolates, Unicode's tag
    characters, and rows of variation selectors; zero-width joiners stay, for emoji are made with them.
    """
    if text.isascii() and text.isprintable():
        return text
    return _UNSEEN.sub("\ufffd", text) if _PERHAPS_UNSEEN.search(text) else text


def all_visible(data: Any) -> Any:
    """Parsed JSON with every text in it made `visible`: for a model, which would read what a person cannot see."""
    match data:
        case str():
            return visible(data)
        case dict():
            members = cast("dict[str, Any]", data)
            return {name: all_visible(value) for name, value in members.items()}
        case list():
            return [all_visible(each) for each in cast("list[Any]", data)]
        case _:
            return data


def quoted(text: str) -> str:
    """Somebody's words as a markdown quotation: no line of it can be taken for a heading of ours."""
    return "\n".join(f"> {line}".rstrip() for line in visible(text).splitlines())


def one_line(text: str) -> str:
    """`text` with every run of white space as one blank, for tables and headlines."""
    return " ".join(text.split())


LONGEST_USER_NAME = 120


def user_name(text: str) -> str:
    """A user's name as it is kept; empty for what is none."""
    return one_line(clean(text))[:LONGEST_USER_NAME]


def shortened(text: str, most: int) -> str:
    """`text` cut to at most `most` characters, at a word where one is near, with an ellipsis when something is cut."""
    if len(text) <= most:
        return text
    cut = text[: most - 1]
    word_end = cut.rfind(" ")
    return f"{cut[:word_end] if word_end > most * 2 // 3 else cut}…"
