"""Leaves no byte of what was deleted in a database file and its log.

`secure_delete` overwrites a deleted cell, and still leaves traces (found by scanning files after thousands of random
changes): copies of cells stay in the unused part of a page when its neighbours are balanced; FTS5 goes on using words
of deleted rows to separate its leaves; ANALYZE keeps samples of indexed values (this SQLite is built with STAT4). So
the indexes are merged anew, the samples dropped, and VACUUM writes every page anew: 0.9 s for 158 MB.
"""

from typing import Any

from bigmind.store.sqlite.checks import FULL_TEXT_TABLES

_NO_ROW = -1
"""A key that no row has."""


def remove_words_at_once(connection: Any, table: str, *, at_once: bool) -> None:
    """Whether the words of a deleted row leave a full-text index with it, or when `overwrite` merges the index.

    The latter makes deleting thousands of rows some ten times as fast. `overwrite` sets it back.
    """
    connection.execute(f"INSERT INTO {table}({table}, rank) VALUES ('secure-delete', {int(at_once)})")  # noqa: S608


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


def empty_log(connection: Any, milliseconds: int, usual: int) -> bool:
    """Write the log into the file and cut it to nothing; False when a reader needs it for longer than that.

    Args:
        connection: as for `overwrite`.
        milliseconds: how long to wait for readers of older snapshots.
        usual: how long the connection waits otherwise.
    """
    connection.execute(f"PRAGMA busy_timeout={milliseconds}")
    try:
        (busy, *_) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout={usual}")
    return not busy
