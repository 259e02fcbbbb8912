"""A connection that makes homes of very many rows in minutes: rows, not operations."""

from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from bigmind.paths import store_file
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.scrub import measure_tables
from bigmind.wiring import open_mind

TOGETHER = 1_000
PRAGMAS = ("synchronous=OFF", "journal_mode=WAL", "cache_size=-200000", "temp_store=MEMORY")


@contextmanager
def written_at_once(home: Path) -> Iterator[Any]:
    """A new home, to be written to without a care; its tables are measured in the end.

    What was measured of the empty tables is forgotten first: with two rows in mind, SQLite deletes each merged piece of
    a full-text index by reading all of the index, 190 ms at every sixteenth commit among 100,000 moments.
    """
    open_mind(home, "ada").close()
    with closing(_opened(home)) as connection:
        connection.execute("DELETE FROM sqlite_stat1")
    with closing(_opened(home)) as connection:  # anew: what an open one knows of a table, it does not forget
        yield connection
        measure_tables(connection)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def insert_together(connection: Any, statement: str, rows: Sequence[Sequence[object]]) -> None:
    """Insert many rows by few statements: after each, FTS5 writes what it has, and merges it with what it wrote before.

    Args:
        connection: as from `written_at_once`.
        statement: it inserts one row, and ends with its values.
        rows: what is bound to those.
    """
    begin, values = statement.rsplit(" VALUES ", 1)
    for first in range(0, len(rows), TOGETHER):
        some = rows[first : first + TOGETHER]
        told = ", ".join([values] * len(some))
        connection.execute(f"{begin} VALUES {told}", [value for row in some for value in row])


def _opened(home: Path) -> Any:
    connection = sound_driver().connect(str(store_file(home)), isolation_level=None)
    for pragma in PRAGMAS:
        connection.execute(f"PRAGMA {pragma}").fetchall()
    return connection
