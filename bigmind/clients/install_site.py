"""Where a client is connected, and what an install is made for there."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import Path

from bigmind.clients.files.ledger import Ledger, Owner
from bigmind.clients.files.locations import Places
from bigmind.clients.files.writer import Root, read_file
from bigmind.clients.launcher import command_of
from bigmind.clients.target import ConnectionSpec, Target
from bigmind.clients.targets.shared import SHARING, hook_mark
from bigmind.hooks.client_events import EDIT
from bigmind.memory.context.instructions import file_text
from bigmind.store.work import Work
from bigmind.usage.offer import offer_to_client


@dataclass(frozen=True, slots=True)
class Site:
    """Where a client is connected: a target on this machine, for the user or for one workspace.

    `edits`: whether edits of files there are to be held to claimed work; None: as they are now.
    """

    target: Target
    places: Places
    workspace: Path | None = None
    edits: bool | None = None

    @property
    def owner(self) -> Owner:
        """As the ledger names it."""
        return Owner(self.target.name, str(self.workspace or ""))

    @property
    def root(self) -> Root:
        """The folder that no file of it may leave."""
        return Root(self.workspace or self.places.home, is_home=self.workspace is None)

    def read(self, path: Path) -> bytes | None:
        """The bytes of one of its files."""
        return read_file(self.root, path)


def site_home(work: Work) -> Path:
    """The data folder."""
    return work.host.settings.home


def wanted_here(work: Work, token: str, workspace: Path | None = None, readers: Sequence[str] = ()) -> ConnectionSpec:
    """What an install on this machine is made for; its instructions name what all of its `readers` are offered."""
    command = command_of(site_home(work), shared=workspace is not None)
    offers = [offer_to_client(work, client) for client in readers]
    text = file_text(reduce(frozenset[str].intersection, offers) if offers else None)
    return ConnectionSpec(work.host.endpoint_url, token, command, text, workspace)


def wanted_at(work: Work, site: Site, token: str) -> ConnectionSpec:
    """The same for a site, as a person chose it there."""
    wanted = wanted_here(work, token, site.workspace, _readers(work, site))
    return replace(wanted, holds_edits=holds_edits(work, site) if site.edits is None else site.edits)


def holds_edits(work: Work, site: Site) -> bool:
    """Whether an install there holds edits to claimed work, as the ledger has it."""
    mark = json.dumps(hook_mark(EDIT, site.target.name))
    return any(mark in each.place for each in Ledger(work, site_home(work)).parts(site.owner))


def _readers(work: Work, site: Site) -> list[str]:
    """The clients that read the instructions of an install: those of one workspace have files in common."""
    if site.workspace is None:
        return [*SHARING.get(site.target.name, (site.target.name,))]
    owners = Ledger(work, site_home(work)).owners()
    return sorted({site.target.name, *(each.target for each in owners if each.workspace == site.owner.workspace)})
