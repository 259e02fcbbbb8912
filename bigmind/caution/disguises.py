"""Takes from a text what hides its words: invisible characters, letters that look like others, codes, spaced letters.

Every step is linear in the length of the text.
"""

import html
import re
import unicodedata
from functools import cache
from itertools import islice
from urllib.parse import unquote

from bigmind.text.lazy_pattern import lazy_pattern

LONGEST_WORD = 40
MOST_KNOWN = 8_192
"""Words whose reading is known again."""

_INVISIBLE = lazy_pattern(
    "[\u00ad\u034f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff\U000e0000-\U000e01ef"
    "\u0300-\u036f\u115f\u1160\u17b4\u17b5\u3164\uffa0\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff]"
)
# What no text needs between two Latin letters, what turns text around, and what is no character at all.
_SPLIT = lazy_pattern("[a-zA-Z][\u00ad\u200b\u2060-\u2064\ufeff]+(?=[a-zA-Z])")
_HIDDEN = lazy_pattern(
    "[\u202a-\u202e\u2066-\u2069]|(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0001-\U000e007f]"
    "|[\ufe00-\ufe0f\U000e0100-\U000e01ef]{2,}"
)
# Tags spell the flags of regions: a flag, at most six letters, and an end.
_FLAG = lazy_pattern("\U0001f3f4[\U000e0020-\U000e007e]{2,6}\U000e007f")
LEAST_SPLITS = 2

_LIKE_LATIN = str.maketrans(
    "\u0430\u0435\u043e\u0440\u0441\u0443\u0445\u0456\u0458\u0455\u043f\u043a\u043c\u0442\u0432\u043d\u0501\u051b\u051d\u04bb\u04cf"
    "\u03b1\u03b5\u03bf\u03c1\u03c5\u03bd\u03b9\u03ba\u03c4\u03b7\u03c7\u03c9\u0131\u0585\u057d\u0570\u0578\u0581\u0563\u0566\u0575",
    "aeopcyxijsnkmtvhdqwhlaeopuviktnxwiouhngqzj",
)
_FOREIGN = lazy_pattern("[\u0370-\u03ff\u0400-\u052f\u0131\u0561-\u0587]")

_SHAPES = (
    (
        "\u1d00\u0299\u1d04\u1d05\u1d07\ua730\u0262\u029c\u026a\u1d0a\u1d0b\u029f\u1d0d\u0274\u1d0f\u1d18\ua7af\u0280\ua731\u1d1b\u1d1c\u1d20\u1d21\u028f\u1d22",
        "abcdefghijklmnopqrstuvwyz",
    ),
    (
        "\u01eb\u0251\u0261\u0269\u025b\u0131\u00f8\u0142\u0111\u0127\u0167\u0253\u0257\u0260\u0199\u01a5\u0268\u0289\u0180\u0237\u026f",
        "qagieioldhtbdgkpiubjw",
    ),
    (range(0x1F150, 0x1F16A), "abcdefghijklmnopqrstuvwxyz"),
    (range(0x1F170, 0x1F18A), "abcdefghijklmnopqrstuvwxyz"),
    (range(0x1F1E6, 0x1F200), "abcdefghijklmnopqrstuvwxyz"),
)
_LIKE_LETTERS = {
    char if isinstance(char, int) else ord(char): letter
    for chars, letters in _SHAPES
    for char, letter in zip(chars, letters, strict=True)
}
"""Letters in other shapes that no normal form resolves: small capitals, strokes, squares, flags."""
_LATIN = lazy_pattern("[a-z]")
_WORD = lazy_pattern(r"[^\W_]+(?:['\u2019][^\W_]+)*")
_ADDRESS = r"https?://[^\s]{1,2000}|\b\d{1,3}(?:\.\d{1,3}){3}\b"
_MAIL = r"[^\s@/:]{1,64}@[\w.-]{1,100}\.\w{2,10}"
_ENDS = ".!?;\u3002\u06d4\u0964\u0589"
_PIECES = rf"{_ADDRESS}|[^\W_]+(?:['\u2019][^\W_]+)*|(?<!\.)[.!?;](?=\s|$)|[{_ENDS[4:]}]|:(?=\s|$)"
_PIECE = lazy_pattern(_PIECES)
_PIECE_OR_MAIL = lazy_pattern(f"{_MAIL}|{_PIECES}")
_OF_ADDRESSES = lazy_pattern("[:@.]")
"""What stands in every address, and in no word."""
_SPACED = lazy_pattern(r"(?<![^\W_])[^\W_]([\W_]{1,4})[^\W_](?:\1[^\W_])+(?![^\W_])")
"""Letters with the same between each two; where that changes, a word ends."""
_LEET = str.maketrans("013457", "oieast")
_LEET_L = str.maketrans("013457", "oleast")
_UNSPACED = lazy_pattern("[\u3040-\u30ff\u3400-\u9fff]")


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
        if not text.isascii():
            text = text.translate(_LIKE_LETTERS)
    text = text.casefold()
    if not text.isascii() and _FOREIGN.search(text):
        text = _WORD.sub(_latin, text)
    return _SPACED.sub(_joined, text)


def _joined(found: re.Match[str]) -> str:
    return "".join(char for char in found.group() if char.isalnum())


def _latin(found: re.Match[str]) -> str:
    word = found.group()
    return word.translate(_LIKE_LATIN) if _FOREIGN.search(word) and _LATIN.search(word) else word


def words_of(text: str, vocabulary: frozenset[str]) -> list[str]:
    """The words of an unmasked text, with `.` and `:` where sentences end and `URL` for addresses.

    A word written with digits for letters is read as the word of the vocabulary that it stands for.
    """
    pieces = _PIECE_OR_MAIL if "@" in text else _PIECE  # to look for an address at every word takes half the time
    return [*map(_readings(vocabulary).__getitem__, pieces.findall(text))]


class _Readings(dict[str, str]):
    """What the pieces of texts are read as; those that come over and over, as most words do, are read once."""

    def __init__(self, vocabulary: frozenset[str]) -> None:
        super().__init__()
        self._vocabulary = vocabulary

    def __missing__(self, piece: str) -> str:
        word = _reading(piece, self._vocabulary)
        if len(piece) <= LONGEST_WORD:
            if len(self) >= MOST_KNOWN:
                self.clear()
            self[piece] = word
        return word


_readings = cache(_Readings)


def _reading(piece: str, vocabulary: frozenset[str]) -> str:
    if piece in _ENDS:
        return "."
    if piece == ":":
        return ":"
    if _OF_ADDRESSES.search(piece):
        return "URL"
    word = piece.replace("\u2019", "'")[:LONGEST_WORD]
    return word if word.isalpha() else _read(word, vocabulary)


def _read(word: str, vocabulary: frozenset[str]) -> str:
    if word.isalnum() and not word.isdigit():
        for table in (_LEET, _LEET_L):
            if (plain := word.translate(table)) in vocabulary:
                return plain
    return word
