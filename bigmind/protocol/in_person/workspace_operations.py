"""What a person does for workspaces, in person: in the app's window, or on a page with the passphrase."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect, Surface
from bigmind.operations.catalogue import for_people, operation
from bigmind.operations.inputs import FilePath, Line, Project
from bigmind.protocol.in_person.workspace_answers import RunCheck, RunList, WorkspaceAnswer
from bigmind.store.work import Work

if TYPE_CHECKING:
    from bigmind.protocol.in_person import run_listing, workspace_acts
else:
    run_listing = LazyModule("bigmind.protocol.in_person.run_listing")
    workspace_acts = LazyModule("bigmind.protocol.in_person.workspace_acts")

TOOLSET = "protocol"
PAGES = frozenset({Surface.API})
"""No tool and no command: where nothing proves a person it would only be refused."""

WorkspaceId = Annotated[Line, Field(min_length=36, max_length=36, description="Of the workspace.")]
ShownDigest = Annotated[Line, Field(min_length=64, max_length=64, description="Of what the page showed.")]


@operation("Open a workspace", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_open_workspace(work: Work, path: FilePath) -> WorkspaceAnswer:
    """Let BigMind read the files and the git history of a folder, for protocol runs there; once, by its real path."""
    return workspace_acts.open_workspace(work, path)


@operation("Close a workspace", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_close_workspace(work: Work, workspace: WorkspaceId) -> WorkspaceAnswer:
    """Have BigMind look into a folder no more."""
    return workspace_acts.close_workspace(work, workspace)


@operation("Take a protocol", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_take_text(work: Work, workspace: WorkspaceId, digest: ShownDigest) -> WorkspaceAnswer:
    """Take the protocol document of a workspace, as it was shown; it holds for runs that begin from now on."""
    return workspace_acts.take_text(work, workspace, digest)


@operation("Use the built-in protocol", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_leave_text(work: Work, workspace: WorkspaceId) -> WorkspaceAnswer:
    """Go back to the built-in protocol in a workspace."""
    return workspace_acts.leave_text(work, workspace)


@operation("Approve commands", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_approve_commands(work: Work, workspace: WorkspaceId, digest: ShownDigest) -> WorkspaceAnswer:
    """Approve the exact commands of a workspace, as they were shown; another list asks again."""
    return workspace_acts.approve_commands(work, workspace, digest)


@operation("Take the approval back", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_withdraw_commands(work: Work, workspace: WorkspaceId) -> WorkspaceAnswer:
    """Have BigMind run no command of a workspace any more."""
    return workspace_acts.withdraw_commands(work, workspace)


@for_people("Protocol runs", Effect.READ, toolset=TOOLSET)
def protocol_list_runs(
    work: Work,
    project: Project | None = None,
    limit: Annotated[int, Field(ge=1, le=200, description="How many at most.")] = 20,
) -> RunList:
    """List protocol runs, the newest first: how each ended, and what was never made good."""
    return run_listing.list_runs(work, project, limit)


def _look(work: Work, session_id: str) -> Any:
    return run_listing.look(work, session_id)


@for_people(
    "Check a protocol run",
    Effect.READ,
    toolset=TOOLSET,
    looks=_look,
    gathers=lambda found: run_listing.gather(found),  # noqa: PLW0108 - loaded when called
)
def protocol_check_run(
    work: Work,
    session_id: Annotated[Line, Field(min_length=8, max_length=60, description="Its name, or its id.")],
    found: Any = None,
) -> RunCheck:
    """Look at a run once more: whether it is complete, and whether log, report and commit are what they were."""
    return run_listing.check(work, session_id, found)


OPERATIONS = (
    protocol_list_runs,
    protocol_check_run,
    protocol_open_workspace,
    protocol_close_workspace,
    protocol_take_text,
    protocol_leave_text,
    protocol_approve_commands,
    protocol_withdraw_commands,
)
