"""What an import would do with work items and rows of ledgers; in person more than else (docs/export.md)."""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from sqlmodel import Session, col, select

from bigmind.core.errors import BigMindError
from bigmind.core.ids import short
from bigmind.core.shapes import as_object
from bigmind.flow.hash_chain import FIRST, digest_of, salted
from bigmind.flow.workflow import Process
from bigmind.portable.brain.lineage_check import refuse_closed, some_of
from bigmind.portable.format.node_records import misfit
from bigmind.portable.format.work_records import LedgerRecord, WorkItemRecord, ledger_key
from bigmind.portable.outcome import Verdict
from bigmind.portable.reader import not_an_export
from bigmind.portable.staging import StagedRecord, StagingDatabase
from bigmind.portable.work.work_parts import own_store
from bigmind.store.tables import Forgotten
from bigmind.store.work import Work
from bigmind.work.processes import OF_TASKS_ONLY, SESSION, may_agents_create, process_of
from bigmind.work.rules import LONGEST_SLUG, instructs, is_slug, slug_of
from bigmind.work.tables import WorkForeignLedgerRow, WorkItem, WorkLedgerRow

ITEMS, LEDGER = WorkItemRecord.section, LedgerRecord.section
SECTIONS = frozenset({ITEMS, LEDGER})
WORK_STAYS = "Tasks and nodes that are here stay as they are: they are replaced by an import in BigMind's window alone."
AS_NEW = (
    "Tasks come as new, also those that are complete there. An import of the same file in BigMind's window gives them"
    " their states, as long as they were not touched here."
)
NODES = "Nodes come in as YAML (`bigmind mindspace export`, `import`), or in BigMind's window: here they are left out."


class WorkDecision(NamedTuple):
    """What becomes of a record: the key of the row that has it, and what a person should know of it."""

    verdict: Verdict
    key: int | None = None
    note: str = ""


def process_for(work: Work, record: WorkItemRecord) -> Process | None:
    """The process that an item would stand in: in person the version that it says, else the newest; None without."""
    version = record.version if work.caller.presence.is_in_person else None
    try:
        return process_of(work, record.process, version)
    except BigMindError:
        return None


@dataclass(slots=True)
class SeenWork:
    """What was seen of a document's work.

    Attributes:
        nodes: how many of its items are nodes of the mindspace, by what becomes of them.
        slugs: of its new items.
        names: the same, by the ids of the items.
        broken: stores whose ledgers do not hold together.
    """

    nodes: Counter[Verdict] = field(default_factory=Counter["Verdict"])
    slugs: set[str] = field(default_factory=set[str])
    names: dict[str, str] = field(default_factory=dict[str, str])
    broken: set[str] = field(default_factory=set[str])


