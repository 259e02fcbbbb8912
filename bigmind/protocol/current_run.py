"""The open runs, the one that an agent is in as the context tells it, and whether it lets a file be changed.

By rows alone, and loaded with every context: what judges a run is not imported here.
"""

from pathlib import PurePath
from typing import TYPE_CHECKING

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.client_names import token_name
from bigmind.core.kind import CurrentItem
from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Offer, first_offered
from bigmind.flow.workflow import Level
from bigmind.protocol.document.protocol_record import LEVELS, STATES, Phase, Protocol, next_phase, shown_state
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.text.phrasing import counted
from bigmind.work.roles import agent_of
from bigmind.workspace.opened import workspace_of_project
from bigmind.workspace.tables import Workspace

if TYPE_CHECKING:
    from bigmind.protocol import approvals
else:
    approvals = LazyModule("bigmind.protocol.approvals")

ADVANCES, TELLS, BEGINS = "advance_phase", "get_blocked_reason", "session_start"
NO_RUN = (
    "BigMind: in this workspace a protocol run comes before any change of a file. Call session_start, do what it asks "
    "for, and call advance_phase until the run is in WORKING. Then change the file again."
)
TOO_EARLY = (
    "BigMind: the protocol run {name} is in {state}, and the work begins in WORKING. Next is {phase}: {asked} "
    "Then call advance_phase, and change the file again."
)


def open_runs(work: Work) -> list[ProtocolRun]:
    """The caller's open runs, the newest call first; a day's, for those without a call are ended."""
    mine = select(ProtocolRun).where(ProtocolRun.user_id == work.caller.user_id, col(ProtocolRun.ended_at).is_(None))
    newest = (col(ProtocolRun.updated_at).desc(), col(ProtocolRun.id).desc())
    return list(work.session.exec(mine.order_by(*newest)))


def open_here(work: Work) -> list[ProtocolRun]:
    """Those of the caller's connection."""
    connection = work.caller.connection
    return [each for each in open_runs(work) if connection and each.connection == connection]


def current_run(work: Work, project: str | None, offer: Offer) -> CurrentItem | None:
    """The open run of the caller in its project, where it is offered what moves it on."""
    if not first_offered(offer, ADVANCES):
        return None
    row = _run_of(work, project)
    if row is None or pending(row):
        return None
    following = next_phase(row.state)
    return CurrentItem(
        id=row.uid,
        slug=row.name,
        title=row.objective,
        stand=f"(protocol run, {shown_state(row.state)})",
        step=_step(work, row, following),
        tool=first_offered(offer, TELLS, ADVANCES),
        project=row.project,
        client=row.client,
        at=row.updated_at,
    )


def _run_of(work: Work, project: str | None) -> ProtocolRun | None:
    own = [each for each in open_runs(work) if token_name(each.agent) == token_name(agent_of(work))]
    return next((each for each in own if project is None or each.project in {None, project}), None)


def _step(work: Work, row: ProtocolRun, following: Phase | None) -> str:
    if following is None:
        return "Next: session_end."
    levels = approvals.protocol_with(work, row.workspace_id, row.protocol).levels
    left = [phase for phase in Phase if phase.value not in row.passed and levels[phase] in {Level.MUST, Level.BY_END}]
    by_end = " by the end" if levels[following] is Level.BY_END else ""
    more = counted(len(left), "that must pass is left", "that must pass are left")
    return f"Next gate: {following.value} ({LEVELS[levels[following]]}{by_end}); {more}."


def reason_against_edit(work: Work, offer: Offer, file: str) -> str | None:
    """Why the caller may not change a file in an opened workspace; empty where it may, None where this has no say.

    It may once its run is in WORKING; before, it may write what the start of a run asks for: handoff, log, notes.
    """
    workspace = workspace_of_project(work, work.caller.project)
    if workspace is None or not first_offered(offer, BEGINS):
        return None
    row = _run_of(work, work.caller.project)
    if row is None:
        return NO_RUN
    if STATES.index("working") <= STATES.index(row.state):
        return ""
    protocol = approvals.protocol_with(work, row.workspace_id, row.protocol)
    if _is_of_protocol(file, workspace, protocol):
        return ""
    following = next_phase(row.state) or Phase.GIT_COMMIT
    asked = next((each.step for each in protocol.checklist if each.phase is following), "")
    return TOO_EARLY.format(name=row.name, state=shown_state(row.state), phase=following.value, asked=f"{asked}.")


def _is_of_protocol(file: str, workspace: Workspace, protocol: Protocol) -> bool:
    """Whether a file is one that the protocol itself asks for."""
    path = PurePath(file)
    if not path.is_absolute() or ".." in path.parts:
        return False
    try:
        inside = path.relative_to(workspace.path).as_posix()
    except ValueError:
        return False
    folders = (f"{protocol.logs}/", f"{protocol.reports}/", f"{protocol.skills}/")
    return inside == protocol.handoff or inside.startswith(folders)
