"""The two engines of a SQLite store: one connection that writes, a few that only read."""

import os
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, Pool, QueuePool, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection

from bigmind.core.errors import BigMindError, Code
from bigmind.paths import PRIVATE_FILE
from bigmind.store.sqlite.driver import sound_driver

READERS = 4
BUSY_MILLISECONDS = 5_000

PRAGMAS: dict[str, tuple[str, object]] = {
    # name: (what is set, what must then be read back)
    "journal_mode": ("WAL", "wal"),
    "synchronous": ("FULL", 2),  # an answered write survives a power cut; NORMAL loses the last ones
    "foreign_keys": ("ON", 1),
    "busy_timeout": (str(BUSY_MILLISECONDS), BUSY_MILLISECONDS),
    "secure_delete": ("ON", 1),  # what is deleted is overwritten
    "trusted_schema": ("OFF", 0),  # a tampered schema cannot call functions with side effects
    "cell_size_check": ("ON", 1),  # a damaged page is noticed early
    "mmap_size": ("0", 0),  # a stray pointer cannot write into the file
    "temp_store": ("MEMORY", 2),  # no text in temporary files
    "cache_size": ("-8000", -8000),  # kibibytes per connection
    "fullfsync": ("ON", 1),  # macOS: fsync alone does not reach the platter; elsewhere without effect
    "checkpoint_fullfsync": ("ON", 1),
}


def writing_engine(path: Path) -> Engine:
    """The engine of the one writing connection; each transaction begins with `BEGIN IMMEDIATE`."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
    engine = _engine(path, connections=1)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def reading_engine(path: Path) -> Engine:
    """The engine of the readers; its connections refuse to write."""
    engine = _engine(path, connections=READERS)
    event.listen(engine.pool, "connect", _forbid_writing)
    event.listen(engine, "begin", _begin)
    return engine


def _engine(path: Path, connections: int) -> Engine:
    engine = create_engine(
        f"sqlite:///{path}",
        module=sound_driver(),
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        # SQLite serialises each connection; the pool hands one to a single thread at a time.
        connect_args={"check_same_thread": False},
    )
    pool: Pool = engine.pool
    event.listen(pool, "connect", _configure)
    return engine


def _configure(connection: DBAPIConnection, _record: object) -> None:
    """Set every pragma and read it back: one that did not take is a reason not to start."""
    driver_connection: Any = connection
    driver_connection.isolation_level = (
        None  # transactions begin where SQLAlchemy begins them, not where the driver guesses
    )
    for name, (value, expected) in PRAGMAS.items():
        connection.cursor().execute(f"PRAGMA {name}={value}")
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA {name}")
        row = cursor.fetchone()
        actual = row[0] if row else None
        if actual != expected:
            raise BigMindError(
                Code.STORE_UNUSABLE,
                f"SQLite refused PRAGMA {name}={value} (it says {actual!r}).",
                "Is the data folder on a network drive, or read-only? BigMind needs a local, writable file system.",
            )


def _forbid_writing(connection: DBAPIConnection, _record: object) -> None:
    connection.cursor().execute("PRAGMA query_only=ON")


def _begin_immediate(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN IMMEDIATE")


def _begin(connection: Any) -> None:
    connection.exec_driver_sql("BEGIN")
