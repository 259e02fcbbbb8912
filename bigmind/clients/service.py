"""What is done with the clients of this machine. Loaded when a person asks for it: no start waits for it."""

import json
import os
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from bigmind.clients.advice import held_edits, warnings
from bigmind.clients.answers import (
    Bundled,
    Check,
    Checks,
    ClientChanged,
    ClientList,
    ClientPlan,
    FailedRepair,
    Repaired,
    RepairPlan,
)
from bigmind.clients.bundle import FILE as BUNDLE
from bigmind.clients.bundle import bundle_here
from bigmind.clients.connecting import (
    Plan,
    install,
    is_by_hand,
    pasted,
    plan_install,
    plan_removal,
    refuse_other_plan,
    remove,
    workspace_folder,
)
from bigmind.clients.doctor import checked
from bigmind.clients.files.changes import digest
from bigmind.clients.files.diff import LEGEND, is_in_pieces
from bigmind.clients.files.ledger import Ledger, Owner
from bigmind.clients.files.locations import places_here
from bigmind.clients.install_site import Site, site_home, wanted_here
from bigmind.clients.port_change import keep_port_called
from bigmind.clients.status import row, shown
from bigmind.clients.target import Target
from bigmind.clients.targets import TARGETS
from bigmind.core.errors import BigMindError, Code, not_found
from bigmind.core.ids import short
from bigmind.core.toolsets import Toolset
from bigmind.disk.existence import is_gone
from bigmind.paths import expanded
from bigmind.people.service import active_tokens
from bigmind.portable.transfer_paths import new_file, place_for_export
from bigmind.store.access import Access
from bigmind.store.work import Work
from bigmind.usage.counts import client_use
from bigmind.usage.offer import offer_to_client
from bigmind.usage.operations import ClientToolsets, choose_toolsets

OTHER_TOOLS = (
    "What BigMind wrote into its files is for another choice and needs a repair: run `bigmind clients repair`, or "
    "click “Repair all” on the page Assistants."
)


def listed(work: Work) -> ClientList:
    """Every client, and how it stands to BigMind."""
    places, use, owners = places_here(), client_use(work), Ledger(work, site_home(work)).owners()
    return ClientList(clients=[row(work, each, places, use.get(each.name), owners) for each in TARGETS])


def planned(
    work: Work, client: str, workspace: str | None, *, is_removal: bool, edits: bool | None = None
) -> ClientPlan:
    """What an install or a removal would change; raises BigMindError as those. `edits` as a site has it."""
    site = _site(work, client, workspace, edits)
    if is_removal:
        with _failure_says(lambda error: _still_connected(work, site, error)):
            plan = plan_removal(work, site)
    elif is_by_hand(site):
        return _shown(work, site, Plan((), ()), guide=site.target.guide, paste=pasted(work, site.target))
    else:
        plan = plan_install(work, site)
    return _shown(work, site, plan, is_removal=is_removal)


def _shown(
    work: Work, site: Site, plan: Plan, *, is_removal: bool = False, guide: str = "", paste: str = ""
) -> ClientPlan:
    """A plan for a person's eyes; where no file can be written, what they do and paste."""
    warned: list[str] = []
    if not is_removal and not paste:
        command, offer = wanted_here(work, "", site.workspace).command, offer_to_client(work, site.target.name)
        warned = [*warnings(site, plan, command), *held_edits(site, plan, offer)]
    changes = [shown(each) for each in plan.changes]
    return ClientPlan(
        client=site.target.name,
        title=site.target.title,
        workspace=str(site.workspace or ""),
        plan=plan.digest,
        changes=changes,
        legend=LEGEND if any(is_in_pieces(each.difference) for each in changes) else "",
        connected=site.owner in Ledger(work, site_home(work)).owners(),
        warnings=warned,
        makes_token=plan.makes_token,
        stores_token=plan.stores_token,
        ends_token=plan.ends_token,
        after="" if is_removal or paste else site.target.after,
        guide=guide,
        paste=paste,
    )


def connected(
    access: Access, client: str, plan: str, workspace: str | None, edits: bool | None = None
) -> ClientChanged:
    """Connect a client as it was planned, and try it; raises BigMindError as `service.install`."""
    with access.read() as work:
        site = _site(work, client, workspace, edits)
    with _failure_says(lambda error: _named(site, error)):
        files = install(access, site, plan)
    return _changed(site, files, checked(access, site))


