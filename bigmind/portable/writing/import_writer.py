"""Writes what an import brings, a bounded number of rows at a time, in one transaction."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any, cast

from sqlalchemy import Table, func, tuple_, update
from sqlalchemy.exc import IntegrityError
from sqlmodel import SQLModel, select

from bigmind.brain.kinds import THOUGHT
from bigmind.brain.tables import Thought
from bigmind.core.errors import BigMindError, Code
from bigmind.core.ids import new_id
from bigmind.core.operation import Mode, Role, Space
from bigmind.memory.kinds import pinned_text_of
from bigmind.memory.projects.names import folded
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
from bigmind.portable.brain.brain_writer import ThoughtWriter, WaitingLink
from bigmind.portable.format.brain_records import ThoughtRecord
from bigmind.portable.format.kind_records import KindRecord, detail_name
from bigmind.portable.format.records import (
    AcceptableRecord,
    ChunkRecord,
    FactRecord,
    HypothesisRecord,
    KnowledgeRecord,
    PlaceableRecord,
    ProfileRecord,
    ProjectNameRecord,
    SessionRecord,
    UserRecord,
)
from bigmind.portable.format.work_records import LedgerRecord, WorkItemRecord
from bigmind.portable.outcome import Verdict
from bigmind.portable.preparation import accepts, prepare, retold_of
from bigmind.portable.staging import PreparedRecord, StagedRecord, StagingDatabase
from bigmind.portable.verdicts import (
    Decision,
    ImportContext,
    derived,
    session_keys,
    user_key,
)
from bigmind.portable.work.work_writer import WorkWriter
from bigmind.portable.writing.replaced_words import replaced_words
from bigmind.portable.writing.row_changes import Rows, Values, WrittenRows
from bigmind.store.driver_statements import insert_row
from bigmind.store.work import Work
from bigmind.work.kinds import ITEM
from bigmind.work.tables import WorkForeignLedgerRow

SessionKeys = dict[tuple[str | None, str], int]


@contextmanager
def conflicts_told() -> Generator[None]:
    """Tell what the database refuses as what it is: for the length of a block that is undone by that."""
    try:
        yield
    except IntegrityError as error:
        raise BigMindError(
            Code.CONFLICT,
            "Two records of the file would be the same one here, or one that is here already; nothing was imported.",
            "Import them in two files, or take one of them out.",
        ) from error


class Writer:
    """Writes the records of one import into the store."""

    def __init__(self, work: Work, about: ImportContext, records: StagingDatabase, rows: Rows | None = None) -> None:
        """One that writes, or what else `rows` does."""
        self._unit = work
        self._session = session = work.session
        self._connection = session.connection()
        self._work = WorkWriter(work, records)
        self._about = about
        self._records = records
        self._rows = rows or WrittenRows(self._connection)
        self._seqs: dict[int, int] = {}
        self._taken: set[tuple[int, int]] = set()
        self._thoughts = ThoughtWriter(session, about, records)
        self.accepted: Counter[str] = Counter()
        self.shared: set[str] = set()  # kinds of what was written and every user may find

    def write(self, decisions: list[Decision]) -> Counter[str]:
        """Write records of one section that are new or newer; what was masked in them."""
        masked: Counter[str] = Counter()
        rows = [each.staged for each in decisions]
        sessions = session_keys(self._session, self._about, rows)
        self._taken = self._taken_seqs(rows, sessions)
        for each in decisions:
            ready = self._records.prepared(each.staged)
            ready = ready or prepare(self._records.record(each.staged), self._about.caller)
            place = (each.staged.owner, each.staged.session or "")
            self._write_one(each, ready, sessions.get(place))
            masked.update(ready.masked)
            self.accepted[each.staged.section] += accepts(self._about.caller, ready)
        self._rows.flush()
        return masked

    def _write_one(self, decision: Decision, ready: PreparedRecord, session: int | None) -> None:
        record = ready.record
        values = self._common(decision, ready) if isinstance(record, AcceptableRecord) else {}
        match record:
            case UserRecord():
                self._write_user(record)
            case ProfileRecord():
                values |= {"pinned_text": pinned_text_of(record.pinned_facts), "terms": ready.terms}
                self._write_profile(decision, values | _fields(record, "role", "preferences", "pinned_facts"))
            case ProjectNameRecord():
                self._write_project_name(decision, record)
            case SessionRecord():
                self._write_session(decision, record, values | {"told": retold_of(record), "terms": ready.terms})
            case ChunkRecord():
                self._write_chunk(decision, record, values | {"terms": ready.terms}, session)
            case FactRecord():
                self._write_fact(decision, record, values | {"session_id": session, "terms": ready.terms})
            case HypothesisRecord():
                values |= {"session_id": session, "terms": ready.terms}
                self._put(Hypothesis, decision, values | _fields(record, *_HYPOTHESIS))
            case KnowledgeRecord():
                self._write_entry(decision, record, values | {"session_id": session, "terms": ready.terms})
            case ThoughtRecord() | KindRecord() | WorkItemRecord() | LedgerRecord():
                self._write_declared(decision, ready, values | {"terms": ready.terms}, session)
            case _:
                raise TypeError(type(record).__name__)

    def _common(self, decision: Decision, ready: PreparedRecord) -> Values:
        """What every row has: its id, its owner, its times; that it was accepted, when a person imports in person."""
        record = cast("AcceptableRecord", ready.record)
        values: Values = {"caution": ready.caution, "accepted_at": None}
        if self._about.caller.presence.is_in_person:
            values["accepted_at"] = record.accepted_at
        if self._about.caller.is_person and isinstance(record, PlaceableRecord):
            values["placement"] = record.placement or ""
        values["user_id"] = self._about.written_under(decision.staged.owner)
        if not isinstance(record, ProfileRecord):
            values["uid"] = decision.uid
            values |= _fields(record, *(name for name in ("project", "client") if hasattr(record, name)))
        return values | _fields(record, *(name for name in ("created_at", "updated_at") if hasattr(record, name)))

    def _write_user(self, record: UserRecord) -> None:
        """A member, whatever the document says: nobody gets rights by an import, nor is told of unasked."""
        taken = self._session.exec(select(User.id).where(User.uid == record.id)).first()
        values = _fields(record, "username", "display_name", "created_at", "last_seen_at")
        uid = record.id if taken is None else new_id()
        self._rows.insert(User, values | {"uid": uid, "role": Role.MEMBER.value, "directory": "off"})

    def _write_profile(self, decision: Decision, values: Values) -> None:
        if decision.verdict is Verdict.NEW:
            self._rows.insert(Profile, values)
        else:
            profiles = _table(Profile)
            self._connection.execute(update(profiles).where(profiles.c.user_id == decision.key).values(values))

    def _write_project_name(self, decision: Decision, record: ProjectNameRecord) -> None:
        owner, told = self._about.owners[decision.staged.owner].key or 0, folded(record.name)
        alias = ProjectAlias(user_id=owner, folded=told, name=record.name, project=record.project, at=record.updated_at)
        # Two names may be one when they are masked.
        self._session.merge(alias)
        self._session.flush()

    def _put(self, table: type[SQLModel], decision: Decision, values: Values) -> None:
        """A row of its own, collected when it is new, changed at once when it is there."""
        if decision.key is None:
            self._rows.insert(table, values)
        else:
            self._rows.update(table, decision.key, values)

    def _key(self, table: type[SQLModel], decision: Decision, values: Values) -> int:
        """As `_put`, at once, for what others refer to: the row's key."""
        if decision.key is not None:
            self._put(table, decision, values)
            return decision.key
        try:
            return insert_row(self._session, table, values)
        except self._connection.dialect.loaded_dbapi.IntegrityError as error:  # as of the other statements
            raise IntegrityError(None, None, error) from error

    def _write_session(self, decision: Decision, record: SessionRecord, values: Values) -> None:
        values |= _fields(record, "started_at", "ended_at", "one_liner", "outcome", "importance")
        key = self._key(MemorySession, decision, values | {"has_detail": record.summary is not None})
        for table in (SessionTopic, SessionSummary) if decision.key is not None else ():
            self._rows.clear(table, "session_id", key)
        for position, topic in enumerate(dict.fromkeys(record.topics)):
            self._rows.insert(SessionTopic, {"session_id": key, "topic": topic, "position": position})
        if record.summary is not None:
            detail = _fields(record.summary, "summary", "key_facts", "code_refs", "created_at")
            self._rows.insert(SessionSummary, detail | {"session_id": key})

    def _write_chunk(self, decision: Decision, record: ChunkRecord, values: Values, session: int | None) -> None:
        if session is None:
            raise BigMindError(
                Code.CONFLICT,
                f"The session of record {decision.staged.number} of chunks went away meanwhile; nothing was imported.",
                "Try again.",
            )
        values |= _fields(record, "role", "content", "flag_reason")
        self._rows.insert(Chunk, values | {"session_id": session, "seq": self._free_seq(session, record)})

    def _write_declared(self, decision: Decision, ready: PreparedRecord, values: Values, session: int | None) -> None:
        match ready.record:
            case ThoughtRecord() as record:
                self._write_thought(decision, record, values)
            case WorkItemRecord():
                self._work.write_item(decision, ready)
                self.shared.add(ITEM.name)
            case LedgerRecord() as record:
                self._rows.insert(WorkForeignLedgerRow, self._work.ledger_row(record, hides=self._about.hides))
            case KindRecord() as record:
                self._write_thing(decision, record, values, session)
            case record:
                raise TypeError(type(record).__name__)

    def _write_thought(self, decision: Decision, record: ThoughtRecord, values: Values) -> None:
        columns = self._thoughts.columns(decision, record)
        key = self._key(Thought, decision, values | columns)
        self._thoughts.hang(key, decision, record)
        if columns["space"] == Space.SHARED:
            self.shared.add(THOUGHT.name)

    @property
    def links(self) -> list[WaitingLink]:
        """The links of thoughts that wait until all thoughts are there."""
        return self._thoughts.waiting

    def finish_late(self) -> None:
        """The same of records that come late, but for the links of thoughts."""
        self._work.link()

    def finish(self) -> None:
        """Write what waits until a whole section is there."""
        self._thoughts.link()
        self._work.link()

    def _write_thing(self, decision: Decision, record: KindRecord, values: Values, session: int | None) -> None:
        """A row of a kind without a record of its own: its columns stand in the record under their names."""
        kind = record.kind
        if decision.key is not None and kind.ledger_name:
            return  # what stands in the ledger here is changed by no file
        if kind.is_everybodys:
            self.shared.add(kind.name)
        told = set(type(record).model_fields) & set(_table(record.kind.table).columns.keys())
        values |= _fields(record, *(told - {"id", "accepted_at", "placement"}))
        values[record.kind.owner] = values.pop("user_id")
        if "session" in type(record).model_fields:
            values["session_id"] = session
        values |= kind.brought(values) if kind.brought is not None else {}
        if not kind.details:
            self._put(kind.table, decision, values)
            return
        key = self._key(kind.table, decision, values)
        for detail in kind.details:
            self._rows.clear(detail.table, detail.parent, key)
            for each in getattr(record, detail_name(detail)):
                self._rows.insert(detail.table, each.model_dump() | {detail.parent: key})

    def _taken_seqs(self, rows: list[StagedRecord], sessions: SessionKeys) -> set[tuple[int, int]]:
        """Which of the records' numbers other moments of their sessions have."""
        places = [(sessions.get((row.owner, row.session or ""), 0), row.seq) for row in rows if row.seq is not None]
        if not places:
            return set()
        chunks = _table(Chunk)
        query = select(chunks.c.session_id, chunks.c.seq).where(tuple_(chunks.c.session_id, chunks.c.seq).in_(places))
        return {(session, seq) for session, seq in self._connection.execute(query)}

    def crowded(self, rows: list[StagedRecord]) -> frozenset[int]:
        """The keys of those records whose numbers other moments of their sessions have."""
        sessions = session_keys(self._session, self._about, rows)
        taken = self._taken_seqs(rows, sessions)
        return frozenset(
            each.key for each in rows if (sessions.get((each.owner, each.session or ""), 0), each.seq) in taken
        )

    def _free_seq(self, session: int, record: ChunkRecord) -> int:
        """The record's number in its session, or the next one, when another moment of the store has it."""
        if (session, record.seq) not in self._taken:
            return record.seq
        chunks = _table(Chunk)
        stored = self._connection.execute(select(func.max(chunks.c.seq)).where(chunks.c.session_id == session)).scalar()
        last = max(self._seqs.get(session, 0), stored or 0, self._records.last_seq(record.session))
        self._seqs[session] = last + 1
        return last + 1

    def _write_fact(self, decision: Decision, record: FactRecord, values: Values) -> None:
        values |= _fields(record, "category", "text", "confidence", "deprecated_at", "deprecation_reason")
        lost = replaced_words(self._unit, decision, record)
        key = self._key(Fact, decision, values)
        known = self._events(key) if decision.key is not None else set[tuple[Any, ...]]()
        for event in record.history:
            other = self._other(decision, event.other)
            row = _fields(event, "at", "client", "action", "reason", "confidence") | {"other_uid": other}
            if _step(event.at, event.action, event.reason, event.confidence, other) not in known:
                self._rows.insert(FactEvent, row | {"fact_id": key})
        for event in lost:
            self._rows.insert(FactEvent, event)

    def _events(self, key: int) -> set[tuple[Any, ...]]:
        """The history that the store has: it is only ever added to."""
        events = select(FactEvent).where(FactEvent.fact_id == key)
        return {
            _step(each.at, each.action, each.reason, each.confidence, each.other_uid)
            for each in self._session.exec(events)
        }

    def _other(self, decision: Decision, uid: str | None) -> str | None:
        """The fact that a step of a history names, under the id that it has here."""
        if uid is None:
            return None
        owner = self._about.owners[decision.staged.owner]
        holder = self._session.exec(select(Fact.user_id).where(Fact.uid == uid)).first()
        return uid if holder in {None, *self._about.stands_under(decision.staged.owner)} else derived(owner, uid)

    def _write_entry(self, decision: Decision, record: KnowledgeRecord, values: Values) -> None:
        del values["user_id"]
        values |= _fields(record, "category", "title", "content", "importance", "review_notes")
        is_flagged = bool(values["caution"]) and values["accepted_at"] is None
        values |= self._approval(decision, record, is_flagged=is_flagged)
        self._put(Knowledge, decision, values)

    def _approval(self, decision: Decision, record: KnowledgeRecord, *, is_flagged: bool) -> Values:
        """Who promoted and approved an entry: as told by whom we trust in it, else it waits for approval here."""
        importer = self._about.caller.user_id
        if self._about.is_trusted and self._about.mode is Mode.TEAM:
            held = self._same_words(decision, record)
            return _waiting(record, importer) if held is None else _kept(record, held, is_flagged=is_flagged)
        if not self._about.is_trusted:
            return _waiting(record, importer)
        promoted = user_key(self._session, record.promoted_by)
        told = {
            "status": "pending" if is_flagged and record.status == "approved" else record.status,
            "promoted_by_id": importer if promoted is None and record.promoted_by is not None else promoted,
            "approved_by_id": user_key(self._session, record.approved_by),
            "reviewed_at": record.reviewed_at,
        }
        return told if told["status"] == record.status else told | {"approved_by_id": None, "reviewed_at": None}

    def _same_words(self, decision: Decision, record: KnowledgeRecord) -> Knowledge | None:
        """The entry as the store has it, when the document says nothing else in it."""
        held = None if decision.key is None else self._session.get(Knowledge, decision.key)
        return held if held is not None and _fields(held, *_WORDS) == _fields(record, *_WORDS) else None


