"""Signs held in memory find what SQLite finds among the rows, to the last bit, whatever was written meanwhile."""

import json
from collections.abc import Iterator, Sequence
from datetime import timedelta
from pathlib import Path
from random import Random
from typing import Any

import pytest
from sqlmodel import col, delete, insert, select, update

from bigmind.core.past_mapper import Snapshot
from bigmind.embedding.vector_index import EVERYBODY, VectorFilter, VectorMatch
from bigmind.memory.kinds import FACT
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.search.vector_rows import hand_over
from bigmind.store.search_process import sign_index, vector_cache
from bigmind.store.search_process.sign_index import FIRST_ROOM, PORTION, SignIndex
from bigmind.store.search_process.vector_cache import VectorCache
from bigmind.store.sqlite.statements import rows
from bigmind.store.sqlite.vectors import SqliteVectors
from bigmind.store.store import Store
from bigmind.store.tables import Embedding, EmbeddingQueue
from tests.memory.rows import ADA, START
from tests.store.contract.test_nearest_vectors import vector

FILTERS = (
    VectorFilter("fact", ADA),
    VectorFilter("chunk", ADA, "mill"),
    VectorFilter("fact", ADA, None, START + timedelta(hours=30, microseconds=1)),
    VectorFilter("fact", 2, "yard", START + timedelta(hours=10), and_everybodys=True),
    VectorFilter("nothing", ADA, "nowhere"),
)


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    made = Store(home)
    yield made
    made.close()


def put(store: Store, draw: Random, first: int, count: int, model: str = "tiny", length: int = 48) -> None:
    rows: list[dict[str, Any]] = [
        {
            "kind": draw.choice(("fact", "fact", "chunk")), "item": first + number // 2, "piece": number % 2,
            "start": number, "stop": number + 9, "owner": draw.choice((ADA, ADA, 2, EVERYBODY)),
            "project": draw.choice(("", "mill", "yard")), "at": START + timedelta(hours=draw.randrange(60)),
            "model": model, "vector": vector(draw)[:length],
        }
        for number in range(count)
    ]  # fmt: skip
    with store.write(NOBODY, "test") as work:
        work.session.connection().execute(insert(Embedding).prefix_with("OR IGNORE"), rows)


def both(
    store: Store, index: SignIndex, draw: Random, model: str = "tiny", length: int = 48
) -> list[list[VectorMatch]]:
    asked = vector(draw)[:length]
    found: list[list[VectorMatch]] = []
    with store.read(NOBODY, "test") as work:
        for among in FILTERS:
            for most in (1, 5, 40):
                expected = SqliteVectors().nearest(work.session, model, asked, among, most)
                found.append(index.nearest(work.session, model, asked, among, most))
                assert found[-1] == expected
        for kind in ("fact", "chunk"):
            those = [draw.randrange(200) for _ in range(60)]
            expected = SqliteVectors().similar(work.session, model, asked, kind, those)
            assert sorted(index.similar(work.session, model, asked, kind, those)) == sorted(expected)
    return found


def test_they_follow_what_is_written(store: Store) -> None:
    draw, index = Random(1), SignIndex()
    assert not any(both(store, index, draw))
    for turn in range(6):
        put(store, draw, 1_000 * turn, 400)
        put(store, draw, 1_000 * turn, 20, model="another", length=40)
        with store.write(NOBODY, "test") as work:
            gone = [draw.randrange(1_000 * turn + 200) for _ in range(150)]
            work.session.exec(delete(Embedding).where(col(Embedding.item).in_(gone)))
        assert any(both(store, index, draw))
    assert any(both(store, index, draw, "another", 40))
    assert not any(both(store, index, draw, "tiny", 40))
    assert any(both(store, index, draw))


