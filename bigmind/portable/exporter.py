"""Writes what a user has as one JSON document, a row at a time, from one snapshot of the store."""

from collections.abc import Iterator
from functools import partial
from itertools import chain
from typing import Any, BinaryIO, cast

from pydantic_core import to_json
from sqlmodel import SQLModel, col, func, or_, select

from bigmind import VERSION as PROGRAM
from bigmind.brain.tables import BrainQuery, Thought
from bigmind.core.kind import Detail, Kind
from bigmind.core.operation import Mode, Role
from bigmind.core.progress import Phase, Progress, nobody_waits
from bigmind.memory.tables import (
    Chunk,
    Fact,
    Hypothesis,
    Knowledge,
    MemorySession,
    Profile,
    ProjectAlias,
)
from bigmind.people.tables import User
from bigmind.portable.brain.brain_parts import question_parts, thought_parts
from bigmind.portable.format.brain_records import QuestionRecord, ThoughtRecord
from bigmind.portable.format.document import header
from bigmind.portable.format.kind_records import detail_name, record_of, sections_of, things, told_columns
from bigmind.portable.format.records import (
    KnowledgeRecord,
    ProfileRecord,
    ProjectNameRecord,
    Record,
    UserRecord,
)
from bigmind.portable.owners import may_handle_others
from bigmind.portable.row_records import Person, RowRecords, common, fields_of, selecting
from bigmind.portable.work.work_parts import ledger_rows, nodes_among, work_items
from bigmind.portable.writing.hidden_rows import nobodys_uids
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.tables import WorkForeignLedgerRow, WorkItem, WorkLedgerRow

KEYS_AT_ONCE = 500
_WORK = (WorkItem, WorkLedgerRow, WorkForeignLedgerRow)


