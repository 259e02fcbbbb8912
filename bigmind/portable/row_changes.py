"""What an import writes to rows that are there: at once, or noted, and done once it is settled.

To change a row takes as long as to write ten new ones, because the words that it had are overwritten in the indexes. So
what a large import changes is noted beside what it hides, a few rows in a note, and done a note at a time: one of the
two versions is there, and others need not wait long. Who changed a row later than the document did has the last word.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Any, Protocol

from pydantic_core import to_json
from sqlalchemy import Connection, Table, and_, delete, insert, update
from sqlalchemy import select as columns
from sqlmodel import SQLModel, col, select

from bigmind.core.progress import Phase
from bigmind.memory.projects.service import bring_together
from bigmind.memory.tables import Fact, FactEvent, Hypothesis, MemorySession, SessionSummary, SessionTopic
from bigmind.people.service import NOBODY
from bigmind.store.store import Store
from bigmind.store.tables import StoreProperty, table_of
from bigmind.store.types import Moment
from bigmind.store.work import Work

MOST_PENDING = 250_000
"""Characters of rows that are collected before they are sent to the database together."""
CHANGING = "changing"
"""How the names of the notes of what changes begin."""
TOGETHER, CHARACTERS = 20, 20_000
"""Rows in one note, and about how many characters."""
UNIT_SECONDS = 0.05
"""How long a unit of work goes on changing rows; one takes 5 to 20 ms, by the size of the memory."""

Values = dict[str, Any]
_NOT_CHANGED = frozenset({"uid", "user_id"})
_TABLES = {
    table_of(each).name: table_of(each)
    for each in (Fact, FactEvent, Hypothesis, MemorySession, SessionSummary, SessionTopic)
}


class Rows(Protocol):
    """What is done to rows."""

    def update(self, table: type[SQLModel], key: int, values: Values) -> None:
        """Change the row of that key."""
        ...

    def clear(self, table: type[SQLModel], parent: str, key: int) -> None:
        """Delete the rows that hang on that key by the column `parent`."""
        ...

    def insert(self, table: type[SQLModel], values: Values) -> None:
        """Write a new row."""
        ...

    def flush(self) -> None:
        """Send what was collected."""
        ...


@dataclass(slots=True)
class _Collected:
    """Rows of one table, for one statement."""

    rows: list[Values] = field(default_factory=list[Values])
    size: int = 0


class WrittenRows:
    """Does it at once; new rows are collected, a bounded number of characters of them."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._pending: dict[Any, _Collected] = {}

    def update(self, table: type[SQLModel], key: int, values: Values) -> None:
        """Change the row of that key."""
        rows = table_of(table)
        self._connection.execute(update(rows).where(rows.c.id == key).values(values))

    def clear(self, table: type[SQLModel], parent: str, key: int) -> None:
        """Delete the rows that hang on that key by the column `parent`."""
        rows = table_of(table)
        self._connection.execute(delete(rows).where(rows.c[parent] == key))

    def insert(self, table: type[SQLModel], values: Values) -> None:
        """Write a new row, with others."""
        collected = self._pending.setdefault(table, _Collected())
        collected.rows.append(values)
        collected.size += sum(len(each) for each in values.values() if isinstance(each, str))
        if collected.size > MOST_PENDING:
            self.flush()

    def flush(self) -> None:
        """Send what was collected."""
        for table, collected in self._pending.items():
            self._connection.execute(insert(table_of(table)), collected.rows)
        self._pending.clear()


