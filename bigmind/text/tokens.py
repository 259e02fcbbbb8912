"""Counts the tokens of OpenAI's o200k encoding: exactly, offline, and in little memory.

Byte-pair encoding over the encoding's own ranks (`o200k.bin`, written by packaging/vocabulary.py). The libraries that
do the same were measured, and cost a server that should be light too much: docs/architecture.md. A run of letters or
signs that is longer than `LONGEST_PIECE` is counted in parts, which comes out a few per cent higher and bounds the time
that a hostile text takes. tests/memory/test_tokens.py compares with the tokenizer itself.
"""

import re
import sys
import unicodedata
from array import array
from bisect import bisect_left
from collections.abc import Iterator
from functools import cache, lru_cache
from hashlib import blake2b
from itertools import accumulate, pairwise
from pathlib import Path

from bigmind.core.deliveries import SAMPLE

RANK_BITS = 18
LONGEST_PIECE = 64
"""Characters; words and runs of signs that people write are shorter."""

LONG_WORD = 16
"""Characters from which on a piece is cut where a text ends, as in a script without blanks."""

AT_ONCE, AT_ONCE_OF_TOKEN = 16_384, 8
"""Characters of a text, and for each token that is asked for, that are counted in one go: in half of the time."""

_RANKS = Path(__file__).with_name("o200k.bin")
_NO_RANK = 1 << RANK_BITS
_REMEMBERED = 8_192
"""Pieces, and characters, that are not looked into again."""

# The encoding's own pattern, for the shadow of a text: there A, a, \x01 and \x02 stand for capitals, small letters,
# letters without case and marks of any script; 0, ! and a tab for all other numbers, signs and white space.
_ENDING = r"(?:'[sStTmMdD]|'(?:[rR][eE]|[vV][eE]|[lL][lL]))?"
_PIECE = re.compile(
    rf"[^\r\na-zA-Z\x010-9]?(?:[A-Z\x01\x02]*[a-z\x01\x02]+|[A-Z\x01\x02]+){_ENDING}"
    r"|[0-9]{1,3}"
    r"| ?[^\sa-zA-Z\x010-9]+[\r\n/]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+",
    re.ASCII,
)


class _Shadow(dict[int, str]):
    """What stands in the pattern for a character that does not stand for itself (`_FOREIGN`)."""

    def __init__(self) -> None:
        super().__init__({1: "!", 2: "!"})

    def __missing__(self, code: int) -> str:
        character = chr(code)
        category = unicodedata.category(character)
        match category:
            case "Lu" | "Lt":
                shadow = "A"
            case "Ll":
                shadow = "a"
            case "Lm" | "Lo":
                shadow = "\x01"
            case _:
                shadow = {"M": "\x02", "N": "0", "Z": "\t"}.get(category[0], "\t" if character.isspace() else "!")
        if len(self) < _REMEMBERED:
            self[code] = shadow
        return shadow


_SHADOW = _Shadow()
_FOREIGN = re.compile(r"[^\x00\x03-\x7f]")


def count_tokens(text: str, most: int | None = None) -> int:
    """The tokens of `text`; 0 for the empty string. About 0.1 ms for 1,000 characters, 5 of a hostile text.

    Beyond `most` they are not counted further: then it is a number above that.
    """
    if len(text) <= (AT_ONCE if most is None else min(most * AT_ONCE_OF_TOKEN, AT_ONCE)):
        pieces = _pieces(text)
        if max(map(len, pieces), default=0) <= LONGEST_PIECE:
            return sum(map(_tokens, pieces))
    total = 0
    for _, tokens in _counted(text):
        total += tokens
        if most is not None and total > most:
            break
    return total


def about_tokens(text: str, length: int | None = None) -> int:
    """About as many as `count_tokens` counts: a long text by its beginning, so that none takes half a millisecond.

    `length`: characters of the whole, where `text` is no more than its beginning.
    """
    length = len(text) if length is None else length
    if length <= SAMPLE:
        return count_tokens(text)
    return count_tokens(text[:SAMPLE]) * length // SAMPLE


def beginning(text: str, most: int) -> str:
    """As much of `text` from its start as `most` tokens hold, in whole words where there are any."""
    end = tokens = 0
    for piece, cost in _counted(text):
        if tokens + cost > most:
            is_word = end and len(piece) < LONG_WORD
            return text[:end] if is_word else text[:end] + _part(piece, most - tokens)
        tokens += cost
        end += len(piece)
    return text


def _part(piece: str, most: int) -> str:
    """The beginning of a word that is dearer than `most` tokens."""
    length = len(piece)
    while length and count_tokens(piece[:length]) > most:
        length -= 1 + length // 8
    return piece[: max(length, 0)]


def fingerprint(token: bytes) -> int:
    """46 bits that stand for a token."""
    return int.from_bytes(blake2b(token, digest_size=8).digest(), "little") >> RANK_BITS


def _pieces(text: str) -> list[str]:
    """All pieces of a text, long ones too."""
    shadow = _shadow_of(text)
    found = _PIECE.findall(shadow)
    if shadow is text:
        return found
    ends = list(accumulate(map(len, found)))
    return [text[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _shadow_of(text: str) -> str:
    """What the pattern is matched with: most texts are their own."""
    return text if _FOREIGN.search(text) is None else _FOREIGN.sub(_foreign, text)


def _foreign(match: re.Match[str]) -> str:
    return _SHADOW[ord(match[0])]


def _counted(text: str) -> Iterator[tuple[str, int]]:
    """The pieces of a text that are encoded one by one, each with its tokens."""
    for match in _PIECE.finditer(_shadow_of(text)):
        start, end = match.span()
        while end - start > LONGEST_PIECE:
            yield text[start : start + LONGEST_PIECE], _tokens(text[start : start + LONGEST_PIECE]) + 1
            start += LONGEST_PIECE
        yield text[start:end], _tokens(text[start:end])


@lru_cache(maxsize=_REMEMBERED)
def _tokens(piece: str) -> int:
    """Tokens of a piece: neighbours are merged, those of the lowest rank first, until no two make a token."""
    data = piece.encode(errors="replace")
    if _rank(data) != _NO_RANK:
        return 1
    parts = [data[place : place + 1] for place in range(len(data))]
    ranks = [_rank(one + other) for one, other in pairwise(parts)]
    while ranks and (lowest := min(ranks)) != _NO_RANK:
        place = ranks.index(lowest)
        parts[place : place + 2] = [parts[place] + parts[place + 1]]
        del ranks[place]
        if place:
            ranks[place - 1] = _rank(parts[place - 1] + parts[place])
        if place < len(ranks):
            ranks[place] = _rank(parts[place] + parts[place + 1])
    return len(parts)


@lru_cache(maxsize=_REMEMBERED)
def _rank(token: bytes) -> int:
    ranks = _ranks()
    wanted = fingerprint(token) << RANK_BITS
    place = bisect_left(ranks, wanted)
    if place < len(ranks) and (found := ranks[place] ^ wanted) < _NO_RANK:
        return found
    return _NO_RANK


@cache
def _ranks() -> "array[int]":
    ranks = array("Q")
    ranks.frombytes(_RANKS.read_bytes())
    if sys.byteorder == "big":
        ranks.byteswap()
    return ranks
