"""A copy of a store in use is of one moment, can be looked into, and takes the store's place as a whole."""

import threading
from contextlib import closing
from pathlib import Path

import pytest
from sqlmodel import select

from bigmind.core.errors import BigMindError
from bigmind.core.progress import nobody_waits
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.store.store import Store
from tests.store.contract.backends import TestedBackend
from tests.store.contract.filling import found, put


def test_a_copy_holds_what_its_description_says(store: Store, tmp_path: Path) -> None:
    put(store, "a loom", "a mill")
    backend, target = store.backend, tmp_path / "copy"
    described = backend.snapshots.copy(store.path, target)
    assert described.tables["fact"].rows == 2
    assert described.schema_revision
    assert described.store
    with closing(backend.snapshots.connected(target)) as connection:
        assert backend.snapshots.contents(connection) == described
        assert backend.maintenance.problems(connection) == []
    put(store, "a weft")
    with closing(backend.snapshots.connected(store.path, read_only=True)) as connection:
        assert backend.snapshots.contents(connection).tables["fact"].rows == 3


def test_a_copy_that_is_made_while_others_write_is_of_one_moment(store: Store, tmp_path: Path) -> None:
    put(store, *["The loom repeats cards. " * 50] * 500)
    over, copying = threading.Event(), threading.Event()
    wrong: list[BaseException] = []

    def write() -> None:
        copying.wait(30)
        try:
            while not over.is_set():
                put(store, "one more", "and another")  # two at a time: an odd number is half a write
        except BaseException as error:  # noqa: BLE001 - of whatever kind, the test is to fail by it
            wrong.append(error)

    writer = threading.Thread(target=write)
    writer.start()
    backend, target = store.backend, tmp_path / "copy"
    try:
        described = backend.snapshots.copy(store.path, target, lambda *_: copying.set())
    finally:
        copying.set()
        over.set()
        writer.join(30)
    assert wrong == []
    assert described.tables["fact"].rows % 2 == 0
    with closing(backend.snapshots.connected(target)) as connection:
        assert backend.snapshots.contents(connection) == described
        assert backend.maintenance.problems(connection) == []


def test_who_looks_into_a_copy_cannot_write_where_it_only_reads(store: Store, tmp_path: Path) -> None:
    snapshots, errors = store.backend.snapshots, store.backend.faults.errors
    snapshots.copy(store.path, tmp_path / "copy")
    with closing(snapshots.connected(tmp_path / "copy", read_only=True)) as connection, pytest.raises(errors):
        connection.execute("DELETE FROM fact")
    with pytest.raises(errors):
        snapshots.connected(tmp_path / "nothing", read_only=True)


def test_a_copy_takes_the_place_of_the_store_and_readers_see_one_of_them(store: Store, tmp_path: Path) -> None:
    [old] = put(store, "a loom")
    target = tmp_path / "copy"
    store.backend.snapshots.copy(store.path, target)
    put(store, "a mill")
    with store.read(NOBODY, "test") as before:
        assert len(before.session.exec(select(Fact)).all()) == 2
        with store.alone() as writer:
            store.backend.snapshots.put_in_place(target, writer, store.home, nobody_waits)
        assert len(before.session.exec(select(Fact.id)).all()) == 2
    assert found(store, "loom", "mill") == [old]
    assert store.integrity() == []
    [new] = put(store, "a weft")
    assert found(store, "weft") == [new]


def test_a_copy_where_something_is_already_is_refused(store: Store, tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("somebody's")
    with pytest.raises((BigMindError, OSError)):
        store.backend.snapshots.copy(store.path, tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "somebody's"


def test_a_damaged_store_can_be_copied_as_it_is(
    home: Path, store: Store, database: TestedBackend, tmp_path: Path
) -> None:
    put(store, *[f"The loom repeats card {number}. " * 40 for number in range(100)])
    path = store.path
    store.close()
    database.spoil(home)
    database.backend.snapshots.copy_as_it_is(path, tmp_path / "copy")
    assert [each.table for each in database.backend.maintenance.damage(tmp_path / "copy")] == [
        each.table for each in database.backend.maintenance.damage(path)
    ]
