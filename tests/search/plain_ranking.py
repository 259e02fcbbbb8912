"""What `search/ranking.py` and `search/candidates.py` do, thing by thing and word by word: slow, to compare with.

It is how they were written before they worked in columns, but that what words count is added up in the order of the
question, where it was that of a set.
"""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from math import sqrt
from operator import attrgetter, itemgetter
from typing import NamedTuple

from bigmind.search.candidates import (
    A_SENTENCE,
    SHORTEST_NAME,
    CandidatePlace,
    CandidatePool,
    QuestionText,
    other_forms,
    related_roots,
)
from bigmind.search.ranking import (
    ASKED,
    BEFORE_AND_AFTER,
    COVERED_AROUND,
    MEANING_BY_COVERAGE,
    MEASURED,
    NEAREST,
    PARTS,
    RELATED,
    REPLIES,
    Candidates,
    Key,
    RankedCandidate,
    Weights,
)
from bigmind.text.dates import nearness, tells_time
from bigmind.text.word_matches import has_form, has_word

SPEAKER = re.compile(r"\s*([^\W\d_][\w .'-]{0,40}): ")
ENDS_WITH_A_QUESTION = re.compile(r"[?？][\s\"')]*(?:\[[^\]]*\]\s*)?$")


class Candidate(NamedTuple):
    """Something that may answer a question.

    Attributes:
        key: of the thing.
        words: its score by words, about 1 for the best, 0 where none match.
        meaning: its cosine; None where it has no vector.
        terms: those words of the question that stand in it.
        related: those of its rare words of which no more than a related one does.
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
    related: frozenset[str] = frozenset()
    group: int = 0
    place: int = 0
    named: bool = False
    asks: bool = False
    tells: float = 1.0
    timed: bool = False
    when: float = 0.0


def in_columns(candidates: Sequence[Candidate], rarity: Mapping[str, float]) -> Candidates:
    """The same things as the ranking takes them."""
    bits = {term: 1 << number for number, term in enumerate(rarity)}
    rows = [
        each._replace(
            terms=sum(bits.get(term, 0) for term in each.terms), related=sum(bits.get(term, 0) for term in each.related)
        )
        for each in candidates
    ]
    return Candidates(*map(list, zip(*rows, strict=True)))


def in_rows(candidates: Candidates, terms: Sequence[str]) -> list[Candidate]:
    """Each of the things by itself; `terms` are the words of the bits."""
    rows = [Candidate(*each) for each in zip(*candidates, strict=True)]

    def told(bits: int) -> frozenset[str]:
        return frozenset(term for number, term in enumerate(terms) if bits >> number & 1)

    return [
        row._replace(terms=told(own), related=told(related))
        for row, own, related in zip(rows, candidates.terms, candidates.related, strict=True)
    ]


def plainly_ranked(
    candidates: Sequence[Candidate],
    rarity: Mapping[str, float],
    weights: Weights = MEASURED,
    telling: Mapping[str, float] | None = None,
) -> list[RankedCandidate]:
    """As `ranked`."""
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
        around = zip(COVERED_AROUND, self.beside, strict=True)
        columns = [(share, [terms[at] for at in beside]) for share, beside in around]
        asked = [*(each.terms if each.asks else frozenset[str]() for each in self.candidates), frozenset[str]()]
        before = self.beside[BEFORE_AND_AFTER.index(-1)]
        nothing = frozenset[str]()
        answered = [
            asked[at] if each.tells >= REPLIES else nothing for at, each in zip(before, self.candidates, strict=True)
        ]
        columns.append((ASKED, answered))
        columns.append((RELATED, [each.related for each in self.candidates]))
        columns.sort(key=itemgetter(0), reverse=True)
        found: list[float] = []
        for number, own in enumerate(self.candidates):
            seen = own.terms
            total = _counted(seen, rarity)
            for share, column in columns:
                more = column[number]
                if not more <= seen:
                    total += share * _counted(more - seen, rarity)
                    seen |= more
            found.append(total)
        return found

    def covered_by_group(self, rarity: Mapping[str, float]) -> list[float]:
        """What the words count that stand anywhere in what each one stands in."""
        terms: defaultdict[object, set[str]] = defaultdict(set)
        for each in self.candidates:
            terms[each.group or each.key] |= each.terms | each.related
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
    return sum(weight for term, weight in rarity.items() if term in terms) if terms else 0.0


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


def plain_candidates(
    pool: CandidatePool, question: QuestionText, rare: dict[str, float], pools: Sequence[CandidatePool] = ()
) -> list[Candidate]:
    """The things of a pool, with all that speaks for them."""
    # The best of a kind is worth what it covers of the question: of some kinds nothing fits well.
    scale = max((_counted(pool.standing.terms.get(key, ()), rare) for key in pool.words.scores), default=1.0)
    roots = related_roots(pools or [pool], question, rare)
    return [_candidate(pool, key, at, question, scale, roots, rare) for key, at in pool.placed.items()]


def _candidate(
    pool: CandidatePool,
    key: int,
    at: CandidatePlace,
    question: QuestionText,
    scale: float,
    roots: Mapping[str, Sequence[str]],
    rare: dict[str, float],
) -> Candidate:
    group, place, time, begins = at
    near, small, terms = pool.near.get(key), begins.lower(), {*(pool.standing.terms.get(key) or ())}
    forms = other_forms(question, rare)
    more = {term for term, those in forms.items() if term not in terms and any(has_word(small, one) for one in those)}
    terms |= more
    related = {
        term for term, those in roots.items() if term not in terms and any(has_form(small, root) for root in those)
    }
    words = scale * pool.words.scores.get(key, 0.0) + pool.words.inside.get(key, 0.0)
    return Candidate(
        key=(pool.kind, key),
        words=words + _counted(more, rare) + RELATED * _counted(related, rare),
        meaning=near.similarity if near is not None else None,
        terms=frozenset(terms),
        related=frozenset(related),
        group=group,
        place=place,
        named=bool(group) and _is_named(begins, question),
        asks=bool(group) and ("?" in begins or "？" in begins) and bool(ENDS_WITH_A_QUESTION.search(begins)),
        tells=min(1.0, len(begins) / A_SENTENCE) if group else 1.0,
        timed=question.is_for_time and tells_time(begins),
        when=nearness(question.times, question.moment(time)) if question.times else 0.0,
    )


def _is_named(begins: str, question: QuestionText) -> bool:
    speaker = SPEAKER.match(begins)
    if speaker is None or len(speaker.group(1)) < SHORTEST_NAME:
        return False
    name = speaker.group(1).casefold()
    # Most names are not in it at all, and a pattern of each is more work than all the rest.
    return name in question.text and re.search(rf"\b{re.escape(name)}\b", question.text) is not None
