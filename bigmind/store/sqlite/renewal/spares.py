"""What stands beside a full-text index while it is made anew: the new one, `<index>_new`, then the old, `<index>_old`.

A new one has triggers of its own, `<index>_new_insert` and so on, for as long as it is to follow the rows. What has
none is of no use any more: it was replaced, or is being taken away.
"""

import logging
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from bigmind.store.erasure import Alone
from bigmind.store.sqlite.driver import sound_driver

log = logging.getLogger(__name__)

NEW, OLD = "_new", "_old"
EVENTS = ("insert", "delete", "update")
TAKEN_AWAY = 1_000
"""Entries that are deleted in one unit, mostly of a page each: some 20 ms."""

_TABLES = "SELECT name FROM sqlite_master AS tables WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%'"
_IS_SPARE = rf"(name LIKE '%!{NEW}' ESCAPE '!' OR name LIKE '%!{OLD}' ESCAPE '!')"
FULL_TEXT_TABLES = f"{_TABLES} AND NOT {_IS_SPARE} ORDER BY name"
"""The indexes that are searched."""
_FOLLOWS = "EXISTS (SELECT 1 FROM sqlite_master WHERE type = 'trigger' AND name = tables.name || '_insert')"
FOLLOWING_TABLES = f"{_TABLES} AND {_FOLLOWS} ORDER BY name"
"""Those, and what is filled to take the place of one: all that words are put into, and have to leave."""
_SPARES = f"{_TABLES} AND {_IS_SPARE} ORDER BY name"

# A statement for each of an FTS5 table's own tables that grow with it (https://sqlite.org/fts5.html#fts5_data_structures).
_TAKE_AWAY = {
    "data": "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} LIMIT {most})",
    "idx": "DELETE FROM {table} WHERE (segid, term) IN (SELECT segid, term FROM {table} LIMIT {most})",
    "docsize": "DELETE FROM {table} WHERE id IN (SELECT id FROM {table} LIMIT {most})",
}


def spares(connection: Any) -> list[str]:
    """The names of what stands beside the indexes: none, unless one is being made anew, or that was cut short."""
    return [name for (name,) in connection.execute(_SPARES).fetchall()]


def base_of(index: str) -> str:
    """The table whose rows are in an index, or in what is to take its place."""
    return index.removesuffix(NEW).rsplit("_", 1)[0]


@contextmanager
def transaction(alone: Alone) -> Generator[Any]:
    """One unit: the driver's connection, in a transaction that is undone when the block raises."""
    with alone() as connection:
        connection.execute("BEGIN IMMEDIATE")
        try:
            yield connection
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:  # some errors end it
                connection.execute("ROLLBACK")
            raise


def discard(alone: Alone, names: list[str] | None = None) -> None:
    """Take spares away, in units of some 20 ms; what is not there is no fault.

    Args:
        alone: as for `renew`.
        names: of which ones; all that there are, when none is given. They stop following the rows first.

    Raises:
        One of the driver's errors: what is left is taken away by another call.
    """
    if names is None:
        with alone() as connection:
            names = spares(connection)
    for name in names:
        with transaction(alone) as connection:
            for event in EVENTS:
                connection.execute(f"DROP TRIGGER IF EXISTS {name}_{event}")
            connection.execute("DELETE FROM store_property WHERE name = ?", (name,))
        for shadow, statement in _TAKE_AWAY.items():
            while _took_away(alone, f"{name}_{shadow}", statement):
                pass
        with alone() as connection:
            connection.execute(f"DROP TABLE IF EXISTS {name}")


def discard_useless(alone: Alone) -> None:
    """Take away those that follow the rows no more, as `discard`."""
    with alone() as connection:
        following = {name for (name,) in connection.execute(FOLLOWING_TABLES).fetchall()}
        useless = [name for name in spares(connection) if name not in following]
    discard(alone, useless)


def _took_away(alone: Alone, table: str, statement: str) -> bool:
    """Whether there was anything in it. A driver that guards FTS5's own tables has all of it go with the index."""
    with alone() as connection:
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = ?", (table,)).fetchone():
            return False
        try:
            return connection.execute(statement.format(table=table, most=TAKEN_AWAY)).rowcount > 0
        except sound_driver().OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) != 1:  # SQLITE_ERROR: it "may not be modified"
                raise
            log.warning("%s is not emptied before it is dropped: %s", table, error)
            return False
