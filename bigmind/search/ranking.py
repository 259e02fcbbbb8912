"""Puts together what words, meaning and surroundings say of each candidate. Pure; the weights come from measurements.

A sum of normalised scores: on the development conversations it finds more than ranks that are fused (docs/search.md has
what was tried, and what each part gives).
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt
from operator import attrgetter, itemgetter
from typing import NamedTuple

BEFORE_AND_AFTER = (-2, -1, 1, 2)
COVERED_AROUND = (0.3, 0.6, 0.3, 0.2)
"""What a word of the question counts that stands two and one before, one and two after, and not in the thing itself."""
NEAREST = 60
"""Only so many of the nearest speak for what they stand in: what is far away does not add up to something near."""

MEANING_BY_COVERAGE = (1.5, 0.5)
"""What meaning counts where nothing has any word of the question, and where something has all of them."""

Key = tuple[str, int]
"""A kind, and the key of a thing of it."""


class Candidate(NamedTuple):
    """Something that may answer a question.

    Attributes:
        key: of the thing.
        words: its score by words, about 1 for the best, 0 where none match.
        meaning: its cosine; None where it has no vector.
        terms: those words of the question that stand in it.
        group: what it stands in, such as a session; 0 for none.
        place: where in the group.
        named: whether the question names who says it.
        asks: whether it asks something itself.
        tells: how much it tells, from 0 for nothing to 1 for a sentence or more.
        timed: whether the question asks for a time, and this tells one.
        when: how near it is to a time that the question names, 1 for within it.
    """

    key: Key
    words: float = 0.0
    meaning: float | None = None
    terms: frozenset[str] = frozenset()
    group: int = 0
    place: int = 0
    named: bool = False
    asks: bool = False
    tells: float = 1.0
    timed: bool = False
    when: float = 0.0


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each part counts.

    `coverage` is of the share of the question's words, rare ones counting more, that stand in a thing or beside it;
    `answered` of a question before it that has the words; `named` multiplies all that speaks for a thing, so that a
    name alone, which may be the wrong one, brings nothing up. `*_around` are shares of the neighbours two and one
    before, one and two after. `alone` is the share of its own score that a thing without neighbours gets in
    their place.
    """

    words: float = 0.4
    meaning: float = 0.35
    coverage: float = 0.45
    group_coverage: float = 0.15
    group_meaning: float = 0.1
    named: float = 0.35
    asks: float = -0.15
    answered: float = 0.25
    tells: float = 0.3
    timed: float = 0.25
    when: float = 0.5
    words_around: tuple[float, float, float, float] = (0.0, 0.25, 0.0, 0.2)
    meaning_around: tuple[float, float, float, float] = (0.0, 0.0, 0.2, 0.4)
    alone: float = 0.5

    @classmethod
    def only(cls, **parts: float) -> "Weights":
        """Those parts of themselves, without any surroundings; for measuring."""
        nothing = dict.fromkeys(PARTS, 0.0)
        nobody = (0.0, 0.0, 0.0, 0.0)
        return cls(**{**nothing, **parts}, words_around=nobody, meaning_around=nobody)  # pyright: ignore[reportArgumentType]


PARTS = (
    "words",
    "meaning",
    "coverage",
    "group_coverage",
    "group_meaning",
    "named",
    "asks",
    "answered",
    "tells",
    "timed",
    "when",
)
MEASURED = Weights()


class RankedCandidate(NamedTuple):
    """A candidate with its score, the share of the question's words around it, and what the score is the sum of.

    `told` is the share of those words that tell something, where not all do.
    """

    key: Key
    score: float
    covered: float
    shares: tuple[float, ...]
    told: float = 0.0

    @property
    def parts(self) -> dict[str, float]:
        """What of the score is whose part."""
        return dict(zip(PARTS, self.shares, strict=True))


def ranked(
    candidates: Sequence[Candidate],
    rarity: Mapping[str, float],
    weights: Weights = MEASURED,
    telling: Mapping[str, float] | None = None,
) -> list[RankedCandidate]:
    """The candidates, best first; of equal ones those with the higher key, which are newer.

    Args:
        candidates: all of them; what a neighbour says is known only if it is one.
        rarity: what each word of the question counts, 1 together.
        weights: of the parts.
        telling: what each word counts in `told`, where that is something else.
    """
    around = Neighbourhood(candidates, weights.alone)
    values = _parts(around, rarity, weights)
    told = values["coverage"] if telling is None else around.covered(telling)
    weighted: list[list[float]] = []
    for name in PARTS:
        weight: float = getattr(weights, name)
        weighted.append([weight * value for value in values[name]])
    found = [
        RankedCandidate(each.key, sum(shares), covered, shares, most)
        for each, covered, shares, most in zip(
            candidates, values["coverage"], zip(*weighted, strict=True), told, strict=True
        )
    ]
    return sorted(found, key=itemgetter(1, 0), reverse=True)


