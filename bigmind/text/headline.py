"""A line that says what a longer text is about."""

import re
from collections.abc import Sequence

from bigmind.core.plain_text import one_line, shortened
from bigmind.text.lazy_pattern import lazy_pattern

FEWEST_WORDS = 4
FEWEST_WIDE = 8
"""Characters of a script without spaces, which stand for the words."""

LONGEST_LOOKED_AT = 4_000
ENDINGS = ".!?。！？"
FENCES = ("```", "~~~")

_FENCED = lazy_pattern(r"^\s*(```|~~~).*?(^\s*\1|\Z)", re.MULTILINE | re.DOTALL)
_BEGINNING = lazy_pattern(r"^[\s#>*+\-|]*(?:\d{1,3}[.)]\s+)?")
# A line that only says what comes: `## Summary`, `**Summary**`, `Changes:`.
_HEADING = lazy_pattern(r"^\s*#|^\s*(\*\*|__)[^*_\n]*[^*_\n.!?。！？]\1:?\s*$|:\W*$")
_MARKS = lazy_pattern(r"\*\*|__|`|\[([^\]\n]*)\]\([^)\n]*\)")
_ENDS = lazy_pattern(r"(?<=[.!?])\s+|(?<=[。！？])|\n+")


def headline(text: str, longest: int) -> str:
    """The first sentence that says something, of at most `longest` characters: not "Done." and no heading.

    Where none does, all that is said, short as it is; of nothing but code its first line. Empty when the text is.
    """
    looked = text[:LONGEST_LOOKED_AT]
    parts = [(part, said) for part in _ENDS.split(_FENCED.sub("", looked)) if (said := _plain(part))]
    headings = [said for part, said in parts if _HEADING.search(part)]
    sentences = [said for part, said in parts if not _HEADING.search(part)]
    telling = next((each for each in (*sentences, *headings) if _says_something(each)), None)
    told = telling or _joined(sentences) or _joined(headings) or _code(looked)
    return shortened(told or one_line(text), longest)


def _joined(sentences: Sequence[str]) -> str:
    return " ".join(each if each[-1] in ENDINGS else f"{each};" for each in sentences).removesuffix(";")


def _code(text: str) -> str:
    """The first line of the first code that is there."""
    found = _FENCED.search(text)
    lines = found.group().strip().splitlines()[1:] if found is not None else []
    first = next((line for each in lines if (line := one_line(each)) and not line.startswith(FENCES)), "")
    return f"Code: {first}" if first else ""


def _plain(part: str) -> str:
    return one_line(_MARKS.sub(r"\1", _BEGINNING.sub("", part)))


def _says_something(sentence: str) -> bool:
    wide = sum(character > "\u2e7f" for character in sentence)
    return len(sentence.split()) >= FEWEST_WORDS or wide >= FEWEST_WIDE
