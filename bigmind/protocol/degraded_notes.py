"""Runs that the check without the server verified: taken into the history, and marked as read from a file."""

from collections.abc import Sequence

from sqlmodel import select

from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.kinds import save
from bigmind.protocol.judging.degraded_note import DegradedNote
from bigmind.protocol.run_rows import HIGHEST_NUMBER, name_of
from bigmind.protocol.tables import ProtocolDay, ProtocolRun
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.roles import agent_of
from bigmind.workspace.tables import Workspace

NOTED = "run_noted"


def take(work: Work, workspace: Workspace, notes: Sequence[DegradedNote]) -> None:
    """Take notes into the history of a workspace that are not there yet; their numbers are given to nobody else."""
    known = set(work.session.exec(select(ProtocolRun.name).where(ProtocolRun.workspace_id == workspace.id)))
    for note in notes:
        day, _, number = note.run.partition("-session-")
        count = int(number)
        if note.run in known or count > HIGHEST_NUMBER or name_of(day, count) != note.run:
            continue
        _keep_number(work, workspace, day, count)
        _write(work, workspace, note, day, count)


def _keep_number(work: Work, workspace: Workspace, day: str, number: int) -> None:
    row = work.session.get(ProtocolDay, (workspace.id, day))
    row = row or ProtocolDay(workspace_id=workspace.id or 0, day=day, number=0)
    row.number = max(row.number, number)
    work.session.add(row)


def _write(work: Work, workspace: Workspace, note: DegradedNote, day: str, number: int) -> None:
    row = ProtocolRun(
        uid=new_id(),
        name=note.run,
        workspace_id=workspace.id,
        day=day,
        number=number,
        user_id=work.caller.user_id,
        created_at=work.now,
        updated_at=work.now,
        project=workspace.project,
        client=work.caller.client,
        agent=agent_of(work),
        state="complete" if note.outcome == "COMPLETE" else "incomplete",
        ended_at=work.now,
        outcome=note.outcome,
        commit_sha=note.commit,
        is_imported=True,
        objective=note.objective or "A run without BigMind",
        next_session_notes=note.notes,
    )
    save(work, row, Action.IMPORTED)
    append(work, Entry(NOTED, row.uid, {"run": row.name, "outcome": row.outcome}), row)
    work.session.add(row)
