"""A line that says what a longer text is about."""

import re

from bigmind.core.plain_text import one_line, shortened
from bigmind.text.lazy_pattern import lazy_pattern

FEWEST_WORDS = 4
FEWEST_WIDE = 8
"""Characters of a script without spaces, which stand for the words."""

LONGEST_LOOKED_AT = 4_000

_FENCED = lazy_pattern(r"^\s*(```|~~~).*?(^\s*\1|\Z)", re.MULTILINE | re.DOTALL)
_BEGINNING = lazy_pattern(r"^[\s#>*+\-|]*(?:\d{1,3}[.)]\s+)?")
_MARKS = lazy_pattern(r"\*\*|__|`|\[([^\]\n]*)\]\([^)\n]*\)")
_ENDS = lazy_pattern(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


def headline(text: str, longest: int) -> str:
    """The first sentence that says something, of at most `longest` characters: not "Done." and not a piece of code.

    Empty when the text is.
    """
    prose = _FENCED.sub("", text[:LONGEST_LOOKED_AT])
    sentences = [said for part in _ENDS.split(prose) if (said := _plain(part))]
    telling = next((each for each in sentences if _says_something(each)), None)
    return shortened(telling or max(sentences, key=len, default="") or one_line(text), longest)


def _plain(part: str) -> str:
    return one_line(_MARKS.sub(r"\1", _BEGINNING.sub("", part)))


def _says_something(sentence: str) -> bool:
    wide = sum(character > "\u2e7f" for character in sentence)
    return len(sentence.split()) >= FEWEST_WORDS or wide >= FEWEST_WIDE
