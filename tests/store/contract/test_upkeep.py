"""Damage is found, what is deleted is gone to the last byte, and thousands of rows go at once."""

from contextlib import closing
from pathlib import Path

from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.store.store import Store
from tests.store.contract.backends import TestedBackend
from tests.store.contract.filling import containing, found, put, remove

SECRET = "xylographically"


def test_a_store_that_is_whole_has_nothing_wrong(store: Store) -> None:
    put(store, *[f"The loom repeats card {number}." for number in range(50)])
    maintenance = store.backend.maintenance
    assert maintenance.damage(store.path) == []
    with store.alone() as connection:
        assert maintenance.problems(connection) == maintenance.full_text_problems(connection) == []
    with store.read(NOBODY, "test") as work:
        connection = work.session.connection()
        assert maintenance.out_of_step(connection) == 0
        assert maintenance.broken_references(connection) == []


def test_damage_is_found_and_named(home: Path, store: Store, database: TestedBackend) -> None:
    put(store, *[f"The loom repeats card {number}. " * 40 for number in range(100)])
    store.close()
    database.spoil(home)
    with closing(Store(home, backend=database.backend)) as spoilt:
        assert "fact" in {each.table for each in spoilt.look()}
        assert spoilt.integrity() != []


def test_a_row_that_was_changed_behind_the_store_is_found(store: Store) -> None:
    put(store, "The loom repeats cards.")
    backend = store.backend
    with closing(backend.snapshots.connected(store.path)) as other:
        other.execute("UPDATE fact SET confidence = 0.123")
        assert [each.table for each in backend.maintenance.damage(store.path)] == ["fact"]
        assert backend.maintenance.problems(other) != []
        backend.maintenance.seal_all(other)
        assert backend.maintenance.problems(other) == []
    assert backend.maintenance.damage(store.path) == []


def test_nothing_is_left_of_what_was_deleted(home: Path, store: Store, database: TestedBackend) -> None:
    keys = put(store, f"It was told {SECRET}.", "It was told otherwise.")
    with store.alone() as connection:
        store.backend.maintenance.empty_log(connection, 0)
    assert SECRET.encode() in database.stored(home)
    remove(store, keys[:1])
    assert store.scrub()
    assert SECRET[:9].encode() not in database.stored(home)
    assert found(store, "told") == keys[1:]
    assert store.integrity() == []


def test_words_that_are_put_off_leave_with_the_rest(home: Path, store: Store, database: TestedBackend) -> None:
    keys = put(store, *[f"{SECRET} {number} times" for number in range(300)])
    with store.alone() as connection:
        store.backend.maintenance.put_off_words(connection, ["fact"])
    remove(store, keys[1:])
    assert found(store, SECRET) == keys[:1]
    remove(store, keys[:1])
    assert store.scrub()
    assert containing(store, SECRET) == {}
    assert SECRET[:9].encode() not in database.stored(home)
    assert store.integrity() == []


def test_the_size_grows_and_shrinks_with_what_is_stored(store: Store) -> None:
    maintenance = store.backend.maintenance
    empty = maintenance.size(store.path)
    keys = put(store, *[f"The loom repeats card {number}. " * 100 for number in range(300)])
    full = maintenance.size(store.path)
    assert full > empty + 300 * 100 * 20
    assert maintenance.size_of_log(store.path) <= full
    remove(store, keys)
    assert store.scrub()
    assert maintenance.size_of_log(store.path) == 0
    assert maintenance.size(store.path) < full / 2


def test_the_log_is_not_emptied_under_a_reader(store: Store) -> None:
    put(store, "a loom")
    with store.read(NOBODY, "test") as work:
        work.session.get(Fact, 1)
        put(store, "a mill")
        with store.alone() as connection:
            assert not store.backend.maintenance.empty_log(connection, 0)
    with store.alone() as connection:
        assert store.backend.maintenance.empty_log(connection, 1_000)
