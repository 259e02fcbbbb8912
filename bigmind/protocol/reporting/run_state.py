"""A run as resources and pages tell it: its state, checklist, history and violations; as JSON has them."""

from collections.abc import Sequence
from typing import Any

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.clock import iso
from bigmind.protocol import run_moves, scene
from bigmind.protocol.answers import ChecklistLine, PastRun
from bigmind.protocol.approvals import protocol_with
from bigmind.protocol.document.protocol_record import START, Phase, Protocol, shown_state
from bigmind.protocol.reporting.checklist import checklist, ended_checklist
from bigmind.protocol.reporting.run_history import history
from bigmind.protocol.reporting.told_runs import run_told, run_with_violations, workspace_told
from bigmind.protocol.run_rows import evidence_of, violations_of
from bigmind.protocol.scene import Outlook, Scene
from bigmind.protocol.tables import ProtocolRun, ProtocolViolation
from bigmind.store.work import Work

STATE, CHECKLIST, HISTORY, VIOLATIONS = "state", "checklist", "history", "violations"
PARTS = (STATE, CHECKLIST, HISTORY, VIOLATIONS)
LEFT_OUT = "left out: it waits for a person"


def look(work: Work, reference: str | None, part: str) -> Outlook | None:
    """What is to be looked at for a run that is told of; None for one that has ended, and for what rows alone tell.

    Raises:
        BigMindError: as `run_moves.look`, but for an ended run.
    """
    if part in {HISTORY, VIOLATIONS}:
        return None
    row = run_told(work, reference, part)
    return None if row.ended_at is not None else run_moves.outlook_of(work, row)


def gather(outlook: Outlook | None) -> Scene | None:
    """The same, looked at."""
    return scene.gather(outlook) if outlook is not None else None


def told(work: Work, reference: str | None, part: str, here: Scene | None) -> dict[str, Any]:
    """One part of what there is to tell of a run; the history needs none.

    Raises:
        BigMindError: `no_run`; `not_found`; `ambiguous`; `workspace_not_opened`.
    """
    if part == HISTORY:
        return {"sessions": [_past(each) for each in history(work, workspace_told(work, reference))]}
    if part == VIOLATIONS:
        row = run_with_violations(work, reference, part)
        return {"violations": [_violation(row, each) for each in violations_of(work, row)]}
    row = run_told(work, reference, part)
    protocol = protocol_with(work, row.workspace_id, row.protocol)
    return _state(work, row, protocol, here) if part == STATE else _checklist(work, row, protocol, here)


def _past(run: PastRun) -> dict[str, Any]:
    return run.model_dump(exclude={"is_from_file"} if not run.is_from_file else None)


def _state(work: Work, row: ProtocolRun, protocol: Protocol, here: Scene | None) -> dict[str, Any]:
    evidence: dict[str, Any] = {}
    for each in evidence_of(work, row):
        shown = {"type": each.type, "step": each.step, "verified": each.is_verified, "at": iso(each.at)}
        evidence.setdefault(each.phase, []).append(shown)
    return {
        "session_id": row.name,
        "objective": LEFT_OUT if pending(row) else row.objective,
        "branch": row.branch,
        "starting_commit": row.starting_commit,
        "current_phase": shown_state(row.state),
        "started_at": iso(row.created_at),
        "phases_completed": list(row.passed),
        "checklist": _checklist(work, row, protocol, here),
        "evidence": evidence,
        "violations": [_violation(row, each) for each in violations_of(work, row)],
    }


def _checklist(work: Work, row: ProtocolRun, protocol: Protocol, here: Scene | None) -> dict[str, Any]:
    lines = checklist(work, row, protocol, here.verdicts) if here is not None else ended_checklist(work, row, protocol)
    parts = {each.phase: Phase(each.phase).part for each in lines}
    starting = [_line(each) for each in lines if parts[each.phase] == START]
    return {"start": starting, "end": [_line(each) for each in lines if parts[each.phase] != START]}


def _line(line: ChecklistLine) -> dict[str, Any]:
    return {"req": line.req, "step": line.step, "status": line.status, "evidence": line.evidence}


def _violation(row: ProtocolRun, violation: ProtocolViolation) -> dict[str, Any]:
    return {
        "session_id": row.name,
        "timestamp": iso(violation.at),
        "phase": violation.phase,
        "requirement": violation.requirement,
        "severity": violation.severity,
        "recovery": violation.recovery or None,
    }


def run_names(work: Work, typed: str, most: int) -> Sequence[str]:
    """The newest runs of the caller's of which the name begins so."""
    mine = select(ProtocolRun.name).where(
        ProtocolRun.user_id == work.caller.user_id, col(ProtocolRun.name).startswith(typed, autoescape=True)
    )
    return work.session.exec(mine.order_by(col(ProtocolRun.id).desc()).limit(most)).all()
