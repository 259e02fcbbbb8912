"""Where the words and pieces that were looked for stand in a text: in other forms too, and as parts of identifiers.

No pattern is made of them: to compile one for each question takes longer than to read the texts of an answer.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from bigmind.text.small_letters import small_letters
from bigmind.text.words import BARE, folded

_ENDINGS = frozenset(
    """
    ation ations ate ates ated ating ing ings ion ions edly ies ied er ers ed es ly s e y
    """.split()  # noqa: SIM905 - in quotes each, they could not be read
)
_MAY_FOLLOW = _ENDINGS | {""}
_ENDING = re.compile(rf"(?<=...)(?:{'|'.join(sorted(_ENDINGS))})$")
_BEGINNING = re.compile(r"(?<![^\W\d_])[^\W\d_]|[A-Z]|(?<!\d)\d")
"""Where a word may begin, or a part of an identifier."""
_WORD = re.compile(r"(?<!\w)\w+")
_WORD_GOES_ON = re.compile(r"\w+")
_MARK = "[\u0300-\u036f]"
_HAS_MARKS = re.compile(_MARK)
_PIECE = "piece"
NOWHERE = 2**62
"""Behind the end of every text."""


class Match(NamedTuple):
    """From where to where something stands that was looked for; and whether it is a piece."""

    start: int
    stop: int
    is_piece: bool


def matches(text: str, terms: Sequence[str], inside: Sequence[str] = ()) -> Iterator[Match]:
    """Where any of them stands, one behind the other; of what begins at one place pieces go first, then the longest.

    Args:
        text: where they are looked for; signs count as letters without marks do.
        terms: words as from `query_terms`. An English one is found in its other forms, any of a script with blanks as
            a whole word or a whole part of an identifier, any other one anywhere.
        inside: pieces, which are found anywhere.
    """
    if text.isascii():
        return _standing(text, _sought(tuple(terms), tuple(inside)))
    bare = text.translate(BARE)
    if _HAS_MARKS.search(text):
        return _among_marks(bare, _with_marks(tuple(terms), tuple(inside)))
    return _standing(bare, _sought(tuple(terms), tuple(inside)))


class _Sought(NamedTuple):
    """What is looked for, in small letters without marks, the longest first.

    Attributes:
        pieces: that may stand anywhere.
        roots: of the words that have other forms.
        parts: all terms.
        anywhere: pieces and terms that may begin within a word.
        beginnings: how each of them begins, and whether a word has to begin there.
    """

    pieces: tuple[str, ...]
    roots: tuple[str, ...]
    parts: tuple[str, ...]
    anywhere: tuple[str, ...]
    beginnings: tuple[tuple[str, bool], ...]


@lru_cache(maxsize=16)
def _sought(terms: tuple[str, ...], inside: tuple[str, ...]) -> _Sought:
    found_inside, words = _longest_first(terms, inside)
    pieces, parts = tuple(map(small_letters, found_inside)), tuple(map(small_letters, words))
    roots = tuple(small_letters(word_root(word)) for word in words if word.isascii() and word.isalpha())
    anywhere = (*pieces, *(small_letters(word) for word in words if not word.isascii()))
    shorter = sorted({*roots, *parts}, key=len)
    others = [each for place, each in enumerate(shorter) if not each.startswith(tuple(shorter[:place]))]
    beginnings = (*((each, False) for each in anywhere), *((each, True) for each in others))
    return _Sought(pieces, roots, parts, anywhere, beginnings)


def _longest_first(terms: Sequence[str], inside: Sequence[str]) -> tuple[list[str], list[str]]:
    """The pieces, and the terms without marks."""
    pieces = sorted(map(folded, inside), key=len, reverse=True)
    return pieces, sorted((each.translate(BARE) for each in terms), key=len, reverse=True)


def word_root(word: str) -> str:
    """What the forms of an English word have in common."""
    root = _ENDING.sub("", word)
    return root[:-1] if len(root) > 3 and root[-1] == root[-2] else root  # noqa: PLR2004


def _standing(bare: str, sought: _Sought) -> Iterator[Match]:
    small = small_letters(bare)
    # Most words begin like nothing that is looked for: only where one of the beginnings stands is looked closer.
    # Each is looked for from the last match on: in a megabyte of one letter there are a million places.
    following = [_next(bare, small, each, begins, 0) for each, begins in sought.beginnings]
    while (start := min(following, default=NOWHERE)) < NOWHERE:
        found, here = _at(bare, small, start, sought), start + 1
        if found is not None:
            yield found
            here = found.stop
        following = [
            place if place >= here else _next(bare, small, each, begins, here)
            for place, (each, begins) in zip(following, sought.beginnings, strict=True)
        ]


def _next(bare: str, small: str, beginning: str, begins_word: bool, here: int) -> int:
    """Where something stands next; or where a word may begin with it."""
    at = small.find(beginning, here)
    while begins_word and at >= 0 and not _BEGINNING.match(bare, at):
        at = small.find(beginning, at + 1)
    return at if at >= 0 else NOWHERE


def _places(text: str, piece: str) -> Iterator[int]:
    """Where a piece stands in a text."""
    at = text.find(piece)
    while at >= 0:
        yield at
        at = text.find(piece, at + 1)


def _at(bare: str, small: str, start: int, sought: _Sought) -> Match | None:
    """What of all that is looked for begins there."""
    for piece in sought.pieces:
        if small.startswith(piece, start):
            return Match(start, start + len(piece), is_piece=True)
    if small.startswith(sought.roots, start) and (word := _WORD.match(small, start)) is not None:
        told = word.group()
        if any(_is_form(told, root) for root in sought.roots):
            return Match(start, word.end(), is_piece=False)
    for term in sought.parts:
        if small.startswith(term, start) and (term in sought.anywhere or _is_part(bare, start, start + len(term))):
            return Match(start, start + len(term), is_piece=False)
    return None


def has_form(small: str, root: str) -> bool:
    """Whether a word with that root, as from `word_root`, stands in a text in small letters, in any form."""
    return any(
        _is_form(match.group(), root)
        for place in _places(small, root)
        # First what costs least: in a long run of letters the rest is read at no place within it.
        if (place == 0 or not small[place - 1].isalnum()) and (match := _WORD_GOES_ON.match(small, place)) is not None
    )


def has_word(small: str, word: str) -> bool:
    """Whether a word stands in a text in small letters as it is."""
    padded = f" {small} "
    return any(
        not padded[place].isalnum() and not padded[place + 1 + len(word)].isalnum() for place in _places(small, word)
    )


def _is_form(word: str, root: str) -> bool:
    """Whether a word has that root, maybe with its last letter twice, and an ending or none."""
    if not word.startswith(root):
        return False
    rest = word[len(root) :]
    if len(root) == 1:  # "by" is no form of "b"
        return not rest
    return rest in _MAY_FOLLOW or (rest[0] == root[-1] and rest[1:] in _MAY_FOLLOW)


def _is_part(text: str, start: int, stop: int) -> bool:
    """Whether letters, or digits, that stand there go on at neither end, but for a capital that begins another part."""
    begins = start == 0 or not _is_alike(text[start - 1], text[start]) or _is_capital(text[start])
    return begins and (stop == len(text) or not _is_alike(text[stop], text[stop - 1]) or _is_capital(text[stop]))


def _is_alike(beside: str, own: str) -> bool:
    """Whether what stands beside a letter is a letter, or beside a digit a digit."""
    return beside.isdecimal() if own.isdecimal() else beside.isalnum() and not beside.isdecimal()


def _is_capital(letter: str) -> bool:
    return "A" <= letter <= "Z"


@lru_cache(maxsize=16)
def _with_marks(terms: tuple[str, ...], inside: tuple[str, ...]) -> "re.Pattern[str] | None":
    """A pattern that finds them, whatever marks stand behind their letters; few texts have any."""
    pieces, bare = ([_marked(each) for each in those] for those in _longest_first(terms, inside))
    alternatives = [f"(?P<{_PIECE}>{'|'.join(pieces)})", *bare] if pieces else bare
    return re.compile("|".join(alternatives), re.IGNORECASE) if alternatives else None


def _marked(term: str) -> str:
    return "".join(f"{re.escape(letter)}{_MARK}*" for letter in term)


def _among_marks(bare: str, pattern: "re.Pattern[str] | None") -> Iterator[Match]:
    if pattern is not None:
        yield from (Match(*each.span(), each.lastgroup == _PIECE) for each in pattern.finditer(bare))
