"""Looks for pieces of a question inside words, where the index of words would miss them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from bigmind.search.scope import SearchSource
from bigmind.store.descriptions import FullTextIndex, Predicate
from bigmind.text.substrings import LEAST_PIECE, inside_words, pieces

LEAST_WORD = 4
"""Letters of an unknown word that is looked for inside others while the rest of the question is found: `cat` stands
in `allocate` and says nothing of it."""


@dataclass(frozen=True, slots=True)
class SubstringShares:
    """The share of the pieces, by length, that each thing contains; and the pieces."""

    shares: dict[int, float]
    pieces: list[str]


@dataclass(frozen=True, slots=True)
class QuestionWords:
    """The words of a question, and the keys of all things of a kind that have any of them."""

    terms: Sequence[str]
    found: Sequence[int]


def found_inside(
    source: SearchSource,
    index: FullTextIndex,
    conditions: Sequence[Predicate],
    query: str,
    words: QuestionWords | None = None,
) -> SubstringShares:
    """The things of a kind that contain pieces of a question.

    Args:
        source: where to look.
        index: of the things.
        conditions: all of them hold for a thing that is found.
        query: what looks like code in it is looked for as it is written.
        words: its words, and all that was found by them, where that was little: those that none of the found things
            has are looked for inside words.
    """
    sought = pieces(query)
    if words is not None:
        least = LEAST_WORD if words.found else LEAST_PIECE
        rest = [each for each in inside_words(words.terms, least) if not any(each in piece for piece in sought)]
        sought += source.text.unheard(source.snapshot, index.table, rest, words.found)
    whole = sum(map(len, sought))
    shares: defaultdict[int, float] = defaultdict(float)
    for piece, keys in source.text.containing(source.snapshot, index, sought, conditions).items():
        for key in keys:
            shares[key] += len(piece) / whole
    return SubstringShares(shares, sought)
