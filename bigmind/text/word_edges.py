"""Where words begin and end, and the parts of identifiers in them: what a mark may cover, and what a piece must touch.

The same parts that the index has (`text/words.py`), as places in a text.
"""

import unicodedata

from bigmind.text.words import UNSPACED

LEAST_MIDDLE = 5
"""Letters of a piece that counts in the middle of a word too: `car` says nothing of `scarce`, nor `port` of
`important`."""
LONGEST_REACH = 200
"""Characters that are looked at on either side for the edge of a word: a megabyte of base64 has none."""


def is_edge(text: str, place: int) -> bool:
    """Whether a word, or a part of an identifier, may begin or end there: between the letters of `Http|Server|2`."""
    if place <= 0 or place >= len(text):
        return True
    before, here = text[place - 1], text[place]
    if _is_mark(here):
        return False
    if _is_mark(before):
        before = next(
            (each for each in reversed(text[max(0, place - LONGEST_REACH) : place]) if not _is_mark(each)), ""
        )
    if not (before.isalnum() and here.isalnum()):
        return True
    if before.isdigit() != here.isdigit() or UNSPACED.match(before) or UNSPACED.match(here):
        return True
    rises = before.islower() or (before.isupper() and text[place + 1 : place + 2].islower())
    return here.isupper() and rises


def whole(text: str, start: int, stop: int) -> tuple[int, int]:
    """The stretch, wider until it covers whole words or parts; as it is, where these are longer than can be shown."""
    first = next((at for at in range(start, max(-1, start - LONGEST_REACH), -1) if is_edge(text, at)), start)
    last = next((at for at in range(stop, min(len(text), stop + LONGEST_REACH) + 1) if is_edge(text, at)), stop)
    return first, last


def stands_in(text: str, start: int, stop: int) -> bool:
    """Whether a piece that stands there says something of the word that it stands in: a short one at an edge only."""
    long_enough = stop - start >= LEAST_MIDDLE or not text[start:stop].isalpha()
    return long_enough or is_edge(text, start) or is_edge(text, stop)


def contains(text: str, piece: str) -> bool:
    """Whether a piece stands in a text, both folded, so that it says something of it."""
    at = text.find(piece)
    while at >= 0:
        if stands_in(text, at, at + len(piece)):
            return True
        at = text.find(piece, at + 1)
    return False


def _is_mark(character: str) -> bool:
    return not character.isascii() and unicodedata.category(character) in {"Mn", "Mc", "Me"}
