"""Writes what a user has as one JSON document, a row at a time, from one snapshot of the store."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain
from typing import Any, BinaryIO, cast

from pydantic_core import to_json
from sqlalchemy import RowMapping, Table, bindparam
from sqlmodel import SQLModel, col, func, or_, select

from bigmind import VERSION as PROGRAM
from bigmind.brain.tables import BrainQuery, Thought
from bigmind.core.kind import Detail, Kind
from bigmind.core.operation import Mode, Role
from bigmind.core.progress import Phase, Progress, nobody_waits
from bigmind.memory.tables import (
    Chunk,
    Fact,
    FactEvent,
    Hypothesis,
    Knowledge,
    MemorySession,
    Profile,
    ProjectAlias,
    SessionSummary,
    SessionTopic,
)
from bigmind.people.tables import User
from bigmind.portable.brain.brain_parts import question_parts, thought_parts
from bigmind.portable.format.brain_records import QuestionRecord, ThoughtRecord
from bigmind.portable.format.document import header
from bigmind.portable.format.kind_records import detail_name, record_of, sections_of, things, told_columns
from bigmind.portable.format.records import (
    ChunkRecord,
    FactEventRecord,
    FactRecord,
    HypothesisRecord,
    KnowledgeRecord,
    OwnedRecord,
    ProfileRecord,
    ProjectNameRecord,
    Record,
    SessionRecord,
    SummaryRecord,
    UserRecord,
)
from bigmind.portable.hidden_rows import nobodys_uid
from bigmind.portable.owners import may_handle_others
from bigmind.portable.work.work_parts import ledger_rows, work_items
from bigmind.store.work import Work
from bigmind.work.tables import WorkForeignLedgerRow, WorkItem, WorkLedgerRow

KEYS_AT_ONCE = 500
_WORK = (WorkItem, WorkLedgerRow, WorkForeignLedgerRow)


@dataclass(frozen=True, slots=True)
class _Person:
    """Whose rows, and under which id they are told; None for the caller's own."""

    key: int
    uid: str | None


