"""A row of the store as an export tells it: of the kinds of which there are many."""

from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam
from sqlmodel import SQLModel, select

from bigmind.memory.tables import Chunk, Fact, FactEvent, Hypothesis, MemorySession, SessionSummary, SessionTopic
from bigmind.portable.format.records import (
    ChunkRecord,
    FactEventRecord,
    FactRecord,
    HypothesisRecord,
    OwnedRecord,
    SessionRecord,
    SummaryRecord,
)
from bigmind.store.tables import table_of


@dataclass(frozen=True, slots=True)
class Person:
    """Whose rows, and under which id they are told; None for the caller's own."""

    key: int
    uid: str | None


class RowRecords:
    """Tells single rows, by their keys, in one transaction."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def session(self, key: int, person: Person) -> SessionRecord:
        """A session, with its topics and its summary."""
        return SessionRecord.model_construct(
            **common(self.row(MemorySession, key), SessionRecord, person, "topics", "summary"),
            topics=self._topics(key),
            summary=self._summary(key),
        )

    def moment(self, key: int, person: Person) -> ChunkRecord:
        """A moment."""
        row = self.row(Chunk, key)
        session = self.session_uid(row["session_id"], person)
        return ChunkRecord.model_construct(**common(row, ChunkRecord, person, "session"), session=session)

    def fact(self, key: int, person: Person) -> FactRecord:
        """A fact, with its history."""
        row = self.row(Fact, key)
        return FactRecord.model_construct(
            **common(row, FactRecord, person, "session", "history"),
            session=self.session_uid(row["session_id"], person),
            history=self._history(key),
        )

    def hypothesis(self, key: int, person: Person) -> HypothesisRecord:
        """A hypothesis."""
        row = self.row(Hypothesis, key)
        session = self.session_uid(row["session_id"], person)
        return HypothesisRecord.model_construct(**common(row, HypothesisRecord, person, "session"), session=session)

    def row(self, model: type[SQLModel], key: int, column: str = "id") -> RowMapping:
        """The one row of that key."""
        return self._connection.execute(selecting(model, column), {"key": key}).mappings().one()

    def session_uid(self, key: int | None, person: Person) -> str | None:
        """The id of a session of that person; of anybody else's, none: it stands in no document of theirs."""
        sessions = table_of(MemorySession)
        query = select(sessions.c.uid).where(sessions.c.id == key, sessions.c.user_id == person.key)
        return None if key is None else self._connection.execute(query).scalar()

    def _topics(self, session: int) -> list[str]:
        rows = table_of(SessionTopic)
        query = select(rows.c.topic).where(rows.c.session_id == session).order_by(rows.c.position, rows.c.topic)
        return list(self._connection.execute(query).scalars())

    def _summary(self, session: int) -> SummaryRecord | None:
        rows = self._connection.execute(selecting(SessionSummary, "session_id"), {"key": session})
        row = rows.mappings().first()
        return None if row is None else SummaryRecord.model_construct(**fields_of(row, SummaryRecord))

    def _history(self, fact: int) -> list[FactEventRecord]:
        events = table_of(FactEvent)
        query = select(*events.c).where(events.c.fact_id == fact).order_by(events.c.at, events.c.id)
        return [
            FactEventRecord.model_construct(other=row["other_uid"], **fields_of(row, FactEventRecord, "other"))
            for row in self._connection.execute(query).mappings()
        ]


def common(row: RowMapping, record: type[OwnedRecord], person: Person, *more: str) -> dict[str, Any]:
    """What the records of all kinds of a person's things tell of a row, without the fields named `more`."""
    return {"id": row["uid"], "user": person.uid, **fields_of(row, record, "id", "user", *more)}


def selecting(model: type[SQLModel], column: str) -> Any:
    """The rows of a table whose `column` is `:key`."""
    rows = table_of(model)
    return select(*rows.c).where(rows.c[column] == bindparam("key"))


def fields_of(row: RowMapping, record: Any, *without: str) -> dict[str, Any]:
    """The fields of a record that are columns of the same name."""
    found = {name: row[name] for name in record.model_fields if name not in without}
    return found | {"placement": found["placement"] or None} if "placement" in found else found
