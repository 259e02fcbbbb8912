"""Where an import is prepared: a private database beside the store, so that memory holds one record at a time.

It is deleted at the end whatever happens; what a killed process left is deleted by the next start, or import.
"""

import json
import os
from collections.abc import Collection, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic_core import to_json

from bigmind.core.errors import BigMindError
from bigmind.disk import open_files
from bigmind.memory.projects.names import folded
from bigmind.paths import IMPORTS
from bigmind.portable.format.kind_records import KindRecord, Sections
from bigmind.portable.format.records import OwnedRecord, ProjectNameRecord, Record
from bigmind.portable.format.work_records import LedgerRecord, ledger_key
from bigmind.portable.reader import not_an_export
from bigmind.store.scratch_database import add_row, scratch_database

BATCH = 200

_COLUMNS = "key, section, number, uid, owner, session, seq, updated"

_SCHEMA = """
CREATE TABLE staged(
    key INTEGER PRIMARY KEY, section INTEGER NOT NULL, number INTEGER NOT NULL, uid TEXT NOT NULL, owner TEXT,
    session TEXT, seq INTEGER, updated TEXT NOT NULL, record BLOB NOT NULL, is_done INTEGER NOT NULL DEFAULT 0
);
CREATE UNIQUE INDEX staged_uid ON staged(section, uid);
CREATE UNIQUE INDEX staged_seq ON staged(session, seq) WHERE seq IS NOT NULL;
CREATE INDEX staged_left ON staged(section, key) WHERE NOT is_done;
CREATE TABLE prepared(
    key INTEGER PRIMARY KEY, terms TEXT NOT NULL, caution TEXT NOT NULL, masked TEXT NOT NULL, record BLOB NOT NULL
);
CREATE TABLE told(
    section INTEGER NOT NULL, uid TEXT NOT NULL, is_same INTEGER NOT NULL, PRIMARY KEY (section, uid)
) WITHOUT ROWID;
CREATE TABLE leaving(
    section INTEGER NOT NULL, is_later INTEGER NOT NULL, key INTEGER NOT NULL, uid TEXT NOT NULL,
    PRIMARY KEY (section, is_later, key)
) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class StagedRecord:
    """What is known of a record without reading it."""

    key: int
    section: str
    number: int
    uid: str
    owner: str | None
    session: str | None
    seq: int | None
    updated: datetime


@dataclass(frozen=True, slots=True)
class PreparedRecord:
    """A record as it is stored: secrets masked, with what is derived from its text."""

    record: Record
    terms: str
    caution: str
    masked: dict[str, int] = field(default_factory=dict[str, int])


class StagingDatabase:
    """The records of one import."""

    def __init__(self, connection: Any, sections: Sections) -> None:
        self.sections = sections
        self._order = list(sections)
        self._connection = connection

    def add(self, section: str, number: int, record: Record) -> None:
        """Keep a record.

        Raises:
            BigMindError: `invalid_input`, when its id, or its place in its session, was there before.
        """
        owner = record.user if isinstance(record, OwnedRecord) else None
        uid = getattr(record, "id", None) or f"{_name(record)}:{owner or ''}"
        session, seq = getattr(record, "session", None), getattr(record, "seq", None)
        row = (self._order.index(section), number, uid, owner, session, seq, updated_at(record).isoformat())
        insert = "INSERT INTO staged VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, 0)"
        if not add_row(self._connection, insert, (*row, to_json(record))):
            raise self._twice(section, number, uid, session, seq)

    def _twice(self, section: str, number: int, uid: str, session: str | None, seq: int | None) -> BigMindError:
        order = self._order.index(section)
        first = self._value("SELECT number FROM staged WHERE section = ? AND uid = ?", order, uid)
        if first is not None:
            return not_an_export(f"is not right: records {first} and {number} of {section} have the same id")
        first = self._value("SELECT number FROM staged WHERE session = ? AND seq = ?", session, seq)
        return not_an_export(f"is not right: records {first} and {number} of {section} have the same session and seq")

    def has(self, section: str, uid: str) -> bool:
        """Whether there is a record of that id in a section."""
        query = "SELECT 1 FROM staged WHERE section = ? AND uid = ?"
        return self._value(query, self._order.index(section), uid) is not None

    def of_id(self, section: str, uid: str) -> StagedRecord | None:
        """The record of that id in a section."""
        query = f"SELECT {_COLUMNS} FROM staged WHERE section = ? AND uid = ?"  # noqa: S608 - constants
        row = self._connection.execute(query, (self._order.index(section), uid)).fetchone()
        return None if row is None else self._staged(row)

    def has_key(self, section: str, key: str) -> bool:
        """Whether there is a record without an id, told from others by that key."""
        return self.has(section, f"{key}:")

    def is_of(self, section: str, uid: str, owners: Collection[str | None]) -> bool:
        """Whether there is a record of that id in a section, and it is of one of these users."""
        query = "SELECT owner FROM staged WHERE section = ? AND uid = ?"
        row = self._connection.execute(query, (self._order.index(section), uid)).fetchone()
        return row is not None and row[0] in owners

    def count(self) -> int:
        """How many records there are."""
        return self._value("SELECT count(*) FROM staged")

    def batches(self, section: str) -> Iterator[list[StagedRecord]]:
        """A section's records that are not done, in the order of the file, some at a time, without their contents."""
        return self._batches(section, "NOT is_done")

    def _batches(self, section: str, condition: str) -> Iterator[list[StagedRecord]]:
        after = 0
        left = f"section = ? AND key > ? AND {condition}"
        query = f"SELECT {_COLUMNS} FROM staged WHERE {left} ORDER BY key LIMIT ?"  # noqa: S608 - constants
        while rows := self._connection.execute(query, (self._order.index(section), after, BATCH)).fetchall():
            yield [self._staged(row) for row in rows]
            after = rows[-1][0]

    def done(self, rows: Iterable[StagedRecord]) -> None:
        """Pass these records over from now on."""
        self._connection.executemany("UPDATE staged SET is_done = 1 WHERE key = ?", [(each.key,) for each in rows])

    def put_off(self, rows: Iterable[StagedRecord]) -> None:
        """Pass these records over from now on, but for `put_off_of`."""
        self._connection.executemany("UPDATE staged SET is_done = 2 WHERE key = ?", [(each.key,) for each in rows])

    def put_off_of(self, section: str) -> Iterator[list[StagedRecord]]:
        """A section's records that were put off and are not done, in the order of the file, some at a time."""
        return self._batches(section, "is_done = 2")

    def dangling(self) -> Iterator[StagedRecord]:
        """The records whose session is not in the file."""
        return self._where(
            "session IS NOT NULL AND NOT EXISTS"
            " (SELECT 1 FROM staged WHERE section = ? AND uid = one.session AND owner IS one.owner)",
            self._order.index("sessions"),
        )

    def strangers(self) -> Iterator[StagedRecord]:
        """The records of a user that is not in the file."""
        return self._where(
            "owner IS NOT NULL AND NOT EXISTS (SELECT 1 FROM staged WHERE section = ? AND uid = one.owner)",
            self._order.index("users"),
        )

    def _where(self, condition: str, section: int) -> Iterator[StagedRecord]:
        query = f"SELECT {_COLUMNS} FROM staged AS one WHERE {condition} ORDER BY key"  # noqa: S608 - constants
        for row in self._connection.execute(query, (section,)):
            yield self._staged(row)

    def last_seq(self, session: str) -> int:
        """The highest number of a moment of that session in the file."""
        return self._value("SELECT max(seq) FROM staged WHERE session = ?", session) or 0

    def record(self, staged: StagedRecord) -> Record:
        """A record as it stands in the file."""
        text = self._value("SELECT record FROM staged WHERE key = ?", staged.key)
        return self.sections[staged.section].model_validate_json(text)

    def prepared(self, staged: StagedRecord) -> PreparedRecord | None:
        """A record as it will be stored, when it was prepared."""
        query = "SELECT terms, caution, masked, record FROM prepared WHERE key = ?"
        row = self._connection.execute(query, (staged.key,)).fetchone()
        if row is None:
            return None
        terms, caution, masked, text = row
        return PreparedRecord(
            self.sections[staged.section].model_validate_json(text), terms, caution, json.loads(masked)
        )

    def keep(self, staged: StagedRecord, ready: PreparedRecord) -> None:
        """Keep a record as it will be stored."""
        values = (staged.key, ready.terms, ready.caution, json.dumps(ready.masked), to_json(ready.record))
        self._connection.execute("INSERT OR REPLACE INTO prepared VALUES (?,?,?,?,?)", values)

    def tell(self, section: str, uid: str, *, is_same: bool) -> None:
        """Note that the file tells of a row that is here, the same or otherwise; `uid` is its id here."""
        self._connection.execute("INSERT INTO told VALUES (?, ?, ?)", (self._order.index(section), uid, is_same))

    def is_told(self, section: str, uid: str) -> bool:
        """Whether the file tells of the row of that id here."""
        return self._value("SELECT 1 FROM told WHERE section = ? AND uid = ?", self._order.index(section), uid) == 1

    def stays(self, section: str, uid: str) -> bool:
        """Whether the row of that id here was found to be what the file tells."""
        query = "SELECT is_same FROM told WHERE section = ? AND uid = ?"
        return bool(self._value(query, self._order.index(section), uid))

    def told_otherwise(self, section: str) -> int:
        """How many rows of a section are here, and told otherwise by the file."""
        return self._value("SELECT count(*) FROM told WHERE section = ? AND NOT is_same", self._order.index(section))

    def let_go(self, section: str, key: int, uid: str, *, is_later: bool) -> None:
        """Note a row that leaves: with the switch, or in its own time after it."""
        row = (self._order.index(section), is_later, key, uid)
        self._connection.execute("INSERT INTO leaving VALUES (?, ?, ?, ?)", row)

    def leaving(self, section: str, *, is_later: bool) -> Iterator[list[tuple[int, str]]]:
        """The keys and ids of the rows of a section that leave so, some at a time."""
        last = -1
        query = "SELECT key, uid FROM leaving WHERE section = ? AND is_later = ? AND key > ? ORDER BY key LIMIT ?"
        place = (self._order.index(section), is_later)
        while rows := self._connection.execute(query, (*place, last, BATCH)).fetchall():
            yield rows
            last = rows[-1][0]

    def count_leaving(self, section: str, *, is_later: bool) -> int:
        """How many rows of a section leave so."""
        query = "SELECT count(*) FROM leaving WHERE section = ? AND is_later = ?"
        return self._value(query, self._order.index(section), is_later)

    def _staged(self, row: tuple[Any, ...]) -> StagedRecord:
        section: int = row[1]
        key, _, number, uid, owner, session, seq, updated = row
        return StagedRecord(
            key, self._order[section], number, uid, owner, session, seq, datetime.fromisoformat(updated)
        )

    def _value(self, query: str, *values: object) -> Any:
        row = self._connection.execute(query, values).fetchone()
        return None if row is None else row[0]


