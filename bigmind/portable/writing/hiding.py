"""Writes of a large import what can be written before it is settled: hidden, or noted, in short units of work."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from time import monotonic

from sqlmodel import Session

from bigmind.core.progress import Phase
from bigmind.portable.any_decider import AnyDecider
from bigmind.portable.brain.brain_writer import ThoughtWriter, WaitingLink
from bigmind.portable.format.brain_records import ThoughtRecord
from bigmind.portable.format.records import Record
from bigmind.portable.format.work_records import WorkItemRecord
from bigmind.portable.outcome import WRITTEN, ImportMode, Outcome, Verdict
from bigmind.portable.owners import Owners, caller_as_owner, may_handle_others, other_owners
from bigmind.portable.preparation import accepts, prepare
from bigmind.portable.replacement import FoundRows
from bigmind.portable.staging import StagedRecord, StagingDatabase
from bigmind.portable.verdicts import NUMEROUS, Decision, ImportContext
from bigmind.portable.work.work_verdicts import LEDGER, SeenWork
from bigmind.portable.writing.hidden_rows import SECTIONS, HiddenRows, hide_for
from bigmind.portable.writing.import_writer import Writer
from bigmind.portable.writing.late_checks import check_late
from bigmind.portable.writing.late_notes import FEW, LateImport, is_late, late_sections, note_import, note_record
from bigmind.portable.writing.row_changes import NotedRows
from bigmind.store.access import Access
from bigmind.store.work import Work

UNIT_SECONDS, TOGETHER = 0.05, 3
"""How long a unit of a larger import goes on taking records, so many together."""
LINKED_AT_ONCE = 250
"""Links of thoughts in one unit: some 30 ms."""


def circumstances(access: Access, session: Session, records: StagingDatabase, mode: ImportMode) -> ImportContext:
    """For whom and where an import is made, as it is now."""
    owners: Owners = {None: caller_as_owner(session, access.caller)}
    if may_handle_others(access.caller):
        owners |= other_owners(session, records)
    return ImportContext(access.caller, access.mode, owners, access.store.kinds, replaces=mode == "replace")


@dataclass(slots=True)
class Hiding:
    """Writes what is new under nobody, in units that other writers need not wait long for.

    What changes, and what cannot be hidden, is noted in such units. `noted` and `late` count that, in rows; `links` of
    thoughts wait for others.
    """

    access: Access
    mode: ImportMode
    records: StagingDatabase
    rows: HiddenRows
    outcome: Outcome
    phase: Phase
    noted: int = 0
    late: int = 0
    links: list[WaitingLink] = field(default_factory=list[WaitingLink])
    late_import: LateImport | None = None
    seen: SeenWork = field(init=False)

    def __post_init__(self) -> None:
        """Nodes are counted where all else is."""
        self.seen = SeenWork(nodes=self.outcome.nodes)

    def write(self, plan: Outcome) -> None:
        """Write what can be hidden, and note the rest of which there is much; what was, or is not to be, is done."""
        with self.access.read() as work:
            about = circumstances(self.access, work.session, self.records, self.mode)
        are_many_rows = plan.verdicts[LEDGER][Verdict.NEW] > FEW
        for section in (*SECTIONS, *((LEDGER,) if are_many_rows else ())):
            self._each(about, section, self._write_some)
        self._link(replace(about, hidden=self.rows.places))
        if late := late_sections(self.records, plan):
            self._begin_late(about)
            for section in late:
                self._each(about, section, self._note_some)
            with self.access.read() as work:
                check_late(work, replace(about, hidden=self.rows.places), self.records)

    def _decider(self, work: Work, about: ImportContext) -> AnyDecider:
        return AnyDecider(work, about, FoundRows(self.records), self.records, self.seen)

    def _each(self, about: ImportContext, section: str, do_some: "DoSome") -> None:
        """Do that with all records of a section, in units of work."""
        for rows in self.records.batches(section):
            left = rows
            while left:
                self.access.cancellation.check()
                left = left[do_some(about, section, left) :]

    def _link(self, about: ImportContext) -> None:
        """Write the links between what was written; the others wait on."""
        waiting, self.links = self.links, []
        for first in range(0, len(waiting), LINKED_AT_ONCE):
            self.access.cancellation.check()
            with self.access.write() as work:
                writer = ThoughtWriter(work.session, about, self.records)
                self.links += writer.link_early(waiting[first : first + LINKED_AT_ONCE])

    def _write_some(self, about: ImportContext, section: str, rows: list[StagedRecord]) -> int:
        """Write the first of some records of a section, for a bounded time; how many were looked at."""
        until, looked = monotonic() + UNIT_SECONDS, 0
        with self.access.write() as work:
            decider = self._decider(work, about)
            hidden = replace(about, hidden=self.rows.places, hides=True)
            writer, noted = Writer(work, hidden, self.records), NotedRows(work)
            noting = Writer(work, replace(hidden, hides=False), self.records, noted)
            while looked < len(rows) and monotonic() < until:
                some = rows[looked : looked + TOGETHER]
                crowded = writer.crowded(some) if about.replaces else frozenset[int]()
                decisions = [each for each in decider.decide(some) if self._is_done_here(about, each, crowded, noted)]
                new = [each for each in decisions if each.verdict is Verdict.NEW]
                for owner in dict.fromkeys(each.staged.owner for each in new):
                    hide_for(work, self.rows, about.owners[owner])
                newer = [each for each in decisions if each.verdict is Verdict.NEWER]
                self.outcome.masked.update(writer.write(new) + noting.write(newer))
                self.noted += len(newer)
                self._count(section, decisions)
                self.records.done(each.staged for each in decisions)
                looked += len(some)
            self.outcome.accepted += writer.accepted + noting.accepted
            self.links += writer.links
        return looked

    def _count(self, section: str, decisions: list[Decision]) -> None:
        self.outcome.verdicts.setdefault(section, Counter()).update(each.verdict for each in decisions)
        self.outcome.notes |= dict.fromkeys(each.note for each in decisions if each.note)
        self.phase.add(sum(each.verdict in WRITTEN for each in decisions))

    def _is_done_here(
        self, about: ImportContext, decision: Decision, crowded: frozenset[int], noted: NotedRows
    ) -> bool:
        """Whether it is hidden, noted, or nothing: not what takes the place of another row."""
        if decision.verdict not in WRITTEN:
            return True
        if decision.verdict is Verdict.NEWER:
            is_numerous = decision.staged.section in NUMEROUS
            return is_numerous and not about.replaces and noted.may_note(decision.uid)
        return decision.key is None and decision.staged.key not in crowded

    def _begin_late(self, about: ImportContext) -> None:
        usernames = {name: owner.username for name, owner in about.owners.items()}
        self.late_import = LateImport(self.access.caller, self.access.mode, usernames, self.records)
        with self.access.write() as work:
            note_import(work, self.late_import)

    def _note_some(self, about: ImportContext, section: str, rows: list[StagedRecord]) -> int:
        """Note the first of some records that come late, for a bounded time; how many were looked at."""
        until, looked = monotonic() + UNIT_SECONDS, 0
        with self.access.write() as work:
            decider = self._decider(work, about)
            while looked < len(rows) and monotonic() < until:
                some = rows[looked : looked + TOGETHER]
                decisions = decider.decide(some)
                nothing = [each for each in decisions if each.verdict not in WRITTEN]
                late = [each for each in decisions if each.verdict in WRITTEN and is_late(about, each)]
                noted = [each for each in late if self._note(work, about, each)]
                self.records.done(each.staged for each in nothing)
                self.records.put_off(each.staged for each in noted)
                self.late += len(noted)
                self._count(section, [*nothing, *noted])
                looked += len(some)
        return looked

    def _as_decided(self, work: Work, about: ImportContext, decision: Decision, record: Record) -> Record:
        """A record with what was found of it: the slug that an item gets, and what a thought's links lead to here."""
        staged = decision.staged
        if isinstance(record, WorkItemRecord) and (slug := self.seen.names.get(staged.uid)):
            return record.model_copy(update={"slug": slug})
        if isinstance(record, ThoughtRecord):
            hidden = replace(about, hidden=self.rows.places)
            return ThoughtWriter(work.session, hidden, self.records).with_twins(staged, record)
        return record

    def _note(self, work: Work, about: ImportContext, decision: Decision) -> bool:
        """Note a record; whether it could be."""
        caller, staged = self.access.caller, decision.staged
        ready = self.records.prepared(staged) or prepare(self.records.record(staged), caller)
        ready = replace(ready, record=self._as_decided(work, about, decision, ready.record))
        self.records.keep(staged, ready)
        is_noted = note_record(work, decision, ready)
        if is_noted:
            self.outcome.masked.update(ready.masked)
            self.outcome.accepted[staged.section] += accepts(caller, ready)
        return is_noted


DoSome = Callable[[ImportContext, str, list[StagedRecord]], int]
