"""What a large import writes after it is settled: what cannot be hidden, as company knowledge and work are everybody's.

Before it is settled each such record is noted as it is to be stored, in the store itself. After it, all are written a
few at a time, by the same rules as ever against what is there by then: who changed a row later than the document did
has the last word, and what was forgotten meanwhile does not come. A process that ends in between leaves the notes to
the next start.
"""

import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from time import monotonic
from typing import cast

from sqlalchemy.exc import IntegrityError

from bigmind.core.errors import BigMindError
from bigmind.core.progress import Phase
from bigmind.portable.any_decider import AnyDecider
from bigmind.portable.brain.brain_writer import ThoughtWriter, WaitingLink
from bigmind.portable.brain.lineage_check import THOUGHTS, links_of
from bigmind.portable.format.brain_records import ThoughtRecord
from bigmind.portable.format.work_records import WorkItemRecord
from bigmind.portable.outcome import WRITTEN, Verdict
from bigmind.portable.replacement import FoundRows
from bigmind.portable.staging import StagedRecord, StagingDatabase
from bigmind.portable.verdicts import Decision, ImportContext
from bigmind.portable.work.work_verdicts import ITEMS
from bigmind.portable.writing.hidden_rows import PURPOSE
from bigmind.portable.writing.import_writer import Writer
from bigmind.portable.writing.late_notes import LateImport, forget_note, keep_placement
from bigmind.portable.writing.work_order import in_order
from bigmind.store.store import Store
from bigmind.store.work import Work

log = logging.getLogger(__name__)

TOGETHER, UNIT_SECONDS = 2, 0.05
"""How many records are written by one statement where they may be, and how long one unit of work goes on."""

Group = list[StagedRecord]


@dataclass(slots=True)
class LateWriter:
    """Writes what is late, in short units of work.

    Attributes:
        store: where to.
        late: what.
        phase: counts the records.
        kinds: of whose rows, by their keys, which were written.
        shared: kinds of which every user may find something that was.
    """

    store: Store
    late: LateImport
    phase: Phase
    kinds: defaultdict[int, set[str]] = field(default_factory=lambda: defaultdict(set))
    shared: set[str] = field(default_factory=set[str])

    def write(self) -> None:
        """Write all of it; the links of thoughts behind all of those, for one that changes may lead to another."""
        for section in self.late.records.sections:
            self._each(section, self._write_group)
            if section == THOUGHTS:
                self._each(section, self._link_group)

    def _each(self, section: str, do: "DoGroup") -> None:
        groups = _groups(self.late.records, section)
        left = next(groups, None)
        while left is not None:
            left = self._some(left, groups, do)

    def _some(self, group: Group | None, groups: Iterator[Group], do: "DoGroup") -> Group | None:
        """Do that with groups for a bounded time, in one unit; the next group, None when it was the last."""
        until = monotonic() + UNIT_SECONDS
        with self.store.write(self.late.caller, PURPOSE) as work:
            owners = self.late.owners(work)
            about = ImportContext(self.late.caller, self.late.mode, owners, self.store.kinds, replaces=False)
            while group is not None:
                do(work, about, group)
                group = next(groups, None)
                if monotonic() > until:
                    break
        return group

    def _write_group(self, work: Work, about: ImportContext, group: Group) -> None:
        """Write a group, or its records one by one where that fails.

        What cannot be written, though it was found to be right, is said in the log, and holds nothing up.
        """
        section, decisions = group[0].section, list[Decision]()
        try:
            with work.session.begin_nested():
                decisions = self._write(work, about, group)
        except (IntegrityError, BigMindError, LookupError, TypeError, ValueError):
            if len(group) > 1 and section != ITEMS:  # of work, each of them rests on the others
                for each in group:
                    self._write_group(work, about, [each])
                return
            log.exception("What an import brings cannot be written: %s", ", ".join(each.uid for each in group))
        self.phase.add(len(group))
        if section != THOUGHTS:
            self._done(work, about, group, decisions)

    def _write(self, work: Work, about: ImportContext, group: Group) -> list[Decision]:
        decisions = self._decided(work, about, group)
        to_write = [each for each in decisions if each.verdict in WRITTEN]
        for each in to_write:
            keep_placement(work, self.late.records, each)
        writer = Writer(work, about, self.late.records)
        writer.write(to_write)
        writer.finish_late()
        self.shared |= writer.shared
        return decisions

    def _link_group(self, work: Work, about: ImportContext, group: Group) -> None:
        """Write the links of thoughts, all of which are here now; those of one that was changed since are its own."""
        writer = ThoughtWriter(work.session, about, self.late.records)
        waiting: list[WaitingLink] = []
        decisions = self._decided(work, about, group)
        for each in decisions:
            ready = self.late.records.prepared(each.staged)
            if each.key is not None and each.verdict is Verdict.UNCHANGED and ready is not None:
                record = cast("ThoughtRecord", ready.record)
                waiting += [WaitingLink(each.key, link) for link in links_of(each.staged, record)]
        writer.link_early(waiting)
        self._done(work, about, group, decisions)

    def _decided(self, work: Work, about: ImportContext, group: Group) -> list[Decision]:
        records = self.late.records
        return AnyDecider(work, about, FoundRows(records), records).decide(group)

    def _done(self, work: Work, about: ImportContext, group: Group, decisions: list[Decision]) -> None:
        """Forget what was noted of a group, and remember whose rows were written."""
        names = {each.exported_as: each.name for each in self.store.kinds}
        for each in decisions:
            forget_note(work, each.uid)
        for staged in group:
            owner = about.owners.get(staged.owner, about.importer)
            self.kinds[owner.key or about.caller.user_id].add(names[staged.section])
        self.late.records.done(group)


DoGroup = Callable[[Work, ImportContext, Group], None]


def _groups(records: StagingDatabase, section: str) -> Iterator[Group]:
    """The late records of a section, each group to be written together, what others rest on before those."""
    if section != ITEMS:
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
