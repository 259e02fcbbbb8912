"""What people may do with the clients of this machine. Not offered to models."""

import os
from pathlib import Path
from typing import Annotated

from pydantic import Field

from bigmind.catalog import operation
from bigmind.clients.answers import (
    Bundled,
    Check,
    Checks,
    ClientChanged,
    ClientList,
    ClientPlan,
)
from bigmind.clients.bundle import FILE as BUNDLE
from bigmind.clients.bundle import bundle_here
from bigmind.clients.checking import checked
from bigmind.clients.ledger import Ledger, Owner
from bigmind.clients.places import places_here
from bigmind.clients.service import (
    Site,
    install,
    plan_install,
    plan_removal,
    remove,
    site_home,
    wanted_here,
    workspace_folder,
)
from bigmind.clients.standing import row, shown
from bigmind.clients.targets import TARGETS
from bigmind.clients.warning import warnings
from bigmind.core.errors import not_found
from bigmind.core.operation import FOR_PEOPLE, Effect, Role, Surface
from bigmind.fields import FilePath, Line
from bigmind.server.clients import client_use
from bigmind.store.access import Access
from bigmind.store.work import Work

API_ONLY = frozenset({Surface.API})
"""The command line shows the plan and asks before it sends it: `bigmind/cli/clients.py`."""

ClientName = Annotated[Line, Field(min_length=1, max_length=40, description="Its name, as `clients list` has it.")]
Workspace = Annotated[FilePath, Field(description="The folder of a project; nothing for the user as a whole.")]
PlanName = Annotated[Line, Field(min_length=64, max_length=64, description="The plan that was shown.")]


@operation("List clients", Effect.READ, toolset="clients", people_only=True, surfaces=FOR_PEOPLE)
def clients_list(work: Work) -> ClientList:
    """Every IDE and agent that can be connected: whether it is here, connected, used, or needs a repair."""
    places, use, owners = places_here(), client_use(work), Ledger(work, site_home(work)).owners()
    return ClientList(clients=[row(work, each, places, use.get(each.name), owners) for each in TARGETS])


@operation(
    "Show a client's plan",
    Effect.READ,
    toolset="clients",
    people_only=True,
    permission=Role.ADMIN,
    surfaces=FOR_PEOPLE,
)
def clients_show(
    work: Work,
    client: ClientName,
    workspace: Workspace | None = None,
    remove: Annotated[bool, Field(description="What taking the connection back would change.")] = False,
) -> ClientPlan:
    """What connecting a client would change, file by file, as a difference. Nothing is written."""
    site = _site(client, workspace)
    plan = plan_removal(work, site) if remove else plan_install(work, site)
    return ClientPlan(
        client=client,
        title=site.target.title,
        workspace=str(site.workspace or ""),
        plan=plan.digest,
        changes=[shown(each) for each in plan.changes],
        connected=site.owner in Ledger(work, site_home(work)).owners(),
        warnings=[] if remove else warnings(site, plan, wanted_here(work, "", site.workspace).command),
        makes_token=plan.makes_token,
        after="" if remove else site.target.after,
    )


@operation(
    "Connect a client",
    Effect.WRITE,
    toolset="clients",
    idempotent=True,
    people_only=True,
    takes_access=True,
    while_paused=True,
    masks=False,
    permission=Role.ADMIN,
    surfaces=API_ONLY,
)
def clients_install(
    access: Access, client: ClientName, plan: PlanName, workspace: Workspace | None = None
) -> ClientChanged:
    """Connect a client as `clients_show` showed it, and try the connection."""
    site = _site(client, workspace)
    files = install(access, site, plan)
    check = checked(access, site)
    return ClientChanged(
        client=client,
        title=site.target.title,
        connected=True,
        files=[str(each) for each in files],
        check=check,
        after=site.target.after,
    )


@operation(
    "Disconnect a client",
    Effect.WRITE,
    toolset="clients",
    idempotent=True,
    people_only=True,
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
    site = _site(client, workspace)
    files = remove(access, site, plan)
    return ClientChanged(
        client=client,
        title=site.target.title,
        connected=False,
        files=[str(each) for each in files],
        check=None,
        after="",
    )


@operation(
    "Try the connections",
    Effect.READ,
    toolset="clients",
    people_only=True,
    takes_access=True,
    permission=Role.ADMIN,
    surfaces=API_ONLY,
)
def clients_doctor(access: Access, client: ClientName | None = None) -> Checks:
    """Try each connected client's server entry as the client would; where it can list its servers, ask it too."""
    with access.read() as work:
        owners = [each for each in Ledger(work, site_home(work)).owners() if client in {None, each.target}]
        sites = [site for each in owners if (site := _owned(each)) is not None]
    checks: list[Check] = []
    for done, site in enumerate(sites):
        access.progress(done, len(sites), site.target.title)
        checks.append(checked(access, site))
    return Checks(checks=checks)


@operation(
    "Make a bundle for Claude Desktop",
    Effect.WRITE,
    toolset="clients",
    people_only=True,
    takes_access=True,
    while_paused=True,
    masks=False,
    permission=Role.ADMIN,
    surfaces=FOR_PEOPLE,
)
def clients_bundle(
    access: Access,
    output_path: Annotated[FilePath, Field(description="A new .mcpb file; in the documents folder, if left out.")]
    | None = None,
) -> Bundled:
    """Make the file that connects Claude Desktop when it is opened, instead of having its settings edited."""
    from bigmind.portable.places import new_file, place_for_export  # noqa: PLC0415 - rare

    place, made = place_for_export(access, output_path, BUNDLE), bundle_here(access.store.home)
    with new_file(place) as file:
        file.write(made)
    return Bundled(path=str(place), bytes=len(made))


def _site(client: str, workspace: str | None) -> Site:
    target = next((each for each in TARGETS if each.name == client), None)
    if target is None:
        raise not_found("client", client, f"There are: {', '.join(each.name for each in TARGETS)}.")
    places = places_here(os.environ)
    return Site(target, places, workspace_folder(Path(workspace).expanduser(), places) if workspace else None)


def _owned(owner: Owner) -> Site | None:
    target = next((each for each in TARGETS if each.name == owner.target), None)
    return Site(target, places_here(), Path(owner.workspace) if owner.workspace else None) if target else None


OPERATIONS = (clients_list, clients_show, clients_install, clients_remove, clients_doctor, clients_bundle)
"""After those of the server."""