def _step(*what: Any) -> tuple[Any, ...]:
    """What tells the steps of a fact's history apart; not by whom: who imports it anew says that anew."""
    return what


_HYPOTHESIS = ("text", "confidence", "status", "resolution", "resolved_at")
_WORDS = ("category", "title", "content", "importance", "project")
"""What of an entry is approved in a team."""


def _waiting(record: KnowledgeRecord, importer: int) -> Values:
    """Whoever brings words in is who promotes them, and nobody approved them here."""
    status = "deprecated" if record.status == "deprecated" else "pending"
    return {"status": status, "promoted_by_id": importer, "approved_by_id": None, "reviewed_at": None}


def _kept(record: KnowledgeRecord, held: Knowledge, *, is_flagged: bool) -> Values:
    """The words are those that a team has: they are approved when they were so here."""
    is_approved = held.status == "approved" and not is_flagged
    status = "pending" if record.status == "approved" and not is_approved else record.status
    told: Values = {"status": status, "promoted_by_id": held.promoted_by_id}
    if status == held.status:
        return told | _fields(held, "approved_by_id", "reviewed_at")
    return told | {"approved_by_id": None, "reviewed_at": None}


def _table(model: type[SQLModel]) -> Table:
    return cast("Any", model).__table__


def _fields(record: Any, *names: str) -> Values:
    return {name: getattr(record, name) for name in names}
