"""Things and vectors that do not fit together are found, and made to fit; what fits is let alone."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from sqlmodel import select

from bigmind.people.service import NOBODY
from bigmind.search.indexer import Indexer
from bigmind.store.tables import Embedding, EmbeddingQueue
from tests.memory.living import Memory
from tests.memory.rows import START, entry, fact, session
from tests.memory.test_health import health, raw
from tests.memory.test_indexed import whole_memory
from tests.memory.tiny_embedder import Tiny, tiny


@pytest.fixture
def embedder(tmp_path: Path) -> Iterator[Tiny]:
    with tiny(tmp_path) as made:
        yield made


def embed(memory: Memory, embedder: Tiny) -> None:
    """Let the queue run empty."""
    indexer = Indexer(memory.mind.store, embedder.embedder)
    while indexer.step():
        pass


def vectors(memory: Memory) -> dict[tuple[str, int], bytes]:
    with memory.mind.store.read(NOBODY, "test") as work:
        return {(row.kind, row.item): row.vector for row in work.session.exec(select(Embedding))}


def waiting(memory: Memory) -> set[tuple[str, int]]:
    with memory.mind.store.read(NOBODY, "test") as work:
        return {(row.kind, row.item) for row in work.session.exec(select(EmbeddingQueue))}


def is_found(memory: Memory) -> int:
    finding = health(memory).get("vectors_out_of_step")
    return finding.count if finding else 0


def some_of_each(memory: Memory) -> None:
    whole_memory(memory)
    memory.insert(session(START, one_liner=""), entry(START, "Waits", status="pending"))
    memory.insert(fact(START, "wrong", deprecated_at=START))


def test_what_is_embedded_or_waits_for_it_is_as_it_should_be(person: Memory, embedder: Tiny):
    some_of_each(person)
    assert is_found(person) == 0
    embed(person, embedder)
    assert vectors(person)
    assert waiting(person) == set()
    assert is_found(person) == 0


SPOILT: dict[str, str] = {
    "a thing without a vector": "DELETE FROM embedding WHERE kind = 'fact'",
    "a vector of no thing": "UPDATE embedding SET item = 999 WHERE kind = 'fact'",
    "a vector of no kind": "UPDATE embedding SET kind = 'profile' WHERE kind = 'fact'",
    "a vector that is too short": "UPDATE embedding SET vector = x'0102' WHERE kind = 'fact'",
}


@pytest.mark.parametrize("name", SPOILT)
def test_what_does_not_fit_is_found_and_mended(person: Memory, embedder: Tiny, name: str):
    some_of_each(person)
    embed(person, embedder)
    before = vectors(person)
    raw(person, SPOILT[name])
    assert is_found(person) in {1, 2}  # a vector that is another's is missing here, too
    person("memory_reindex")
    assert is_found(person) == 0
    embed(person, embedder)
    assert vectors(person) == before
    assert is_found(person) == 0


def test_reindexing_has_everything_embedded_anew_and_searches_what_is_there_until_then(person: Memory, embedder: Tiny):
    some_of_each(person)
    embed(person, embedder)
    before = vectors(person)
    raw(person, "UPDATE embedding SET vector = zeroblob(length(vector))")  # of the right length, and wrong
    answer = person("memory_reindex")
    assert vectors(person).keys() == before.keys()
    assert answer.queued == len(waiting(person)) == len(before) + 3  # what nobody may find waits too
    assert f"{answer.queued} items wait to be embedded again." in answer.as_text()
    embed(person, embedder)
    assert vectors(person) == before


CHANGED: dict[str, Callable[[Memory, str], object]] = {
    "forgotten": lambda memory, uid: memory("memory_forget", id=uid, confirm=True),
    "deprecated": lambda memory, uid: memory("memory_deprecate_fact", fact_id=uid, reason="wrong"),
}


@pytest.mark.parametrize("name", CHANGED)
def test_what_is_not_to_be_found_has_no_vector_from_that_moment_on(person: Memory, embedder: Tiny, name: str):
    uid = person("memory_store_fact", category="decision", fact="Wheels are made of brass").fact.fact_id
    embed(person, embedder)
    assert ("fact", 1) in vectors(person)
    CHANGED[name](person, uid)
    assert ("fact", 1) not in vectors(person)
    embed(person, embedder)
    assert ("fact", 1) not in vectors(person)
    assert is_found(person) == 0