def disconnected(access: Access, client: str, plan: str, workspace: str | None) -> ClientChanged:
    """Take a connection back as it was planned; raises BigMindError as `service.remove`, and says what still works."""
    with access.read() as work:
        site = _site(work, client, workspace)

    def told(error: BigMindError) -> BigMindError:
        with access.read() as work:
            return _still_connected(work, site, error)

    with _failure_says(told):
        files = remove(access, site, plan)
    return _changed(site, files, None)


@contextmanager
def _failure_says(told: Callable[[BigMindError], BigMindError]) -> Generator[None]:
    """Has a failure say more."""
    try:
        yield
    except BigMindError as error:
        raise told(error) from error


def _named(site: Site, error: BigMindError) -> BigMindError:
    """Whose change failed: its notice may be read later, beside those of others."""
    title = site.target.title
    if title in error.message:
        return error
    return BigMindError(error.code, f"{title} was left as it was. {error.message}", error.hint, error.problems)


def _still_connected(work: Work, site: Site, error: BigMindError) -> BigMindError:
    """What is said of a removal that failed: who wanted a client out must know that its token still lets it in."""
    ledger = Ledger(work, site_home(work))
    if site.owner not in ledger.owners():
        return _named(site, error)
    ids = ledger.token_ids(site.owner)
    valid = [short(each.uid) for each in active_tokens(work, work.caller.user_id) if each.id in ids]
    still = f"{site.target.title} is still connected"
    still += ", and its token still works." if valid else "."
    revoking = [f"`bigmind token revoke {each}` ends the token all the same." for each in valid]
    hint = " ".join(filter(None, (error.hint, *revoking)))
    return BigMindError(error.code, f"{error.message} {still}", hint, error.problems)


def _changed(site: Site, files: list[Path], check: Check | None) -> ClientChanged:
    """What was changed; a check is of one that is connected now."""
    return ClientChanged(
        client=site.target.name,
        title=site.target.title,
        connected=check is not None,
        files=[str(each) for each in files],
        check=check,
        after=site.target.after if check is not None else "",
    )


@dataclass(frozen=True, slots=True)
class SiteRepair:
    """What connecting one client again would change."""

    site: Site
    plan: Plan


@dataclass(frozen=True, slots=True)
class SiteFault:
    """A connected client whose files cannot be written, and why."""

    site: Site
    error: BigMindError


@dataclass(frozen=True, slots=True)
class Repair:
    """What a repair of all clients would change.

    Attributes:
        needed: the clients that need it, each with its own plan.
        failed: those for which there is no plan.
    """

    needed: Sequence[SiteRepair]
    failed: Sequence[SiteFault]

    @property
    def digest(self) -> str:
        """By which it is recognised: when anything of it changes, it is another one."""
        told = [
            [each.site.owner.target, each.site.owner.workspace, each.plan.digest, each.plan.stores_token]
            for each in self.needed
        ]
        return digest(json.dumps(told).encode())

    def refuse_other_changes(self, plan: Plan) -> None:
        """Hold one client's plan, made anew when its turn comes, to what was shown of all of them.

        Clients share files: what stands there may be what the repair of another one has just written.

        Raises:
            BigMindError: `conflict`, when it changes what was not shown.
        """
        shown = [change for each in self.needed for change in each.plan.changes]
        for change in plan.changes:
            same = [each for each in shown if each.path == change.path]
            if change.after not in {each.after for each in same} or change.before not in {
                data for each in same for data in (each.before, each.after)
            }:
                refuse_other_plan()


def plan_repair(work: Work, sites: Iterable[Site]) -> Repair:
    """What would be written of the given clients; nothing of those that are as they should be."""
    needed: list[SiteRepair] = []
    failed: list[SiteFault] = []
    for site in sites:
        try:
            plan = plan_install(work, site)
        except BigMindError as error:
            failed.append(SiteFault(site, error))
        else:
            if not plan.is_done:
                needed.append(SiteRepair(site, plan))
    return Repair(needed, failed)


