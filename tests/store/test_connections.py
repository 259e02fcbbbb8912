"""Every connection is set up the same, the writer locks when it begins, and readers cannot write."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text
from sqlalchemy.exc import DBAPIError

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller
from bigmind.store.sqlite.connection import PRAGMAS, configure
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.engine import MOST_LOG_BYTES, READERS, SPARE_READERS, reading_engine, writing_engine
from bigmind.store.store import Store
from bigmind.store.tables import StoreProperty
from bigmind.wiring import Mind

SQLITE_READONLY = 8

# What each must be, written down a second time: a slip in the product's table must not pass for the expectation.
EXPECTED = {
    "journal_mode": "wal",
    "synchronous": 2,
    "foreign_keys": 1,
    "busy_timeout": 5000,
    "secure_delete": 1,
    "trusted_schema": 0,
    "cell_size_check": 1,
    "mmap_size": 0,
    "temp_store": 2,
    "fullfsync": 1,
    "checkpoint_fullfsync": 1,
}


def pragma(connection: Any, name: str) -> object:
    return connection.exec_driver_sql(f"PRAGMA {name}").scalar()


@pytest.mark.parametrize(("name", "value"), EXPECTED.items())
def test_every_connection_has_the_pragma(mind: Mind, name: str, value: object) -> None:
    for engine in (mind.store._writer, mind.store._readers):
        connections = [engine.connect() for _ in range(engine.pool.size())]
        found = {pragma(connection, name) for connection in connections}
        for connection in connections:
            connection.close()
        assert found == {value}


def test_no_pragma_is_set_without_a_reader_of_it() -> None:
    assert PRAGMAS.keys() - EXPECTED.keys() == {"cache_size"}  # a measure of memory, free to change


def test_a_pragma_that_does_not_take_is_a_reason_not_to_start() -> None:
    # A temporary database has no file, so it cannot keep a write-ahead log.
    with pytest.raises(BigMindError, match="PRAGMA journal_mode=WAL") as refusal:
        configure(sound_driver().connect(":memory:"))
    assert refusal.value.code is Code.STORE_UNUSABLE


def test_only_the_opening_of_a_store_makes_its_file(tmp_path: Path) -> None:
    engine = reading_engine(tmp_path / "bigmind.db")
    with pytest.raises(DBAPIError, match="unable to open"):
        engine.connect()
    assert not list(tmp_path.iterdir())


def test_there_are_one_writer_and_a_few_readers(mind: Mind) -> None:
    assert mind.store._writer.pool.size() == 1
    assert mind.store._readers.pool.size() == 2 * READERS + SPARE_READERS


@pytest.mark.parametrize(
    "statement",
    [
        "INSERT INTO user (id) VALUES (99)",
        "UPDATE user SET username = 'eve'",
        "DELETE FROM user",
        "CREATE TABLE more (id INTEGER)",
        "INSERT INTO chunk_fts(chunk_fts) VALUES ('rebuild')",
        "PRAGMA user_version = 7",
    ],
)
def test_readers_cannot_write(mind: Mind, caller: Caller, statement: str) -> None:
    before = mind.store.path.read_bytes()
    with pytest.raises(DBAPIError) as refusal, mind.store._readers.connect() as connection:
        connection.exec_driver_sql(statement)
    assert refusal.value.orig.sqlite_errorcode & 0xFF == SQLITE_READONLY
    assert mind.store.path.read_bytes() == before
    with mind.store.read(caller, "look") as work:
        assert work.session.execute(text("SELECT username FROM user")).scalar() == "ada"


def test_the_writer_takes_the_lock_when_it_begins(mind: Mind, caller: Caller, raw: Callable[[], Any]) -> None:
    other = raw()
    with mind.store.write(caller, "write") as work:
        work.session.connection()  # begins, and writes nothing yet
        with pytest.raises(sound_driver().OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
    other.execute("BEGIN IMMEDIATE")
    other.execute("ROLLBACK")
    other.close()


def test_a_reader_takes_no_lock(mind: Mind, caller: Caller, raw: Callable[[], Any]) -> None:
    other = raw()
    with mind.store.read(caller, "read") as work:
        work.session.execute(text("SELECT count(*) FROM user")).scalar()
        other.execute("BEGIN IMMEDIATE")
        other.execute("ROLLBACK")
    other.close()


def test_a_folder_name_with_signs_of_an_address_is_a_folder_name(tmp_path: Path) -> None:
    question = "?" if os.name == "posix" else "'"  # no name has one on Windows
    home = tmp_path / f"what{question} 100% #1 & ümläut"
    Store(home).close()
    assert (home / "bigmind.db").stat().st_size > 0
    assert [each.name for each in tmp_path.iterdir()] == [home.name]


def test_an_existing_file_is_not_made_anew(tmp_path: Path) -> None:
    path = tmp_path / "bigmind.db"
    first = writing_engine(path)
    with first.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE kept (id INTEGER)")
    first.dispose()
    second = writing_engine(path)
    with second.connect() as connection:
        assert connection.exec_driver_sql("SELECT name FROM sqlite_master").scalar() == "kept"
    second.dispose()


def test_the_log_shrinks_again_after_a_reader_that_was_open_for_long(mind: Mind, caller: Caller) -> None:
    def write(kept: str) -> int:
        with mind.store.write(caller, "test") as work:
            work.session.merge(StoreProperty(name="test", value=kept))
        return mind.store.log_in_bytes()

    with mind.store.read(caller, "test") as work:
        work.session.connection().exec_driver_sql("SELECT 1 FROM change").all()
        assert [write(each * MOST_LOG_BYTES) for each in "abc"][-1] > 2 * MOST_LOG_BYTES
    assert min(map(write, "abc")) <= MOST_LOG_BYTES
