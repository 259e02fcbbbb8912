"""What is known of the things that may answer a question: where they stand, who says them, what they say of it."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from math import log
from typing import Any, NamedTuple

from bigmind.core.past_mapper import made_of
from bigmind.embedding.vector_index import VectorMatch
from bigmind.search.cutoff import FEW_WORDS
from bigmind.search.ranking import BEFORE_AND_AFTER, RELATED, Candidates, counting
from bigmind.search.scope import SearchQuery, SearchSource, conditions
from bigmind.store.descriptions import TermCounts
from bigmind.text.dates import Span, asks_for_time, named_times, nearness, tells_time
from bigmind.text.related_words import irregular_forms, related_words
from bigmind.text.stop_words import ENGLISH, stop_words
from bigmind.text.word_matches import has_form, has_word, word_root

LOOKED_AT = 1_000
"""Characters of a text that are looked at for what it asks and which time it tells."""
SHORTEST_NAME = 3
ROWS_PER_RARE_WORD = 50
"""A word is rare that stands in no more than one of so many rows: of others enough is found by themselves."""
A_SENTENCE = 100
"""From so many characters on, a moment says as much as can be expected of one."""
_SMALL_WORD = re.compile(r"(?<![^\W_])[a-z]{3,}(?![^\W_])")
LONGEST_SPEAKER = 43
"""Characters of the longest name of who says something, with what stands behind it."""
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
    """What is asked.

    Attributes:
        text: of the question, without case.
        times: that it names.
        is_for_time: whether it asks for one.
        moment: reads a stored time.
        small_words: its English words in small letters, which are no names; of a question of a few words none.
    """

    text: str
    times: list[Span]
    is_for_time: bool
    moment: Callable[[Any], datetime]
    small_words: frozenset[str] = frozenset()

    @classmethod
    def of(cls, text: str, source: SearchSource) -> "QuestionText":
        """A question that is asked now."""
        words = text[:LOOKED_AT].lower().split()
        is_sentence = len(words) > FEW_WORDS and stop_words(words) == ENGLISH
        small_words = frozenset(_SMALL_WORD.findall(text[:LOOKED_AT]) if is_sentence else ())
        times = named_times(text, source.now)
        return cls(text.casefold(), times, asks_for_time(text), source.rows.moment, small_words)


class CandidatePlace(NamedTuple):
    """Where a thing stands, when it was, as it is stored, and how it begins."""

    group: int
    place: int
    at: str
    begins: str


_PLACE = made_of(CandidatePlace)


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
    return {row[0]: _PLACE(row[1:]) for row in found}


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


def candidates(pools: Sequence[CandidatePool], question: QuestionText, rarity: Mapping[str, float]) -> Candidates:
    """The things of all pools, with all that speaks for them; `rarity` is what each word of the question counts."""
    bits = {term: 1 << number for number, term in enumerate(rarity)}
    others = OtherWords(
        {bits[term]: those for term, those in other_forms(question, rarity).items()},
        {bits[term]: those for term, those in related_roots(pools, question, rarity).items()},
    )
    counted = counting(rarity.values())
    return Candidates.together([_of_pool(pool, question, bits, counted, others) for pool in pools if pool.placed])


class OtherWords(NamedTuple):
    """What stands for words of the question, as bits: their irregular forms, and the roots of related words."""

    forms: Mapping[int, Sequence[str]]
    roots: Mapping[int, Sequence[str]]


def other_forms(question: QuestionText, terms: Collection[str]) -> dict[str, tuple[str, ...]]:
    """The irregular forms of the English words of the question, which the index takes for other words."""
    return {term: those for term in terms if term in question.small_words and (those := irregular_forms(term))}


def related_roots(
    pools: Collection[CandidatePool], question: QuestionText, terms: Collection[str]
) -> dict[str, list[str]]:
    """The roots of the words that are related to a rare word of the question, by that word."""
    most = sum(each.standing.rows for each in pools) // ROWS_PER_RARE_WORD
    return {
        term: list(map(word_root, others))
        for term in terms
        if term in question.small_words
        and (others := related_words(term))
        # What was not counted in a table stands in very many of its rows.
        and sum(each.standing.counts.get(term, each.standing.rows) for each in pools) <= most
    }


def _of_pool(
    pool: CandidatePool,
    question: QuestionText,
    bits: Mapping[str, int],
    counted: Callable[[int], float],
    others: OtherWords,
) -> Candidates:
    keys, near, found, inside = list(pool.placed), pool.near, pool.words.scores, pool.words.inside
    groups, places, times, beginnings = zip(*pool.placed.values(), strict=True)
    terms = {key: sum(map(bits.__getitem__, those)) for key, those in pool.standing.terms.items()}
    # The best of a kind is worth what it covers of the question: of some kinds nothing fits well.
    scale = max((counted(terms.get(key, 0)) for key in found), default=1.0)
    own = [terms.get(key, 0) for key in keys]
    words = [scale * found.get(key, 0.0) + inside.get(key, 0.0) for key in keys]
    forms = _standing_for(beginnings, own, others.forms, has_word)
    own = [those | more for those, more in zip(own, forms, strict=True)] if others.forms else own
    related = _standing_for(beginnings, own, others.roots, has_form)
    said = [text if group else "" for group, text in zip(groups, beginnings, strict=True)]
    return Candidates(
        keys=[(pool.kind, key) for key in keys],
        words=_with(_with(words, 1.0, forms, counted), RELATED, related, counted),
        meaning=[near[key].similarity if key in near else None for key in keys],
        terms=own,
        related=related,
        groups=groups,
        places=places,
        named=_named(said, question),
        asks=[("?" in text or "？" in text) and bool(_QUESTION.search(text)) for text in said],
        tells=[
            len(text) / A_SENTENCE if group and len(text) < A_SENTENCE else 1.0
            for group, text in zip(groups, beginnings, strict=True)
        ],
        timed=[tells_time(text) for text in beginnings] if question.is_for_time else [False] * len(keys),
        when=_nearness(times, question) if question.times else [0.0] * len(keys),
    )


def _standing_for(
    beginnings: Sequence[str],
    terms: Sequence[int],
    others: Mapping[int, Sequence[str]],
    has: Callable[[str, str], bool],
) -> list[int]:
    """The words, as bits, that do not stand in each text as `terms` has them, but of which another one does."""
    if not others:
        return [0] * len(terms)
    found = [0] * len(terms)
    small = [text.lower() for text in beginnings]
    for bit, those in others.items():
        for word in those:
            for number, text in enumerate(small):
                if word in text and not (terms[number] | found[number]) & bit and has(text, word):
                    found[number] |= bit
    return found


def _with(words: list[float], share: float, others: Sequence[int], counted: Callable[[int], float]) -> list[float]:
    """The scores by words, with what those count of which another word stands there."""
    if not any(others):
        return words
    return [score + share * counted(those) for score, those in zip(words, others, strict=True)]


def _nearness(times: Sequence[Any], question: QuestionText) -> list[float]:
    """How near each of the stored times is to those that the question names; many are of the same day."""
    moments = list(map(question.moment, times))
    days = {each.date(): each for each in moments}
    near = {day: nearness(question.times, some) for day, some in days.items()}
    return [near[each.date()] for each in moments]


def _named(said: Sequence[str], question: QuestionText) -> list[bool]:
    """Whether the question names who says it, of each text."""
    # Most texts hold no colon there, and looking for one takes a tenth of the time.
    speakers = [
        found.group(1) if text.lstrip().find(": ", 0, LONGEST_SPEAKER) > 0 and (found := _SPEAKER.match(text)) else ""
        for text in said
    ]
    named = {speaker for speaker in set(speakers) if _is_named(speaker, question)}
    return [speaker in named for speaker in speakers]


def _is_named(speaker: str, question: QuestionText) -> bool:
    if len(speaker) < SHORTEST_NAME:
        return False
    name = speaker.casefold()
    # Most names are not in it at all, and a pattern of each is more work than all the rest.
    return name in question.text and re.search(rf"\b{re.escape(name)}\b", question.text) is not None
