"""Puts together what words, meaning and surroundings say of each candidate. Pure; the weights come from measurements.

A sum of normalised scores: on the development conversations it finds more than ranks that are fused (docs/search.md has
what was tried, and what each part gives).
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from math import sqrt
from operator import itemgetter
from typing import NamedTuple

from bigmind.core.past_mapper import made_of

BEFORE_AND_AFTER = (-2, -1, 1, 2)
COVERED_AROUND = (0.3, 0.6, 0.3, 0.2)
"""What a word of the question counts that stands two and one before, one and two after, and not in the thing itself."""
ASKED = 0.9
"""What a word counts that stands in a question right before: an answer leaves out what it was asked with.

With 1 more is first among ten hits, and less among the first five of a hundred (docs/search-experiments.md)."""
REPLIES = 0.3
"""How much something must tell (`tells`) to be such an answer: "Let me look that up." is none, and covers nothing."""
RELATED = 0.5
"""What a rare word of the question counts where no more than a related one stands in a thing."""
APART = 1 << 40
"""More places than any group has: one number tells group and place, and what stands beside it has the next one."""
NEAREST = 60
"""Only so many of the nearest speak for what they stand in: what is far away does not add up to something near."""

MEANING_BY_COVERAGE = (1.5, 0.5)
"""What meaning counts where nothing has any word of the question, and where something has all of them."""

Key = tuple[str, int]
"""A kind, and the key of a thing of it."""


class Candidates(NamedTuple):
    """Things that may answer a question: of each feature a column, in which every thing has the same place.

    Attributes:
        keys: of the things.
        words: their scores by words, about 1 for the best, 0 where none match.
        meaning: their cosines; None for what has no vector.
        terms: those words of the question that stand in each, as bits: of the n-th word the n-th, from the lowest on.
        related: those of its rare words, as bits, of which no more than a related one stands in each.
        groups: what each stands in, such as a session; 0 for none.
        places: where in the group.
        named: whether the question names who says it.
        asks: whether it asks something itself.
        tells: how much it tells, from 0 for nothing to 1 for a sentence or more.
        timed: whether the question asks for a time, and this tells one.
        when: how near it is to a time that the question names, 1 for within it.
    """

    keys: Sequence[Key] = ()
    words: Sequence[float] = ()
    meaning: Sequence[float | None] = ()
    terms: Sequence[int] = ()
    related: Sequence[int] = ()
    groups: Sequence[int] = ()
    places: Sequence[int] = ()
    named: Sequence[bool] = ()
    asks: Sequence[bool] = ()
    tells: Sequence[float] = ()
    timed: Sequence[bool] = ()
    when: Sequence[float] = ()

    @classmethod
    def together(cls, parts: Sequence["Candidates"]) -> "Candidates":
        """Those of all parts."""
        if len(parts) == 1:
            return parts[0]
        return cls(*(list(chain.from_iterable(columns)) for columns in zip(*parts, strict=True)))


def counting(weights: Iterable[float]) -> Callable[[int], float]:
    """Tells what words of a question count together, as bits of an integer.

    A question has few words, so the same few sums are asked for again and again: each is made once.

    Args:
        weights: of each word, in the order of the bits.
    """
    return _Counts(weights).__getitem__


class _Counts(dict[int, float]):
    """The sums that were asked for."""

    def __init__(self, weights: Iterable[float]) -> None:
        super().__init__()
        self._weights = tuple(weights)

    def __missing__(self, terms: int) -> float:
        count = self[terms] = sum(weight for number, weight in enumerate(self._weights) if terms >> number & 1)
        return count


class Weights(NamedTuple):
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


_RANKED = made_of(RankedCandidate)


def ranked(
    candidates: Candidates,
    rarity: Mapping[str, float],
    weights: Weights = MEASURED,
    telling: Mapping[str, float] | None = None,
) -> list[RankedCandidate]:
    """The candidates, best first; of equal ones those with the higher key, which are newer.

    Args:
        candidates: all of them; what a neighbour says is known only if it is one.
        rarity: what each word of the question counts, 1 together; in the order of the bits of `terms`.
        weights: of the parts.
        telling: what each word counts in `told`, where that is something else.
    """
    around = Neighbourhood(candidates, weights.alone)
    counted = counting(rarity.values())
    coverage = around.covered(counted)
    told = coverage
    if telling is not None:
        told = around.covered(counting(telling.get(term, 0.0) for term in rarity))
    shares = _shares(around, coverage, counted, weights)
    found = list(map(_RANKED, zip(candidates.keys, map(sum, shares), coverage, shares, told, strict=True)))
    # By the score alone, which is quicker to compare; a stable sort leaves equal ones in the order of their keys.
    found.sort(key=itemgetter(0), reverse=True)
    found.sort(key=itemgetter(1), reverse=True)
    return found


class Neighbourhood:
    """Candidates, and what stands beside each of them."""

    def __init__(self, candidates: Candidates, alone: float) -> None:
        """Look who stands beside whom; `alone` as in `Weights`."""
        self.candidates = candidates
        self._alone = alone
        positions = [group * APART + place for group, place in zip(candidates.groups, candidates.places, strict=True)]
        numbers = {position: number for number, position in enumerate(positions) if position >= APART}
        nobody = len(positions)  # whose score, the last of `[*scores, 0.0]`, is nothing
        self.beside = [[numbers.get(position + step, nobody) for position in positions] for step in BEFORE_AND_AFTER]
        self.homes = [group or key for group, key in zip(candidates.groups, candidates.keys, strict=True)]
        self._covering = self._first_standing()

    def _first_standing(self) -> list[tuple[float, Sequence[int]]]:
        """The words that stand in each one, and those that do beside it or as related ones, by what they count."""
        known: Sequence[int] = self.candidates.terms
        told, found = [*known, 0], [(1.0, known)]
        steps: list[tuple[float, Sequence[int] | None]] = list(zip(COVERED_AROUND, self.beside, strict=True))
        if any(self.candidates.asks):
            steps.append((ASKED, self._questions_answered()))
        if any(self.candidates.related):
            steps.append((RELATED, None))
        for share, beside in sorted(steps, key=itemgetter(0), reverse=True):
            if beside is None:
                more = [those & ~own for those, own in zip(self.candidates.related, known, strict=True)]
            else:
                more = [told[at] & ~own for at, own in zip(beside, known, strict=True)]
            known = [own | those for own, those in zip(known, more, strict=True)]
            found.append((share, more))
        return found

    def shared(self, scores: Sequence[float], shares: Sequence[float]) -> list[float]:
        """Each one's score with those shares of its neighbours' scores."""
        by_itself = 1.0 + self._alone * sum(shares)
        told = [*scores, 0.0]
        found = [
            score if group else score * by_itself for group, score in zip(self.candidates.groups, scores, strict=True)
        ]
        for share, beside in zip(shares, self.beside, strict=True):
            if share:
                found = [score + share * told[at] for score, at in zip(found, beside, strict=True)]
        return found

    def covered(self, counted: Callable[[int], float]) -> list[float]:
        """What the words of the question count that stand in each one or beside it, each word where it counts most."""
        found = [0.0] * len(self.candidates.keys)
        for share, terms in self._covering:
            counts = {those: share * counted(those) for those in {*terms}}  # few: a question has few words
            found = [total + counts[those] for total, those in zip(found, terms, strict=True)]
        return found

    def covered_by_group(self, counted: Callable[[int], float]) -> list[float]:
        """What the words count that stand, themselves or as related ones, anywhere in what each one stands in."""
        terms: defaultdict[object, int] = defaultdict(int)
        for home, those, related in zip(self.homes, self.candidates.terms, self.candidates.related, strict=True):
            terms[home] |= those | related
        return [counted(terms[home]) for home in self.homes]

    def by_group(self, scores: Sequence[float]) -> list[float]:
        """What each group scores: one of many that are near counts more than one that is near alone."""
        squares: defaultdict[object, float] = defaultdict(float)
        for home, score in zip(self.homes, scores, strict=True):
            if score:
                squares[home] += score**2
        roots = {home: sqrt(square) for home, square in squares.items()}
        return [roots.get(home, 0.0) for home in self.homes]

    def answered(self, words: Sequence[float]) -> list[float]:
        """The words' score of the question before each one, where there is one."""
        if not any(self.candidates.asks):
            return [0.0] * len(words)
        told = [*words, 0.0]
        return [told[at] for at in self._questions_before()]

    def _questions_before(self) -> list[int]:
        """The number of the question right before each one; nobody's where there is none."""
        asks, nobody = [*self.candidates.asks, False], len(self.candidates.keys)
        return [at if asks[at] else nobody for at in self.beside[BEFORE_AND_AFTER.index(-1)]]

    def _questions_answered(self) -> list[int]:
        """The same, but nobody's for what tells too little to be an answer."""
        nobody = len(self.candidates.keys)
        told = zip(self._questions_before(), self.candidates.tells, strict=True)
        return [at if tells >= REPLIES else nobody for at, tells in told]


