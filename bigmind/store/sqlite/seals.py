"""A checksum beside every row: what changed without being written is found, also where no index covers it.

The rows are sealed by temporary triggers of the one connection that writes: one of the schema may call no function
of ours (`trusted_schema`), and a database with them could not be looked into without BigMind.
"""

import struct
from collections.abc import Iterator
from hashlib import blake2b
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine.interfaces import DBAPIConnection

from bigmind.text.phrasing import counted

TABLE = "row_seal"
FUNCTION = "seal_of_row"
PROPERTY = "sealed"
"""Under which schema the rows were sealed: a migration writes without triggers, and may change every row."""

NOT_SEALED = frozenset({TABLE, "embedding_queue"})
"""The queue is gone in a moment."""

# What has one integer for its key keeps it for good: other rows have numbers that VACUUM may change, and all of their
# columns in the index of their key.
_SEALED = """
SELECT tables.name, (SELECT keys.name FROM pragma_table_info(tables.name) AS keys WHERE keys.pk)
FROM pragma_table_list AS tables
WHERE tables.schema = 'main' AND tables.type = 'table' AND tables.name NOT LIKE 'sqlite!_%' ESCAPE '!'
AND (SELECT count(*) = 1 AND max(upper(type)) = 'INTEGER' FROM pragma_table_info(tables.name) WHERE pk)
ORDER BY tables.name
"""
_TRIGGER = """
CREATE TEMP TRIGGER seal_{table}_{event} AFTER {event} ON main."{table}" BEGIN
    DELETE FROM row_seal WHERE kind = '{table}' AND row = {before}."{key}";
    {sealing}
END;
"""
_SEAL = """INSERT INTO row_seal (kind, row, seal) SELECT '{table}', "{key}", {seal} FROM "{table}" """
_CHANGED = """
SELECT count(*) FROM (SELECT "{key}" AS row, {seal} AS now FROM "{table}") AS found
JOIN row_seal AS kept ON kept.kind = '{table}' AND kept.row = found.row WHERE kept.seal IS NOT found.now
"""
_LOST = """
SELECT count(*) FROM row_seal WHERE kind = '{table}' AND row NOT IN (SELECT "{key}" FROM "{table}")
"""


def seal_of(*values: object) -> int:
    """A checksum of a row's columns, as SQLite hands them over; the same on every machine and in every version."""
    return int.from_bytes(blake2b(b"".join(map(_told, values)), digest_size=8).digest(), "big", signed=True)


def _told(value: object) -> bytes:
    match value:
        case None:
            return b"n"
        case bytes():
            return b"b%d:%b" % (len(value), value)
        case float():
            return b"f" + struct.pack(">d", value)
        case _:
            return b"i%d;" % value  # pyright: ignore[reportOperatorIssue] - SQLite has no other type


def keep_sealed(engine: Engine) -> None:
    """Seal what the writing engine writes from now on, and what an older schema left; call it after the migrations."""
    with engine.connect() as connection:
        driver_connection: Any = connection.connection.driver_connection
        seal_all(driver_connection, only_if_new=True)
        _watch(driver_connection)
    event.listen(engine.pool, "connect", _on_connect)


def seal_all(connection: Any, *, only_if_new: bool = False) -> None:
    """Seal every row as it is, where there is a table for that; the connection is outside of any transaction.

    Args:
        connection: the driver's, that may write.
        only_if_new: do nothing where it was done under this schema.
    """
    if not _is_there(connection):
        return
    [revision] = connection.execute("SELECT version_num FROM alembic_version").fetchone()
    known = connection.execute("SELECT value FROM store_property WHERE name = ?", (PROPERTY,)).fetchone()
    if only_if_new and known == (revision,):
        return
    _know(connection)
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("DELETE FROM row_seal")
    for table, key, seal in _sealed(connection):
        connection.execute(_SEAL.format(table=table, key=key, seal=seal))
    connection.execute("INSERT OR REPLACE INTO store_property (name, value) VALUES (?, ?)", (PROPERTY, revision))
    connection.execute("COMMIT")


def changed_rows(connection: Any) -> Iterator[tuple[str, str]]:
    """Each table in which a row is not what was written, or is gone, and what that is.

    Rows without a seal are left alone: another program put them there. Raises what the driver raises.
    """
    if not _is_there(connection):
        return
    _know(connection)
    for table, key, seal in _sealed(connection):
        given = {"table": table, "key": key, "seal": seal}
        [changed] = connection.execute(_CHANGED.format(**given)).fetchone()
        [lost] = connection.execute(_LOST.format(**given)).fetchone()
        if changed or lost:
            yield table, f"{counted(changed, 'row is', 'rows are')} not as written, {counted(lost, 'is', 'are')} gone"


def _is_there(connection: Any) -> bool:
    return connection.execute("SELECT 1 FROM main.sqlite_master WHERE name = ?", (TABLE,)).fetchone() is not None


def _sealed(connection: Any) -> list[tuple[str, str, str]]:
    """Each table whose rows are sealed: its name, its key, and the expression of a row's seal.

    Names that are no plain words are not ours, and go into no statement.
    """
    found: list[tuple[str, str, str]] = []
    for table, key in connection.execute(_SEALED).fetchall():
        names = [name for (name,) in connection.execute("SELECT name FROM pragma_table_info(?)", (table,))]
        if table not in NOT_SEALED and all(map(str.isidentifier, (table, *names))):
            found.append((table, key, f"{FUNCTION}({', '.join(map(_as_bytes, names))})"))
    return found


def _as_bytes(name: str) -> str:
    """A column, its text as bytes: what should be text and is not must have a checksum too."""
    return f"""CASE typeof("{name}") WHEN 'text' THEN CAST("{name}" AS BLOB) ELSE "{name}" END"""


def _know(connection: Any) -> None:
    connection.create_function(FUNCTION, -1, seal_of, deterministic=True)


def _watch(connection: Any) -> None:
    _know(connection)
    triggers = "".join(trigger for table in _sealed(connection) for trigger in _triggers(*table))
    connection.executescript(f"BEGIN; {triggers} COMMIT;")  # as a script, none is kept in the driver's cache


def _triggers(table: str, key: str, seal: str) -> Iterator[str]:
    sealing = _SEAL.format(table=table, key=key, seal=seal) + f'WHERE "{key}" = new."{key}";'
    for change, before, then in (("INSERT", "new", sealing), ("UPDATE", "old", sealing), ("DELETE", "old", "")):
        yield _TRIGGER.format(table=table, key=key, event=change, before=before, sealing=then)


def _on_connect(connection: DBAPIConnection, _record: object) -> None:
    _watch(connection)
