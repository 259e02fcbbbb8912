"""Leaves no byte of what was deleted in a database file and its log.

`secure_delete` overwrites a deleted cell, and still leaves traces (found by scanning files after thousands of random
changes): copies of cells stay in the unused part of a page when its neighbours are balanced; FTS5 goes on using words
of deleted rows to separate its leaves; ANALYZE keeps samples of indexed values (this SQLite is built with STAT4). So
the indexes are merged anew, the samples dropped, and what pages hold beside their cells is overwritten
(`page_cleaning.py`): all of it in short steps, between which others write.
"""

import logging
from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Any

from bigmind.core.progress import Phase, Progress, nobody_waits
from bigmind.store.erasure import Alone
from bigmind.store.sqlite.connection import BUSY_MILLISECONDS
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.page_cleaning import LOOKED_AT_ONCE, PageFile
from bigmind.store.sqlite.renewal.pace import Pace
from bigmind.store.sqlite.renewal.spares import FOLLOWING_TABLES, base_of, discard_useless

log = logging.getLogger(__name__)

MERGED_PAGES = 250
"""Of a full-text index, in one step, at most: some 50 ms."""
MOVED_PAGES = 500
"""Pages of the file that are given back in one step, at most."""
LOG_TRIES, LOG_MILLISECONDS = 100, 50
"""How often, and how long each time, a reader of an older snapshot is waited for; others may write in between."""

MEASURED_ROWS = 2_000
"""Of each index, at most (https://sqlite.org/pragma.html#pragma_analysis_limit)."""
_TELL_ALL = 0x10003
"""Of all tables, those that should be counted anew: told, and not done (https://sqlite.org/pragma.html#pragma_optimize)."""
_NO_ROW = -1
"""A key that no row has."""


def remove_words_at_once(connection: Any, table: str, *, at_once: bool) -> None:
    """Whether the words of a deleted row leave a full-text index with it, or when `overwrite` merges the index.

    The latter makes deleting thousands of rows some ten times as fast. `overwrite` sets it back.
    """
    connection.execute(f"INSERT INTO {table}({table}, rank) VALUES ('secure-delete', {int(at_once)})")  # noqa: S608


def put_off_words(connection: Any, tables: Sequence[str]) -> None:
    """Have the words of what is deleted from those tables leave their indexes when `overwrite` merges them."""
    for (index,) in connection.execute(FOLLOWING_TABLES).fetchall():
        if base_of(index) in tables:
            remove_words_at_once(connection, index, at_once=False)


def overwrite(alone: Alone, pages: PageFile, progress: Progress = nobody_waits) -> bool:
    """Overwrite what was deleted, in steps of some tens of milliseconds; others write in between.

    Args:
        alone: gives the driver's connection, outside of any transaction, with `secure_delete` on; nobody else writes
            until its block ends. Readers are not disturbed.
        pages: of the same file.
        progress: is told how far it is.

    Returns:
        Whether all of it was; not so when a reader needs the log for some seconds.
    """
    discard_useless(alone)
    with alone() as connection:
        indexes = [name for (name,) in connection.execute(FOLLOWING_TABLES).fetchall()]
        if connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat4'").fetchone():
            connection.execute("DELETE FROM sqlite_stat4")
    phase = Phase(progress, "Merging the full-text indexes", len(indexes))
    for index in indexes:
        _merge(alone, index, phase)
        phase.add()
    shrink(alone, progress)
    return _clean(alone, pages, progress)


def _merge(alone: Alone, index: str, phase: Phase) -> None:
    """Merge an index's segments into one, whose separators are words that it holds."""
    with alone() as connection:
        remove_words_at_once(connection, index, at_once=True)
        _add_segment(connection, index)
    for _ in merge_all(alone, index):
        phase.tell()


def merge_all(alone: Alone, index: str) -> Generator[None]:
    """Merge all segments of an index into one, in short units; yields after each.

    https://sqlite.org/fts5.html#the_merge_command
    """
    pace = Pace(MERGED_PAGES)
    is_left = merge_some(alone, index, pace, of_all=True)
    while is_left:
        yield
        is_left = merge_some(alone, index, pace)  # on with what was begun


