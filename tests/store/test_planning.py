"""Statements are planned by how large the tables are: also in a store that grew since it was opened, or was killed."""

import shutil
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy.dialects import sqlite
from sqlmodel import col, select, text

from bigmind.core.ids import new_id, of_prefix, prefix_range
from bigmind.maintenance.startup import keep_up
from bigmind.memory.tables import Chunk, Fact
from bigmind.paths import store_file
from bigmind.people.service import NOBODY
from bigmind.store.sqlite import neighbours
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.store import MEASURED_FIRST, Store
from bigmind.store.work import Work
from tests.memory.living import Memory, living
from tests.memory.rows import START, fact

GROWN = 4 * MEASURED_FIRST
AT_ONCE = 20
BY_ID = (
    "EXPLAIN QUERY PLAN SELECT uid, id FROM fact"
    " WHERE user_id = 1 AND uid >= :lowest AND uid < :beyond ORDER BY uid LIMIT 2"
)


@pytest.fixture
def grown(home: Path) -> Iterator[Memory]:
    """A memory that was empty when it was opened, and has grown since, a few facts in each unit of work."""
    with living(home) as memory:
        look(memory.mind.store)  # which opens a connection that reads
        for unit in range(GROWN):
            memory.insert(*(fact(START, f"Fact {unit} {number}") for number in range(AT_ONCE)))
        yield memory


def plan_of(work: Work) -> str:
    lowest, beyond = prefix_range("abcdef12")
    found = work.session.connection().execute(text(BY_ID), {"lowest": lowest, "beyond": beyond}).all()
    return found[0][-1]


def look(store: Store) -> str:
    with store.read(NOBODY, "test") as work:
        return plan_of(work)


def test_an_id_is_looked_up_by_the_ids_in_a_store_that_grew(grown: Memory) -> None:
    assert "uid>?" in look(grown.mind.store)
    with grown.mind.store.write(NOBODY, "test") as work:
        assert "uid>?" in plan_of(work)


def test_so_is_one_in_a_store_that_was_killed_before_it_was_closed(home: Path, tmp_path: Path) -> None:
    with living(home) as memory:
        memory.insert(*(fact(START, f"Fact {number}") for number in range(GROWN)))
        assert "uid>?" not in look(memory.mind.store), "or there is nothing to be mended"
        shutil.copytree(home, tmp_path / "killed", ignore=shutil.ignore_patterns("*.lock"))
    with living(tmp_path / "killed") as memory:
        assert "uid>?" in look(memory.mind.store)


def test_who_reads_meanwhile_goes_on(home: Path) -> None:
    with living(home) as memory:
        store = memory.mind.store
        memory.insert(*(fact(START, f"Fact {number}") for number in range(GROWN)))
        with store.read(NOBODY, "test") as work:
            before = len(work.session.exec(select(Fact.id)).all())
            keep_up(store)
            assert len(work.session.exec(select(Fact.id)).all()) == before == GROWN
        assert "uid>?" in look(store)
        assert store.integrity() == []


def test_nothing_is_measured_again_while_little_changes(grown: Memory) -> None:
    with grown.mind.store.alone() as connection:
        assert grown.mind.store.backend.maintenance.measure_tables(connection) is False


def test_the_parts_of_full_text_indexes_are_never_counted(grown: Memory) -> None:
    grown.mind.store.measure_tables()
    with grown.mind.store.alone() as connection:
        counted = {name for (name,) in connection.execute("SELECT DISTINCT tbl FROM sqlite_stat1")}
        whole = connection.execute("SELECT count(*) FROM fact_fts_docsize").fetchone()[0]
    assert "fact" in counted
    assert whole == GROWN * AT_ONCE, "or there is nothing to be left out"
    assert [name for name in counted if "_fts_" in name or "_grams_" in name] == []


SAMPLED = {
    "ix_chunk_user": "250500 776",
    "ix_chunk_user_created": "250500 776 1",
    "sqlite_autoindex_chunk_2": "250500 1",
}
"""What a measurement of a bounded number of rows says of 250,500 moments of one person."""


@pytest.fixture
def sampled(home: Path) -> Iterator[Any]:
    """A connection to a store that knows its moments by a sample alone."""
    with living(home):
        pass
    with closing(sound_driver().connect(str(store_file(home)), isolation_level=None)) as connection:
        connection.execute("DELETE FROM sqlite_stat1 WHERE tbl = 'chunk'")
        connection.executemany("INSERT INTO sqlite_stat1 VALUES ('chunk', ?, ?)", list(SAMPLED.items()))
    with closing(sound_driver().connect(str(store_file(home)), isolation_level=None)) as connection:
        yield connection


def test_a_whole_id_is_looked_up_by_itself_where_only_a_sample_of_the_rows_was_measured(sampled: Any) -> None:
    whole, beginning = (_plan_of_moment(sampled, each) for each in (new_id(), "abcdef12"))
    assert "uid=?" in whole
    assert "uid" not in beginning, "or there is nothing to be mended"


def test_so_is_an_id_that_stands_in_a_question(sampled: Any) -> None:
    of_one = neighbours._OF_ID.format(table="chunk", conditions=" AND user_id = 1")
    plans = [
        sampled.execute(f"EXPLAIN QUERY PLAN {told}", {"lowest": "a", "beyond": "b", "most": 5}).fetchall()[0][-1]
        for told in (of_one, of_one.replace("likelihood(uid >= :lowest, 0.0001)", "uid >= :lowest"))
    ]
    assert "uid>? AND uid<?" in plans[0]
    assert "uid" not in plans[1], "or there is nothing to be mended"


def _plan_of_moment(connection: Any, prefix: str) -> str:
    rows = select(Chunk.uid, Chunk.id).where(Chunk.user_id == 1, *of_prefix(col(Chunk.uid), prefix))
    told = rows.order_by(col(Chunk.uid)).limit(2).compile(dialect=sqlite.dialect())
    values = [told.params[name] for name in told.positiontup or ()]
    return connection.execute(f"EXPLAIN QUERY PLAN {told}", values).fetchall()[0][-1]
