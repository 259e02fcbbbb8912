"""What a person does for workspaces, in person: in the app's window, or on a page with the passphrase."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect, Surface
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import FilePath, Line
from bigmind.protocol.person_answers import WorkspaceAnswer
from bigmind.store.work import Work

if TYPE_CHECKING:
    from bigmind.protocol import person_service
else:
    person_service = LazyModule("bigmind.protocol.person_service")

TOOLSET = "protocol"
PAGES = frozenset({Surface.API})
"""No tool and no command: where nothing proves a person it would only be refused."""

WorkspaceId = Annotated[Line, Field(min_length=36, max_length=36, description="Of the workspace.")]
ShownDigest = Annotated[Line, Field(min_length=64, max_length=64, description="Of what the page showed.")]


@operation("Open a workspace", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_open_workspace(work: Work, path: FilePath) -> WorkspaceAnswer:
    """Let BigMind read the files and the git history of a folder, for protocol runs there; once, by its real path."""
    return person_service.open_workspace(work, path)


@operation("Close a workspace", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_close_workspace(work: Work, workspace: WorkspaceId) -> WorkspaceAnswer:
    """Have BigMind look into a folder no more."""
    return person_service.close_workspace(work, workspace)


@operation("Take a protocol", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_take_text(work: Work, workspace: WorkspaceId, digest: ShownDigest) -> WorkspaceAnswer:
    """Take the protocol document of a workspace, as it was shown; it holds for runs that begin from now on."""
    return person_service.take_text(work, workspace, digest)


@operation("Use the built-in protocol", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_leave_text(work: Work, workspace: WorkspaceId) -> WorkspaceAnswer:
    """Go back to the built-in protocol in a workspace."""
    return person_service.leave_text(work, workspace)


@operation("Approve commands", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_approve_commands(work: Work, workspace: WorkspaceId, digest: ShownDigest) -> WorkspaceAnswer:
    """Approve the exact commands of a workspace, as they were shown; another list asks again."""
    return person_service.approve_commands(work, workspace, digest)


@operation("Take the approval back", Effect.WRITE, toolset=TOOLSET, in_person=True, surfaces=PAGES)
def protocol_withdraw_commands(work: Work, workspace: WorkspaceId) -> WorkspaceAnswer:
    """Have BigMind run no command of a workspace any more."""
    return person_service.withdraw_commands(work, workspace)


OPERATIONS = (
    protocol_open_workspace,
    protocol_close_workspace,
    protocol_take_text,
    protocol_leave_text,
    protocol_approve_commands,
    protocol_withdraw_commands,
)
