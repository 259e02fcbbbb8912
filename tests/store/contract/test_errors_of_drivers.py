"""What the driver's errors mean: told by what really happened to a store."""

from contextlib import closing
from pathlib import Path

import pytest
from sqlmodel import delete

from bigmind.core.errors import BigMindError, Code
from bigmind.memory.tables import Fact
from bigmind.people.service import NOBODY
from bigmind.store.store import Store
from tests.store.contract.backends import TestedBackend
from tests.store.contract.filling import found, put


def test_a_full_disk_stores_nothing_and_says_so(store: Store, database: TestedBackend) -> None:
    [kept] = put(store, "a loom")
    with store.alone() as connection:
        database.fill(connection)
    with pytest.raises(BigMindError) as refusal:
        put(store, *["a loom and much else. " * 100] * 500)
    assert refusal.value.code is Code.STORAGE_FULL
    assert not store.condition.damage
    assert found(store, "loom") == [kept]
    assert store.integrity() == []


def test_a_store_that_another_program_holds_is_in_use_and_not_damaged(
    home: Path, store: Store, database: TestedBackend
) -> None:
    store.close()
    error, faults = database.busy(home), database.backend.faults
    assert isinstance(error, faults.errors)
    assert (meaning := faults.meaning(error)) is not None
    assert meaning.code is Code.STORE_IN_USE
    assert not faults.is_damage(error)


def test_damage_is_told_by_what_the_driver_raises(home: Path, store: Store, database: TestedBackend) -> None:
    put(store, *[f"The loom repeats card {number}. " * 40 for number in range(100)])
    store.close()
    database.spoil(home)
    faults, connected = database.backend.faults, database.backend.snapshots.connected
    with closing(connected(store.path, read_only=True)) as connection, pytest.raises(faults.errors) as raised:
        connection.execute("SELECT text FROM fact").fetchall()
    assert faults.is_damage(raised.value)
    assert (meaning := faults.meaning(raised.value)) is not None
    assert meaning.code is Code.STORE_UNUSABLE


def test_a_fault_of_ours_means_nothing(store: Store) -> None:
    faults = store.backend.faults
    for error in (ValueError("disk is full"), None):
        assert faults.meaning(error) is None
        assert not faults.is_damage(error)


def test_a_reader_cannot_write(store: Store) -> None:
    [key] = put(store, "a loom")
    with pytest.raises(BigMindError) as refusal, store.read(NOBODY, "test") as work:
        work.session.exec(delete(Fact))
    assert refusal.value.code is Code.STORE_UNUSABLE
    assert found(store, "loom") == [key]


def test_every_database_says_its_version(store: Store) -> None:
    assert store.backend.engines.version()
    assert store.backend.engines.readers >= 1
