"""The databases that the contract is held by, each with what only its tests know: how it is spoilt, filled and held."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from bigmind.paths import store_file
from bigmind.store.backend import Backend, DriverConnection
from bigmind.store.sqlite.backend import SQLITE
from bigmind.store.sqlite.driver import sound_driver


@dataclass(frozen=True, slots=True)
class TestedBackend:
    """A database and its accidents.

    Attributes:
        backend: as the store has it.
        spoil: overwrites something of the rows of facts in the closed store of a home.
        fill: lets a connection take no more than it holds, as a full disk does.
        busy: the error of a driver that finds the store of a home held by another program; it does not wait.
        stored: all bytes of the store of a home.
    """

    __test__ = False

    backend: Backend
    spoil: Callable[[Path], None]
    fill: Callable[[DriverConnection], None]
    busy: Callable[[Path], Exception]
    stored: Callable[[Path], bytes]


def _spoil(home: Path) -> None:
    with closing(SQLITE.snapshots.connected(store_file(home))) as connection:
        [[page]] = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'fact'").fetchall()
        [[size]] = connection.execute("PRAGMA page_size").fetchall()
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    with store_file(home).open("r+b") as file:
        file.seek((page - 1) * size)
        file.write(b"\xff" * 64)


def _fill(connection: DriverConnection) -> None:
    [[pages]] = connection.execute("PRAGMA page_count").fetchall()
    connection.execute(f"PRAGMA max_page_count={pages}")


def _busy(home: Path) -> Exception:
    one, other = (sound_driver().connect(str(store_file(home)), timeout=0, isolation_level=None) for _ in range(2))
    with closing(one), closing(other):
        one.execute("BEGIN IMMEDIATE")
        try:
            other.execute("BEGIN IMMEDIATE")
        except sound_driver().Error as error:
            return error
    raise AssertionError("two programs write at once")


def _stored(home: Path) -> bytes:
    return b"".join(file.read_bytes() for file in home.glob("bigmind.db*"))


BACKENDS = [TestedBackend(SQLITE, _spoil, _fill, _busy, _stored)]