def test_what_has_no_room_is_read_anew(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_cache, "ROOM", 300)
    monkeypatch.setattr(vector_cache, "MOST_AT_ONCE", 150)
    draw, index = Random(5), SignIndex()
    put(store, draw, 1, 900)
    for _ in range(12):
        assert any(both(store, index, draw))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The ids of the vectors that caches read."""
    ids: list[int] = []

    def read(session: Snapshot, statement: str, values: dict[str, str]) -> Sequence[Any]:
        ids.extend(json.loads(values["ids"]))
        return rows(session, statement, values)

    monkeypatch.setattr(vector_cache, "rows", read)
    return ids


def test_of_what_has_no_room_the_newest_stays(store: Store, monkeypatch: pytest.MonkeyPatch, asked: list[int]) -> None:
    monkeypatch.setattr(vector_cache, "ROOM", 300)
    put(store, Random(6), 1, 400)
    cache, question = VectorCache(), vector(Random(7))[:48]
    with store.read(NOBODY, "test") as work:
        # 1 to 30 make room for 281 to 310; and where those are read anew, 31 to 70 go, of which 10 are asked for too.
        for first, last, missing in ((1, 280, 280), (251, 310, 30), (281, 310, 0), (1, 40, 40), (71, 310, 0)):
            asked.clear()
            ids = range(first, last + 1)
            found = cache.measured(work.session, question, ids)
            assert len(asked) == missing, (first, last)
            assert found == VectorCache().measured(work.session, question, ids), (first, last)


def test_what_is_not_there_is_for_sqlite_to_tell(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    put(store, Random(6), 1, 5)
    cache, question = VectorCache(), vector(Random(7))[:48]
    with store.read(NOBODY, "test") as work:
        assert cache.measured(work.session, question, [3, 900]) is None
        assert [each[0] for each in cache.measured(work.session, question, [2, 3]) or ()] == [1, 2]
        monkeypatch.setattr(vector_cache, "HIGHEST_ID", 4)
        assert cache.measured(work.session, question, [3, 5]) is None
        assert cache.measured(work.session, question, []) == []


def test_there_is_room_for_fewer_of_longer_vectors(
    store: Store, monkeypatch: pytest.MonkeyPatch, asked: list[int]
) -> None:
    monkeypatch.setattr(vector_cache, "ROOM", 300)
    monkeypatch.setattr(vector_cache, "ROOM_BYTES", 300 * 24)
    put(store, Random(6), 1, 200)
    cache = VectorCache()
    with store.read(NOBODY, "test") as work:
        for first, last, missing in ((1, 150, 150), (151, 200, 50), (51, 200, 0), (1, 50, 50)):
            asked.clear()
            assert cache.measured(work.session, vector(Random(7))[:48], range(first, last + 1)) is not None
            assert len(asked) == missing, (first, last)


def test_vectors_of_nothing_and_of_the_greatest_numbers_are_measured_as_sqlite_does(store: Store) -> None:
    extremes = [bytes(48), bytes([127]) * 48, bytes([129]) * 48, bytes([128]) * 48, bytes([1]) * 48]
    with store.write(NOBODY, "test") as work:
        for number, each in enumerate(extremes):
            row = {"kind": "fact", "item": number, "piece": 0, "start": 0, "stop": 1, "owner": ADA, "project": ""}
            work.session.add(Embedding(**row, at=START, model="tiny", vector=each))
    index = SignIndex()
    with store.read(NOBODY, "test") as work:
        for asked in extremes:
            those = list(range(len(extremes)))
            expected = SqliteVectors().similar(work.session, "tiny", asked, "fact", those)
            assert sorted(index.similar(work.session, "tiny", asked, "fact", those)) == sorted(expected)


def test_what_was_read_before_is_not_looked_at_again(store: Store) -> None:
    with store.read(NOBODY, "test") as work:
        plan = rows(work.session, f"EXPLAIN QUERY PLAN {sign_index._NEWER}", {"last": 7, "model": "tiny"})
    assert [each[-1] for each in plan] == ["SEARCH embedding USING INTEGER PRIMARY KEY (rowid>?)"]


def test_more_than_is_read_at_a_time(store: Store) -> None:
    draw, index = Random(2), SignIndex()
    put(store, draw, 1, FIRST_ROOM // 2)
    both(store, index, draw)
    put(store, draw, 100_000, PORTION + 100)
    assert any(both(store, index, draw))


def test_a_file_that_is_put_in_place_of_another_is_read_anew(store: Store) -> None:
    draw, index = Random(3), SignIndex()
    put(store, draw, 1, 200)
    assert any(both(store, index, draw))
    with store.write(NOBODY, "test") as work:
        work.session.exec(delete(Embedding))
    with store.alone() as connection:  # what a restore does to the numbers of rows, and to the schema's
        connection.execute("UPDATE sqlite_sequence SET seq = 0 WHERE name = 'embedding'")
        connection.execute("VACUUM")
    put(store, draw, 5_000, 200)
    assert any(both(store, index, draw))


def test_what_is_handed_to_another_user_is_found_as_theirs(store: Store) -> None:
    draw, index = Random(4), SignIndex()
    put(store, draw, 1, 200)
    both(store, index, draw)
    with store.write(NOBODY, "test") as work:
        work.session.add(EmbeddingQueue(kind="fact", item=7, owner=2))
        work.session.flush()
        items = list(range(1, 90))
        hand_over(work, FACT, items, 2, update(Fact).where(col(Fact.id).in_(items)).values(user_id=2))
        assert work.session.exec(select(EmbeddingQueue.owner)).all() == [2]
        owners = work.session.exec(select(Embedding.owner).where(Embedding.kind == "fact", col(Embedding.item) < 90))
        assert set(owners.all()) == {2}
    assert any(both(store, index, draw))


def test_that_rows_are_there_is_looked_up_once_where_some_were_deleted(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw, index, looked = Random(7), SignIndex(), list[int]()
    put(store, draw, 0, 300)
    asked, among = vector(draw)[:48], FILTERS[0]

    def noted(session: Any, statement: str, values: Any = None) -> Any:
        found = rows(session, statement, values)
        if statement == sign_index._ARE_THERE:
            looked.append(len(found))
        return found

    def found() -> list[VectorMatch]:
        looked.clear()
        with store.read(NOBODY, "test") as work:
            return index.nearest(work.session, "tiny", asked, among, 5)

    monkeypatch.setattr(sign_index, "rows", noted)
    first = found()
    put(store, draw, 1_000, 100)
    assert found()
    assert looked == []  # nobody deleted any
    with store.write(NOBODY, "test") as work:
        work.session.exec(delete(Embedding).where(col(Embedding.item) == first[0].item, col(Embedding.kind) == "fact"))
    assert first[0].item not in {each.item for each in found()}
    assert looked
    put(store, draw, 2_000, 100)
    assert found() == found()
    assert looked == []  # what was there is there, as long as no more are deleted
    monkeypatch.setattr(sign_index, "MOST_KNOWN", 3)
    assert found() == found()
    assert looked  # more are known than are held
