"""Takes the records of a document into the store: checked and prepared first, then written, all or nothing."""

import logging
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from sqlmodel import Session, func, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Kind
from bigmind.core.progress import Phase, Progress
from bigmind.memory.projects.service import bring_together
from bigmind.portable.any_decider import AnyDecider
from bigmind.portable.bounds import MOST_USERS, check_bounds
from bigmind.portable.brain.lineage_check import THOUGHTS, check_lineage
from bigmind.portable.format.kind_records import sections_of
from bigmind.portable.memory_release import give_back, returning_memory
from bigmind.portable.outcome import WRITTEN, ImportMode, Outcome, Verdict
from bigmind.portable.owners import check_usernames, may_handle_others, other_owners
from bigmind.portable.preparation import accepts, prepare
from bigmind.portable.reader import Numbered, checked, not_an_export
from bigmind.portable.replacement import (
    FoundRows,
    RowComparison,
    clear,
    find_leaving,
    leave_after_it,
    leaving_later,
    removed_rows,
)
from bigmind.portable.samples import sample
from bigmind.portable.staging import StagingDatabase, scratch
from bigmind.portable.verdicts import Decision, ImportContext, SameRows, session_keys
from bigmind.portable.work.work_verdicts import LEDGER, SeenWork, check_work
from bigmind.portable.writing.finishing import finish_import, hand_on, note_imported, taken_back_unless_settled
from bigmind.portable.writing.hidden_rows import KINDS as HIDDEN_KINDS
from bigmind.portable.writing.hidden_rows import note_leaving, overwrite_deleted, put_off_words, settle
from bigmind.portable.writing.hiding import Hiding, circumstances
from bigmind.portable.writing.import_writer import Writer, conflicts_told
from bigmind.store.access import Access
from bigmind.store.work import Work

log = logging.getLogger(__name__)

WRITTEN_AT_ONCE = 100
"""Records that are written in one unit of work, and seen as they are written."""
CHANGED_AT_ONCE = 20
"""Of these, rows that are changed: each takes as long as ten that are new."""
FEW = 50
"""One in so many rows that are changed makes it quicker to overwrite the words of all of them at the end."""

LOOKED_AGAIN_SECONDS = 0.2
"""How soon an import that waits for another one sees that it is to stop."""

FINISHED_LATER = (
    "All of it is imported. What is left to do, as to show all of it, or to overwrite what was removed, is done when "
    "BigMind starts next."
)

OTHERS: dict[str, str] = {"users": Kind.USER, "project_names": Kind.FACT, LEDGER: Kind.WORK_ITEM}
"""What changes with the sections that are of no kind of their own."""


class Source(Protocol):
    """Where records come from."""

    @property
    def name(self) -> str:
        """What a person knows it by."""
        ...

    def records(self, progress: Progress) -> Iterable[Numbered]:
        """Each record with its section and its number there; in any order, for all is read before anything is done.

        `progress` is told how much of the source is read.
        """
        ...


def import_records(access: Access, source: Source, mode: ImportMode, dry_run: bool) -> Outcome:
    """Import what a source holds: all of it, or, when anything is wrong with it, nothing.

    Args:
        access: the caller's way into the store.
        source: the records.
        mode: `merge` keeps what is there, the newer of two winning; `replace` leaves of the caller's own rows those
            alone that the document tells as they are.
        dry_run: only say what would be done.

    What an agent imports says so beside each row, and waits until a person accepts it.

    Raises:
        BigMindError: `forbidden`, when an agent would replace; `invalid_input`, naming the record and the field;
            `storage_full`; `conflict`, when what the document refers to went away meanwhile.
    """
    if mode == "replace" and not access.caller.is_person:
        raise BigMindError(
            Code.FORBIDDEN,
            "Only a person replaces what is remembered.",
            "Import with mode=merge, or ask the user to do it on the Export & import page or with `bigmind`.",
        )
    with returning_memory(), scratch(access.store.home, sections_of(access.store.kinds)) as records:
        _read(access, source, records)
        began = access.now
        with access.read() as work:
            about = circumstances(access, work.session, records, mode)
            check_usernames(records)
            _check_references(work.session, about, records)
            check_lineage(work.session, about, records)
            check_work(work, records)
            # What an agent named may be somebody else's file: only a person is shown what is in it.
            outcome = _plan(access, work, about, records, sampled=dry_run and access.caller.is_person)
        give_back()
        if not dry_run and outcome.changes_anything:
            with _one_at_a_time(access):
                outcome = _written(access, mode, records, outcome, _backup(access), began)
            if any(owner.key != access.caller.user_id for owner in about.owners.values()):
                with access.write() as work:  # nobody writes into what is private to others without a trace
                    work.changed(Kind.STORE, "import", Action.IMPORTED)
        return outcome


