"""What of a large import comes late, and how it is noted in the store until then, for whoever finishes the import."""

import json
import logging
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import Any

from pydantic_core import to_json
from sqlmodel import col, delete, select

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.brain.lineage_check import THOUGHTS
from bigmind.portable.format.kind_records import sections_of
from bigmind.portable.format.work_records import LedgerRecord
from bigmind.portable.outcome import WRITTEN, Outcome, Verdict
from bigmind.portable.owners import Owners, caller_as_owner, users_named
from bigmind.portable.staging import PreparedRecord, StagingDatabase, scratch
from bigmind.portable.verdicts import NUMEROUS, Decision, ImportContext
from bigmind.portable.writing.hidden_rows import PURPOSE
from bigmind.store.store import Store
from bigmind.store.tables import ADDING, StoreProperty, addition_of, table_of
from bigmind.store.work import Work

log = logging.getLogger(__name__)

READ_AT_ONCE = 50
FEW = 20
"""So many records of a section are written when the import is settled: some 50 ms."""
_IN_TIME = frozenset({"users", "profiles", "project_names", *NUMEROUS, LedgerRecord.section})
"""Sections of which nothing is late: others rest on them, or what is new of them is hidden."""


def late_sections(records: StagingDatabase, plan: Outcome) -> list[str]:
    """The sections that are written late: from the first with many such records on, for those behind may rest on it."""
    sections = [each for each in records.sections if each not in _IN_TIME]
    many = [number for number, each in enumerate(sections) if _most_late(plan, each) > FEW]
    return sections[many[0] :] if many else []


def _most_late(plan: Outcome, section: str) -> int:
    verdicts = {Verdict.NEWER} if section == THOUGHTS else WRITTEN
    return sum(plan.verdicts[section][each] for each in verdicts)


def is_late(about: ImportContext, decision: Decision) -> bool:
    """Whether a record of such a section is: no new thought, nor one in whose place a replacing import writes."""
    if decision.staged.section != THOUGHTS:
        return True
    return decision.verdict is Verdict.NEWER and not about.replaces


@dataclass(frozen=True, slots=True)
class LateImport:
    """An import of which some is late: by whom, into what kind of store, whose its records are, and the records."""

    caller: Caller
    mode: Mode
    usernames: Mapping[str | None, str]
    records: StagingDatabase

    def owners(self, work: Work) -> Owners:
        """The users of the document, as users here."""
        known = users_named(work.session, self.usernames.values())
        here = {name: known[username] for name, username in self.usernames.items() if username in known}
        return here | {None: caller_as_owner(work.session, self.caller)}


def note_import(work: Work, late: LateImport) -> None:
    """Note by whom the import is, for whoever finishes it."""
    caller = late.caller
    told = {
        "client": caller.client,
        "is_person": caller.is_person,
        "presence": caller.presence.value,
        "mode": late.mode.value,
        "usernames": [[name, username] for name, username in late.usernames.items() if name is not None],
    }
    work.session.merge(StoreProperty(name=ADDING, value=json.dumps(told)))


def note_record(work: Work, decision: Decision, ready: PreparedRecord) -> bool:
    """Note a record as it is to be stored; whether it could be: nothing is noted twice."""
    staged, name = decision.staged, addition_of(decision.uid)
    if work.session.get(StoreProperty, name) is not None:
        return False
    told = {
        "section": staged.section,
        "number": staged.number,
        "record": ready.record,
        "terms": ready.terms,
        "caution": ready.caution,
        "placed": _placement(work, decision),
    }
    work.session.add(StoreProperty(name=name, value=to_json(told).decode()))
    work.session.flush()
    return True


def forget_note(work: Work, uid: str) -> None:
    """Forget what was noted of a record, which was written."""
    work.session.exec(delete(StoreProperty).where(col(StoreProperty.name) == addition_of(uid)))


def keep_placement(work: Work, records: StagingDatabase, decision: Decision) -> None:
    """Where a person placed a thing otherwise since it was noted, have it stay there."""
    note, staged = work.session.get(StoreProperty, addition_of(decision.uid)), decision.staged
    ready, now = records.prepared(staged), _placement(work, decision)
    if note is None or ready is None or now is None or json.loads(note.value).get("placed") == now:
        return
    records.keep(staged, replace(ready, record=ready.record.model_copy(update={"placement": now})))


def _placement(work: Work, decision: Decision) -> str | None:
    """Where a thing is placed that is here; None where it is not, or things of its kind have no place."""
    kind = next((each for each in work.kinds if each.exported_as == decision.staged.section), None)
    if decision.key is None or kind is None or "placement" not in table_of(kind.table).c:
        return None
    return work.session.exec(select(kind.table.placement).where(kind.keys == decision.key)).one_or_none()


@contextmanager
def noted_before(store: Store, importer: int) -> Generator[LateImport | None]:
    """The late records that an import left whose process ended, in a database of their own; None where it left none."""
    with store.read(NOBODY, PURPOSE) as work:
        note = work.session.get(StoreProperty, ADDING)
        told: dict[str, Any] | None = None if note is None else json.loads(note.value)
        user = work.session.get(User, importer)
    if told is None or user is None:
        yield None
        return
    is_person, presence = told["is_person"], Presence(told["presence"])
    role = Role(user.role)
    caller = Caller(importer, user.username, role, told["client"], 0, is_person=is_person, presence=presence)
    with scratch(store.home, sections_of(store.kinds), sweeps=False) as records:
        for value in _notes(store):
            _take_in_or_drop(records, json.loads(value))
        yield LateImport(caller, Mode(told["mode"]), dict(told["usernames"]), records)


def _notes(store: Store) -> Iterator[str]:
    last = ""
    while True:
        with store.read(NOBODY, PURPOSE) as work:
            name = col(StoreProperty.name)
            query = select(StoreProperty).where(name.startswith(f"{ADDING} "), name > last).order_by(name)
            some = work.session.exec(query.limit(READ_AT_ONCE)).all()
        if not some:
            return
        yield from (each.value for each in some)
        last = some[-1].name


def _take_in_or_drop(records: StagingDatabase, told: dict[str, Any]) -> None:
    """Take a note's record in. One that cannot be read, as of another version, is said in the log, and left out."""
    try:
        _take_in(records, told)
    except (BigMindError, LookupError, ValueError):
        log.exception("What an import brings cannot be read: record %s of %s", told.get("number"), told.get("section"))


def _take_in(records: StagingDatabase, told: dict[str, Any]) -> None:
    section = told["section"]
    record = records.sections[section].model_validate_json(json.dumps(told["record"]))
    records.add(section, told["number"], record)
    staged = records.of_id(section, told["record"]["id"])
    if staged is not None:
        records.keep(staged, PreparedRecord(record, told["terms"], told["caution"]))
        records.put_off([staged])
