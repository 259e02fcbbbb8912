"""One plan for all connected clients that need a repair: shown whole, and written after one yes."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bigmind.clients.connecting import Plan, plan_install, refuse_other_plan
from bigmind.clients.files.changes import digest
from bigmind.clients.install_site import Site
from bigmind.core.errors import BigMindError
from bigmind.store.work import Work


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