class NotedRows:
    """Notes it: rows of one user's, each first changed, and then what hangs on it."""

    def __init__(self) -> None:
        self._changes: list[Values] = []

    def update(self, table: type[SQLModel], key: int, values: Values) -> None:
        """A change of the row of that key, of the id and the time that stand among the values."""
        told = {name: value for name, value in values.items() if name not in _NOT_CHANGED}
        row = {"table": table_of(table).name, "key": key, "uid": values["uid"]}
        self._changes.append({**row, "values": told, "then": list[Any]()})

    def clear(self, table: type[SQLModel], parent: str, key: int) -> None:
        """What hangs on the row that was changed last goes."""
        del key
        self._changes[-1]["then"].append([table_of(table).name, parent, None])

    def insert(self, table: type[SQLModel], values: Values) -> None:
        """A row that hangs on the one that was changed last."""
        self._changes[-1]["then"].append([table_of(table).name, "", values])

    def flush(self) -> None:
        """All is kept in the end."""

    def keep(self, work: Work, first: int) -> int:
        """Write the notes, from that number on; how many there are."""
        notes = list(self._apart())
        for number, note in enumerate(notes, first):
            name = f"{CHANGING} {number:09}"
            work.session.merge(StoreProperty(name=name, value=f"[{','.join(note)}]"))
        return len(notes)

    def _apart(self) -> Iterator[list[str]]:
        note, size = list[str](), 0
        for each in (to_json(change).decode() for change in self._changes):
            if note and (len(note) == TOGETHER or size + len(each) > CHARACTERS):
                yield note
                note, size = [], 0
            note.append(each)
            size += len(each)
        if note:
            yield note


def make_changes(store: Store, owner: int, purpose: str, phase: Phase) -> None:
    """Do what was noted to a user's rows, a note in each unit of work. `phase` counts the rows."""
    with store.read(NOBODY, purpose) as work:
        noted = select(StoreProperty.name).where(col(StoreProperty.name).startswith(f"{CHANGING} "))
        names: Sequence[str] = work.session.exec(noted.order_by(StoreProperty.name)).all()
    for name in names:
        while done := _make_some(store, owner, purpose, name):
            phase.add(done)
    if names:
        with store.write(NOBODY, purpose) as work:
            bring_together(work, {owner: owner})


def _make_some(store: Store, owner: int, purpose: str, name: str) -> int:
    """Do the first of what a note holds, for a bounded time, and keep the rest; how many rows, 0 when there is none."""
    with store.write(NOBODY, purpose) as work:
        note, until = work.session.get(StoreProperty, name), monotonic() + UNIT_SECONDS
        changes: list[Values] = [] if note is None else json.loads(note.value)
        for done, each in enumerate(changes, 1):
            _make(work, owner, each)
            if monotonic() > until and done < len(changes):
                work.session.merge(StoreProperty(name=name, value=json.dumps(changes[done:])))
                return done
        if note is not None:
            work.session.delete(note)
        return len(changes)


def _make(work: Work, owner: int, change: Values) -> None:
    """Change a row, unless it is gone, or was changed later than the document did."""
    rows, key, connection = _TABLES[change["table"]], int(change["key"]), work.session.connection()
    values = _read(rows, change["values"])
    if values.get("session_id") is not None:  # which may have gone meanwhile
        sessions = table_of(MemorySession)
        is_theirs = and_(sessions.c.id == values["session_id"], sessions.c.user_id == owner)
        values["session_id"] = columns(sessions.c.id).where(is_theirs).scalar_subquery()
    is_meant = and_(rows.c.id == key, rows.c.uid == change["uid"], rows.c.user_id == owner)
    is_older: Any = rows.c.updated_at < values["updated_at"]
    if not connection.execute(update(rows).where(is_meant, is_older).values(values)).rowcount:
        return
    then: list[tuple[str, str, Values]] = change["then"]
    for name, parent, told in then:
        other = _TABLES[name]
        if parent:
            connection.execute(delete(other).where(other.c[parent] == key))
        else:
            connection.execute(insert(other), _read(other, told))


def _read(table: Table, told: Values) -> Values:
    """Values as the columns take them, from JSON."""
    return {
        name: datetime.fromisoformat(value) if value and isinstance(table.c[name].type, Moment) else value
        for name, value in told.items()
    }