def _shares(
    around: Neighbourhood, coverage: Sequence[float], counted: Callable[[int], float], weights: Weights
) -> list[tuple[float, ...]]:
    """What each part gives to the score of each candidate, in the order of `PARTS`."""
    parts = _parts(around, coverage, counted, weights)
    nothing = [0.0] * len(coverage)
    weighted: dict[str, list[float]] = {}
    for name, values in parts.items():
        weight: float = getattr(weights, name)
        weighted[name] = [weight * value for value in values] if any(values) else nothing  # of most questions some
    weighted["named"] = nothing
    if any(around.candidates.named):
        others = map(sum, zip(*weighted.values(), strict=True))
        weighted["named"] = [
            weights.named * max(0.0, total) if is_named else 0.0
            for is_named, total in zip(around.candidates.named, others, strict=True)
        ]
    return list(zip(*(weighted[name] for name in PARTS), strict=True))


def _parts(
    around: Neighbourhood, coverage: Sequence[float], counted: Callable[[int], float], weights: Weights
) -> dict[str, Sequence[float]]:
    """The value of each part but `named`, of each candidate."""
    candidates = around.candidates
    lowest = min((each for each in candidates.meaning if each is not None), default=0.0)
    meaning = [0.0 if each is None else each - lowest for each in candidates.meaning]
    threshold = sorted(meaning, reverse=True)[NEAREST - 1] if len(meaning) >= NEAREST else 0.0
    nearest = [each - threshold if each > threshold else 0.0 for each in meaning]
    none, all_words = MEANING_BY_COVERAGE
    telling = none + (all_words - none) * max(coverage, default=0.0)
    return {
        "words": _up_to(1.0, around.shared(candidates.words, weights.words_around)),
        "meaning": _up_to(telling, around.shared(meaning, weights.meaning_around)),
        "coverage": coverage,
        "group_coverage": around.covered_by_group(counted),
        "group_meaning": _up_to(telling, around.by_group(nearest)),
        "asks": candidates.asks,
        "answered": _up_to(1.0, around.answered(candidates.words)),
        "tells": candidates.tells,
        "timed": candidates.timed,
        "when": candidates.when,
    }


def _up_to(most: float, values: list[float]) -> list[float]:
    """The values, scaled so that the highest is that."""
    highest = max(values, default=0.0)
    return [most * value / highest for value in values] if highest > 0 else values
