"""The course of a protocol run: when each of its gates was refused, forced, passed and made good."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Literal

from bigmind.protocol.document.protocol_record import Phase
from bigmind.protocol.run_rows import run_named, violations_of
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.trust.ledger_counts import LedgerEntry, entry_of, gates_of, ledger_rows
from bigmind.work.tables import WorkLedgerRow

MOST_ROWS = 500
Happening = Literal["passed", "refused", "forced", "made good"]
_MISSED: dict[str, Happening] = {"run_refused": "refused", "run_forced": "forced"}


@dataclass(frozen=True, slots=True)
class CourseMark:
    """What happened to a gate, and when."""

    at: datetime
    phase: Phase
    happening: Happening


@dataclass(frozen=True, slots=True)
class RunCourse:
    """A run, and what happened to its gates, in the order in which it did; `until` is its end, or now."""

    run: ProtocolRun
    until: datetime
    marks: Sequence[CourseMark]


def run_course(work: Work, reference: str) -> RunCourse:
    """The course of one of the caller's runs, by its name or id.

    Raises:
        BigMindError: `not_found`, `ambiguous`.
    """
    run = run_named(work, reference)
    marks: list[CourseMark] = []
    for each in islice(ledger_rows(work, table_of(WorkLedgerRow).c.item_uid == run.uid), MOST_ROWS):
        marks += _marks(entry_of(each))
    for violation in violations_of(work, run):
        if violation.recovered_at is not None:
            marks.append(CourseMark(violation.recovered_at, Phase(violation.phase), "made good"))
    return RunCourse(run, run.ended_at or work.now, sorted(marks, key=lambda each: each.at))


def _marks(entry: LedgerEntry) -> list[CourseMark]:
    if entry.kind not in {"run_moved", "run_forced", "run_refused"}:
        return []
    missed = _MISSED.get(entry.kind)
    known = {each.value for each in Phase}
    return [
        CourseMark(entry.at, Phase(name), happening)
        for name, passed, _ in gates_of(entry)
        if name in known and (happening := "passed" if passed else missed) is not None
    ]
