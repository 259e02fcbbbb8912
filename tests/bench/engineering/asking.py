"""Asks the questions through the product's operations, and says how well each was answered."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from time import perf_counter
from typing import Any
from unittest.mock import patch

from app.meanings import Meanings
from bigmind.memory import finding
from bigmind.search.fusion import Weights, ranked
from bigmind.search.meaning import WORDS_ONLY, Meaning
from bigmind.store.store import Store, StoreAlone
from tests.bench.engineering.written import Question
from tests.memory.living import Memory

DEEP = 10
VECTORS = Weights.only(meaning=1.0)
Search = Callable[[Memory, str], list[str]]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, at which place its first answer stood (from 1; 0 for none), how many hits there were, and seconds."""

    question: Question
    place: int
    hits: tuple[str, ...]
    seconds: float


class WithMeaning(StoreAlone):
    """The surroundings of a store in this process, with search by meaning."""

    def __init__(self, store: Store, meaning: Meaning) -> None:
        super().__init__(store)
        self.asked_by = meaning

    def meaning(self) -> Meaning:
        return self.asked_by


@contextmanager
def embedded(memory: Memory) -> Iterator[Meaning]:
    """Give everything its vectors with the active model; what a search by meaning needs."""
    meanings = Meanings(memory.mind.store)
    assert meanings._indexer is not None, meanings.meaning.why_not
    try:
        while meanings._indexer.step():
            pass
        yield meanings.meaning
    finally:
        meanings.stop()


def everything(memory: Memory, query: str) -> list[str]:
    return [hit.id for hit in memory("memory_semantic_search", query=query, limit=DEEP).hits]


def moments(memory: Memory, query: str) -> list[str]:
    return [hit.chunk_id for hit in memory("memory_search_chunks", query=query, limit=DEEP).hits]


@contextmanager
def by(way: str, memory: Memory, meaning: Meaning) -> Iterator[None]:
    """Search by words alone, by vectors alone, or by both as the product does."""
    store = memory.mind.store
    before, store.surroundings = store.surroundings, WithMeaning(store, WORDS_ONLY if way == "words" else meaning)
    try:
        if way == "vectors":
            with patch.object(finding, "ranked", lambda those, rarity, _: ranked(those, rarity, VECTORS)):
                yield
        else:
            yield
    finally:
        store.surroundings = before


def asked(memory: Memory, search: Search, questions: Iterable[Question], names: dict[str, str]) -> list[Asked]:
    """Ask them all; `names` are the things' by their ids."""
    return [_asked(memory, search, each, names) for each in questions]


def _asked(memory: Memory, search: Search, question: Question, names: dict[str, Any]) -> Asked:
    begin = perf_counter()
    ids = search(memory, question.query)
    seconds = perf_counter() - begin
    found = tuple(names.get(uid, uid) for uid in ids)
    place = next((number for number, name in enumerate(found, start=1) if name in question.answers), 0)
    return Asked(question, place, found, seconds)