class Neighbourhood:
    """Candidates, and what stands beside each of them."""

    def __init__(self, candidates: Sequence[Candidate], alone: float) -> None:
        """Look who stands beside whom; `alone` as in `Weights`."""
        self.candidates = candidates
        self._alone = alone
        places = {(each.group, each.place): number for number, each in enumerate(candidates) if each.group}
        nobody = len(candidates)  # whose score, the last of `[*scores, 0.0]`, is nothing
        self.beside = [
            [places.get((each.group, each.place + step), nobody) for each in candidates] for step in BEFORE_AND_AFTER
        ]

    def shared(self, scores: Sequence[float], shares: Sequence[float]) -> list[float]:
        """Each one's score with those shares of its neighbours' scores."""
        by_itself = 1.0 + self._alone * sum(shares)
        told = [*scores, 0.0]
        found = [
            score if each.group else score * by_itself for each, score in zip(self.candidates, scores, strict=True)
        ]
        for share, beside in zip(shares, self.beside, strict=True):
            if share:
                found = [score + share * told[at] for score, at in zip(found, beside, strict=True)]
        return found

    def covered(self, rarity: Mapping[str, float]) -> list[float]:
        """What the words of the question count that stand in each one or beside it, each word where it counts most."""
        terms = [*(each.terms for each in self.candidates), frozenset[str]()]
        order = sorted(zip(COVERED_AROUND, self.beside, strict=True), key=itemgetter(0), reverse=True)
        shares = [share for share, _ in order]
        found: list[float] = []
        columns: list[list[int]] = [beside for _, beside in order]
        for number, own in enumerate(self.candidates):
            seen = own.terms
            total = _counted(seen, rarity)
            for share, column in zip(shares, columns, strict=True):
                more = terms[column[number]]
                if not more <= seen:
                    total += share * _counted(more - seen, rarity)
                    seen |= more
            found.append(total)
        return found

    def covered_by_group(self, rarity: Mapping[str, float]) -> list[float]:
        """What the words count that stand anywhere in what each one stands in."""
        terms: defaultdict[object, set[str]] = defaultdict(set)
        for each in self.candidates:
            if each.terms:
                terms[each.group or each.key] |= each.terms
        counted = {group: _counted(those, rarity) for group, those in terms.items()}
        return [counted.get(each.group or each.key, 0.0) for each in self.candidates]

    def by_group(self, scores: Sequence[float]) -> list[float]:
        """What each group scores: one of many that are near counts more than one that is near alone."""
        squares: defaultdict[object, float] = defaultdict(float)
        for each, score in zip(self.candidates, scores, strict=True):
            if score:
                squares[each.group or each.key] += score**2
        return [sqrt(squares.get(each.group or each.key, 0.0)) for each in self.candidates]

    def answered(self, words: Sequence[float]) -> list[float]:
        """The words' score of the question before each one, where there is one."""
        asked = [*(score if each.asks else 0.0 for each, score in zip(self.candidates, words, strict=True)), 0.0]
        return [asked[at] for at in self.beside[BEFORE_AND_AFTER.index(-1)]]


def _counted(terms: Collection[str], rarity: Mapping[str, float]) -> float:
    return sum(rarity.get(term, 0.0) for term in terms) if terms else 0.0


def _parts(around: Neighbourhood, rarity: Mapping[str, float], weights: Weights) -> dict[str, list[float]]:
    candidates = around.candidates

    def all_of(name: str) -> list[float]:
        return list(map(attrgetter(name), candidates))

    words = all_of("words")
    lowest = min((each.meaning for each in candidates if each.meaning is not None), default=0.0)
    meaning = [0.0 if each.meaning is None else each.meaning - lowest for each in candidates]
    threshold = sorted(meaning, reverse=True)[NEAREST - 1] if len(meaning) >= NEAREST else 0.0

    coverage = around.covered(rarity)
    none, all_words = MEANING_BY_COVERAGE
    telling = none + (all_words - none) * max(coverage, default=0.0)
    found = {
        "words": _up_to(1.0, around.shared(words, weights.words_around)),
        "meaning": _up_to(telling, around.shared(meaning, weights.meaning_around)),
        "coverage": coverage,
        "group_coverage": around.covered_by_group(rarity),
        "group_meaning": _up_to(telling, around.by_group([max(0.0, each - threshold) for each in meaning])),
        "asks": all_of("asks"),
        "answered": _up_to(1.0, around.answered(words)),
        "tells": all_of("tells"),
        "timed": all_of("timed"),
        "when": all_of("when"),
    }
    others = [(getattr(weights, name), values) for name, values in found.items()]
    found["named"] = [
        max(0.0, sum(weight * values[number] for weight, values in others)) if each.named else 0.0
        for number, each in enumerate(candidates)
    ]
    return found


def _up_to(most: float, values: list[float]) -> list[float]:
    """The values, scaled so that the highest is that."""
    highest = max(values, default=0.0)
    return [most * value / highest for value in values] if highest > 0 else values
