"""Tells whether a SQLite file is a memory of the older BigMind, and trusts nothing that its schema could compute."""

import os
import stat
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code

NEWEST = 3
TABLES = (
    "users",
    "identity_profile",
    "sessions",
    "session_summaries",
    "conversation_chunks",
    "facts",
    "hypotheses",
    "global_knowledge",
)
REQUIRED = frozenset({"users", "sessions", "facts", "conversation_chunks"})
BESIDE = ("-wal", "-shm", "-journal")

Columns = dict[str, set[str]]


def refused(name: str, why: str) -> BigMindError:
    """The file is not what it should be."""
    return BigMindError(
        Code.INVALID_INPUT,
        f"{name} is not a memory of the older BigMind that can be read: {why}.",
        "Give its memory.db (schema version 1 to 3), or an export of this BigMind. Nothing was changed.",
    )


def check_place(path: Path, checked: os.stat_result | None) -> None:
    """Refuse what SQLite would wait for: it opens the path again by itself, and what lies beside it.

    Args:
        path: the file.
        checked: of the file that was opened for the check, when it was; another one must not have taken its place.

    Raises:
        BigMindError: `invalid_input`.
    """
    for place in (path, *(path.with_name(path.name + ending) for ending in BESIDE)):
        try:
            about = place.stat()
        except OSError:
            if place == path:
                raise refused(path.name, "it cannot be read") from None
            continue
        if not stat.S_ISREG(about.st_mode):
            raise refused(path.name, f"{place.name} is no ordinary file")
        if place == path and checked is not None and not os.path.samestat(about, checked):
            raise refused(path.name, "another file took its place meanwhile")


def columns_of(connection: Any, name: str) -> Columns:
    """The columns of each known table; a view, which could compute for ever, is none.

    Raises:
        BigMindError: `invalid_input`, when a table is missing, or computes what it holds.
    """
    found = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'table'").fetchall()
    columns: Columns = {}
    for table, sql in found:
        if str(sql).upper().startswith("CREATE VIRTUAL"):
            if table in TABLES:
                raise refused(name, f"{table} is no ordinary table")
            continue
        about = connection.execute("SELECT name, hidden FROM pragma_table_xinfo(?)", (table,)).fetchall()
        if any(hidden for _, hidden in about):
            raise refused(name, "a table of it computes its values")
        if table in TABLES:
            columns[table] = {column for column, _ in about}
    if missing := REQUIRED - columns.keys():
        raise refused(name, f"it has no table {min(missing)}")
    return columns


def version_of(connection: Any, name: str, columns: Columns) -> int:
    """The schema's version: what the columns show, unless the file says that it is newer than any of them.

    Raises:
        BigMindError: `invalid_input`, when it is newer, or the file is damaged.
    """
    stated = connection.execute("PRAGMA user_version").fetchone()[0]
    query = "SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'schema_version'"
    if connection.execute(query).fetchone():
        row = connection.execute("SELECT max(version) FROM schema_version").fetchone()
        stated = max(stated, row[0] if row and isinstance(row[0], int) else 0)
    if stated > NEWEST:
        raise refused(name, f"its schema is version {stated}; this BigMind knows 1 to {NEWEST}")
    problems = [row[0] for row in connection.execute("PRAGMA quick_check(1)")]
    if problems != ["ok"]:
        raise refused(name, f"it is damaged: {problems[0]}")
    if "hypotheses" in columns:
        return 3
    return 2 if "deprecated" in columns["facts"] else 1
