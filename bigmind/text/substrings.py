"""Pieces of a question that stand inside words: parts of identifiers, paths, versions, hashes, runs of kanji.

The full-text index finds whole words. What looks like code is therefore looked for as it is written too, and so is a
word that nothing contains: `Serializ` stands in `JsonSerializerFactory`. Prose has no such pieces and costs nothing.
"""

import re
from collections.abc import Iterable
from itertools import islice

from bigmind.text.words import LONGEST_TERM, folded

LEAST_PIECE = 3
"""Characters: the index of trigrams knows nothing shorter."""
MOST_PIECES = 8
LONGEST_PIECE = 200
"""Characters of a piece that are compared; the rest of a longer one is not looked at."""
MOST_GRAMS = 8
MOST_WRITTEN = 20_000
"""Characters of a question that are looked through."""

_WRITTEN = re.compile(r"[^\s\x00]+")
_AROUND = "\"'`.,;:!?()[]{}<>«»“”„‘’…*、。，；：！？（）「」『』"
# A sign that prose has none of, one between letters, a letter beside a digit, a capital inside a word.
_CODE = re.compile(r"[_/\\@#$=<>&|+~^%]|\w[.:(\[{]+\w|[^\W\d_]\d|\d[^\W\d_]|[a-z][A-Z]")
# Han, katakana, Hangul, and scripts of South-East Asia; hiragana is mostly grammar.
_UNSPACED = re.compile(
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]{3,}|[\u30a0-\u30ff]{3,}|[\uac00-\ud7af]{3,}"
    "|[\u0e00-\u0eff]{3,}|[\u1000-\u109f]{3,}|[\u1780-\u17ff]{3,}"
)


def pieces(query: str) -> list[str]:
    """What of a question looks like code, or stands in a script without blanks: folded, distinct, and few."""
    found: dict[str, None] = {}
    for match in _WRITTEN.finditer(query[:MOST_WRITTEN]):
        for piece in _of_written(match.group().strip(_AROUND)):
            if len(short := folded(piece)[:LONGEST_PIECE]) >= LEAST_PIECE:
                found[short] = None
        if len(found) >= MOST_PIECES:
            break
    return list(islice(found, MOST_PIECES))


def _of_written(written: str) -> Iterable[str]:
    if unspaced := _UNSPACED.findall(written):
        return unspaced
    is_code = len(written) > LONGEST_TERM or _CODE.search(written)
    return (written,) if is_code else ()


def inside_words(terms: Iterable[str], least: int = LEAST_PIECE) -> list[str]:
    """The words of at least so many letters, as pieces that may stand inside others."""
    words = (folded(each) for each in terms if not _UNSPACED.search(each))
    return list(islice((each for each in words if len(each) >= least), MOST_PIECES))


def grams(piece: str) -> list[str]:
    """Some three characters in a row of a folded piece, from its beginning to its end; few, however long it is."""
    places = len(piece) - LEAST_PIECE
    if places < MOST_GRAMS:
        chosen = range(places + 1)
    else:
        chosen = [round(number * places / (MOST_GRAMS - 1)) for number in range(MOST_GRAMS)]
    return list(dict.fromkeys(piece[at : at + LEAST_PIECE] for at in chosen))
