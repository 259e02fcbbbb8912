"""What a replacing import takes away: the caller's own rows that the document tells otherwise or not, and no token."""

from collections.abc import Iterator, Sequence
from typing import Any, cast

from pydantic_core import to_json
from sqlalchemy import delete, func
from sqlmodel import Session, SQLModel, col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.kind import Kind
from bigmind.core.progress import Phase
from bigmind.memory.tables import Chunk, Knowledge, MemorySession, Profile, ProjectAlias, ProjectMove
from bigmind.portable.format.kind_records import owned_kinds
from bigmind.portable.format.records import OwnedRecord, Record
from bigmind.portable.preparation import prepare
from bigmind.portable.row_records import Person, RowRecords
from bigmind.portable.staging import StagedRecord, StagingDatabase
from bigmind.portable.verdicts import NUMEROUS, RESTED_ON, ImportContext, replaces_entry
from bigmind.portable.writing.hidden_rows import HiddenRows, let_go
from bigmind.store.tables import table_of
from bigmind.store.work import Work

AT_ONCE = 200
MOST_WITH_IT = 200
"""Rows that leave with the switch, though they need not: some 100 ms."""

SESSIONS, MOMENTS, FACTS, HYPOTHESES = NUMEROUS


class RowComparison:
    """Compares rows of whoever imports with what the document tells of them, and notes what it found."""

    def __init__(self, session: Session, about: ImportContext, records: StagingDatabase) -> None:
        self._session, self._about, self._records = session, about, records
        rows = RowRecords(session.connection())
        self._tell = {SESSIONS: rows.session, MOMENTS: rows.moment, FACTS: rows.fact, HYPOTHESES: rows.hypothesis}
        self._kinds = owned_kinds(about.kinds)

    def is_same(self, staged: StagedRecord, uid: str, key: int) -> bool:
        """Whether an export would tell of the row what the record would become, and as little was it accepted."""
        if self._records.is_told(staged.section, uid):
            raise BigMindError(
                Code.CONFLICT,
                f"Record {staged.number} of {staged.section}, and one before it, would be the same one here; "
                "nothing was imported.",
                "Import them in two files, or take one of them out.",
            )
        told = self._tell[staged.section](key, Person(self._about.importer.key or 0, None))
        record, caution = self._records.record(staged), self._caution(staged.section, key)
        # To look through a text for secrets and instructions takes ten times as long as to see that it is the same.
        is_same = not caution and self._is_told(told, record, uid)
        if not is_same:
            ready = prepare(record, self._about.caller)
            is_same = caution == ready.caution and self._is_told(told, ready.record, uid)
        self._records.tell(staged.section, uid, is_same=is_same)
        return is_same

    def _is_told(self, told: OwnedRecord, record: Record, uid: str) -> bool:
        """Whether the record would be told so after it was written."""
        changed: dict[str, Any] = {"id": uid, "user": None}
        if not self._about.caller.presence.is_in_person:
            changed["accepted_at"] = None
        return to_json(told) == to_json(record.model_copy(update=changed))

    def _caution(self, section: str, key: int) -> str:
        kind = self._kinds[section]
        return self._session.exec(select(kind.table.caution).where(kind.keys == key)).one()


class FoundRows:
    """What a comparison noted: a row that others changed since, they changed after the import."""

    def __init__(self, records: StagingDatabase) -> None:
        self._records = records

    def is_same(self, staged: StagedRecord, uid: str, key: int) -> bool:
        """Whether the row of that id was what the record tells, under whichever key."""
        del key
        return self._records.stays(staged.section, uid)


def find_leaving(session: Session, about: ImportContext, records: StagingDatabase) -> None:
    """Note which rows of the numerous kinds leave, when all records were compared.

    What the document tells otherwise, and moments that others of its sessions stand between, leave with the switch, for
    what is told comes into their places; a session stays, and is written anew where it is. All else may leave later.
    """
    for section, kind in owned_kinds(about.kinds).items():
        if section not in NUMEROUS:
            continue
        for some in _rows(session, kind, about.caller.user_id):
            kept = _sessions_told(session, records, some) if section == MOMENTS else frozenset[int]()
            for key, uid in some:
                is_told = records.is_told(section, uid)
                if not is_told or (section != SESSIONS and not records.stays(section, uid)):
                    records.let_go(section, key, uid, is_later=not is_told and key not in kept)


