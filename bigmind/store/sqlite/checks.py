"""SQLite's and FTS5's own checks of a whole file, and the checksums of its rows."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection

from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.fulltext import numbers
from bigmind.store.sqlite.renewal.spares import FULL_TEXT_TABLES, base_of, spares
from bigmind.store.sqlite.seals import changed_rows

CHECKS = ("PRAGMA integrity_check", "PRAGMA foreign_key_check")
# rank = 1 compares the index with the content table, not only with itself.
FULL_TEXT_CHECK = 'INSERT INTO "{table}"("{table}", rank) VALUES (\'integrity-check\', 1)'

_REBUILT = """
INSERT INTO store_property (name, value) VALUES (?, '1')
ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1
"""
"""Who holds words of it in memory reads them anew, as where texts were changed (migration 0017)."""


def problems(connection: Any) -> list[str]:
    """What the checks find wrong; empty when all is well. Reads the whole file and changes nothing.

    Args:
        connection: the driver's, that may write (FTS5's check is written as an INSERT), outside of any transaction.
    """
    found = _found(connection, (*CHECKS, *_full_text_checks(connection)))
    try:
        # What is taken away in steps is no whole index in between.
        beside = spares(connection)
        found = [each for each in found if not any(name in each for name in beside)]
        return found + [f"{table}: {finding}" for table, finding in changed_rows(connection)]
    except sound_driver().Error as error:
        return [*found, str(error)]


def indexes(connection: Any) -> list[str]:
    """The names of the full-text indexes."""
    return [name for (name,) in connection.execute(FULL_TEXT_TABLES)]


def rebuild(connection: Any, index: str) -> None:
    """Make a full-text index anew from its rows, in one unit; `renewal` does it in many short ones."""
    connection.execute(f"INSERT INTO {index}({index}) VALUES ('rebuild')")  # noqa: S608 - a name of our schema
    connection.execute(_REBUILT, (f"{base_of(index)}_text_changes",))


def full_text_problems(connection: Any) -> list[str]:
    """What FTS5's own check finds wrong, also against the rows. As `problems`."""
    return _found(connection, _full_text_checks(connection))


def _found(connection: Any, checks: Iterable[str]) -> list[str]:
    found: list[str] = []
    connection.execute("BEGIN")
    for check in checks:
        try:
            rows = connection.execute(check).fetchall()
            found += [" ".join(map(str, row)) for row in rows if tuple(row) != ("ok",)]
        except sound_driver().Error as error:
            found.append(f"{check}: {error}")
    if connection.in_transaction:  # some errors end it
        connection.execute("ROLLBACK")
    return found


def _full_text_checks(connection: Any) -> list[str]:
    try:
        return [FULL_TEXT_CHECK.format(table=name) for (name,) in connection.execute(FULL_TEXT_TABLES)]
    except sound_driver().Error:
        return []  # the first check says why the schema cannot be read


def broken_references(connection: Connection) -> list[str]:
    """The table of each row that refers to what does not exist."""
    return [table for table, *_ in connection.exec_driver_sql("PRAGMA foreign_key_check").all()]


def out_of_step(connection: Connection) -> int:
    """How many rows are in a table and not in a full-text index of it, or the reverse. Reads only, unlike the checks.

    An index of trigrams does not keep the keys of its rows, only how many they are
    (https://sqlite.org/src/file/ext/fts5/fts5_storage.c: the first number of the averages record): that is compared.
    """
    differ = 0
    for (index,) in connection.exec_driver_sql(FULL_TEXT_TABLES).all():
        table = index.rsplit("_", 1)[0]
        if connection.dialect.has_table(connection, f"{index}_docsize"):
            for one, other in ((table, f"{index}_docsize"), (f"{index}_docsize", table)):
                query = f"SELECT count(*) FROM {one} WHERE id NOT IN (SELECT id FROM {other})"  # noqa: S608 - our names
                differ += connection.exec_driver_sql(query).scalar_one()
        else:
            averages = connection.exec_driver_sql(f"SELECT block FROM {index}_data WHERE id = 1").scalar_one()  # noqa: S608
            rows = connection.exec_driver_sql(f"SELECT count(*) FROM {table}").scalar_one()  # noqa: S608
            differ += abs(rows - next(numbers(averages), 0))
    return differ