class Exporter:
    """The records of one export. Rows are told in the order of their times, and of their ids where those are equal."""

    def __init__(self, work: Work) -> None:
        self._work = work
        self._connection = work.session.connection()
        self._rows = RowRecords(self._connection)
        self.counts: dict[str, int] = {}
        self.nodes = nodes_among(self._connection)
        self._records = sections_of(work.kinds)
        self._things = things(self._records)
        self._people = [Person(work.caller.user_id, None), *self._others()]

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
            select(func.count()).select_from(table_of(model)).where(table_of(model).c.user_id.in_(keys))
            for model in (Profile, ProjectAlias, MemorySession, Chunk, Fact, Hypothesis, Thought, BrainQuery)
        ] + [select(func.count()).where(each.owners.in_(keys)) for each in self._things]
        entries = select(func.count()).select_from(self._entries().subquery())
        work = [select(func.count()).select_from(table_of(model)) for model in _WORK]
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

    def _others(self) -> list[Person]:
        caller = self._work.caller
        if self._work.mode is not Mode.TEAM or not may_handle_others(caller):
            return []
        nobody = nobodys_uids(self._work.session)
        others = select(User.id, User.uid).where(User.id != caller.user_id, col(User.uid).not_in(nobody))
        others = others.order_by(col(User.username))
        return [Person(cast("int", key), uid) for key, uid in self._work.session.exec(others)]

    def _users(self) -> Iterator[Record]:
        for person in self._people[1:]:
            row = self._rows.row(User, person.key)
            yield UserRecord.model_construct(id=row["uid"], **fields_of(row, UserRecord, "id"))

    def _profiles(self, person: Person) -> Iterator[Record]:
        for row in self._connection.execute(selecting(Profile, "user_id"), {"key": person.key}).mappings():
            yield ProfileRecord.model_construct(user=person.uid, **fields_of(row, ProfileRecord, "user"))

    def _project_names(self, person: Person) -> Iterator[Record]:
        query = selecting(ProjectAlias, "user_id").order_by(ProjectAlias.at, ProjectAlias.folded)
        for row in self._connection.execute(query, {"key": person.key}).mappings():
            yield ProjectNameRecord.model_construct(
                user=person.uid, updated_at=row["at"], **fields_of(row, ProjectNameRecord, "user", "updated_at")
            )

    def _sessions(self, person: Person) -> Iterator[Record]:
        for key in self._keys(MemorySession, person, "started_at"):
            yield self._rows.session(key, person)

    def _chunks(self, person: Person) -> Iterator[Record]:
        for key in self._keys(Chunk, person, "created_at"):
            yield self._rows.moment(key, person)

    def _facts(self, person: Person) -> Iterator[Record]:
        for key in self._keys(Fact, person, "created_at"):
            yield self._rows.fact(key, person)

    def _hypotheses(self, person: Person) -> Iterator[Record]:
        for key in self._keys(Hypothesis, person, "created_at"):
            yield self._rows.hypothesis(key, person)

    def _knowledge(self) -> Iterator[Record]:
        entries = table_of(Knowledge)
        for key in self._streamed(self._entries().order_by(entries.c.created_at, entries.c.uid)):
            row = self._rows.row(Knowledge, key)
            yield KnowledgeRecord.model_construct(
                **fields_of(row, KnowledgeRecord, "user", "id", "session", "promoted_by", "approved_by"),
                id=row["uid"],
                session=self._rows.session_uid(row["session_id"], self._people[0]),
                promoted_by=self._username(row["promoted_by_id"]),
                approved_by=self._username(row["approved_by_id"]),
            )

    def _thoughts(self, person: Person) -> Iterator[Record]:
        for key in self._keys(Thought, person, "created_at"):
            row = self._rows.row(Thought, key)
            hanging = thought_parts(self._connection, key, person.key, [each.key for each in self._people])
            yield ThoughtRecord.model_construct(**common(row, ThoughtRecord, person, *hanging), **hanging)

    def _questions(self, person: Person) -> Iterator[Record]:
        for key in self._keys(BrainQuery, person, "created_at"):
            row = self._rows.row(BrainQuery, key)
            hanging = question_parts(self._connection, key, row["session_id"])
            told = common(row, QuestionRecord, person, "thought", *hanging)
            yield QuestionRecord.model_construct(**told, **hanging, thought=row["thought_uid"])

    def _declared(self, kind: Kind, person: Person) -> Iterator[Record]:
        """Things of a kind that has no record of its own."""
        record = record_of(kind)
        rows = table_of(kind.table)
        query = select(rows.c[kind.key]).where(rows.c[kind.owner] == person.key)
        for key in self._streamed(query.order_by(rows.c[kind.time], rows.c.uid)):
            row = self._rows.row(kind.table, key, kind.key)
            parts: dict[str, Any] = {detail_name(each): self._parts(each, key) for each in kind.details}
            values = common(row, record, person, "session", *parts) | parts
            if "session" in record.model_fields:
                values["session"] = self._rows.session_uid(row["session_id"], person)
            yield record.model_construct(**values)

    def _parts(self, detail: Detail, key: int) -> list[dict[str, Any]]:
        """The rows of a child table of one thing, in their order."""
        rows = table_of(detail.table)
        query = select(*(rows.c[name] for name in told_columns(detail))).where(rows.c[detail.parent] == key)
        return [dict(each) for each in self._connection.execute(query.order_by(rows.c[detail.key])).mappings()]

    def _entries(self) -> Any:
        """What the caller may see: all of it for curators, else what is approved or their own."""
        caller, entries = self._work.caller, table_of(Knowledge)
        query = select(entries.c.id)
        if caller.role.includes(Role.CURATOR):
            return query
        return query.where(or_(entries.c.status == "approved", entries.c.promoted_by_id == caller.user_id))

    def _keys(self, model: type[SQLModel], person: Person, time: str) -> Iterator[int]:
        """The keys of a person's rows, in order: what is sorted are keys and times, never contents."""
        rows = table_of(model)
        query = select(rows.c.id).where(rows.c.user_id == person.key)
        return self._streamed(query.order_by(rows.c[time], rows.c.uid))

    def _streamed(self, query: Any) -> Iterator[int]:
        result = self._connection.execute(query, execution_options={"yield_per": KEYS_AT_ONCE})
        for keys in result.scalars().partitions():
            yield from keys

    def _username(self, key: int | None) -> str | None:
        users = table_of(User)
        return (
            None
            if key is None
            else self._connection.execute(select(users.c.username).where(users.c.id == key)).scalar()
        )
