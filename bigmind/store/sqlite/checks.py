"""SQLite's and FTS5's own checks of a whole file."""

from typing import Any

CHECKS = ("PRAGMA integrity_check", "PRAGMA foreign_key_check")
# rank = 1 compares the index with the content table, not only with itself.
FULL_TEXT_CHECK = 'INSERT INTO "{table}"("{table}", rank) VALUES (\'integrity-check\', 1)'
FULL_TEXT_TABLES = "SELECT name FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL TABLE%USING fts5%' ORDER BY name"


def problems(connection: Any, fault: type[Exception]) -> list[str]:
    """What the checks find wrong; empty when all is well. Reads the whole file and changes nothing.

    Args:
        connection: the driver's, that may write (FTS5's check is written as an INSERT), outside of any transaction.
        fault: what the driver raises.
    """
    found: list[str] = []
    connection.execute("BEGIN")
    for check in (*CHECKS, *_full_text_checks(connection, fault)):
        try:
            rows = connection.execute(check).fetchall()
            found += [" ".join(map(str, row)) for row in rows if tuple(row) != ("ok",)]
        except fault as error:
            found.append(f"{check}: {error}")
    if connection.in_transaction:  # some errors end it
        connection.execute("ROLLBACK")
    return found


def _full_text_checks(connection: Any, fault: type[Exception]) -> list[str]:
    try:
        return [FULL_TEXT_CHECK.format(table=name) for (name,) in connection.execute(FULL_TEXT_TABLES)]
    except fault:
        return []  # the first check says why the schema cannot be read
