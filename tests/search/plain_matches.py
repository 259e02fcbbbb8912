"""What `text/word_matches.py` does, as one pattern made of all that is looked for: slow to make, to compare with."""

import re
from collections.abc import Sequence
from itertools import groupby

from bigmind.text.words import BARE, folded

_ENDINGS = "ations?|ates?|ated|ating|ings?|ions?|edly|ies|ied|ers?|ed|es|ly|s|e|y"
_MARK = "[\u0300-\u036f]"
_PIECE = "piece"


def plain_matches(text: str, terms: Sequence[str], inside: Sequence[str]) -> list[tuple[int, int, bool]]:
    """As `matches`."""
    pattern = _pattern(tuple(terms), tuple(inside), has_marks=re.search(_MARK, text) is not None)
    found = pattern.finditer(text.translate(BARE)) if pattern else ()
    return [(*each.span(), each.lastgroup == _PIECE) for each in found]


def _pattern(terms: tuple[str, ...], inside: tuple[str, ...], *, has_marks: bool) -> "re.Pattern[str] | None":
    bare = sorted((each.translate(BARE) for each in terms), key=len, reverse=True)
    pieces = sorted((folded(each) for each in inside), key=len, reverse=True)
    if has_marks:
        within, each = _with_marks(pieces), _with_marks(bare)
    else:
        # Together, for a pattern of so many parts takes longer to be read than the texts.
        parts = (_parts(list(alike)) for _, alike in groupby(bare, key=_ends))
        within = list(map(re.escape, pieces))
        each = [*_forms([term for term in bare if term.isascii() and term.isalpha()]), *parts]
    if within:
        each.insert(0, f"(?P<{_PIECE}>{'|'.join(within)})")
    return re.compile("|".join(each), re.IGNORECASE) if each else None


def _with_marks(terms: Sequence[str]) -> list[str]:
    return ["".join(f"{re.escape(letter)}{_MARK}*" for letter in term) for term in terms]


def _ends(term: str) -> tuple[bool, bool] | None:
    """Whether a term begins, and whether it ends with a digit; None for one in a script without blanks."""
    return (term[:1].isdigit(), term[-1:].isdigit()) if term.isascii() else None


def _parts(terms: Sequence[str]) -> str:
    """Terms of equal ends, where the index has them: as words or in identifiers; without blanks around, anywhere."""
    those = "|".join(map(re.escape, terms))
    ends = _ends(terms[0])
    if ends is None:
        return those
    before, after = (r"\d" if is_digit else r"[^\W\d_]" for is_digit in ends)
    hump = "(?-i:(?=[A-Z]))"
    return rf"(?:(?<!{before})|{hump})(?:{those})(?:(?!{after})|{hump})"


def _forms(words: Sequence[str]) -> list[str]:
    """The forms of English words that the index's stemmer finds with them."""
    roots = "|".join(_root(word) for word in words if len(word) > 1)
    letters = "|".join(word for word in words if len(word) == 1)
    return [rf"\b(?:{roots})(?:{_ENDINGS})?\b"] * bool(roots) + [rf"\b(?:{letters})\b"] * bool(letters)


def _root(word: str) -> str:
    root = re.sub(rf"(?<=...)(?:{_ENDINGS})$", "", word)
    root = root[:-1] if len(root) > 3 and root[-1] == root[-2] else root
    return rf"{root}{root[-1]}?"
