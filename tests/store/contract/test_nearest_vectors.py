"""Vectors: the nearest of what may be found, whatever else lies nearer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from sqlmodel import col, delete, insert

from bigmind.embedding.vector_index import EVERYBODY, VectorFilter, VectorMatch
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.store.search_process.sign_index import SignIndex
from bigmind.store.store import Store
from bigmind.store.tables import Embedding
from tests.memory.rows import ADA, START
from tests.store.contract.filling import put

MODEL = "tiny"
AMONG = VectorFilter("fact", ADA)


@pytest.fixture(autouse=True, params=["its own", "signs in memory"])
def compared(store: Store, request: pytest.FixtureRequest) -> None:
    """Where nothing can be compared there is nothing to hold."""
    if request.param == "signs in memory":
        if not store.backend.is_one_file:
            return
        store.backend = replace(store.backend, vectors=SignIndex())
    if why_not := store.backend.vectors.why_none():
        pytest.skip(why_not)


def vector(draw: Random, near: bytes | None = None) -> bytes:
    """A random vector of signed bytes; with `near`, one beside that."""
    base = [0.0] * 64 if near is None else [value - 256 if value > 127 else value for value in near]
    return bytes(max(-127, min(127, round(each + draw.gauss(0, 8 if near else 40)))) % 256 for each in base)


def embed(store: Store, items: Iterable[int], codes: Sequence[bytes], **more: object) -> None:
    rows = [
        {
            "kind": "fact", "item": item, "piece": 0, "start": 0, "stop": 9, "owner": ADA, "project": "", "at": START,
            "model": MODEL, "vector": code, **more,
        }
        for item, code in zip(items, codes, strict=True)
    ]  # fmt: skip
    with store.write(NOBODY, "test") as work:
        work.session.connection().execute(insert(Embedding), rows)


def nearest(store: Store, to: bytes, among: VectorFilter = AMONG, most: int = 5, model: str = MODEL) -> list[int]:
    with store.read(NOBODY, "test") as work:
        assert store.backend.vectors.why_not(work.session) == ""
        found = store.backend.vectors.nearest(work.session, model, to, among, most)
    assert [each.similarity for each in found] == sorted((each.similarity for each in found), reverse=True)
    return [each.item for each in found]


def test_the_nearest_go_first(store: Store) -> None:
    draw = Random(1)
    question = vector(draw)
    embed(store, range(1, 200), [vector(draw) for _ in range(1, 200)])
    embed(store, [501, 502], [question, vector(draw, question)])
    assert nearest(store, question)[:2] == [501, 502]
    assert nearest(store, question, most=1) == [501]
    assert nearest(store, question, model="another") == []


@pytest.mark.parametrize(
    "elsewhere",
    [{"owner": 2}, {"owner": EVERYBODY}, {"kind": "chunk"}, {"project": "yard"}, {"at": START - timedelta(days=1)}],
    ids=str,
)
def test_what_may_not_be_found_takes_nobodys_place(store: Store, elsewhere: dict[str, object]) -> None:
    draw = Random(2)
    question = vector(draw)
    embed(store, range(1, 500), [question] * 499, **{"project": "mill", **elsewhere})
    embed(store, range(501, 504), [vector(draw) for _ in range(3)], project="mill")
    assert sorted(nearest(store, question, VectorFilter("fact", ADA, "mill", START), most=3)) == [501, 502, 503]


def test_what_is_everybodys_can_be_looked_at_beside_ones_own(store: Store) -> None:
    draw = Random(7)
    question = vector(draw)
    embed(store, range(1, 300), [question] * 299, owner=2)
    embed(store, [501], [vector(draw)])
    embed(store, [502], [vector(draw)], owner=EVERYBODY)
    assert nearest(store, question) == [501]
    assert sorted(nearest(store, question, VectorFilter("fact", ADA, and_everybodys=True))) == [501, 502]


def test_a_deleted_vector_hides_nothing(store: Store) -> None:
    draw = Random(3)
    question = vector(draw)
    embed(store, range(1, 500), [question] * 499)
    embed(store, [501], [vector(draw)])
    with store.write(NOBODY, "test") as work:
        work.session.exec(delete(Embedding).where(col(Embedding.item) < 500))
    assert nearest(store, question) == [501]


def test_the_vectors_of_a_row_go_with_it(store: Store) -> None:
    draw = Random(4)
    question = vector(draw)
    gone, kept = put(store, "a loom", "a mill")
    embed(store, [gone, kept], [question, question])
    with store.write(NOBODY, "test") as work:
        work.session.exec(delete(Fact).where(col(Fact.id) == gone))
    assert nearest(store, question) == [kept]


def test_a_thing_is_found_once_by_its_nearest_piece(store: Store) -> None:
    draw = Random(5)
    question = vector(draw)
    embed(store, [1], [vector(draw)])
    embed(store, [1], [question], piece=1, start=100, stop=120)
    with store.read(NOBODY, "test") as work:
        vectors = store.backend.vectors
        found = vectors.nearest(work.session, MODEL, question, AMONG, 5)
        alike = vectors.similar(work.session, MODEL, question, "fact", [1, 99])
    assert found == alike == [VectorMatch(1, pytest.approx(1.0), 100, 120)]


def test_vectors_of_another_length_are_compared_with_nothing(store: Store) -> None:
    embed(store, [1], [vector(Random(6))])
    assert nearest(store, bytes(range(1, 97))) == []
