"""Vectors in SQLite: the nearest of what may be found, exactly measured, whatever else lies nearer."""

import threading
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from random import Random

import pytest
from sqlalchemy import text
from sqlmodel import col, delete, insert, select

from bigmind.embedding.vector_index import EVERYBODY, VectorFilter, VectorMatch, signs
from bigmind.people.service import NOBODY
from bigmind.store.sqlite.vectors import LEAST_LOOKED_AT, SqliteVectors
from bigmind.store.tables import Embedding
from bigmind.wiring import Mind

START = datetime(2026, 3, 1, tzinfo=UTC)
DIMENSION = 64
MODEL = "tiny"
ADA = 1
AMONG = VectorFilter("chunk", ADA)


def vector(random: Random, near: bytes | None = None, noise: float = 1.0) -> bytes:
    """A random vector of signed bytes; with `near`, one beside that."""
    base = [0.0] * DIMENSION if near is None else [value - 256 if value > 127 else value for value in near]
    drawn = [each + random.gauss(0, 40 * noise) for each in base]
    return bytes(max(-127, min(127, round(each))) % 256 for each in drawn)


def row(item: int, code: bytes, **more: object) -> dict[str, object]:
    return {
        "kind": "chunk", "item": item, "piece": 0, "start": 0, "stop": 9, "owner": ADA, "project": "", "at": START,
        "model": MODEL, "vector": code, **more,
    }  # fmt: skip


def put(mind: Mind, rows: Sequence[dict[str, object]]) -> None:
    with mind.store.write(NOBODY, "test") as work:
        work.session.connection().execute(insert(Embedding), rows)


def nearest(
    mind: Mind, to: bytes, among: VectorFilter = AMONG, most: int = 10, model: str = MODEL
) -> list[VectorMatch]:
    with mind.store.read(NOBODY, "test") as work:
        return SqliteVectors().nearest(work.session, model, to, among, most)


def items(found: Iterable[VectorMatch]) -> list[int]:
    return [each.item for each in found]


def cosine(one: bytes, other: bytes) -> float:
    first, second = ([value - 256 if value > 127 else value for value in each] for each in (one, other))
    lengths = sum(each * each for each in first) * sum(each * each for each in second)
    return sum(a * b for a, b in zip(first, second, strict=True)) / lengths**0.5


def test_the_nearest_come_first_with_their_cosines(mind: Mind):
    random = Random(1)
    codes = {item: vector(random) for item in range(1, LEAST_LOOKED_AT)}
    put(mind, [row(item, code) for item, code in codes.items()])
    question = vector(random)
    found = nearest(mind, question)
    exact = sorted(codes, key=lambda item: -cosine(codes[item], question))
    assert items(found) == exact[:10]
    assert [each.similarity for each in found] == pytest.approx([cosine(codes[each.item], question) for each in found])


def test_of_very_many_the_near_ones_are_found(mind: Mind):
    random = Random(2)
    question = vector(random)
    put(mind, [row(item, vector(random)) for item in range(1, 3001)])
    put(mind, [row(item, vector(random, question, noise=0.8)) for item in range(5001, 5006)])
    assert set(items(nearest(mind, question))[:5]) == set(range(5001, 5006))


def test_a_thing_of_many_pieces_is_found_once_by_its_nearest(mind: Mind):
    random = Random(3)
    question = vector(random)
    put(mind, [row(7, vector(random), piece=piece, start=100 * piece, stop=100 * piece + 90) for piece in range(30)])
    put(mind, [row(7, vector(random, question, noise=0.2), piece=30, start=3000, stop=3090), row(8, vector(random))])
    found = nearest(mind, question)
    assert items(found) == [7, 8]
    assert (found[0].start, found[0].stop) == (3000, 3090)


def test_the_many_pieces_of_a_long_text_crowd_nobody_out(mind: Mind):
    random = Random(4)
    question = vector(random)
    near = [vector(random, question, noise=0.3) for _ in range(256)]
    put(mind, [row(1, code, piece=piece) for piece, code in enumerate(near)])
    put(mind, [row(item, vector(random, question, noise=2.0)) for item in range(2, 7)])
    assert sorted(items(nearest(mind, question, most=6))) == [1, 2, 3, 4, 5, 6]


def test_a_vector_without_any_direction_is_near_to_nothing(mind: Mind):
    random = Random(5)
    put(mind, [row(1, bytes(DIMENSION)), row(2, vector(random))])
    assert {each.item: each.similarity for each in nearest(mind, vector(random))}[1] == 0.0


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"owner": 2},
        {"owner": EVERYBODY},
        {"kind": "fact"},
        {"model": "another"},
        {"project": "another"},
        {"at": START - timedelta(days=1)},
    ],
    ids=str,
)
def test_what_may_not_be_found_takes_nobodys_place(mind: Mind, elsewhere: dict[str, object]):
    random = Random(4)
    question = vector(random)
    put(mind, [row(item, question, **{"project": "loom", **elsewhere}) for item in range(1, 1001)])
    put(mind, [row(item, vector(random), project="loom") for item in range(2001, 2006)])
    among = VectorFilter("chunk", ADA, project="loom", since=START)
    assert set(items(nearest(mind, question, among, most=5))) == set(range(2001, 2006))


