"""An index is made anew in short units, and others write, search and back up between any two of them."""

from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from random import Random
from threading import Event

import pytest
from sqlalchemy import text
from sqlmodel import col, delete

from bigmind.backup.verification import index_problems
from bigmind.core.past_mapper import Snapshot
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.store.search_process.search_file import SearchFile
from bigmind.store.sqlite.renewal.filling import renew
from bigmind.store.sqlite.statements import rows as read_rows
from tests.memory.index_renewal import BOTH, MANY, MATCHES, beside, is_whole, keys, many_facts, matches, steps
from tests.memory.living import Memory
from tests.memory.rows import START, fact
from tests.memory.test_indexed import INDEXES


def schema(memory: Memory) -> list[tuple[str, ...]]:
    """Names of everything, and the triggers as they are written."""
    with memory.mind.store.alone() as connection:
        query = "SELECT type, name, CASE type WHEN 'trigger' THEN sql END FROM sqlite_master ORDER BY 1, 2"
        return [tuple(row) for row in connection.execute(query)]


def change_something(memory: Memory, draw: Random) -> None:
    there = keys(memory)
    with memory.mind.store.write(NOBODY, "test") as work:
        match draw.choice(["insert", "insert", "change", "delete"]):
            case "insert":
                work.session.add(fact(START, f"copperwheel new {draw.random()}"))
            case "change":
                row = work.session.get_one(Fact, draw.choice(there))
                row.text = f"copperwheel changed {draw.random()}"
            case _:
                work.session.exec(delete(Fact).where(col(Fact.id) == draw.choice(there)))


@BOTH
def test_what_is_written_between_any_two_units_is_found_at_all_times(memory: Memory, index: str):
    many_facts(memory)
    before, draw, units = schema(memory), Random(7), 0
    for _ in steps(memory, index):
        change_something(memory, draw)
        assert matches(memory, index) == keys(memory)
        units += 1
    assert units > MANY
    assert is_whole(memory, index)
    assert schema(memory) == before
    change_something(memory, draw)
    assert is_whole(memory, index)


@BOTH
def test_an_index_goes_on_as_it_was_set_up(memory: Memory, index: str):
    many_facts(memory)
    query = f"SELECT k, v FROM {index}_config ORDER BY k"
    for kept in (1, 0):
        with memory.mind.store.alone() as connection:
            connection.execute(f"INSERT INTO {index}({index}, rank) VALUES ('secure-delete', {kept})")
        assert sum(steps(memory, index)) == MANY
        with memory.mind.store.alone() as connection:
            found = dict(connection.execute(query).fetchall())
            [segments] = connection.execute(f"SELECT count(DISTINCT segid) FROM {index}_idx").fetchone()
        assert (found["secure-delete"], found["automerge"], found["crisismerge"]) == (kept, 4, 16)
        assert segments == 1


@BOTH
def test_words_that_are_put_off_are_put_off_in_the_new_index_too(memory: Memory, index: str):
    many_facts(memory)
    maintenance = memory.mind.store.backend.maintenance
    query = f"SELECT v FROM {index}_new_config WHERE k = 'secure-delete'"
    units = steps(memory, index)
    next(units)
    assert memory.mind.store.scrub()
    with memory.mind.store.alone() as connection:
        assert connection.execute(query).fetchone() == (1,)
        maintenance.put_off_words(connection, ["fact"])
        assert connection.execute(query).fetchone() == (0,)
    with memory.mind.store.write(NOBODY, "test") as work:
        work.session.exec(delete(Fact).where(col(Fact.id) < 10))
    list(units)
    assert is_whole(memory, index)


