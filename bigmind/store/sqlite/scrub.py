"""Leaves no byte of what was deleted in a database file and its log.

`secure_delete` overwrites a deleted cell, and still leaves traces (found by scanning files after thousands of random
changes): copies of cells stay in the unused part of a page when its neighbours are balanced; FTS5 goes on using words
of deleted rows to separate its leaves; ANALYZE keeps samples of indexed values (this SQLite is built with STAT4). So
the indexes are merged anew, the samples dropped, and VACUUM writes every page anew: 0.9 s for 158 MB.
"""

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bigmind.store.sqlite.checks import FULL_TEXT_TABLES
from bigmind.store.sqlite.connection import BUSY_MILLISECONDS
from bigmind.store.sqlite.driver import sound_driver

log = logging.getLogger(__name__)

_NO_ROW = -1
"""A key that no row has."""


def remove_words_at_once(connection: Any, table: str, *, at_once: bool) -> None:
    """Whether the words of a deleted row leave a full-text index with it, or when `overwrite` merges the index.

    The latter makes deleting thousands of rows some ten times as fast. `overwrite` sets it back.
    """
    connection.execute(f"INSERT INTO {table}({table}, rank) VALUES ('secure-delete', {int(at_once)})")  # noqa: S608


def put_off_words(connection: Any, tables: Sequence[str]) -> None:
    """Have the words of what is deleted from those tables leave their indexes when `overwrite` merges them."""
    for (index,) in connection.execute(FULL_TEXT_TABLES).fetchall():
        if index.rsplit("_", 1)[0] in tables:
            remove_words_at_once(connection, index, at_once=False)


def overwrite(connection: Any) -> None:
    """Write every page of the file anew, without what was deleted.

    Args:
        connection: the driver's own, outside of any transaction, with `secure_delete` on. Nobody may write meanwhile;
            readers are not disturbed. Takes as much memory, and room in the log, as the file is large.
    """
    for (table,) in connection.execute(FULL_TEXT_TABLES).fetchall():
        remove_words_at_once(connection, table, at_once=True)
        _merge(connection, table)
    if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat4'").fetchone():
        connection.execute("DELETE FROM sqlite_stat4")
    connection.execute("VACUUM")


def _merge(connection: Any, table: str) -> None:
    """Merge an index's segments into one, whose separators are words that it holds. The names are our schema's."""
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    row = f"rowid, {', '.join(columns)}) VALUES ("
    values = ", ".join([str(_NO_ROW), *("'x'" for _ in columns)])
    # FTS5 does not merge a single segment with itself: a row that comes and goes makes a second one.
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"INSERT INTO {table}({row}{values})")
    connection.execute(f"INSERT INTO {table}({table}, {row}'delete', {values})")
    connection.execute("COMMIT")
    connection.execute(f"INSERT INTO {table}({table}) VALUES ('optimize')")  # noqa: S608


def empty_log(connection: Any, milliseconds: int) -> bool:
    """Write the log into the file and cut it to nothing; False when a reader needs it for longer than that.

    Args:
        connection: as for `overwrite`.
        milliseconds: how long to wait for readers of older snapshots.
    """
    connection.execute(f"PRAGMA busy_timeout={milliseconds}")
    try:
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout={BUSY_MILLISECONDS}")
    return not busy


def settle(connection: Any) -> None:
    """Tell the planner how the tables have grown, and fold the log into the file: what is done before closing it."""
    # A full disk takes neither, and nothing is lost.
    for last in ("PRAGMA optimize", "PRAGMA wal_checkpoint(TRUNCATE)"):
        try:
            connection.execute(last)
        except sound_driver().DatabaseError as error:
            log.warning("%s while the store was closed: %s", last, error)


def size(path: Path) -> int:
    """Bytes of the database at `path` and its log on disk."""
    return path.stat().st_size + size_of_log(path)


def size_of_log(path: Path) -> int:
    """Bytes of its log on disk."""
    log_file = path.with_name(f"{path.name}-wal")
    return log_file.stat().st_size if log_file.exists() else 0