def test_nothing_restricts_where_nothing_is_named(mind: Mind):
    random = Random(5)
    put(mind, [row(1, vector(random), project="loom"), row(2, vector(random), at=START - timedelta(days=900))])
    assert set(items(nearest(mind, vector(random)))) == {1, 2}


def test_a_thousand_nearer_things_that_were_deleted_hide_nothing(mind: Mind):
    random = Random(6)
    question = vector(random)
    put(mind, [row(item, question) for item in range(1, 1001)])
    put(mind, [row(2000, vector(random))])
    assert 2000 not in items(nearest(mind, question))
    with mind.store.write(NOBODY, "test") as work:
        work.session.exec(delete(Embedding).where(col(Embedding.item) <= 1000))
    assert items(nearest(mind, question)) == [2000]


def test_a_search_sees_what_was_committed_before_its_transaction_and_nothing_else(mind: Mind):
    random = Random(7)
    question = vector(random)
    put(mind, [row(1, question)])
    with mind.store.read(NOBODY, "test") as work:
        assert items(SqliteVectors().nearest(work.session, MODEL, question, AMONG, 9)) == [1]
        put(mind, [row(2, question)])
        assert items(SqliteVectors().nearest(work.session, MODEL, question, AMONG, 9)) == [1]
    assert set(items(nearest(mind, question))) == {1, 2}


def test_many_search_while_others_are_written_and_deleted(mind: Mind):
    random = Random(8)
    question = vector(random)
    put(mind, [row(1, question), *(row(item, vector(random)) for item in range(2, 300))])
    over, wrong = threading.Event(), list[object]()

    def ask() -> None:
        while not over.is_set():
            try:
                found = nearest(mind, question)
            except Exception as error:  # noqa: BLE001 - of whatever kind, the test is to fail by it
                wrong.append(error)
                return
            if items(found)[:1] != [1]:
                wrong.append(found)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(40):
        put(mind, [row(1000 + number, vector(random, question))])
        with mind.store.write(NOBODY, "test") as work:
            work.session.exec(delete(Embedding).where(col(Embedding.item) == 2 + number))
    over.set()
    for thread in threads:
        thread.join(30)
    assert wrong == []


def test_a_model_that_makes_vectors_of_another_length_finds_nothing(mind: Mind):
    put(mind, [row(1, vector(Random(9)))])
    longer = bytes(range(1, 97))
    assert nearest(mind, longer) == []
    with mind.store.read(NOBODY, "test") as work:
        assert SqliteVectors().similar(work.session, MODEL, longer, "chunk", [1]) == []


def test_a_vector_of_nothing_stored_finds_nothing(mind: Mind):
    assert nearest(mind, vector(Random(10))) == []


def test_how_near_given_things_are(mind: Mind):
    random = Random(11)
    question = vector(random)
    far, near = vector(random), vector(random, question, noise=0.2)
    put(mind, [row(1, far), row(1, near, piece=1, start=50, stop=60), row(2, far), row(3, near)])
    with mind.store.read(NOBODY, "test") as work:
        found = SqliteVectors().similar(work.session, MODEL, question, "chunk", [1, 2, 99])
    told = {each.item: each for each in found}
    assert told.keys() == {1, 2}
    assert (told[1].start, told[1].stop) == (50, 60)
    assert told[1].similarity == pytest.approx(cosine(near, question))
    assert told[2].similarity == pytest.approx(cosine(far, question))


def test_signs_are_written_with_each_vector(mind: Mind):
    code = bytes([1, 255, 127, 128, 0, 5, 200, 7])
    assert signs(code) == bytes([0b10100101])
    put(mind, [row(1, code)])
    with mind.store.write(NOBODY, "test") as work:
        work.session.add(Embedding.model_validate(row(2, code)))
    with mind.store.read(NOBODY, "test") as work:
        assert set(work.session.exec(select(Embedding.signs))) == {signs(code)}


def test_a_search_reads_the_index_and_then_only_the_rows_that_are_near(mind: Mind):
    asked: list[str] = []
    with mind.store.read(NOBODY, "test") as work:
        connection = work.session.connection().connection.driver_connection
        connection.set_trace_callback(asked.append)
        SqliteVectors().nearest(work.session, MODEL, vector(Random(12)), VectorFilter("chunk", ADA, "loom", START), 5)
        connection.set_trace_callback(None)
        [statement] = [each for each in asked if "hamming" in each]
        plan = [line[3] for line in work.session.connection().execute(text(f"EXPLAIN QUERY PLAN {_quiet(statement)}"))]
    scans = [line for line in plan if line.startswith(("SCAN", "SEARCH"))]
    assert any("embedding USING COVERING INDEX ix_embedding_signs" in line for line in scans)
    assert any("embedding USING INTEGER PRIMARY KEY" in line for line in scans)


def _quiet(statement: str) -> str:
    """As `text` takes it: a time's colons are no parameters."""
    return statement.replace(":", "\\:")