def test_an_index_takes_no_other_name_while_somebody_overwrites(memory: Memory):
    many_facts(memory)
    store, order = memory.mind.store, list[str]()
    overwriting, go_on, wants_the_name = Event(), Event(), Event()

    def told(_done: int, _total: int, what: str, _unit: str = "") -> None:
        if what == "Merging the full-text indexes" and not overwriting.is_set():
            overwriting.set()
            go_on.wait()

    @contextmanager
    def undisturbed() -> Generator[None]:
        if overwriting.is_set():
            wants_the_name.set()
        with store.undisturbed():
            order.append("undisturbed")
            yield

    units = renew(store.alone, undisturbed, "fact_fts", 0.05)
    next(units)
    order.clear()
    with ThreadPoolExecutor(2) as threads:
        scrubbed = threads.submit(store.scrub, told)
        overwriting.wait()
        renewed = threads.submit(list, units)
        wants_the_name.wait()
        try:
            assert beside(memory) == ["fact_fts_new"]
            order.append("overwritten")
        finally:
            go_on.set()
        assert scrubbed.result()
        renewed.result()
    assert order == ["overwritten", "undisturbed", "undisturbed"]
    assert is_whole(memory, "fact_fts")


def test_what_is_undone_by_a_writer_is_not_in_the_new_index(memory: Memory):
    many_facts(memory)
    for number, _ in enumerate(steps(memory, "fact_fts")):
        if number % 10 == 0:
            with memory.mind.store.write(NOBODY, "test") as work:
                work.session.exec(delete(Fact))
                work.session.rollback()
    assert len(keys(memory)) == MANY
    assert is_whole(memory, "fact_fts")


def test_readers_that_know_the_old_index_go_on(memory: Memory):
    many_facts(memory)
    file = SearchFile(memory.mind.store.path)

    def known(snapshot: Snapshot) -> list[int]:
        return [key for (key,) in read_rows(snapshot, MATCHES["fact_fts"], {})]

    try:
        with file.snapshot() as snapshot:
            old = known(snapshot)
            with memory.mind.store.read(NOBODY, "test") as work:
                assert len(work.session.execute(text(MATCHES["fact_fts"])).all()) == MANY
                units = steps(memory, "fact_fts", seconds=0.05)
                next(units)
                memory.insert(fact(START, "copperwheel that is new"))
                list(units)
                assert len(work.session.execute(text(MATCHES["fact_fts"])).all()) == MANY
            assert known(snapshot) == old
        with file.snapshot() as snapshot:
            assert known(snapshot) == keys(memory)
        assert file.look_beside(known) == keys(memory)
    finally:
        file.close()
    assert len(matches(memory, "fact_fts")) == MANY + 1


def test_what_is_being_made_trips_nobody(person: Memory):
    many_facts(person)
    units = steps(person, "fact_grams")
    for _ in range(60):
        next(units)
    assert beside(person) == ["fact_grams_new"]
    with person.mind.store.alone() as connection:
        assert person.mind.store.backend.full_text.indexes(connection) == INDEXES
    assert person.mind.store.integrity() == index_problems(person.mind.store) == []
    assert person.mind.store.look() == ()
    assert not [each.code for each in person("memory_health_check").findings if "full" in each.code]
    name = person("backup_create").name
    assert person("backup_list", verify=True).backups[0].name == name
    units.close()
    person("backup_restore", backup=name)
    assert is_whole(person, "fact_grams")


def test_a_backup_made_before_it_is_restored_after_it_and_the_reverse(person: Memory):
    many_facts(person)
    before = person("backup_create").name
    person("memory_reindex")
    after = person("backup_create").name
    for name in (before, after, before):
        person("backup_restore", backup=name)
        assert is_whole(person, "fact_fts")
        assert len(keys(person)) == MANY


def test_a_second_one_takes_over_and_the_first_says_so(memory: Memory):
    many_facts(memory)
    first = steps(memory, "fact_fts")
    for _ in range(20):
        next(first)
    list(steps(memory, "fact_fts"))
    with pytest.raises(Exception, match="took away") as refused:
        list(first)
    assert refused.value.code == "conflict"
    assert is_whole(memory, "fact_fts")
