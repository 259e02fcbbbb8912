"""Takes from a text what hides its words: invisible characters, letters that look like others, codes, spaced letters.

Every step is linear in the length of the text.
"""

import base64
import binascii
import html
import re
import unicodedata
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import islice
from urllib.parse import unquote

MOST_CODED = 50
"""Pieces of a text that are tried as base64."""

LONGEST_CODED = 4_000
LEAST_READABLE = 0.9
LONGEST_WORD = 40

_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef"
    "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
)
# What no text needs between two Latin letters, what turns text around, and what is no character at all.
_SPLIT = re.compile("[a-zA-Z][\u00ad\u200b\u2060-\u2064\ufeff]+(?=[a-zA-Z])")
_HIDDEN = re.compile(
    "[\u202a-\u202e\u2066-\u2069]|(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0001-\U000e007f]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)
# Tags spell the flags of regions: a flag, at most six letters, and an end.
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{2,6}\U000e007f")
LEAST_SPLITS = 2

_LIKE_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u043f\u043a\u043c\u0442\u0432\u043d"
    "\u03b1\u03b5\u03bf\u03c1\u03c5\u03bd\u03b9\u03ba\u03c4\u0131",
    "aeopcyxijsnkmtvhaeopuviktI".lower(),
)
_FOREIGN = re.compile("[\u0370-\u03ff\u0400-\u04ff\u0131]")
_LATIN = re.compile("[a-z]")
_WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_PIECE = re.compile(
    r"(?P<url>https?://[^\s]{1,2000}|[^\s@/:]{1,64}@[\w.-]{1,100}\.\w{2,10}|\b\d{1,3}(?:\.\d{1,3}){3}\b)"
    r"|(?P<word>[^\W_]+(?:['\u2019][^\W_]+)*)|(?P<end>(?<!\.)[.!?;](?=\s|$))|(?P<colon>:(?=\s|$))"
)
_SPACED = re.compile(r"(?<![^\W_])(?:[^\W_][ .\-_*]){2,}[^\W_](?![^\W_])")
_CODED = re.compile(r"[A-Za-z0-9+/_-]{24,}={0,2}")
_LEET = str.maketrans("013457", "oieast")
_LEET_L = str.maketrans("013457", "oleast")
_UNSPACED = re.compile("[\u3040-\u30ff\u3400-\u9fff]")


def is_hiding(text: str) -> bool:
    """Whether characters that nobody sees spell something, turn the text around, or split its words."""
    if text.isascii():
        return False
    if _HIDDEN.search(_FLAG.sub("", text)):
        return True
    return len(list(islice(_SPLIT.finditer(text), LEAST_SPLITS))) == LEAST_SPLITS


def has_unspaced(text: str) -> bool:
    """Whether there is Chinese or Japanese in it."""
    return not text.isascii() and _UNSPACED.search(text) is not None


def unmasked(text: str) -> str:
    """The text in lower case, in plain letters, with its codes of HTML and URLs resolved."""
    if "&" in text:
        text = html.unescape(text)
    if "%" in text:
        text = unquote(text, errors="replace")
    if not text.isascii():
        text = _INVISIBLE.sub("", unicodedata.normalize("NFKD", text))
    text = text.casefold()
    if not text.isascii() and _FOREIGN.search(text):
        text = _WORD.sub(_latin, text)
    return _SPACED.sub(lambda found: re.sub(r"[ .\-_*]", "", found.group()), text)


def _latin(found: re.Match[str]) -> str:
    word = found.group()
    return word.translate(_LIKE_LATIN) if _FOREIGN.search(word) and _LATIN.search(word) else word


def words_of(text: str, vocabulary: AbstractSet[str]) -> list[str]:
    """The words of an unmasked text, with `.` and `:` where sentences end and `URL` for addresses.

    A word written with digits for letters is read as the word of the vocabulary that it stands for.
    """
    held: dict[str, str] = {}  # each word once: a text of a megabyte would take ten as its words
    return [held.setdefault(word, word) for word in _words(text, vocabulary)]


def _words(text: str, vocabulary: AbstractSet[str]) -> Iterator[str]:
    for piece in _PIECE.finditer(text):
        match piece.lastgroup:
            case "word":
                word = piece.group().replace("\u2019", "'")[:LONGEST_WORD]
                yield word if word.isalpha() else _read(word, vocabulary)
            case "url":
                yield "URL"
            case "end":
                yield "."
            case _:
                yield ":"


def _read(word: str, vocabulary: AbstractSet[str]) -> str:
    if word.isalnum() and not word.isdigit():
        for table in (_LEET, _LEET_L):
            if (plain := word.translate(table)) in vocabulary:
                return plain
    return word


def decoded(text: str) -> Iterator[str]:
    """What stands in a text as base64 and can be read."""
    for piece in islice(_CODED.finditer(text), MOST_CODED):
        coded = piece.group()[:LONGEST_CODED].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            plain = base64.b64decode(coded + "=" * (-len(coded) % 4), validate=True).decode("utf-8", "replace")
        except (binascii.Error, ValueError):
            continue
        if " " in plain and sum(map(str.isprintable, plain)) >= LEAST_READABLE * len(plain):
            yield plain
