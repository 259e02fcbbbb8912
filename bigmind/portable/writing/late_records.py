"""What a large import writes after it is settled: what cannot be hidden, as company knowledge and work are everybody's.

Before it is settled each such record is noted as it is to be stored, in the store itself. After it, all are written a
few at a time, by the same rules as ever against what is there by then: who changed a row later than the document did
has the last word, and what was forgotten meanwhile does not come. A process that ends in between leaves the notes to
the next start.
"""

import json
import logging
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from time import monotonic
from typing import Any, cast

from pydantic_core import to_json
from sqlalchemy.exc import IntegrityError
from sqlmodel import col, delete, select

from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller, Mode, Presence, Role
from bigmind.core.progress import Phase
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.portable.any_decider import AnyDecider
from bigmind.portable.format.kind_records import sections_of
from bigmind.portable.format.work_records import LedgerRecord, WorkItemRecord
from bigmind.portable.outcome import WRITTEN, Outcome, Verdict
from bigmind.portable.owners import Owners, caller_as_owner, users_named
from bigmind.portable.replacement import FoundRows
from bigmind.portable.staging import PreparedRecord, StagedRecord, StagingDatabase, scratch
from bigmind.portable.verdicts import NUMEROUS, Decision, ImportContext
from bigmind.portable.writing.import_writer import Writer
from bigmind.store.store import Store
from bigmind.store.tables import ADDING, StoreProperty, addition_of
from bigmind.store.work import Work

log = logging.getLogger(__name__)

PURPOSE = "memory_import"

FEW = 20
"""So many records of a section are written when the import is settled: some 50 ms."""
TOGETHER, UNIT_SECONDS = 2, 0.05
"""How many records are written by one statement where they may be, and how long one unit of work goes on."""
_ITEMS, _LEDGER, _THOUGHTS = WorkItemRecord.section, LedgerRecord.section, "thoughts"
_IN_TIME = frozenset({"users", "profiles", "project_names", *NUMEROUS, _LEDGER})
"""Sections of which nothing is late: others rest on them, or what is new of them is hidden."""


def late_sections(records: StagingDatabase, plan: Outcome) -> list[str]:
    """The sections that are written late: from the first with many such records on, for those behind may rest on it."""
    sections = [each for each in records.sections if each not in _IN_TIME]
    many = [number for number, each in enumerate(sections) if _most_late(plan, each) > FEW]
    return sections[many[0] :] if many else []


def _most_late(plan: Outcome, section: str) -> int:
    verdicts = {Verdict.NEWER} if section == _THOUGHTS else WRITTEN
    return sum(plan.verdicts[section][each] for each in verdicts)


def is_late(about: ImportContext, decision: Decision) -> bool:
    """Whether a record of such a section is: no new thought, nor one in whose place a replacing import writes."""
    if decision.staged.section != _THOUGHTS:
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
    }
    work.session.add(StoreProperty(name=name, value=to_json(told).decode()))
    work.session.flush()
    return True


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
    last = f"{ADDING} "
    while True:
        with store.read(NOBODY, PURPOSE) as work:
            query = select(StoreProperty).where(col(StoreProperty.name) > last, col(StoreProperty.name) < f"{ADDING}!")
            some = work.session.exec(query.order_by(StoreProperty.name).limit(TOGETHER)).all()
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
    staged = records.last_added(section)
    records.keep(staged, PreparedRecord(record, told["terms"], told["caution"]))
    records.put_off([staged])


def write_late(store: Store, late: LateImport, phase: Phase) -> tuple[set[str], set[str]]:
    """Write what is late, in short units of work; of which kinds, and of which every user may find some.

    `phase` counts the records.
    """
    names, kinds, shared = {each.exported_as: each.name for each in store.kinds}, set[str](), set[str]()
    for section in late.records.sections:
        groups = _groups(late.records, section)
        left = next(groups, None)
        while left is not None:
            left = _write_some(store, late, left, groups, phase, shared)
            kinds.add(names[section])
    return kinds, shared


def _write_some(
    store: Store,
    late: LateImport,
    group: list[StagedRecord] | None,
    groups: Iterator[list[StagedRecord]],
    phase: Phase,
    shared: set[str],
) -> list[StagedRecord] | None:
    """Write groups for a bounded time, in one unit; the next group, None when it was the last. `shared` grows."""
    until = monotonic() + UNIT_SECONDS
    with store.write(late.caller, PURPOSE) as work:
        about = ImportContext(late.caller, late.mode, late.owners(work), store.kinds, replaces=False)
        while group is not None:
            for uid in _write_or_drop(work, about, late.records, group, shared):
                work.session.exec(delete(StoreProperty).where(col(StoreProperty.name) == addition_of(uid)))
            late.records.done(group)
            phase.add(len(group))
            group = next(groups, None)
            if monotonic() > until:
                break
    return group


def _write_or_drop(
    work: Work, about: ImportContext, records: StagingDatabase, group: list[StagedRecord], shared: set[str]
) -> Iterable[str]:
    """Write a group, or its records one by one where that fails; the ids that they have here.

    What cannot be written, though it was found to be right, is said in the log, and holds nothing up.
    """
    decisions = AnyDecider(work, about, FoundRows(records), records).decide(group)
    try:
        with work.session.begin_nested():
            writer = Writer(work, about, records)
            writer.write([each for each in decisions if each.verdict in WRITTEN])
            writer.finish_late()
        shared |= writer.shared
    except (IntegrityError, BigMindError, LookupError, TypeError, ValueError):
        if len(group) > 1 and group[0].section != _ITEMS:  # of work, each of them rests on the others
            for each in group:
                _write_or_drop(work, about, records, [each], shared)
        else:
            log.exception("What an import brings cannot be written: %s", ", ".join(each.uid for each in group))
    return [each.uid for each in decisions]


def _groups(records: StagingDatabase, section: str) -> Iterator[list[StagedRecord]]:
    """The late records of a section, each group to be written together, what others rest on before those."""
    if section != _ITEMS:
        for rows in records.put_off_of(section):
            for first in range(0, len(rows), TOGETHER):
                yield rows[first : first + TOGETHER]
        return
    items = {each.uid: each for rows in records.put_off_of(section) for each in rows}
    rests_on = {uid: _rests_on(cast("WorkItemRecord", records.record(each))) for uid, each in items.items()}
    for uids in in_order(rests_on):
        yield [items[uid] for uid in uids]


def _rests_on(item: WorkItemRecord) -> set[str]:
    """The items that an item names."""
    node = item.node
    named = [] if node is None else [node.parent, node.interrupts, *(each.source for each in node.inputs)]
    return {*item.depends_on, *(each for each in named if each)}


def in_order(rests_on: Mapping[str, Iterable[str]]) -> Iterator[Sequence[str]]:
    """Groups of ids, each behind those that it rests on; those that rest on one another are one group."""
    group_of = {each: each for each in rests_on}
    while True:
        graph: dict[str, set[str]] = {each: set() for each in group_of.values()}
        for each, others in rests_on.items():
            group = group_of[each]
            graph[group] |= {group_of[other] for other in others if other in group_of} - {group}
        try:
            order = list(TopologicalSorter(graph).static_order())
        except CycleError as error:
            circle = set(error.args[1])
            group_of |= {each: error.args[1][0] for each, group in group_of.items() if group in circle}
            continue
        members: dict[str, list[str]] = {}
        for each, group in group_of.items():
            members.setdefault(group, []).append(each)
        yield from (members[group] for group in order)
        return
