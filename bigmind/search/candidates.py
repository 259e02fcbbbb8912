"""What is known of the things that may answer a question: where they stand, who says them, what they say of it."""

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass, field
from datetime import datetime
from math import log
from typing import Any, NamedTuple

from bigmind.embedding.vector_index import VectorMatch
from bigmind.search.ranking import BEFORE_AND_AFTER, Candidate
from bigmind.search.scope import SearchQuery, SearchSource, conditions
from bigmind.store.descriptions import TermCounts
from bigmind.text.dates import Span, asks_for_time, named_times, nearness, tells_time

LOOKED_AT = 1_000
"""Characters of a text that are looked at for what it asks and which time it tells."""
SHORTEST_NAME = 3
A_SENTENCE = 100
"""From so many characters on, a moment says as much as can be expected of one."""
NO_TERMS = frozenset[str]()
_SPEAKER = re.compile(r"\s*([^\W\d_][\w .'-]{0,40}): ")
_QUESTION = re.compile(r"[?？][\s\"')]*(?:\[[^\]]*\]\s*)?$")
"""Ends with a question, maybe with a note in brackets behind it; one in the middle is not what the next one answers."""


@dataclass(frozen=True, slots=True)
class WordScores:
    """What was found of one kind by words: each key's score, 1 for the best; and shares of what stands inside words."""

    scores: dict[int, float]
    inside: dict[int, float] = field(default_factory=dict[int, float])

    def found(self) -> set[int]:
        """The keys of all that was found."""
        return {*self.scores, *self.inside}


@dataclass(frozen=True, slots=True)
class QuestionText:
    """What is asked: its text, the times that it names, whether it asks for one; and what reads a stored time."""

    text: str
    times: list[Span]
    is_for_time: bool
    moment: Callable[[Any], datetime]

    @classmethod
    def of(cls, text: str, source: SearchSource) -> "QuestionText":
        """A question that is asked now."""
        return cls(text.casefold(), named_times(text, source.now), asks_for_time(text), source.rows.moment)


class CandidatePlace(NamedTuple):
    """Where a thing stands, when it was, as it is stored, and how it begins."""

    group: int
    place: int
    at: str
    begins: str


def placed(
    source: SearchSource, wanted: SearchQuery, kind: str, keys: Collection[int], beside: Collection[int] = ()
) -> dict[int, CandidatePlace]:
    """Those of the things that may be found, and of some moments also their neighbours in the session that may be."""
    findable, held = source.kinds[kind], conditions(source, wanted, kind)
    if kind == "chunk":
        reach = min(BEFORE_AND_AFTER), max(BEFORE_AND_AFTER)
        found = source.rows.places_of_moments(source.snapshot, keys, beside, reach, LOOKED_AT, held)
    else:
        columns = findable.time, findable.begins
        found = source.rows.places(source.snapshot, findable.index.table, columns, keys, LOOKED_AT, held)
    return {key: CandidatePlace(*told) for key, *told in found}


@dataclass(frozen=True, slots=True)
class CandidatePool:
    """The things of one kind that may answer, and the words of the question that stand in each."""

    kind: str
    words: WordScores
    near: dict[int, VectorMatch]
    placed: dict[int, CandidatePlace]
    standing: TermCounts


def rarity(pools: Collection[CandidatePool], everyday: Collection[str] = ()) -> dict[str, float]:
    """What each word of the question counts, 1 together: the fewer things of all kinds have it, the more.

    Everyday words count nothing, however few things have them.
    """
    rows = sum(each.standing.rows for each in pools)
    counts: dict[str, int] = {}
    for pool in pools:
        for term, count in pool.standing.counts.items():
            counts[term] = counts.get(term, 0) + count
    weights = {
        term: log(1 + (max(rows, count) - count + 0.5) / (count + 0.5))
        for term, count in counts.items()
        if term not in everyday
    }
    total = sum(weights.values())
    return {term: weight / total for term, weight in weights.items()} if total else {}


def candidates(pool: CandidatePool, question: QuestionText, rare: dict[str, float]) -> list[Candidate]:
    """The things of a pool, with all that speaks for them."""
    # The best of a kind is worth what it covers of the question: of some kinds nothing fits well.
    scale = max(
        (sum(rare.get(term, 0.0) for term in pool.standing.terms.get(key, ())) for key in pool.words.scores),
        default=1.0,
    )
    return [_candidate(pool, key, at, question, scale) for key, at in pool.placed.items()]


def _candidate(pool: CandidatePool, key: int, at: CandidatePlace, question: QuestionText, scale: float) -> Candidate:
    group, place, time, begins = at
    near, terms = pool.near.get(key), pool.standing.terms.get(key)
    return Candidate(
        key=(pool.kind, key),
        words=scale * pool.words.scores.get(key, 0.0) + pool.words.inside.get(key, 0.0),
        meaning=near.similarity if near is not None else None,
        terms=frozenset(terms) if terms else NO_TERMS,
        group=group,
        place=place,
        named=bool(group) and _is_named(begins, question),
        asks=bool(group) and ("?" in begins or "？" in begins) and bool(_QUESTION.search(begins)),
        tells=min(1.0, len(begins) / A_SENTENCE) if group else 1.0,
        timed=question.is_for_time and tells_time(begins),
        when=nearness(question.times, question.moment(time)) if question.times else 0.0,
    )


def _is_named(begins: str, question: QuestionText) -> bool:
    speaker = _SPEAKER.match(begins)
    if speaker is None or len(speaker.group(1)) < SHORTEST_NAME:
        return False
    name = speaker.group(1).casefold()
    # Most names are not in it at all, and a pattern of each is more work than all the rest.
    return name in question.text and re.search(rf"\b{re.escape(name)}\b", question.text) is not None
