"""What of a database file cannot be read, or is not as it was written: found by reading all of it, told by table."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.seals import TABLE, changed_rows

CORRUPT, NOT_A_DATABASE, CORRUPT_INDEX = 11, 26, 267
"""Result codes (https://sqlite.org/rescode.html); the last is what FTS5 says of an index that can be made anew."""

MOST_FINDINGS = 50
MOST_TOLD = 4
WHOLE = ""
"""The table of damage that lies in no table."""

_HOLDS = {
    "session": "sessions",
    "session_summary": "summaries of sessions",
    "session_topic": "topics of sessions",
    "chunk": "moments",
    "fact": "facts",
    "fact_event": "the history of facts",
    "hypothesis": "hypotheses",
    "knowledge": "company knowledge",
    "profile": "the profile",
    "conversation": "conversations of clients",
    "project_alias": "names of projects",
    "project_move": "names of projects",
    "user": "users",
    "token": "tokens",
    "change": "the log of changes",
    "forgotten": "what was forgotten",
    "receipt": "receipts of requests",
    "embedding": "search by meaning",
    "embedding_queue": "search by meaning",
    "client_file": "connected clients",
    "client_part": "connected clients",
    "client_state": "connected clients",
    "decision": "decisions about what was learned",
    TABLE: "checksums",
    WHOLE: "the file itself",
}
_INDEXES = ("_fts", "_grams")

_TABLES = """
SELECT name, type FROM pragma_table_list
WHERE schema = 'main' AND type IN ('table', 'shadow') AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY type DESC, name
"""


@dataclass(frozen=True, slots=True)
class Damage:
    """Damage of one table, or of its indexes.

    Attributes:
        table: its name; empty for what belongs to none.
        finding: what the check says, for the log and for experts.
    """

    table: str
    finding: str

    @property
    def holds(self) -> str:
        """What is in the table, in words."""
        for end in _INDEXES:
            if end in self.table:
                of = self.table.partition(end)[0]
                return f"the search index of {_HOLDS.get(of, of)}"
        return _HOLDS.get(self.table, f"the table {self.table}")


def held_in_words(damage: Sequence[Damage]) -> str:
    """What the damaged tables hold, each once; at most a few."""
    told = list(dict.fromkeys(each.holds for each in damage))
    more = [f"{len(told) - MOST_TOLD} more"] if len(told) > MOST_TOLD else []
    return ", ".join(told[:MOST_TOLD] + more)


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
    connection = sound_driver().connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
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