class Exporter:
    """The records of one export. Rows are told in the order of their times, and of their ids where those are equal."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._connection = work.session.connection()
        self.counts: dict[str, int] = {}
        self._records = sections_of(work.kinds)
        self._things = things(self._records)
        self._people = [_Person(work.caller.user_id, None), *self._others()]

    @property
    def has_others(self) -> bool:
        """Whether it holds what belongs to others: only in what an admin, in person, exports of a team."""
        return len(self._people) > 1

    def write(self, file: BinaryIO, progress: Progress = nobody_waits) -> None:
        """Write the whole document, one record a line, so that two exports can be compared."""
        phase = Phase(progress, "Writing the export", self._total())
        file.write(
            b'{\n"header": ' + header(self._work.now, f"BigMind {PROGRAM}").model_dump_json(by_alias=True).encode()
        )
        for section, records in self._sections().items():
            file.write(f',\n"{section}": ['.encode())
            count = 0
            for count, record in enumerate(records, start=1):
                file.write(b"\n" if count == 1 else b",\n")
                file.write(to_json(record))
                phase.add()
            file.write(b"\n]" if count else b"]")
            self.counts[section] = count
        file.write(b"\n}\n")

    def _total(self) -> int:
        """How many records it is going to have."""
        keys = [each.key for each in self._people]
        owned = [
            select(func.count()).select_from(_table(model)).where(_table(model).c.user_id.in_(keys))
            for model in (Profile, ProjectAlias, MemorySession, Chunk, Fact, Hypothesis, Thought, BrainQuery)
        ] + [select(func.count()).where(each.owners.in_(keys)) for each in self._things]
        entries = select(func.count()).select_from(self._entries().subquery())
        work = [select(func.count()).select_from(_table(model)) for model in _WORK]
        return len(keys) - 1 + sum(self._connection.execute(each).scalar() or 0 for each in (*owned, entries, *work))

    def _sections(self) -> dict[str, Iterator[Record]]:
        of_each = {
            "profiles": self._profiles,
            "project_names": self._project_names,
            "sessions": self._sessions,
            "chunks": self._chunks,
            "facts": self._facts,
            "hypotheses": self._hypotheses,
        }
        owned = {section: chain.from_iterable(map(records, self._people)) for section, records in of_each.items()}
        users: dict[str, Iterator[Record]] = {"users": self._users()} if self.has_others else {}
        declared = {
            each.exported_as: chain.from_iterable(map(partial(self._declared, each), self._people))
            for each in self._things
        }
        brain = {"thoughts": self._thoughts, "questions": self._questions}
        told = {section: chain.from_iterable(map(records, self._people)) for section, records in brain.items()}
        work = {"work_items": work_items(self._connection), "work_ledger": ledger_rows(self._connection)}
        return {**users, **owned, "knowledge": self._knowledge(), **told, **work, **declared}

    def _others(self) -> list[_Person]:
        caller = self._work.caller
        if self._work.mode is not Mode.TEAM or not may_handle_others(caller):
            return []
        nobody = nobodys_uid(self._work.session) or ""
        others = select(User.id, User.uid).where(User.id != caller.user_id, User.uid != nobody)
        others = others.order_by(col(User.username))
        return [_Person(cast("int", key), uid) for key, uid in self._work.session.exec(others)]

    def _users(self) -> Iterator[Record]:
        for person in self._people[1:]:
            row = self._row(User, person.key)
            yield UserRecord.model_construct(id=row["uid"], **_fields(row, UserRecord, "id"))

    def _profiles(self, person: _Person) -> Iterator[Record]:
        for row in self._connection.execute(_select(Profile, "user_id"), {"key": person.key}).mappings():
            yield ProfileRecord.model_construct(user=person.uid, **_fields(row, ProfileRecord, "user"))

    def _project_names(self, person: _Person) -> Iterator[Record]:
        query = _select(ProjectAlias, "user_id").order_by(ProjectAlias.at, ProjectAlias.folded)
        for row in self._connection.execute(query, {"key": person.key}).mappings():
            yield ProjectNameRecord.model_construct(
                user=person.uid, updated_at=row["at"], **_fields(row, ProjectNameRecord, "user", "updated_at")
            )

    def _sessions(self, person: _Person) -> Iterator[Record]:
        for key in self._keys(MemorySession, person, "started_at"):
            row = self._row(MemorySession, key)
            yield SessionRecord.model_construct(
                **self._common(row, SessionRecord, person, "topics", "summary"),
                topics=self._topics(key),
                summary=self._summary(key),
            )

    def _topics(self, session: int) -> list[str]:
        rows = _table(SessionTopic)
        query = select(rows.c.topic).where(rows.c.session_id == session).order_by(rows.c.position, rows.c.topic)
        return list(self._connection.execute(query).scalars())

    def _summary(self, session: int) -> SummaryRecord | None:
        row = self._connection.execute(_select(SessionSummary, "session_id"), {"key": session}).mappings().first()
        return None if row is None else SummaryRecord.model_construct(**_fields(row, SummaryRecord))

    def _chunks(self, person: _Person) -> Iterator[Record]:
        for key in self._keys(Chunk, person, "created_at"):
            row = self._row(Chunk, key)
            session = self._session_uid(row["session_id"], person)
            yield ChunkRecord.model_construct(**self._common(row, ChunkRecord, person, "session"), session=session)

    def _facts(self, person: _Person) -> Iterator[Record]:
        for key in self._keys(Fact, person, "created_at"):
            row = self._row(Fact, key)
            yield FactRecord.model_construct(
                **self._common(row, FactRecord, person, "session", "history"),
                session=self._session_uid(row["session_id"], person),
                history=self._history(key),
            )

    def _history(self, fact: int) -> list[FactEventRecord]:
        events = _table(FactEvent)
        query = select(*events.c).where(events.c.fact_id == fact).order_by(events.c.at, events.c.id)
        return [
            FactEventRecord.model_construct(other=row["other_uid"], **_fields(row, FactEventRecord, "other"))
            for row in self._connection.execute(query).mappings()
        ]

    def _hypotheses(self, person: _Person) -> Iterator[Record]:
        for key in self._keys(Hypothesis, person, "created_at"):
            row = self._row(Hypothesis, key)
            session = self._session_uid(row["session_id"], person)
            yield HypothesisRecord.model_construct(
                **self._common(row, HypothesisRecord, person, "session"), session=session
            )

    def _knowledge(self) -> Iterator[Record]:
        entries = _table(Knowledge)
        for key in self._streamed(self._entries().order_by(entries.c.created_at, entries.c.uid)):
            row = self._row(Knowledge, key)
            yield KnowledgeRecord.model_construct(
                **_fields(row, KnowledgeRecord, "user", "id", "session", "promoted_by", "approved_by"),
                id=row["uid"],
                session=self._session_uid(row["session_id"], self._people[0]),
                promoted_by=self._username(row["promoted_by_id"]),
                approved_by=self._username(row["approved_by_id"]),
            )

    def _thoughts(self, person: _Person) -> Iterator[Record]:
        for key in self._keys(Thought, person, "created_at"):
            row = self._row(Thought, key)
            hanging = thought_parts(self._connection, key, person.key, [each.key for each in self._people])
            yield ThoughtRecord.model_construct(**self._common(row, ThoughtRecord, person, *hanging), **hanging)

    def _questions(self, person: _Person) -> Iterator[Record]:
        for key in self._keys(BrainQuery, person, "created_at"):
            row = self._row(BrainQuery, key)
            hanging = question_parts(self._connection, key, row["session_id"])
            common = self._common(row, QuestionRecord, person, "thought", *hanging)
            yield QuestionRecord.model_construct(**common, **hanging, thought=row["thought_uid"])

    def _declared(self, kind: Kind, person: _Person) -> Iterator[Record]:
        """Things of a kind that has no record of its own."""
        record = record_of(kind)
        rows = _table(kind.table)
        query = select(rows.c[kind.key]).where(rows.c[kind.owner] == person.key)
        for key in self._streamed(query.order_by(rows.c[kind.time], rows.c.uid)):
            row = self._row(kind.table, key, kind.key)
            parts: dict[str, Any] = {detail_name(each): self._parts(each, key) for each in kind.details}
            values = self._common(row, record, person, "session", *parts) | parts
            if "session" in record.model_fields:
                values["session"] = self._session_uid(row["session_id"], person)
            yield record.model_construct(**values)

    def _parts(self, detail: Detail, key: int) -> list[dict[str, Any]]:
        """The rows of a child table of one thing, in their order."""
        rows = _table(detail.table)
        query = select(*(rows.c[name] for name in told_columns(detail))).where(rows.c[detail.parent] == key)
        return [dict(each) for each in self._connection.execute(query.order_by(rows.c[detail.key])).mappings()]

    def _entries(self) -> Any:
        """What the caller may see: all of it for curators, else what is approved or their own."""
        caller, entries = self._work.caller, _table(Knowledge)
        query = select(entries.c.id)
        if caller.role.includes(Role.CURATOR):
            return query
        return query.where(or_(entries.c.status == "approved", entries.c.promoted_by_id == caller.user_id))

    def _common(self, row: RowMapping, record: type[OwnedRecord], person: _Person, *more: str) -> dict[str, Any]:
        return {"id": row["uid"], "user": person.uid, **_fields(row, record, "id", "user", *more)}

    def _keys(self, model: type[SQLModel], person: _Person, time: str) -> Iterator[int]:
        """The keys of a person's rows, in order: what is sorted are keys and times, never contents."""
        rows = _table(model)
        query = select(rows.c.id).where(rows.c.user_id == person.key)
        return self._streamed(query.order_by(rows.c[time], rows.c.uid))

    def _streamed(self, query: Any) -> Iterator[int]:
        result = self._connection.execute(query, execution_options={"yield_per": KEYS_AT_ONCE})
        for keys in result.scalars().partitions():
            yield from keys

    def _row(self, model: type[SQLModel], key: int, column: str = "id") -> RowMapping:
        return self._connection.execute(_select(model, column), {"key": key}).mappings().one()

    def _session_uid(self, key: int | None, person: _Person) -> str | None:
        """The id of a session of that person; of anybody else's, none: it stands in no document of theirs."""
        sessions = _table(MemorySession)
        query = select(sessions.c.uid).where(sessions.c.id == key, sessions.c.user_id == person.key)
        return None if key is None else self._connection.execute(query).scalar()

    def _username(self, key: int | None) -> str | None:
        users = _table(User)
        return (
            None
            if key is None
            else self._connection.execute(select(users.c.username).where(users.c.id == key)).scalar()
        )


def _select(model: type[SQLModel], column: str) -> Any:
    rows = _table(model)
    return select(*rows.c).where(rows.c[column] == bindparam("key"))


def _fields(row: RowMapping, record: Any, *without: str) -> dict[str, Any]:
    """The fields of a record that are columns of the same name."""
    found = {name: row[name] for name in record.model_fields if name not in without}
    return found | {"placement": found["placement"] or None} if "placement" in found else found


def _table(model: type[SQLModel]) -> Table:
    return cast("Any", model).__table__
