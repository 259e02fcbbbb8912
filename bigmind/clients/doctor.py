"""Checks one connection: what stands in the files, whether it answers, and what the client itself says."""

import os
from collections.abc import Iterable

from bigmind.clients.advice import unread
from bigmind.clients.answers import Check
from bigmind.clients.connecting import Plan, plan_install
from bigmind.clients.install_site import Site
from bigmind.clients.parts import Entry
from bigmind.clients.plan import standing
from bigmind.clients.status import lacking_token, limited_token
from bigmind.clients.trial import GOOD_WORDS, Http, Stdio, TrialResult, listed, tried, written
from bigmind.core.errors import BigMindError
from bigmind.store.access import Access

MOST_SHOWN = 200


def checked(access: Access, site: Site) -> Check:
    """Try a client's server entry with what really stands in its file. Takes some seconds; never raises for a fault."""
    try:
        with access.read() as work:
            plan = plan_install(work, site)
    except BigMindError as error:
        return _check(site, TrialResult(0, str(error)), [])
    drift = _drift(plan)
    entries = [each for each in plan.parts if isinstance(each, Entry) and written(each.value) is not None]
    with access.store.host.activity.trying(access.caller.user_id, site.target.name):
        tries = [_tried(site, each) for each in entries]
        says = _client_says(site)
    doubts = [*drift, *unread(site, plan), *(each for each in says if not each.endswith(GOOD_WORDS))]
    best = next((each for each in tries if each.fault), tries[0] if tries else TrialResult(0))
    limit = filter(None, [limited_token(plan)])
    return _check(site, best, dict.fromkeys([*doubts, *limit, *says]), has_doubts=bool(doubts))


def _drift(plan: Plan) -> list[str]:
    """What a repair would mend, in one sentence."""
    if plan.changes:
        paths = ", ".join(str(each.path) for each in plan.changes)
        what = "is not as BigMind would write it" if len(plan.changes) == 1 else "are not as BigMind would write them"
        return [f"{paths} {what} now: a repair mends that."]
    return [] if plan.is_done else [f"{lacking_token(plan)} A repair mends that."]


def _tried(site: Site, part: Entry) -> TrialResult:
    """Only what BigMind itself would write is tried: in a workspace anybody may have written an entry of our name."""
    entry, ours = written(standing(part, site.read)), written(part.value)
    if entry is None:
        return TrialResult(0, f"{part.file} has no entry of BigMind")
    if isinstance(entry, Stdio) and entry != ours:
        return TrialResult(0, f"{part.file} starts something else: {' '.join(entry.command)[:MOST_SHOWN]}")
    if isinstance(entry, Http) and not (isinstance(ours, Http) and entry.url == ours.url):
        return TrialResult(0, f"{part.file} names another address: {entry.url[:MOST_SHOWN]}")
    return tried(entry, os.environ)


def _client_says(site: Site) -> list[str]:
    if not site.target.lists or site.workspace is not None:
        return []
    program = site.places.command(site.target.lists[0])
    if not program:
        return []
    environment = {**os.environ, **site.target.lists_with}
    return [listed((program, *site.target.lists[1:]), site.target.connected, site.places.home, environment)]


def _check(site: Site, result: TrialResult, more: Iterable[str], *, has_doubts: bool = False) -> Check:
    said = (
        f"Not connected: {result.fault.removesuffix('.')}."
        if result.fault
        else f"{'Connected, but it needs a look' if has_doubts else 'Connected'}: {result.tools} tools are offered."
    )
    if not result.fault and not result.tools:
        said = f"{'' if has_doubts else 'Its instructions are in place; '}there is no server entry to try."
        said = said[:1].upper() + said[1:]
    return Check(
        client=site.target.name,
        title=site.target.title,
        workspace=str(site.workspace or ""),
        ok=not result.fault and not has_doubts,
        tools=result.tools,
        said=[said, *more],
    )