class WorkDecider:
    """Decides over the work in a document, in one transaction."""

    def __init__(self, work: Work, records: StagingDatabase, seen: SeenWork | None = None) -> None:
        """One that goes on where another one, in the transaction before, has `seen` so much."""
        self._work = work
        self._records = records
        self._in_person = work.caller.presence.is_in_person
        self._seen = seen or SeenWork()

    def decide(self, rows: Sequence[StagedRecord]) -> dict[int, WorkDecision]:
        """What becomes of some records of one section, by their keys."""
        if rows[0].section == ITEMS:
            uids = [each.uid for each in rows]
            query = select(WorkItem).where(col(WorkItem.uid).in_(uids))
            held = {row.uid: row for row in self._work.session.exec(query)}
            gone = set(self._work.session.exec(select(Forgotten.uid).where(col(Forgotten.uid).in_(uids))))
            return {each.key: self._counted(each, held.get(each.uid), is_gone=each.uid in gone) for each in rows}
        if not self._in_person:
            return {each.key: WorkDecision(Verdict.LOGGED) for each in rows}
        records = {each.key: self._records.record(each) for each in rows}
        told = {key: record for key, record in records.items() if isinstance(record, LedgerRecord)}
        held = _rows_here(self._work.session, told.values())
        return {key: self._row(record, is_held=_key(record) in held) for key, record in told.items()}

    def _counted(self, staged: StagedRecord, held: WorkItem | None, *, is_gone: bool) -> WorkDecision:
        record = self._records.record(staged)
        assert isinstance(record, WorkItemRecord)  # noqa: S101 - the section says so
        decision = WorkDecision(Verdict.FORGOTTEN) if is_gone else self._item(record, held)
        if record.node is not None:
            self._seen.nodes[decision.verdict] += 1
        return decision

    def _item(self, record: WorkItemRecord, held: WorkItem | None) -> WorkDecision:
        if held is not None:
            return self._held(record, held)
        process = process_for(self._work, record)
        if process is None:
            return WorkDecision(Verdict.LEFT_OUT, note=_unknown(record))
        if process.name == SESSION or not (self._in_person or may_agents_create(self._work, process)):
            return WorkDecision(Verdict.LEFT_OUT, note=NODES if process.name == OF_TASKS_ONLY else "")
        slug = self._seen.names[record.id] = free_slug(self._work.session, self._seen.slugs, record)
        taken = f"The slug {record.slug[:LONGEST_SLUG]} is another item's here: its item comes as {slug}."
        as_new = "" if self._in_person or record.state in process.begins_in else AS_NEW
        return WorkDecision(Verdict.NEW, note=taken if slug != record.slug and not instructs(record.slug) else as_new)

    def _held(self, record: WorkItemRecord, held: WorkItem) -> WorkDecision:
        """What is here is changed in person alone, and keeps its process.

        What came as new, and was not touched since, is at an earlier revision of the same moment.
        """
        came_as_new = self._in_person and record.revision > held.revision and record.process == held.process
        if record.updated_at == held.updated_at and came_as_new and process_for(self._work, record) is not None:
            return WorkDecision(Verdict.NEWER, held.id)
        if record.updated_at == held.updated_at:
            return WorkDecision(Verdict.UNCHANGED, held.id)
        is_newer = record.updated_at > held.updated_at and record.process == held.process
        if not is_newer or process_for(self._work, record) is None:
            return WorkDecision(Verdict.OLDER, held.id)
        return (
            WorkDecision(Verdict.NEWER, held.id) if self._in_person else WorkDecision(Verdict.KEPT, held.id, WORK_STAYS)
        )

    def _row(self, record: LedgerRecord, *, is_held: bool) -> WorkDecision:
        if is_held:
            return WorkDecision(Verdict.UNCHANGED)
        fault = fault_of(self._records, record)
        if not fault or record.store in self._seen.broken:
            return WorkDecision(Verdict.NEW)
        self._seen.broken.add(record.store)
        told = f"The ledger of the store {short(record.store)} does not hold together at row {record.number}: {fault}."
        return WorkDecision(Verdict.NEW, note=f"{told} It is kept apart, and marked so.")


def _unknown(record: WorkItemRecord) -> str:
    return f"There is no process {record.process} in version {record.version} here: its items are left out."


def _key(record: LedgerRecord) -> str:
    return ledger_key(record.store, record.number, record.digest)


def _rows_here(session: Session, records: Collection[LedgerRecord]) -> set[str]:
    """Which of these rows are of this store's own ledger, or were imported before."""
    numbers, own = sorted({each.number for each in records}), own_store(session.connection())
    mine = select(WorkLedgerRow.number, WorkLedgerRow.digest).where(col(WorkLedgerRow.number).in_(numbers))
    held = {ledger_key(own, number, digest) for number, digest in session.exec(mine)}
    foreign = select(WorkForeignLedgerRow.store, WorkForeignLedgerRow.number, WorkForeignLedgerRow.digest)
    stores = sorted({each.store for each in records})
    within = (col(WorkForeignLedgerRow.store).in_(stores), col(WorkForeignLedgerRow.number).in_(numbers))
    brought = session.exec(foreign.where(*within))
    return held | {ledger_key(*each) for each in brought}


