"""What an import writes to rows that are there: at once, or noted, and done once it is settled.

To change a row takes as long as to write ten new ones, because the words that it had are overwritten in the indexes. So
what a large import changes is noted beside what it hides, each row in a note that forgetting finds by its id, and done
later, a few rows at a time: one of the two versions is there, and others need not wait long. Who changed a row later
than the document did, or places it meanwhile, has the last word.
"""

import json
import logging
from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from typing import Any, Protocol

from pydantic_core import to_json
from sqlalchemy import Connection, Table, and_, case, delete, insert, update
from sqlalchemy import select as columns
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel, col, select

from bigmind.core.progress import Phase
from bigmind.memory.tables import Fact, FactEvent, Hypothesis, MemorySession, SessionSummary, SessionTopic
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.store.store import Store
from bigmind.store.tables import CHANGING, StoreProperty, change_of, table_of
from bigmind.store.types import Moment
from bigmind.store.work import Work

log = logging.getLogger(__name__)

MOST_PENDING = 250_000
"""Characters of rows that are collected before they are sent to the database together."""
TOGETHER, UNIT_SECONDS = 20, 0.05
"""How many rows are changed in one unit of work at most, and how long it goes on; one takes 5 to 20 ms, by the size of
the memory."""

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
    """Notes it: each row first changed, and then what hangs on it. A note says whose it is, and of which id."""

    def __init__(self, work: Work) -> None:
        self._session = work.session
        self._changes: dict[str, Values] = {}
        self._claimed = set[str]()

    def may_note(self, uid: str) -> bool:
        """Whether the row of that id has no note yet, which nobody else may then make: it cannot have two."""
        is_free = uid not in self._claimed and self._session.get(StoreProperty, change_of(uid)) is None
        self._claimed.add(uid)
        return is_free

    def update(self, table: type[SQLModel], key: int, values: Values) -> None:
        """A change of the row of that key, of the id and the time that stand among the values."""
        told = {name: value for name, value in values.items() if name not in _NOT_CHANGED}
        rows = table_of(table)
        placed = columns(rows.c.placement).where(rows.c.id == key) if "placement" in told else None
        before = None if placed is None else self._session.connection().execute(placed).scalar()
        owner = self._session.get_one(User, values["user_id"]).username
        change = {"owner": owner, "table": rows.name, "key": key, "values": told, "placed": before, "then": list[Any]()}
        self._changes[values["uid"]] = change

    def clear(self, table: type[SQLModel], parent: str, key: int) -> None:
        """What hangs on the row that was changed last goes."""
        del key
        self._last["then"].append([table_of(table).name, parent, {}])

    def insert(self, table: type[SQLModel], values: Values) -> None:
        """A row that hangs on the one that was changed last."""
        self._last["then"].append([table_of(table).name, "", values])

    @property
    def _last(self) -> Values:
        return self._changes[next(reversed(self._changes))]

    def flush(self) -> None:
        """Write the notes."""
        for uid, change in self._changes.items():
            self._session.add(StoreProperty(name=change_of(uid), value=to_json(change).decode()))
        self._session.flush()
        self._changes.clear()


def make_changes(store: Store, importer: int, purpose: str, phase: Phase) -> dict[int, set[str]]:
    """Do what was noted, in short units of work; of whom, and of which kinds, the rows are. `phase` counts them."""
    kinds = defaultdict[int, set[str]](set)
    while done := _make_some(store, importer, purpose):
        for owner, kind in done:
            if owner:
                kinds[owner].add(kind)
        phase.add(len(done))
    return kinds


def _make_some(store: Store, importer: int, purpose: str) -> list[tuple[int, str]]:
    """Do some of what was noted, for a bounded time; whose each row is, and its kind. Nothing when nothing is left."""
    with store.write(NOBODY, purpose) as work:
        noted = select(StoreProperty).where(col(StoreProperty.name).startswith(f"{CHANGING} ")).limit(TOGETHER)
        notes = [(each, json.loads(each.value)) for each in work.session.exec(noted)]
        done, until = list[tuple[int, str]](), monotonic() + UNIT_SECONDS
        for note, change in sorted(notes, key=_key):  # as the indexes of words like it
            owner = _owner(work, change, importer)
            _make_or_drop(work, owner, note, change)
            work.session.delete(note)
            done.append((owner, change["table"]))
            if monotonic() > until:
                break
        return done


def _owner(work: Work, change: Values, importer: int) -> int:
    """Whose row a change is of: an older version notes the importer's alone, and does not say so."""
    username = change.get("owner")
    key = work.session.exec(select(User.id).where(User.username == username)).first() if username else importer
    return key or 0


def _key(noted: tuple[StoreProperty, Values]) -> int:
    return noted[1]["key"]


def _make_or_drop(work: Work, owner: int, note: StoreProperty, change: Values) -> None:
    """Change a row. What cannot be done, though it was found to be right, is said in the log, and holds nothing up."""
    uid = note.name.removeprefix(f"{CHANGING} ")
    try:
        with work.session.begin_nested():
            _make(work, owner, uid, change)
    except (IntegrityError, LookupError, TypeError, ValueError):
        log.exception("What an import changes of %s cannot be changed", uid)


def _make(work: Work, owner: int, uid: str, change: Values) -> None:
    """Change a row, unless it is gone, or was changed later than the document did."""
    rows, key, connection = _TABLES[change["table"]], int(change["key"]), work.session.connection()
    values = _read(rows, change["values"])
    if values.get("session_id") is not None:  # which may have gone meanwhile
        sessions = table_of(MemorySession)
        is_theirs = and_(sessions.c.id == values["session_id"], sessions.c.user_id == owner)
        values["session_id"] = columns(sessions.c.id).where(is_theirs).scalar_subquery()
    if "placement" in values:  # where a person placed it otherwise meanwhile, it stays there
        placed = rows.c.placement
        values["placement"] = case((placed == change["placed"], values["placement"]), else_=placed)
    is_meant = and_(rows.c.id == key, rows.c.uid == uid, rows.c.user_id == owner)
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