def merge_some(alone: Alone, index: str, pace: Pace, *, of_all: bool = False) -> bool:
    """Merge some pages of an index, in one unit; whether there was anything to merge.

    `of_all`: begin to merge all segments into one, and not only those of which there are many.
    """
    with alone() as connection, pace.measured() as pages:
        before, many = connection.total_changes, -pages if of_all else pages
        connection.execute(f"INSERT INTO {index}({index}, rank) VALUES ('merge', ?)", (many,))  # noqa: S608 - ours
        return connection.total_changes - before > 1


def _add_segment(connection: Any, table: str) -> None:
    """FTS5 does not merge a single segment with itself: a row that comes and goes makes a second one."""
    columns = [name for _, name, *_ in connection.execute(f"PRAGMA table_info({table})")]
    row = f"rowid, {', '.join(columns)}) VALUES ("
    values = ", ".join([str(_NO_ROW), *("'x'" for _ in columns)])
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(f"INSERT INTO {table}({row}{values})")
    connection.execute(f"INSERT INTO {table}({table}, {row}'delete', {values})")
    connection.execute("COMMIT")


def shrink(alone: Alone, progress: Progress = nobody_waits) -> None:
    """Give free pages back to the disk, in short units, where the file was made for that (`engine.py`)."""
    with alone() as connection:
        [left] = connection.execute("PRAGMA freelist_count").fetchone()
        [is_able] = connection.execute("PRAGMA auto_vacuum").fetchone()
    phase = Phase(progress, "Making the file smaller", left)
    pace, moved = Pace(MOVED_PAGES), 0 if is_able else left
    while moved < left:
        with alone() as connection, pace.measured() as pages:
            connection.execute(f"PRAGMA incremental_vacuum({pages})").fetchall()
        moved += pages
        phase.add(pages)


def _clean(alone: Alone, pages: PageFile, progress: Progress) -> bool:
    """Overwrite what the pages hold beside their cells."""
    following, phase, pace = 1, Phase(progress, "Overwriting what was deleted"), Pace(LOOKED_AT_ONCE)
    while following:
        many = pace.size
        for _ in range(LOG_TRIES):
            with alone() as connection:
                # What stands in the log, or in this connection's memory, would come back over the page.
                if not empty_log(connection, LOG_MILLISECONDS):
                    continue
                connection.execute("PRAGMA shrink_memory")
                with pace.measured():
                    following = pages.clean(following, many)
                    pages.synchronize()
            break
        else:
            return False
        phase.add(many)
    return True


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


def measure_tables(connection: Any) -> bool:
    """Count the tables that have grown or shrunk tenfold since they were counted, some 2,000 rows of each index.

    Without it a file that was empty when it was opened is searched as one that is: an id among 50,000 takes 50 ms. Not
    the parts of a full-text index: they are read by their keys alone, and counting one reads hundreds of megabytes.

    Returns:
        Whether any was: connections that are open plan by that when they are opened anew.
    """
    before = _measured(connection)
    indexes = [f'."{name}_' for (name,) in connection.execute(FOLLOWING_TABLES).fetchall()]
    connection.execute(f"PRAGMA analysis_limit={MEASURED_ROWS}").fetchall()
    try:
        for (statement,) in connection.execute(f"PRAGMA optimize={_TELL_ALL}").fetchall():
            if not any(each in statement for each in indexes):
                connection.execute(statement)
    finally:
        connection.execute("PRAGMA analysis_limit=0").fetchall()
    return _measured(connection) != before


def _measured(connection: Any) -> list[Any]:
    """What is known of the tables: nothing, of a file that was never closed."""
    if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'sqlite_stat1'").fetchone():
        return []
    return connection.execute("SELECT tbl, idx, stat FROM sqlite_stat1 ORDER BY tbl, idx").fetchall()


def settle(connection: Any) -> None:
    """Tell the planner how the tables have grown, and fold the log into the file: what is done before closing it."""
    # A full disk takes neither, and nothing is lost.
    for last in (measure_tables, _fold):
        try:
            last(connection)
        except sound_driver().DatabaseError as error:
            log.warning("%s while the store was closed: %s", last.__name__, error)


def _fold(connection: Any) -> None:
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()


def size(path: Path) -> int:
    """Bytes of the database at `path` and its log on disk."""
    return path.stat().st_size + size_of_log(path)


def size_of_log(path: Path) -> int:
    """Bytes of its log on disk."""
    log_file = path.with_name(f"{path.name}-wal")
    return log_file.stat().st_size if log_file.exists() else 0
