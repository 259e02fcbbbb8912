"""The full-text index follows the rows, and damage to it or to the file is found."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlmodel import col, delete, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller
from bigmind.memory.tables import Chunk
from bigmind.store.store import Store
from bigmind.wiring import Mind, open_mind
from tests.store.using import Run, caller_of, found, keep, opened, raw_connection, runner


def test_an_insert_is_found_at_once(mind: Mind, run: Run) -> None:
    kept = keep(run, "The loop repeats cards 13 to 23.")
    assert found(run, "cards") == [kept]
    assert mind.store.integrity() == []


def test_a_change_is_found_by_its_new_words_only(mind: Mind, run: Run, caller: Caller) -> None:
    kept = keep(run, "The loop repeats cards.")
    with mind.store.write(caller, "edit") as work:
        chunk = work.session.exec(select(Chunk)).one()
        chunk.content, chunk.terms = "Levers and wheels.", ""
        work.session.add(chunk)
    assert found(run, "levers") == [kept]
    assert found(run, "cards") == []
    assert mind.store.integrity() == []


def test_a_deleted_row_is_found_no_more(mind: Mind, run: Run, caller: Caller) -> None:
    keep(run, "The loop repeats cards.")
    kept = keep(run, "Cards of another kind.")
    with mind.store.write(caller, "forget") as work:
        work.session.exec(delete(Chunk).where(col(Chunk.uid) != kept))
    assert found(run, "cards") == [kept]
    assert mind.store.integrity() == []


def test_the_words_of_a_deleted_row_leave_the_file(home: Path) -> None:
    mind = open_mind(home, "ada")
    caller = caller_of(mind, home)
    keep(runner(mind, caller), "xylographically")
    with mind.store.write(caller, "forget") as work:
        work.session.exec(delete(Chunk))
    mind.close()
    assert b"xylograph" not in (home / "bigmind.db").read_bytes()
    assert not list(home.glob("bigmind.db-*"))


def test_a_row_taken_from_the_index_is_noticed(mind: Mind, run: Run, raw: Callable[[], Any]) -> None:
    keep(run, "The loop repeats cards.")
    other = raw()
    other.execute("INSERT INTO chunk_fts(chunk_fts) VALUES ('delete-all')")
    other.close()
    assert [line for line in mind.store.integrity() if "chunk_fts" in line]


def test_a_row_changed_behind_the_index_is_noticed(mind: Mind, run: Run, raw: Callable[[], Any]) -> None:
    keep(run, "The loop repeats cards.")
    other = raw()
    other.executescript("DROP TRIGGER chunk_fts_update; UPDATE chunk SET content = 'Levers and wheels.'")
    other.close()
    assert [line for line in mind.store.integrity() if "chunk_fts" in line]


def test_a_reference_to_nothing_is_noticed(mind: Mind, run: Run, raw: Callable[[], Any]) -> None:
    keep(run, "The loop repeats cards.")
    other = raw()
    other.execute("UPDATE chunk SET session_id = 999")  # a connection that does not enforce foreign keys
    other.close()
    assert mind.store.integrity() == ["chunk 1 session 1"]


def test_a_damaged_page_is_noticed(home: Path) -> None:
    with opened(home) as run:
        for number in range(200):
            keep(run, f"The loop repeats card {number}. " * 20)
    other = raw_connection(home)
    [page] = other.execute("SELECT rootpage FROM sqlite_master WHERE name = 'chunk'").fetchone()
    [size] = other.execute("PRAGMA page_size").fetchone()
    other.close()
    overwrite(home, (page - 1) * size + 8, 64)  # the child pointers of the table's root
    damaged = Store(home)
    assert damaged.integrity()
    damaged.close()


def test_a_damaged_schema_is_told_at_the_start_and_left_alone(home: Path) -> None:
    with opened(home) as run:
        keep(run, "The loop repeats cards.")
    overwrite(home, 100, 200)  # the root of the schema itself
    before = (home / "bigmind.db").read_bytes()
    with pytest.raises(BigMindError) as refusal:
        Store(home)
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert "restore" in refusal.value.hint
    assert (home / "bigmind.db").read_bytes() == before


def overwrite(home: Path, offset: int, length: int) -> None:
    with (home / "bigmind.db").open("r+b") as file:
        file.seek(offset)
        file.write(b"\xff" * length)
