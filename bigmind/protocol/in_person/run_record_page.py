"""A run with all that a page tells of it: how it went through its gates, what was shown, what is not made good."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.errors import BigMindError
from bigmind.core.shapes import as_object, is_list
from bigmind.flow.workflow import Level
from bigmind.protocol import run_moves, scene
from bigmind.protocol.approvals import protocol_with
from bigmind.protocol.document.protocol_record import Phase, Protocol
from bigmind.protocol.judging.gate_verdicts import Verdict
from bigmind.protocol.run_rows import checks_of, evidence_of, run_named, violations_of
from bigmind.protocol.scene import Outlook
from bigmind.protocol.tables import ProtocolCheck, ProtocolEvidence, ProtocolRun, ProtocolViolation
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import agrees
from bigmind.work.tables import WorkLedgerRow
from bigmind.workspace.tables import Workspace

MOST_ROWS = 200
KINDS = {
    "run_started": "began",
    "run_moved": "moved",
    "run_refused": "was held back from",
    "run_forced": "was forced on",
    "run_ended": "ended",
    "run_noted": "was read from a file",
    "imported": "came with an import",
}


@dataclass(frozen=True, slots=True)
class RunStep:
    """A row of the ledger about a run.

    Attributes:
        kind: of the row.
        told: what happened, in a few words.
        met, unmet: the gates that were looked at.
    """

    number: int
    at: datetime
    kind: str
    told: str
    client: str
    met: Sequence[str]
    unmet: Sequence[str]


@dataclass(frozen=True, slots=True)
class PhaseMark:
    """A gate in the picture of a run: `state` is passed, forced, failed, or ahead; `at` when it was passed."""

    phase: Phase
    state: str
    at: datetime | None


@dataclass(frozen=True, slots=True)
class RunPage:
    """A run, and all that is told of it from the store."""

    row: ProtocolRun
    workspace: str
    protocol: Protocol
    agrees: bool
    is_held_back: bool
    steps: Sequence[RunStep]
    marks: Sequence[PhaseMark]
    evidence: Sequence[ProtocolEvidence]
    violations: Sequence[ProtocolViolation]
    checks: Sequence[ProtocolCheck]


@dataclass(frozen=True, slots=True)
class GatesNow:
    """How the gates of an open run stand, as its workspace lies there now; `fault` is why that cannot be told."""

    verdicts: Mapping[Phase, Verdict]
    fault: str = ""


def run_page(work: Work, reference: str) -> RunPage:
    """A run by its name or id.

    Raises:
        BigMindError: `not_found`; `ambiguous`.
    """
    row = run_named(work, reference)
    protocol = protocol_with(work, row.workspace_id, row.protocol)
    workspace = work.session.get(Workspace, row.workspace_id) if row.workspace_id is not None else None
    steps, violations = _steps(work, row), violations_of(work, row)
    return RunPage(
        row,
        workspace.path if workspace is not None else "",
        protocol,
        row.is_imported or agrees(work, row),
        bool(pending(row)),
        steps,
        _marks(row, protocol, steps, violations),
        evidence_of(work, row),
        violations,
        list(checks_of(work, row)),
    )


def gates_now(work: Work, reference: str) -> Callable[[], GatesNow]:
    """How the gates of a run stand: what is returned looks at its workspace, and needs no store.

    Nothing is told of a run that has ended, or is not there: its page says so.
    """
    try:
        row = run_named(work, reference)
        outlook = run_moves.outlook_of(work, row) if row.ended_at is None else None
    except BigMindError as error:
        fault = str(error)
        return lambda: GatesNow({}, fault)
    return lambda: _look(outlook)


def _look(outlook: Outlook | None) -> GatesNow:
    try:
        return GatesNow(scene.gather(outlook).verdicts if outlook is not None else {})
    except BigMindError as error:
        return GatesNow({}, str(error))


def _steps(work: Work, row: ProtocolRun) -> list[RunStep]:
    found = select(WorkLedgerRow).where(WorkLedgerRow.item_uid == row.uid).order_by(col(WorkLedgerRow.number))
    return [_step(each) for each in work.session.exec(found.limit(MOST_ROWS))]


def _step(row: WorkLedgerRow) -> RunStep:
    body = as_object(json.loads(row.body))
    gates: list[Any] = body["gates"] if is_list(body.get("gates")) else []
    judged = [(str(each[0]), bool(each[1])) for each in gates if is_list(each)]
    held = [str(each) for each in gates if isinstance(each, str)]
    to = "" if row.kind == "run_refused" else "to "
    where = f" {to}{str(body['to']).upper()}" if body.get("to") else ""
    told = f"{KINDS.get(row.kind, row.kind)}{where}"
    if row.kind == "run_ended":
        told = f"ended {body.get('outcome')}"
    return RunStep(
        row.number,
        row.at,
        row.kind,
        told,
        str(body.get("client", "")),
        [name for name, passed in judged if passed],
        [*held, *(name for name, passed in judged if not passed)],
    )


def _marks(
    row: ProtocolRun, protocol: Protocol, steps: Sequence[RunStep], violations: Sequence[ProtocolViolation]
) -> list[PhaseMark]:
    """How each gate stands; at the end of a run all were looked at once more, and what was not met is a violation."""
    is_over = bool(row.outcome) and not row.is_imported
    passed_at = {name: each.at for each in reversed(steps) for name in each.met}
    unmet = {each.phase for each in violations if each.recovered_at is None}
    marks: list[PhaseMark] = []
    for phase in Phase:
        is_passed = phase.value in row.passed or (is_over and protocol.levels[phase] is not Level.MAY)
        state = "failed" if phase.value in unmet else "passed" if is_passed else "ahead"
        marks.append(PhaseMark(phase, state, passed_at.get(phase.value)))
    return marks
