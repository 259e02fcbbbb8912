"""How each client stands to BigMind: whether it is installed here, connected, drifted, and used."""

from collections.abc import Sequence
from pathlib import Path

from bigmind.clients.answers import ChangeShown, ClientRow, State, WorkspaceFault
from bigmind.clients.connecting import Plan, pasted, plan_install
from bigmind.clients.files.changes import FileChange
from bigmind.clients.files.diff import difference
from bigmind.clients.files.ledger import Ledger, Owner
from bigmind.clients.files.locations import Places
from bigmind.clients.install_site import Site, holds_edits, site_home
from bigmind.clients.target import Target
from bigmind.core.errors import BigMindError
from bigmind.core.operation import may_name_any
from bigmind.core.toolsets import as_text
from bigmind.disk.existence import is_gone
from bigmind.store.work import Work
from bigmind.usage.counts import ClientUse


def lacking_token(plan: Plan) -> str:
    """What is said of a connection whose bridge and hooks do not find a valid token of the client."""
    return "It has no valid token of its own." if plan.makes_token else "Its hooks do not use its own token yet."


def limited_token(plan: Plan) -> str:
    """What is said of a connection whose token has a scope; empty where it has none."""
    if plan.limit is None:
        return ""
    hooks = " Its hooks tell what is known, and keep nothing." if plan.limit.read_only else ""
    return f"Its token has a scope: {plan.limit.in_words()}.{hooks}"


def is_installed(target: Target, places: Places) -> bool:
    """Whether there is any sign of the client on this machine."""
    try:
        return any(sign.exists() for sign in target.signs(places)) or any(map(places.command, target.commands))
    except OSError:  # a folder that may not be looked into
        return False


def row(work: Work, target: Target, places: Places, use: ClientUse | None, owners: list[Owner]) -> ClientRow:
    """One client, for the user; with the workspaces that it is connected in."""
    state, detail = _state(work, Site(target, places), owners)
    # What is started by hand lies on the machine of the server, with its data folder.
    guide, paste = (target.guide, pasted(work, target)) if may_name_any(work.caller, work.mode) else ("", "")
    folders = [each.workspace for each in owners if each.target == target.name and each.workspace]
    sites = [Site(target, places, Path(each)) for each in folders]
    return ClientRow(
        client=target.name,
        title=target.title,
        state=state,
        detail=detail,
        connected=Owner(target.name) in owners or state in {State.CONNECTED, State.DRIFTED},
        for_user=target.for_user,
        for_workspace=target.for_workspace,
        workspaces=folders,
        faults=[fault for each in sites if (fault := _fault(work, each, owners))],
        can_hold_edits=target.can_hold_edits,
        holding=[str(each.workspace) for each in sites if target.can_hold_edits and holds_edits(work, each)],
        last_at=use.last_at if use else None,
        calls=use.calls if use else 0,
        tokens=use.tokens if use else 0,
        toolsets=as_text(use.toolsets) if use else "",
        layers=[each.value for each in sorted(target.layers, key=lambda each: each.name)],
        guide=guide,
        paste=paste,
    )


def _fault(work: Work, site: Site, owners: list[Owner]) -> WorkspaceFault | None:
    """What is wrong in a folder that a client is connected in; None for nothing."""
    folder = site.owner.workspace
    if is_gone(Path(folder)):
        return WorkspaceFault(folder=folder, state=State.GONE, detail=f"The folder {folder} is gone.")
    state, detail = _state(work, site, owners)
    return WorkspaceFault(folder=folder, state=state, detail=detail) if state is not State.CONNECTED else None


def _state(work: Work, site: Site, owners: list[Owner]) -> tuple[State, str]:
    is_ours = site.owner in owners
    if not is_ours and not may_name_any(work.caller, work.mode):
        return State.MISSING, ""  # the files of a team's server are not told to who may name none of them
    absent = State.AVAILABLE if is_installed(site.target, site.places) else State.MISSING
    if site.workspace is None and not site.target.for_user:
        return absent, ""
    try:
        plan = plan_install(work, site)
    except BigMindError as error:
        return (State.BROKEN, str(error)) if is_ours or absent is State.AVAILABLE else (absent, "")
    if not is_ours and plan.changes:
        return absent, ""
    if plan.changes:
        return State.DRIFTED, f"{_names(plan.changes)} would be written anew."
    return (State.CONNECTED, limited_token(plan)) if plan.is_done else (State.DRIFTED, lacking_token(plan))


def _names(changes: Sequence[FileChange]) -> str:
    return ", ".join(each.path.name for each in changes)


def shown(change: FileChange) -> ChangeShown:
    """A change for a person's eyes."""
    action = "create" if change.before is None else "remove" if change.after is None else "change"
    return ChangeShown(
        path=str(change.path), action=action, difference=difference(change.path, change.before, change.after)
    )


def workspaces(work: Work) -> list[Path]:
    """The folders that any client is connected in."""
    found = {each.workspace for each in Ledger(work, site_home(work)).owners() if each.workspace}
    return [Path(each) for each in sorted(found)]
