"""What of a database file cannot be read, or is not as it was written: found by reading all of it, told by table."""

from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from bigmind.store.condition import WHOLE, Damage
from bigmind.store.sqlite.driver import file_uri, sound_driver
from bigmind.store.sqlite.seals import changed_rows

CORRUPT, NOT_A_DATABASE, CORRUPT_INDEX = 11, 26, 267
"""Result codes (https://sqlite.org/rescode.html); the last is what FTS5 says of an index that can be made anew."""

MOST_FINDINGS = 50
_TABLES = """
SELECT name, type FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY type DESC, name
"""


def is_damage(error: BaseException | None) -> bool:
    """Whether the driver says by its code that the file is damaged. A busy, full or failing disk is not."""
    code = getattr(error, "sqlite_errorcode", None)
    return isinstance(code, int) and code != CORRUPT_INDEX and code & 0xFF in {CORRUPT, NOT_A_DATABASE}


def damage_of(path: Path) -> list[Damage]:
    """Look for damage in the database at `path`, in place; empty when it is whole. Nobody waits for it.

    A full-text index that is only out of step with its rows is none: it can be made anew.

    Raises:
        the driver's error, when the file cannot be read for another reason.
    """
    connection = sound_driver().connect(file_uri(path.absolute(), "mode=ro"), uri=True, isolation_level=None)
    with closing(connection):
        try:
            for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "busy_timeout=5000"):
                connection.execute(f"PRAGMA {pragma}")
            tables = connection.execute(_TABLES).fetchall()
        except sound_driver().DatabaseError as error:
            if not is_damage(error):
                raise
            return [Damage(WHOLE, str(error))]
        return damage_in(connection, tables)


def damage_in(connection: Any, tables: Iterable[tuple[str, str]]) -> list[Damage]:
    """The same, of a connection's database, whose tables have these names and types."""
    tables = list(tables)
    found = [each for name, kind in tables if kind == "table" for each in _unreadable(connection, name)]
    found = found or _changed(connection)
    whole = list(_checked(connection, f"PRAGMA integrity_check({MOST_FINDINGS})"))
    if whole:
        known = {each.table for each in found}
        for name, _ in tables:
            if name not in known:
                found += [
                    Damage(name, each) for each in list(_checked(connection, f'PRAGMA integrity_check("{name}")'))[:1]
                ]
        found = found or [Damage(WHOLE, whole[0])]
    return found


def _unreadable(connection: Any, table: str) -> Iterator[Damage]:
    """Read every row: a text that is none, or a page that is not of this table."""
    try:
        for _ in connection.execute(f'SELECT * FROM "{table}"'):  # noqa: S608 - a name of the schema, quoted
            pass
    except sound_driver().DatabaseError as error:
        if not is_damage(error) and hasattr(error, "sqlite_errorcode"):
            raise
        yield Damage(table, str(error))  # without a code: what should be text is not


def _changed(connection: Any) -> list[Damage]:
    try:
        return [Damage(table, finding) for table, finding in changed_rows(connection)]
    except sound_driver().DatabaseError as error:
        if not is_damage(error):
            raise
        return []  # the checks say where


def _checked(connection: Any, check: str) -> Iterator[str]:
    """What a check finds in the file; what it says of the contents of full-text indexes is left out."""
    try:
        for (row,) in connection.execute(check):
            if row != "ok" and "fts5" not in row.lower():
                yield row
    except sound_driver().DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == CORRUPT_INDEX:
            return
        if not is_damage(error):
            raise
        yield str(error)
