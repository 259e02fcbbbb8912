"""The two engines of a SQLite store: one connection that writes, a few that only read."""

import os
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, NullPool, Pool, QueuePool, create_engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.pool import ConnectionPoolEntry

from bigmind.core.errors import BigMindError, Code
from bigmind.paths import PRIVATE_FILE, narrow
from bigmind.store.condition import FileInPlace
from bigmind.store.sqlite.connection import WHY_NO_VECTORS, configure, connecting, forbid_writing, load_vectors
from bigmind.store.sqlite.driver import file_uri, sound_driver
from bigmind.text.phrasing import counted

READERS = 4
SPARE_READERS = 2
"""For what must not wait for readers: finding out who calls."""

MOST_LOG_BYTES = 8 * 1024 * 1024
"""The log is cut to so much once it is written from its beginning again: a reader that was open for long had it grow,
and SQLite itself leaves it so until the store is closed. Otherwise it has half of that when it is folded in."""


def writing_engine(path: Path) -> Engine:
    """The engine of the one writing connection; each transaction begins with `BEGIN IMMEDIATE`."""
    if not path.exists():
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
        _make_able_to_shrink(path)
    with suppress(OSError):  # not ours: SQLite will say what it may do with it
        if os.name == "posix":  # on Windows its logs, too, are as their folder is: the home, or one that a person chose
            narrow(path, PRIVATE_FILE)
        for log in (path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
            if log.exists():  # it got the mode that the file had then, which may have been too wide, or read-only
                log.chmod(path.stat().st_mode)
    engine = _engine(path, connections=1)
    event.listen(engine.pool, "connect", _bound_log)
    event.listen(engine, "begin", _begin_immediate)
    return engine


def _make_able_to_shrink(path: Path) -> None:
    """Have a new file keep what it takes to give free pages back in steps; one with tables would be written anew."""
    connection = sound_driver().connect(str(path), isolation_level=None)
    try:
        connection.execute("PRAGMA auto_vacuum=INCREMENTAL")
        connection.execute("VACUUM")
    finally:
        connection.close()


def reading_engine(path: Path) -> Engine:
    """The engine of the readers; its connections refuse to write."""
    engine = _engine(path, connections=2 * READERS + SPARE_READERS)  # each may look aside once
    event.listen(engine.pool, "connect", _forbid_writing)
    event.listen(engine.pool, "connect", _measure_vectors)
    event.listen(engine, "begin", _begin)
    return engine


def glancing_engine(path: Path) -> Engine:
    """The engine for a look at a file that may not be ours: reading through it changes no byte of it or of its log.

    Without a log the file is complete in itself, and no lock and no index of a log is made beside it.
    """
    log = path.with_name(f"{path.name}-wal")
    how = "mode=ro" if log.exists() and log.stat().st_size else "immutable=1"
    driver = sound_driver()
    address = file_uri(path.absolute(), how)
    return create_engine(
        "sqlite://", module=driver, poolclass=NullPool, creator=lambda: driver.connect(address, uri=True)
    )


@contextmanager
def rebuilding(engine: Engine) -> Generator[Connection]:
    """A transaction that may rebuild tables, which is how SQLite alters most of them.

    Dropping the old table would delete or empty every row that refers to it, so foreign keys are off meanwhile, and
    checked before the commit (https://sqlite.org/lang_altertable.html#otheralter).
    """
    with engine.connect() as connection:
        driver_connection: Any = connection.connection.driver_connection
        driver_connection.execute("PRAGMA foreign_keys=OFF")  # without effect inside a transaction
        # A view of the table that is not there for a moment is no reason to refuse the new one its name.
        driver_connection.execute("PRAGMA legacy_alter_table=ON")
        try:
            with connection.begin():
                yield connection
                if broken := connection.exec_driver_sql("PRAGMA foreign_key_check").all():
                    rows = counted(len(broken), "row that refers", "rows that refer")
                    raise BigMindError(
                        Code.STORE_UNUSABLE,
                        f"A migration would leave {rows} to nothing; it was undone.",
                        "Keep the data folder as it is, go on with the older BigMind, and report this.",
                    )
        finally:
            driver_connection.execute("PRAGMA legacy_alter_table=OFF")
            driver_connection.execute("PRAGMA foreign_keys=ON")


def _engine(path: Path, connections: int) -> Engine:
    """An engine of a file that is there, and of no other: nothing is opened, begun or committed while it is away.

    Opening one that was moved away would make an empty one in its place, and SQLite throw away the log beside that.
    """
    driver, file = sound_driver(), FileInPlace(path)
    address = file_uri(path.absolute(), "mode=rw")

    def permit(_connection: Connection) -> None:
        file.permit()

    def opened() -> Any:
        file.permit()
        return driver.connect(address, uri=True, **connecting())

    engine = create_engine(
        "sqlite://",
        module=driver,
        creator=opened,
        poolclass=QueuePool,
        pool_size=connections,
        max_overflow=0,
        pool_use_lifo=True,  # what was used last has its statements prepared and its pages at hand
        hide_parameters=True,  # a fault's traceback goes into the log, and what is remembered must not
    )
    pool: Pool = engine.pool
    event.listen(pool, "connect", _configure)
    for moment in ("begin", "commit"):
        event.listen(engine, moment, permit)
    return engine


def _configure(connection: DBAPIConnection, _record: object) -> None:
    configure(connection)


def _forbid_writing(connection: DBAPIConnection, _record: object) -> None:
    forbid_writing(connection)


def _bound_log(connection: DBAPIConnection, _record: object) -> None:
    connection.cursor().execute(f"PRAGMA journal_size_limit={MOST_LOG_BYTES}")


def _measure_vectors(connection: DBAPIConnection, record: ConnectionPoolEntry) -> None:
    record.info[WHY_NO_VECTORS] = load_vectors(connection)  # where it cannot be, search goes by words


def _begin_immediate(connection: Connection) -> None:
    _carried_out(connection, "BEGIN IMMEDIATE")


def _begin(connection: Connection) -> None:
    _carried_out(connection, "BEGIN")


def _carried_out(connection: Connection, statement: str) -> None:
    """By the driver: what SQLAlchemy does around a statement takes ten times as long as beginning, in every unit."""
    driver_connection: Any = connection.connection.driver_connection
    driver_connection.execute(statement)
