"""How many honest texts the rule refuses, and how many about another item pass: the table of docs/work.md.

`python -m tests.work.shares` prints it; tests/work/test_about.py measures it again.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import NamedTuple

from bigmind.brain.contributing.likeness import nearest
from bigmind.embedding.embedder import EmbeddedPiece
from bigmind.embedding.loader import load
from bigmind.embedding.models import ALIKE, DEFAULT, model_named
from bigmind.work.about import Other, Subject, how_about
from tests.work import later_pairs, pairs
from tests.work.pairs import Item, Pair

PROJECTS: Mapping[str, Sequence[Item]] = {**pairs.PROJECTS, **later_pairs.PROJECTS}


class Share(NamedTuple):
    """Honest pairs that were refused, and pairs about another item that passed, each of so many."""

    refused: int
    honest: int
    passed: int
    other: int


class PairSet(NamedTuple):
    """Pairs of one sort, and what they are called in the table."""

    title: str
    honest: Sequence[Pair]
    other: Sequence[Pair]


class Way(NamedTuple):
    """A way to judge, and what it is called in the table."""

    title: str
    with_model: bool
    with_others: bool


SETS = (
    PairSet("the 200 and 200 pairs that the numbers were chosen on", pairs.HONEST, pairs.OTHER),
    PairSet("held out: 49 and 59 pairs of two other projects", later_pairs.HONEST, later_pairs.OTHER),
)
WAYS = (
    Way("model, beside the project's other items", with_model=True, with_others=True),
    Way("model, the item alone", with_model=True, with_others=False),
    Way("words alone, beside the project's other items", with_model=False, with_others=True),
    Way("words alone, the item alone", with_model=False, with_others=False),
)


def measured(judged: PairSet, way: Way) -> Share:
    """The shares of some pairs, judged in one way."""
    refused = sum(not is_about(each, way) for each in judged.honest)
    passed = sum(is_about(each, way) for each in judged.other)
    return Share(refused, len(judged.honest), passed, len(judged.other))


def is_about(pair: Pair, way: Way) -> bool:
    """Whether the rule takes a pair's text to be about its item."""
    beside = others_of(pair) if way.with_others else []
    others = [Other(each, _similarity(pair.text, each, way)) for each in beside]
    return how_about(pair.subject, pair.text, _similarity(pair.text, pair.subject, way), ALIKE, others) is not None


def others_of(pair: Pair) -> list[Subject]:
    """The other items of its project."""
    [project] = [items for items in PROJECTS.values() if pair.item in items]
    return [Pair(each, "", pair.is_question, pair.is_held_out).subject for each in project if each != pair.item]


def _similarity(text: str, subject: Subject, way: Way) -> float | None:
    if not way.with_model:
        return None
    return nearest(model_named(DEFAULT), _vectors()[text], _vectors()[subject.meaning])


@cache
def _vectors() -> dict[str, list[EmbeddedPiece]]:
    every = [pair for each in SETS for pair in (*each.honest, *each.other)]
    texts = _distinct([*(each.text for each in every), *(each.subject.meaning for each in every)])
    found = load(DEFAULT).documents([("", each) for each in texts])
    return {text: [EmbeddedPiece(*piece) for piece in pieces] for text, pieces in zip(texts, found, strict=True)}


def _distinct(texts: Iterable[str]) -> list[str]:
    return list(dict.fromkeys(texts))


def row(judged: PairSet, way: Way) -> str:
    """A row of the table."""
    share = measured(judged, way)
    refused = f"{share.refused} of {share.honest} ({share.refused / share.honest:.1%})"
    passed = f"{share.passed} of {share.other} ({share.passed / share.other:.1%})"
    return f"| {judged.title} | {way.title} | {refused} | {passed} |".replace("%", " %")


if __name__ == "__main__":
    for pair_set in SETS:
        for one in WAYS:
            print(row(pair_set, one))