@contextmanager
def _one_at_a_time(access: Access) -> Generator[None]:
    """Wait until no other import writes: it would take what this one hides for what a killed process left."""
    lock = access.store.importing
    while not lock.acquire(timeout=LOOKED_AGAIN_SECONDS):
        access.cancellation.check()
        access.progress(0, 0, "Waiting for another import to end")
    try:
        yield
    finally:
        lock.release()


def _read(access: Access, source: Source, records: StagingDatabase) -> None:
    """Take in every record, each one checked by itself."""
    for section, number, content in source.records(access.progress):
        record = checked(records.sections[section], number, content)
        check_bounds(record, number, access.now)
        if section == "users" and number > MOST_USERS:
            raise not_an_export(f"has more than {MOST_USERS:,} users")
        records.add(section, number, record)


def _check_references(session: Session, about: ImportContext, records: StagingDatabase) -> None:
    """Refuse a record of somebody, or of a session, that is neither in the document nor here."""
    for row in records.strangers():
        raise not_an_export(f"is not right: record {row.number} of {row.section} is of a user that it does not hold")
    for row in records.dangling():
        known = {} if about.replaces else session_keys(session, about, [row])
        if row.owner in about.owners and not known:
            raise not_an_export(
                f"is not right: record {row.number} of {row.section} is of a session that is neither in it nor here"
            )


def _plan(access: Access, work: Work, about: ImportContext, records: StagingDatabase, *, sampled: bool) -> Outcome:
    """Decide over every record, and prepare those that would be written; `sampled` keeps some of their words."""
    outcome, same = Outcome(), RowComparison(work.session, about, records)
    phase = Phase(access.progress, "Comparing with what is here", records.count())
    for section in records.sections:
        for decisions in _decided(work, about, records, section, outcome, same):
            for each in decisions:
                if each.verdict in WRITTEN:
                    _prepare(about, records, each, outcome)
                phase.add()
            if sampled:
                sample(outcome, records, about.caller, decisions)
    if about.replaces:
        find_leaving(work.session, about, records)
        outcome.removed = removed_rows(work.session, about, records)
    return outcome


def _prepare(about: ImportContext, records: StagingDatabase, decision: Decision, outcome: Outcome) -> None:
    staged = decision.staged
    ready = prepare(records.record(staged), about.caller)
    if ready.masked:  # which may make a text longer
        checked(type(ready.record), staged.number, ready.record.model_dump())
    records.keep(staged, ready)
    outcome.masked.update(ready.masked)
    outcome.accepted[staged.section] += accepts(about.caller, ready)


def _decided(
    work: Work, about: ImportContext, records: StagingDatabase, section: str, outcome: Outcome, same: SameRows
) -> Iterator[list[Decision]]:
    """Decide over the records of a section, and count; some at a time."""
    decider = AnyDecider(work, about, same, records, SeenWork(nodes=outcome.nodes))
    counts = outcome.verdicts.setdefault(section, Counter())
    for rows in records.batches(section):
        decisions = decider.decide(rows)
        outcome.notes |= dict.fromkeys(each.note for each in decisions if each.note)
        counts.update(each.verdict for each in decisions)
        yield decisions


def _backup(access: Access) -> str:
    """Make a backup that a person can go back to; one before an assistant's import takes no place of a person's."""
    from bigmind.backup.service import backup_now  # noqa: PLC0415 - only before something changes

    reason = "before-import" if access.caller.is_person else "before-import-by-assistant"
    return backup_now(access.store, reason, access.progress).name


def _written(
    access: Access, mode: ImportMode, records: StagingDatabase, plan: Outcome, backup: str, began: datetime
) -> Outcome:
    finish_import(access.store)  # of one that could not be finished, as on a full disk
    outcome = Outcome({section: Counter[Verdict]() for section in records.sections}, backup=backup)
    if mode == "merge" and plan.written <= WRITTEN_AT_ONCE and _changed(plan) <= CHANGED_AT_ONCE:
        with conflicts_told():
            return _write(access, mode, records, plan.written, outcome, None)
    return _write_hidden(access, mode, records, plan, outcome, began)


