"""What people may do with the clients of this machine. Not offered to models."""

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from bigmind.clients.answers import Bundled, Checks, ClientChanged, ClientList, ClientPlan, Repaired, RepairPlan
from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Effect, Role, Surface
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import FilePath, Line
from bigmind.store.access import Access
from bigmind.store.work import Work
from bigmind.usage.operations import Client, ClientToolsets, ToolsetNames

if TYPE_CHECKING:
    from bigmind.clients import service
else:
    service = LazyModule("bigmind.clients.service")
# The modules of all clients would cost each start 20 ms.

API_ONLY = frozenset({Surface.API})
"""The command line shows the plan and asks before it sends it: `bigmind/cli/client_commands.py`."""

ClientName = Annotated[Line, Field(min_length=1, max_length=40, description="Its name, as `clients list` has it.")]
Workspace = Annotated[FilePath, Field(description="The folder of a project; nothing for the user as a whole.")]
Edits = Annotated[
    bool,
    Field(description="Refuse the assistant's edits there while it holds no claimed item; left out: as it is now."),
]
PlanName = Annotated[Line, Field(min_length=64, max_length=64, description="The plan that was shown.")]


@for_people("List clients", Effect.READ, toolset="clients")
def clients_list(work: Work) -> ClientList:
    """Every IDE and agent that can be connected: whether it is here, connected, used, or needs a repair."""
    return service.listed(work)


@for_people("Show a client's plan", Effect.READ, toolset="clients", permission=Role.ADMIN)
def clients_show(
    work: Work,
    client: ClientName,
    workspace: Workspace | None = None,
    remove: Annotated[bool, Field(description="What taking the connection back would change.")] = False,
    edits: Edits | None = None,
) -> ClientPlan:
    """What connecting a client would change, file by file, as a difference. Nothing is written."""
    return service.planned(work, client, workspace, is_removal=remove, edits=edits)


@for_people(
    "Connect a client",
    Effect.WRITE,
    toolset="clients",
    idempotent=True,
    takes_access=True,
    while_paused=True,
    masks=False,
    permission=Role.ADMIN,
    surfaces=API_ONLY,
)
def clients_install(
    access: Access,
    client: ClientName,
    plan: PlanName,
    workspace: Workspace | None = None,
    edits: Edits | None = None,
) -> ClientChanged:
    """Connect a client as `clients_show` showed it, and try the connection."""
    return service.connected(access, client, plan, workspace, edits)


@for_people(
    "Disconnect a client",
    Effect.WRITE,
    toolset="clients",
    idempotent=True,
    takes_access=True,
    while_paused=True,
    masks=False,
    permission=Role.ADMIN,
    surfaces=API_ONLY,
)
def clients_remove(
    access: Access, client: ClientName, plan: PlanName, workspace: Workspace | None = None
) -> ClientChanged:
    """Take the connection of a client back as `clients_show` showed it: its files are as they were."""
    return service.disconnected(access, client, plan, workspace)


@for_people("Show what a repair would change", Effect.READ, toolset="clients", permission=Role.ADMIN, surfaces=API_ONLY)
def clients_show_repair(work: Work) -> RepairPlan:
    """What `clients_repair` would change: each client that needs it, file by file. Nothing is written."""
    return service.planned_repair(work)


@for_people(
    "Repair all clients",
    Effect.WRITE,
    toolset="clients",
    idempotent=True,
    takes_access=True,
    while_paused=True,
    masks=False,
    permission=Role.ADMIN,
    surfaces=API_ONLY,
)
def clients_repair(access: Access, plan: PlanName) -> Repaired:
    """Write the files of all connected clients anew as `clients_show_repair` showed it."""
    return service.repaired(access, plan)


@for_people(
    "Try the connections", Effect.READ, toolset="clients", takes_access=True, permission=Role.ADMIN, surfaces=API_ONLY
)
def clients_doctor(access: Access, client: ClientName | None = None) -> Checks:
    """Try each connected client's server entry as the client would; where it can list its servers, ask it too."""
    return service.tried(access, client)


@for_people(
    "Make a bundle for Claude Desktop",
    Effect.WRITE,
    toolset="clients",
    takes_access=True,
    while_paused=True,
    masks=False,
    permission=Role.ADMIN,
)
def clients_bundle(
    access: Access,
    output_path: Annotated[FilePath, Field(description="A new .mcpb file; in the documents folder, if left out.")]
    | None = None,
) -> Bundled:
    """Make the file that connects Claude Desktop when it is opened, instead of having its settings edited."""
    return service.bundled(access, output_path)


@for_people("Choose a client's toolsets", Effect.WRITE, toolset="clients", idempotent=True, while_paused=True)
def clients_toolsets(work: Work, client: Client, toolsets: ToolsetNames) -> ClientToolsets:
    """Choose which toolsets a client of yours is offered; it is told at once. What it asks for itself comes first."""
    return service.toolsets_chosen(work, client, toolsets)


OPERATIONS = (
    clients_list,
    clients_show,
    clients_install,
    clients_remove,
    clients_show_repair,
    clients_repair,
    clients_doctor,
    clients_bundle,
    clients_toolsets,
)
"""After those of the server."""