def planned_repair(work: Work) -> RepairPlan:
    """What a repair of all connected clients would change."""
    sites = _connected_sites(work)
    repair = plan_repair(work, sites)
    return RepairPlan(
        plan=repair.digest,
        connected=len(sites),
        plans=[_shown(work, each.site, each.plan) for each in repair.needed],
        failed=[_failed(each.site, each.error) for each in repair.failed],
    )


def toolsets_chosen(work: Work, client: str, toolsets: Sequence[Toolset]) -> ClientToolsets:
    """Choose a client's toolsets, and say where files that BigMind wrote for it name other tools by now."""
    answer = choose_toolsets(work, client, toolsets)
    owned = (_owned(each) for each in Ledger(work, site_home(work)).owners() if each.target == client)
    repair = plan_repair(work, [site for site in owned if site is not None])
    return answer.model_copy(update={"repair": OTHER_TOOLS}) if repair.needed else answer


def repaired(access: Access, plan: str) -> Repaired:
    """Write the clients' files as it was planned, one client after the other; each is tried.

    Raises:
        BigMindError: `conflict`, when the plan is another one by now. Nothing is changed then.
    """
    with access.read() as work:
        sites = _connected_sites(work)
        repair = plan_repair(work, sites)
    if repair.digest != plan:
        refuse_other_plan()
    done: list[ClientChanged] = []
    failed = [_failed(each.site, each.error) for each in repair.failed]
    for number, site in enumerate(each.site for each in repair.needed):
        access.progress(number, len(repair.needed), site.target.title)
        try:
            with access.read() as work:
                own = plan_install(work, site)
            repair.refuse_other_changes(own)
            if not own.is_done:  # else the repair of another client wrote what they share
                files = install(access, site, own.digest)
                done.append(_changed(site, files, checked(access, site)))
        except BigMindError as error:
            failed.append(_failed(site, error))
    with access.read() as work:
        keep_port_called(work, prefer_this=True)
    return Repaired(connected=len(sites), repaired=done, failed=failed)


def _failed(site: Site, error: BigMindError) -> FailedRepair:
    return FailedRepair(client=site.target.name, title=site.target.title, said=str(error))


def _connected_sites(work: Work) -> list[Site]:
    return [site for each in Ledger(work, site_home(work)).owners() if (site := _owned(each)) is not None]


def tried(access: Access, client: str | None) -> Checks:
    """Try the connected clients, or one of them; raises BigMindError where that one is not there or not connected."""
    target = _target(client) if client else None
    with access.read() as work:
        owners = [each for each in Ledger(work, site_home(work)).owners() if client in {None, each.target}]
        sites = [site for each in owners if (site := _owned(each)) is not None]
    if target and not sites:
        hint = f"`bigmind clients install {target.name}` connects it."
        raise BigMindError(Code.NOT_FOUND, f"{target.title} is not connected yet.", hint)
    checks: list[Check] = []
    for done, site in enumerate(sites):
        access.progress(done, len(sites), site.target.title)
        checks.append(checked(access, site))
    return Checks(checks=checks)


def bundled(access: Access, output_path: str | None) -> Bundled:
    """Write Claude Desktop's bundle; raises BigMindError as an export to that place."""
    place, made = place_for_export(access, output_path, BUNDLE), bundle_here(access.store.home)
    with new_file(place) as file:
        file.write(made)
    return Bundled(path=str(place), bytes=len(made))


def _site(work: Work, client: str, workspace: str | None, edits: bool | None = None) -> Site:
    """Where a person connects a client, or is to take it back: there its folder may be gone by now."""
    target, places = _target(client), places_here(os.environ)
    if not workspace:
        return Site(target, places, None, edits)
    folder = expanded("workspace", workspace)
    if folder.is_absolute() and is_gone(folder):
        left = folder.resolve()
        if Owner(client, str(left)) in Ledger(work, site_home(work)).owners():
            return Site(target, places, left, edits)
    return Site(target, places, workspace_folder(folder, places), edits)


def _target(client: str) -> Target:
    target = next((each for each in TARGETS if each.name == client), None)
    if target is None:
        raise not_found("client", client, f"There are: {', '.join(each.name for each in TARGETS)}.")
    return target


def _owned(owner: Owner) -> Site | None:
    target = next((each for each in TARGETS if each.name == owner.target), None)
    return Site(target, places_here(), Path(owner.workspace) if owner.workspace else None) if target else None
