"""The run that a resource tells of, and the workspace whose history it tells: an address takes no `session_id`."""

from sqlalchemy import ColumnElement
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.protocol.current_run import open_here, open_runs
from bigmind.protocol.run_rows import run_meant, run_named
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.work.roles import agent_of
from bigmind.workspace.opened import workspace_at, workspace_of_project


def run_told(work: Work, reference: str | None, part: str) -> ProtocolRun:
    """The run that a part of a resource means: the one that is named, else the caller's, as `run_meant` finds it.

    Raises:
        BigMindError: as `run_meant`, naming the address that says which run.
    """
    try:
        return run_meant(work, reference)
    except BigMindError as error:
        if reference or error.code not in {Code.AMBIGUOUS, Code.NO_RUN}:
            raise
        address = f"session://runs/{{id}}/{part} tells of any run by its id."
        hint = f"{error.hint} {address}" if error.code is Code.NO_RUN else address
        raise BigMindError(error.code, error.message, hint) from None


def run_with_violations(work: Work, reference: str | None, part: str) -> ProtocolRun:
    """The same, but a run that ended on this connection comes before those that are open elsewhere.

    Raises:
        BigMindError: as `run_told`.
    """
    if not reference and not open_here(work):
        connection = work.caller.connection
        row = _last_ended(work, col(ProtocolRun.connection) == connection) if connection else None
        if row is None and not any(each.agent == agent_of(work) for each in open_runs(work)):
            row = _last_ended(work, col(ProtocolRun.workspace_id) == workspace_told(work, None))
        if row is not None:
            return row
    return run_told(work, reference, part)


def workspace_told(work: Work, reference: str | None) -> int | None:
    """The workspace of the run that is named, of the caller's open run, or where the caller works; None for none.

    Raises:
        BigMindError: `not_found`; `ambiguous`, for a name; `workspace_not_opened`.
    """
    if reference:
        return run_named(work, reference).workspace_id
    if here := open_here(work):
        return here[0].workspace_id
    if work.caller.workspace:
        return workspace_at(work, work.caller.workspace).id
    workspace = workspace_of_project(work, work.caller.project)
    if workspace is not None:
        return workspace.id
    own = select(ProtocolRun).where(ProtocolRun.user_id == work.caller.user_id, ProtocolRun.agent == agent_of(work))
    row = work.session.exec(own.order_by(col(ProtocolRun.updated_at).desc(), col(ProtocolRun.id).desc())).first()
    return row.workspace_id if row is not None else None


def _last_ended(work: Work, where: ColumnElement[bool]) -> ProtocolRun | None:
    ended = select(ProtocolRun).where(
        ProtocolRun.user_id == work.caller.user_id, col(ProtocolRun.ended_at).is_not(None), where
    )
    newest = (col(ProtocolRun.ended_at).desc(), col(ProtocolRun.id).desc())
    return work.session.exec(ended.order_by(*newest).limit(1)).first()