def free_slug(session: Session, taken: set[str], record: WorkItemRecord) -> str:
    """The slug of a new item, with a number behind it where another one has it; `taken` grows by it."""
    is_fit = is_slug(record.slug) and not instructs(record.slug)
    base = record.slug if is_fit else slug_of(record.title) or "item"
    number, slug = 1, base
    while slug in taken or session.exec(select(WorkItem.id).where(WorkItem.slug == slug)).first() is not None:
        number += 1
        slug = f"{base[: LONGEST_SLUG - 8]}-{number}"
    taken.add(slug)
    return slug


def fault_of(records: StagingDatabase, record: LedgerRecord) -> str:
    """Why a row does not hold together with the others of its ledger in the document; empty where it does."""
    try:
        body = as_object(json.loads(record.body))
    except ValueError:
        return "it cannot be read"
    if digest_of(record.number, body, record.before) != record.digest:
        return "it was changed"
    if (body.get("item"), body.get("kind")) != (record.item, record.kind):
        return "it stands under another item, or as another kind, than it says"
    before = ledger_key(record.store, record.number - 1, record.before)
    if record.before != FIRST if record.number == 1 else not records.has_key(LEDGER, before):
        return "the row that it follows is not there"
    hashes: Mapping[str, Any] = as_object(body.get("texts"))
    if any(each.salt and salted(each.text, each.salt) != hashes.get(each.name) for each in record.words):
        return "its words were changed"
    return ""


def check_work(work: Work, records: StagingDatabase) -> None:
    """Refuse items in a state or role that their process does not have, and what depends on nothing, or on itself.

    Raises:
        BigMindError: `invalid_input`, naming the record.
    """
    numbers: dict[str, int] = {}
    graph: dict[str, list[str]] = {}
    elsewhere: dict[str, int] = {}
    for batch in records.batches(ITEMS):
        for staged in batch:
            record = records.record(staged)
            assert isinstance(record, WorkItemRecord)  # noqa: S101 - the section says so
            if work.caller.presence.is_in_person:
                _check_place(work, staged.number, record)
            numbers[staged.uid], graph[staged.uid] = staged.number, record.depends_on
            elsewhere |= {each: staged.number for each in record.depends_on if not records.has(ITEMS, each)}
    for some in some_of(sorted(elsewhere)):
        known = set(work.session.exec(select(WorkItem.uid).where(col(WorkItem.uid).in_(some))))
        known |= set(work.session.exec(select(Forgotten.uid).where(col(Forgotten.uid).in_(some))))
        for missing in (each for each in some if each not in known):
            raise not_linked(elsewhere[missing])
    refuse_closed(graph, numbers, not_linked)


def _check_place(work: Work, number: int, record: WorkItemRecord) -> None:
    process = process_for(work, record)
    if process is None:
        return
    saved = record.saved
    states = [record.state, *([saved.state] if saved else [])]
    roles = [record.role, *([saved.role] if saved else [])]
    if not (process.states.keys() >= {*states} and {*process.roles} >= {*roles}):
        raise not_an_export(
            f"is not right: record {number} of {ITEMS} stands in a state or role that {process.name} does not have"
        )
    if (process.name == OF_TASKS_ONLY) != (record.node is not None):
        raise not_an_export(f"is not right: record {number} of {ITEMS} is a node without its node, or the reverse")
    if record.node is not None and (fault := misfit(record.node, record.state)):
        raise not_an_export(f"is not right: record {number} of {ITEMS} is said to be {record.state}, and {fault}")
    if process.states[record.state].saves != (saved is not None):
        raise not_an_export(f"is not right: record {number} of {ITEMS} does not say rightly what it interrupts")


def not_linked(number: int, *, closes: bool = False) -> BigMindError:
    """The refusal of an item that depends on nothing that is known, or on itself."""
    why = "depends on itself, by way of others" if closes else "depends on an item that is neither in it nor here"
    return not_an_export(f"is not right: record {number} of {ITEMS} {why}")
