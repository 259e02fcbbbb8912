"""Asks the questions through the product's operations, and says how well each was answered."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from time import perf_counter
from typing import Any
from unittest.mock import patch

from sqlmodel import col, select

from app.meaning_search import MeaningSearch
from bigmind.embedding.meaning import WORDS_ONLY, Meaning
from bigmind.registry import KINDS
from bigmind.search import engine, finding
from bigmind.search.ranking import Weights, ranked
from bigmind.search.scope import SearchQuery
from tests.bench.engineering.written import Question
from tests.memory.living import Memory

DEEP = 10
VECTORS = Weights.only(meaning=1.0)
Search = Callable[[Memory, str], tuple[list[tuple[str, ...]], bool]]
"""What is found, best first: of each hit the ids of what answers in it; and whether it is said that anything does."""


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, where its first answer stood (from 1; 0: nowhere), the hits, whether any is good, and seconds."""

    question: Question
    place: int
    hits: tuple[tuple[str, ...], ...]
    is_well: bool
    seconds: float


@contextmanager
def embedded(memory: Memory) -> Iterator[Meaning]:
    """Give everything its vectors with the active model; what a search by meaning needs."""
    meanings = MeaningSearch(memory.mind.store)
    assert meanings._indexer is not None, meanings.meaning.why_not
    try:
        while meanings._indexer.step():
            pass
        yield meanings.meaning
    finally:
        meanings.stop()


def everything(memory: Memory, query: str) -> tuple[list[tuple[str, ...]], bool]:
    """A session counts where it was found itself, its moments where they stand below it."""
    found = memory("memory_semantic_search", query=query, limit=DEEP)
    hits = [(*((hit.id,) if hit.excerpt else ()), *(moment.id for moment in hit.moments)) for hit in found.hits]
    return hits, found.answers_well


def one_by_one(memory: Memory, query: str) -> tuple[list[tuple[str, ...]], bool]:
    """The same with each moment as a hit of its own, as it was before a session and its moments were one."""
    with memory.mind.store.read(memory.caller, "bench") as work:
        found = finding.find(work, SearchQuery(query, DEEP), [each.name for each in KINDS.searched])
        uids = {
            (kind, key): uid
            for kind, table in ((each.name, each.table) for each in KINDS.searched)
            for key, uid in work.session.exec(
                select(table.id, table.uid).where(
                    col(table.id).in_([hit.key for hit in found.hits if hit.kind == kind])
                )
            )
        }
    return [(uids[hit.kind, hit.key],) for hit in found.hits], found.answers_well


def moments(memory: Memory, query: str) -> tuple[list[tuple[str, ...]], bool]:
    found = memory("memory_search_chunks", query=query, limit=DEEP)
    return [(hit.chunk_id,) for hit in found.hits], found.answers_well


@contextmanager
def by(way: str, memory: Memory, meaning: Meaning) -> Iterator[None]:
    """Search by words alone, by vectors alone, or by both as the product does."""
    store = memory.mind.store
    before, store.host = store.host, replace(store.host, meaning=WORDS_ONLY if way == "words" else meaning)
    try:
        if way == "vectors":
            with patch.object(engine, "ranked", lambda those, rarity, _, told: ranked(those, rarity, VECTORS, told)):
                yield
        else:
            yield
    finally:
        store.host = before


def asked(memory: Memory, search: Search, questions: Iterable[Question], names: dict[str, str]) -> list[Asked]:
    """Ask them all; `names` are the things' by their ids."""
    return [_asked(memory, search, each, names) for each in questions]


def _asked(memory: Memory, search: Search, question: Question, names: dict[str, Any]) -> Asked:
    begin = perf_counter()
    hits, is_well = search(memory, question.query)
    seconds = perf_counter() - begin
    found = tuple(tuple(names.get(uid, uid) for uid in ids) for ids in hits)
    place = next((number for number, those in enumerate(found, start=1) if {*those} & {*question.answers}), 0)
    return Asked(question, place, found, is_well, seconds)
