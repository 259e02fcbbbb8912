"""Runs as a person looks through them: listed, and looked at once more for whether they are still what they were."""

from dataclasses import dataclass
from pathlib import Path

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.errors import BigMindError, Code
from bigmind.protocol import run_moves, scene
from bigmind.protocol.approvals import protocol_with
from bigmind.protocol.document.protocol_record import Protocol, shown_state
from bigmind.protocol.in_person.workspace_answers import RunCheck, RunLine, RunList
from bigmind.protocol.judging.gate_verdicts import is_complete
from bigmind.protocol.judging.kept_evidence import alterations
from bigmind.protocol.run_rows import run_named, violations_of
from bigmind.protocol.scene import Scene
from bigmind.protocol.tables import ProtocolRun, ProtocolViolation
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import agrees
from bigmind.workspace.opened import not_opened
from bigmind.workspace.tables import Workspace


@dataclass(frozen=True, slots=True)
class CheckOutlook:
    """A run that is looked at once more: an open one whole, of one that ended what was kept."""

    name: str
    root: Path
    protocol: Protocol
    kept: dict[str, str]
    open_run: run_moves.Outlook | None


@dataclass(frozen=True, slots=True)
class CheckScene:
    """What was seen."""

    altered: list[str]
    here: Scene | None


def look(work: Work, reference: str) -> CheckOutlook:
    """Find out what is to be looked at.

    Raises:
        BigMindError: `not_found`, `ambiguous`; `workspace_not_opened`.
    """
    row = run_named(work, reference)
    if row.ended_at is None:
        outlook = run_moves.outlook_of(work, row)
        return CheckOutlook(row.name, outlook.root, outlook.record.protocol, {}, outlook)
    workspace = work.session.get(Workspace, row.workspace_id) if row.workspace_id is not None else None
    if workspace is None or workspace.closed_at is not None:
        raise not_opened(workspace.path if workspace is not None else "the workspace of this run")
    protocol = protocol_with(work, row.workspace_id, row.protocol)
    kept = {str(name): str(value) for name, value in row.kept.items()}
    return CheckOutlook(row.name, Path(workspace.path), protocol, kept, None)


def gather(wanted: CheckOutlook) -> CheckScene:
    """Look."""
    if wanted.open_run is not None:
        return CheckScene([], scene.gather(wanted.open_run))
    folder = scene.folder_at(wanted.root)
    return CheckScene(alterations(folder, wanted.protocol, wanted.name, wanted.kept), None)


def check(work: Work, reference: str, found: CheckScene) -> RunCheck:
    """How a run stands, and whether its evidence is as it was.

    Raises:
        BigMindError: `conflict`, when its row was changed behind the program's back.
    """
    row = run_named(work, reference)
    if not agrees(work, row):
        raise BigMindError(
            Code.CONFLICT, f"{row.name} does not stand as the ledger says.", "`bigmind work verify` says what differs."
        )
    here, outcome = found.here, row.outcome
    if here is not None:
        outcome = "COMPLETE" if is_complete(here.verdicts) else "INCOMPLETE"
    failed = (
        [f"{each.phase.value}: {each.reason}" for each in here.verdicts.values() if not each.passed] if here else []
    )
    return RunCheck(
        session_id=row.name,
        outcome=outcome,
        good=outcome == "COMPLETE" and not found.altered,
        is_open=row.ended_at is None,
        altered=found.altered,
        failed=failed,
    )


def list_runs(work: Work, project: str | None, limit: int) -> RunList:
    """The caller's runs, the newest first."""
    found = select(ProtocolRun).where(ProtocolRun.user_id == work.caller.user_id)
    if project:
        found = found.where(ProtocolRun.project == project)
    rows = work.session.exec(found.order_by(col(ProtocolRun.id).desc()).limit(limit + 1)).all()
    return RunList(runs=[line_of(work, each) for each in rows[:limit]], more=len(rows) > limit, project=project or "")


def line_of(work: Work, row: ProtocolRun) -> RunLine:
    """A run in a list."""
    unmet: list[ProtocolViolation] = [each for each in violations_of(work, row) if each.recovered_at is None]
    return RunLine(
        id=row.uid,
        session_id=row.name,
        objective="" if pending(row) else row.objective,
        project=row.project,
        agent=row.agent,
        phase=shown_state(row.state),
        outcome=row.outcome,
        started_at=row.created_at,
        ended_at=row.ended_at,
        violations=len(unmet),
    )