def _sessions_told(session: Session, records: StagingDatabase, moments: Sequence[tuple[int, str]]) -> frozenset[int]:
    """Which of the moments are of sessions that the document tells of."""
    query = select(Chunk.id, MemorySession.uid).where(Chunk.session_id == MemorySession.id)
    of_each = session.exec(query.where(col(Chunk.id).in_([key for key, _ in moments])))
    return frozenset(key or 0 for key, uid in of_each if records.is_told(SESSIONS, uid))


def clear(work: Work, about: ImportContext, phase: Phase, records: StagingDatabase, hidden: HiddenRows) -> None:
    """Delete what leaves with the switch; what belongs to a session goes with it. `phase` counts the rows.

    Of what others rest on, a row that the document tells anew stays, and is written anew where it is.
    """
    session, owner = work.session, about.caller.user_id
    for section, kind in reversed(owned_kinds(about.kinds).items()):  # what refers to others goes first
        if section in NUMEROUS:
            for some in records.leaving(section, is_later=False):
                # A key may be another row's by now.
                phase.add(_delete(session, kind.table, "uid", [uid for _, uid in some], owner))
            for some in () if leave_after_it(records) else records.leaving(section, is_later=True):
                let_go(work, kind, hidden, [uid for _, uid in some])
                phase.add(len(some))
            continue
        # SQLite can undo each statement by itself, and keeps in memory what that takes.
        for some in _rows(session, kind, owner):
            stays = {key for key, uid in some if section in RESTED_ON and records.is_of(section, uid, about.mine)}
            _delete(session, kind.table, kind.key, [key for key, _ in some if key not in stays])
            phase.add(len(some))
    _delete(session, ProjectMove, "user_id", [owner])
    of_owner = sum(_delete(session, table, "user_id", [owner]) for table in (Profile, ProjectAlias))
    phase.add(of_owner + _delete(session, Knowledge, "id", _entries(session, about)))


def _rows(session: Session, kind: Kind, owner: int) -> Iterator[Sequence[tuple[int, str]]]:
    """The keys and ids of a user's rows, some at once."""
    query = select(kind.keys, kind.table.uid).where(kind.owners == owner).order_by(kind.keys).limit(AT_ONCE)
    last = 0
    while some := session.exec(query.where(kind.keys > last)).all():
        yield some
        last = some[-1][0]


def _delete(
    session: Session, table: type[SQLModel], column: str, keys: Sequence[int | str | None], owner: int | None = None
) -> int:
    """How many rows there were; with an owner, of theirs alone."""
    rows = table_of(table)
    those = delete(rows).where(rows.c[column].in_(keys))
    return session.connection().execute(those if owner is None else those.where(rows.c.user_id == owner)).rowcount


def removed_rows(session: Session, about: ImportContext, records: StagingDatabase) -> dict[str, int]:
    """How many rows of each section leave, or are written anew where they are; call it after `find_leaving`."""
    owner = about.caller.user_id
    owners = {"profiles": Profile.user_id, "project_names": ProjectAlias.user_id}
    owners |= {section: kind.owners for section, kind in owned_kinds(about.kinds).items() if section not in NUMEROUS}
    counts = {
        section: session.exec(select(func.count()).where(col(column) == owner)).one()
        for section, column in owners.items()
    }
    counts |= {section: records.count_leaving(section, is_later=False) for section in NUMEROUS}
    for section, later in leaving_later(records).items():
        counts[section] += later
    counts[SESSIONS] += records.told_otherwise(SESSIONS)
    return {**counts, "knowledge": len(_entries(session, about))}


def leave_after_it(records: StagingDatabase) -> bool:
    """Whether so many rows leave that others would wait for it long: in short units after the switch, then."""
    return sum(leaving_later(records).values()) > MOST_WITH_IT


def leaving_later(records: StagingDatabase) -> dict[str, int]:
    """How many rows of each section may leave after the switch."""
    return {section: records.count_leaving(section, is_later=True) for section in NUMEROUS}


def _entries(session: Session, about: ImportContext) -> list[int]:
    """The keys of the company knowledge that goes."""
    found = session.exec(select(Knowledge.id, Knowledge.promoted_by_id, Knowledge.status)).all()
    return [cast("int", key) for key, promoter, status in found if replaces_entry(about, promoter, status)]
