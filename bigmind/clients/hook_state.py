"""Whether the hooks of connected clients stand in their files as BigMind would write them now."""

from collections.abc import Iterator

from bigmind.clients.connecting import TOKEN_STAND_IN
from bigmind.clients.files.ledger import Ledger
from bigmind.clients.files.locations import Places, places_here
from bigmind.clients.install_site import Site, site_home, wanted_at
from bigmind.clients.leftovers import HOOK
from bigmind.clients.parts import Item, OwnFile, Part
from bigmind.clients.plan import installing
from bigmind.clients.targets import TARGETS
from bigmind.core.errors import BigMindError
from bigmind.core.operation import Caller
from bigmind.store.store import Store
from bigmind.store.work import Work
from bigmind.usage.usage_events import EventKind, newest_event, note_event

STATES = (EventKind.HOOKS_ALTERED, EventKind.HOOKS_WHOLE)


def note_hooks(store: Store, owner: Caller, places: Places | None = None) -> list[str]:
    """Write down whose hooks were altered since the last look, and whose are whole again.

    Args:
        store: in which it is written down.
        owner: whose clients.
        places: where the files are; of this machine, where left out.

    Returns:
        The clients whose hooks are altered now.
    """
    here = places or places_here()
    with store.read(owner, "note_hooks") as work:
        altered = {site.target.name: _is_altered(work, site) for site in _sites(work, here)}
        news = [(client, is_so) for client, is_so in altered.items() if _was_altered(work, client) != is_so]
    if news:
        with store.write(owner, "note_hooks", beside=True) as work:
            for client, is_so in news:
                note_event(work, EventKind.HOOKS_ALTERED if is_so else EventKind.HOOKS_WHOLE, client=client)
    return sorted(client for client, is_so in altered.items() if is_so)


def _was_altered(work: Work, client: str) -> bool:
    return newest_event(work, STATES, client) is EventKind.HOOKS_ALTERED


def _sites(work: Work, places: Places) -> Iterator[Site]:
    """Where clients are connected for the user; a workspace's files are its own, and come with its repository."""
    targets = {each.name: each for each in TARGETS}
    for owner in Ledger(work, site_home(work)).owners():
        if not owner.workspace and owner.target in targets:
            yield Site(targets[owner.target], places)


def _is_altered(work: Work, site: Site) -> bool:
    """Whether the files of a site lack a hook, or have it otherwise than it would be written now."""
    hooks = [each for each in site.target.parts(site.places, wanted_at(work, site, TOKEN_STAND_IN)) if _is_hook(each)]
    try:
        return bool(installing(hooks, site.read))
    except BigMindError:  # a file that does not parse runs no hook either
        return True


def _is_hook(part: Part) -> bool:
    if isinstance(part, OwnFile):
        return HOOK.search(part.text) is not None
    return isinstance(part, Item) and "hooks" in part.steps