def _name(record: Record) -> str:
    """What tells records without ids of one user apart: a user has one profile."""
    if isinstance(record, LedgerRecord):
        return ledger_key(record.store, record.number, record.digest)
    return folded(record.name) if isinstance(record, ProjectNameRecord) else record.section


def updated_at(record: Record) -> datetime:
    """When a record was last changed."""
    if isinstance(record, KindRecord):
        return getattr(record, record.kind.changed or record.kind.time)
    if isinstance(record, LedgerRecord):
        return datetime.min.replace(tzinfo=UTC)  # it never changes
    return getattr(record, "updated_at", None) or getattr(record, "created_at")  # noqa: B009 - one of both is there


@contextmanager
def scratch(home: Path, sections: Sections, *, sweeps: bool = True) -> Generator[StagingDatabase]:
    """An empty scratch database for the records of these sections; gone when the block ends.

    One that `sweeps` deletes first what a killed process left.

    Raises:
        BigMindError: `storage_full`, when the disk does not take what is put into it.
    """
    if sweeps:
        remove_all(home.glob(IMPORTS))
    with scratch_database(home / f".import-{os.urandom(8).hex()}.db", _SCHEMA) as connection:
        yield StagingDatabase(connection, sections)


def remove_all(files: Iterable[Path]) -> None:
    """Delete scratch files; nothing beside them is made."""
    for file in files:
        open_files.remove(file)