def _changed(outcome: Outcome) -> int:
    """How many rows are changed."""
    return sum(counts[Verdict.NEWER] for counts in outcome.verdicts.values())


def _write_hidden(
    access: Access, mode: ImportMode, records: StagingDatabase, plan: Outcome, outcome: Outcome, began: datetime
) -> Outcome:
    """Write what is new hidden, and note what changes, in short units; the rest when it is settled; then show all."""
    puts_off = mode == "replace" or _changed(plan) > max(CHANGED_AT_ONCE, _numerous(access) // FEW)
    with conflicts_told(), taken_back_unless_settled(access.store, access.caller.user_id, began) as hidden:
        if puts_off:
            put_off_words(access.store, access.store.kinds)
        if mode == "replace":
            _note_leaving(access, records)
        much = plan.written + sum(plan.removed.values()) - _leaving_later(records)
        phase = Phase(access.progress, "Writing", much)
        hiding = Hiding(access, mode, records, hidden, outcome, phase)
        hiding.write(plan)
        outcome = _write(access, mode, records, plan.written, outcome, hiding)
    _finish(access, records, hiding, outcome, puts_off=puts_off)
    return outcome


def _numerous(access: Access) -> int:
    """How many rows with words are here, of everybody."""
    with access.read() as work:
        return sum(
            work.session.exec(select(func.count()).select_from(each.table)).one() for each in work.kinds.searched
        )


def _finish(access: Access, records: StagingDatabase, hiding: Hiding, outcome: Outcome, *, puts_off: bool) -> None:
    """Show what was settled; what cannot be done now is left to the next start, for the import took place."""
    try:
        counts = {"leaving": _leaving_later(records), "changing": hiding.noted, "adding": hiding.late}
        hand_on(access.store, hiding.rows, hiding.late_import, access.progress, **counts)
        if puts_off:
            overwrite_deleted(access.store, access.progress)
        access.store.measure_tables()
    except Exception:  # whatever it is, as of a full disk: the import took place, and the next start goes on
        log.exception("An import is not finished yet")
        outcome.notes[FINISHED_LATER] = None


def _leaving_later(records: StagingDatabase) -> int:
    """How many rows leave after the switch."""
    return sum(leaving_later(records).values()) if leave_after_it(records) else 0


def _note_leaving(access: Access, records: StagingDatabase) -> None:
    """Note what is to leave after the switch: moments first, for a session leaves without any."""
    if not leave_after_it(records):
        return
    number = 0
    for kind in reversed(HIDDEN_KINDS):
        for some in records.leaving(kind.exported_as, is_later=True):
            access.cancellation.check()
            note_leaving(access.store, number, kind, [uid for _, uid in some])
            number += 1


def _write(
    access: Access,
    mode: ImportMode,
    records: StagingDatabase,
    many: int,
    outcome: Outcome,
    hiding: Hiding | None,
) -> Outcome:
    """Decide again, for others have written meanwhile, and write, all in one transaction; settle what is hidden."""
    with access.write() as work:
        about = circumstances(access, work.session, records, mode)
        about = replace(about, hidden=hiding.rows.places) if hiding else about
        writing = hiding.phase if hiding else Phase(access.progress, "Writing", many)
        if about.replaces and hiding is not None:
            outcome.removed = removed_rows(work.session, about, records)
            clear(work, about, writing, records, hiding.rows)
        writer = Writer(work, about, records)
        for section in records.sections:
            for decisions in _decided(work, about, records, section, outcome, FoundRows(records)):
                to_write = [each for each in decisions if each.verdict in WRITTEN]
                outcome.masked.update(writer.write(to_write))
                writing.add(len(to_write))
            if section == THOUGHTS and hiding is not None:
                writer.links.extend(hiding.links)
            writer.finish()
            if section == "users" and may_handle_others(access.caller):
                about.owners.update(other_owners(work.session, records))
        kinds = OTHERS | {each.exported_as: each.name for each in work.kinds}
        changed = dict.fromkeys(kinds[section] for section in records.sections if outcome.changes(section))
        note_imported(work, changed, writer.shared)
        bring_together(work, about.aliases_of)
        outcome.accepted += writer.accepted
        if hiding is not None:
            settle(work, hiding.rows)
        access.progress(0, 0, "Bringing it to disk")
        access.cancellation.conclude()
    return outcome
