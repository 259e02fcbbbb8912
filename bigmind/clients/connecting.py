"""Connects a client and takes the connection back: plan, show, apply, undo."""

import json
import logging
import stat
import threading
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NoReturn

from bigmind.clients.answers import removal
from bigmind.clients.files.changes import FileChange, digest_of
from bigmind.clients.files.ledger import Ledger, Snapshot, sweep_copies
from bigmind.clients.files.locations import Places
from bigmind.clients.files.unseen import refuse_unseen
from bigmind.clients.files.writer import remove_empty_folders, write_change
from bigmind.clients.install_site import Site, site_home, wanted_at, wanted_here
from bigmind.clients.launcher import make_launcher
from bigmind.clients.own_tokens import (
    dropping,
    ending_tokens,
    keeping,
    kept_secret,
    needs_token,
    valid_token,
    was_sent_elsewhere,
)
from bigmind.clients.parts import Entry, Part
from bigmind.clients.plan import PartLocation, installing, placed, removing, standing
from bigmind.clients.port_change import keep_port_called
from bigmind.clients.target import Target
from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.events import Action, Kind
from bigmind.core.operation import TokenScope
from bigmind.disk.existence import is_gone, is_known_folder
from bigmind.local.program import require_lasting_place
from bigmind.operations.token_scope import scope_in
from bigmind.people.service import active_tokens, end_token, mint_token
from bigmind.people.token_format import TokenKind
from bigmind.store.access import Access
from bigmind.store.work import Work

log = logging.getLogger(__name__)

TOKEN_STAND_IN = "bm_made-when-it-is-installed"  # noqa: S105 - it stands for one


@dataclass(frozen=True, slots=True)
class Plan:
    """What an install or a removal would change.

    Attributes:
        parts: what would be ours in these files then.
        changes: file by file; none when nothing is to do.
        token_id: the client's token that is still good; None where there is none.
        makes_token: whether an install makes one.
        stores_token: whether an install puts it into the client's file of the data folder, where it is not.
        ends_token: whether a removal ends it: nothing else of the client needs it.
        secret: the token; empty where there is none yet.
        limit: its scope; None where it is limited to nothing.
    """

    parts: Sequence[Part]
    changes: Sequence[FileChange]
    token_id: int | None = None
    makes_token: bool = False
    stores_token: bool = False
    ends_token: bool = False
    secret: str = field(default="", repr=False)
    limit: TokenScope | None = None

    @property
    def is_done(self) -> bool:
        """Whether an install would change nothing."""
        return not self.changes and not self.stores_token

    @property
    def digest(self) -> str:
        """By which it is recognised: another one is another plan."""
        return digest_of(self.changes)


def workspace_folder(folder: Path, places: Places) -> Path:
    """A workspace that a person names.

    Raises:
        BigMindError: `invalid_input`, when it is no folder of its own.
    """
    if not folder.is_absolute() or not is_known_folder(folder):
        raise invalid("workspace", str(folder), "the whole path of a folder that exists")
    if places.home.resolve().is_relative_to(folder.resolve()):
        right = "the folder of a project; for all of your home, connect the client for the user"
        raise invalid("workspace", str(folder), right)
    return folder.resolve()  # one folder has one name in the ledger


def plan_install(work: Work, site: Site) -> Plan:
    """What connecting a client changes; a token that stands there and is still good is kept.

    Raises:
        BigMindError: `conflict`, `forbidden`, when a file cannot be changed; `invalid_input`, when the client cannot be
            connected so; `unavailable`, when no client could start BigMind from where it runs.
    """
    require_lasting_place()
    _permit(work, site)
    wanted = wanted_at(work, site, TOKEN_STAND_IN)
    parts = site.target.parts(site.places, wanted)
    if not needs_token(site.target, parts):
        return Plan(parts, _changes(work, site, parts))
    home, client = site_home(work), site.target.name
    entries = [standing(each, site.read) for each in parts if isinstance(each, Entry) and each.secret]
    found = valid_token(work, home, client, entries)
    if found is None or was_sent_elsewhere(entries, wanted.url):
        return Plan(parts, _changes(work, site, parts), makes_token=True, stores_token=True)
    token, secret = found
    parts = site.target.parts(site.places, replace(wanted, token=secret))
    is_stored = kept_secret(home, client) == secret
    limit = scope_in(token.scope)
    return Plan(parts, _changes(work, site, parts), token.id, stores_token=not is_stored, secret=secret, limit=limit)


def plan_removal(work: Work, site: Site) -> Plan:
    """What taking the connection back changes; raises as `plan_install`."""
    ledger = Ledger(work, site_home(work))
    leaving = ledger.parts(site.owner)
    staying = ledger.others(site.owner, {each.path for each in leaving})
    ids, is_last = ending_tokens(work, ledger, site_home(work), site.owner)
    changes = removing(leaving, staying, site.read, ledger.origin)
    return Plan((), changes, ends_token=is_last and bool(ids))


def pasted(work: Work, target: Target) -> str:
    """What a person pastes into a client whose files are not written, as JSON; empty for nothing."""
    if target.paste is None:
        return ""
    return json.dumps(target.paste(wanted_here(work, TOKEN_STAND_IN)), indent=2)


def is_by_hand(site: Site) -> bool:
    """Whether nothing can be written there, and a person pastes something instead."""
    return site.workspace is None and not site.target.for_user and site.target.paste is not None


def _permit(work: Work, site: Site) -> None:
    target = site.target
    if site.workspace is not None and is_gone(site.workspace):
        undo = f"`{removal(target.name, str(site.workspace))}`"
        told = f"The folder {site.workspace} is gone."
        hint = f"{undo} disconnects {target.title} there. If it is on a drive that is away, connect that instead."
        raise BigMindError(Code.NOT_FOUND, told, hint)
    if site.workspace is not None and not target.for_workspace:
        raise BigMindError(
            Code.INVALID_INPUT, f"{target.title} cannot be connected for one workspace.", "Connect it for the user."
        )
    if site.edits and (site.workspace is None or not target.can_hold_edits):
        right = "a client whose hooks can refuse them, in a workspace: claude-code"
        raise invalid("edits", f"{target.name}{'' if site.workspace else ' for the user'}", right)
    if site.workspace is None and not target.for_user:
        raise BigMindError(
            Code.INVALID_INPUT,
            f"{target.title} cannot be connected for the user as a whole.",
            f"By hand: {target.guide}, and paste\n\n{pasted(work, target)}"
            if target.paste
            else "Name a workspace: the folder of a project.",
        )


def _changes(work: Work, site: Site, parts: Sequence[Part]) -> Sequence[FileChange]:
    """What an install changes: the parts it puts, and those of an earlier install that it has no more."""
    ledger = Ledger(work, site_home(work))
    here = {placed(each) for each in parts}
    gone = [each for each in ledger.parts(site.owner) if each not in here]
    changes = {each.path: each for each in installing(parts, site.read)}
    staying = [*here, *ledger.others(site.owner, {each.path for each in gone})]
    for each in removing(gone, staying, _after(site, changes), ledger.origin):
        first = changes.get(each.path)
        changes[each.path] = replace(each, before=first.before, is_private=first.is_private) if first else each
    return refuse_unseen(list(changes.values()), site.places)


def _after(site: Site, changes: dict[Path, FileChange]) -> Callable[[Path], bytes | None]:
    """Reads files as they are once the changes are made."""
    return lambda path: changes[path].after if path in changes else site.read(path)


_changing = threading.Lock()
"""One at a time: an install that is overtaken by another would take back what that one noted."""


def install(access: Access, site: Site, expected: str) -> list[Path]:
    """Connect a client as it was shown.

    What is about to be written is noted first, with copies of the files as they are: whoever kills the process leaves
    whole files, and a ledger by which the connection can be completed or taken back.

    Args:
        access: opens the units of work.
        site: which client, and where.
        expected: the digest of the plan that the person said yes to.

    Returns:
        The files that were changed.

    Raises:
        BigMindError: `conflict`, when the plan is another one by now, or a file was changed meanwhile; as
            `plan_install`. All files, the ledger and the tokens are as they were then.
    """
    with _changing:
        return _installed(access, site, expected)


def _installed(access: Access, site: Site, expected: str) -> list[Path]:
    with access.write() as work:
        plan = plan_install(work, site)
        _expect(plan, expected)
        noted = _noted(work, site, plan)
        make_launcher(site_home(work))
    try:
        with keeping(noted.home, site.target.name, noted.plan.secret), undone_if_it_fails(site) as write:
            made = {change.path: write(change, noted.going.get(change.path, 0)) for change in noted.plan.changes}
            with access.write() as work:
                ledger = Ledger(work, site_home(work))
                for path, folders in made.items():
                    ledger.note_folders(path, folders)
                _end_tokens(work, noted.old_tokens)
                keep_port_called(work)
                work.changed(Kind.CLIENT, site.target.name, Action.UPDATED)
    except BaseException:  # also of a server that is told to stop: what was noted is not there
        with access.write() as work:
            since = Ledger(work, site_home(work)).restore(site.owner, noted.before)
            _end_tokens(work, noted.new_tokens)
        _sweep(access, since)
        raise
    _sweep(access, noted.before.copies)
    return [each.path for each in noted.plan.changes]


@dataclass(frozen=True, slots=True)
class _NotedInstall:
    """An install that the ledger knows of and that is yet to be written.

    Attributes:
        home: the data folder.
        plan: what is written.
        before: what the ledger said.
        new_tokens: made for it.
        old_tokens: of the install that it replaces.
        going: how many folders go with the files that it no longer needs.
    """

    home: Path
    plan: Plan
    before: Snapshot
    new_tokens: set[int]
    old_tokens: set[int]
    going: Mapping[Path, int]


def _noted(work: Work, site: Site, plan: Plan) -> _NotedInstall:
    """Make the token, and note what is about to be written."""
    ledger = Ledger(work, site_home(work))
    made: set[int] = set()
    if plan.makes_token:
        minted = mint_token(work, work.caller.user_id, site.target.name, TokenKind.CLIENT)
        work.session.flush()
        wanted = wanted_at(work, site, minted.secret)
        parts = site.target.parts(site.places, wanted)
        made = {minted.row.id or 0}
        plan = Plan(parts, _changes(work, site, parts), minted.row.id, secret=minted.secret)
    files = [*plan.changes, *_unchanged(site, plan)]
    before = ledger.snapshot(site.owner, [each.path for each in files])
    old = ledger.token_ids(site.owner) - {plan.token_id}
    everything = [placed(each) for each in plan.parts]
    for change in files:
        ours = _in_file(ledger, site, change.path, everything)
        ledger.keep(change, ours, _mode_of(site, change), in_home=site.root.is_home)
    _note_coming_folders(ledger, site, plan)
    going = {each.path: ledger.made_folders(each.path) for each in plan.changes if each.after is None}
    ledger.own(site.owner, everything, plan.token_id)
    return _NotedInstall(site_home(work), plan, before, made, old, going)


def _note_coming_folders(ledger: Ledger, site: Site, plan: Plan) -> None:
    """Note which folders the files will bring along: a process that is killed in between leaves none that stay."""
    coming: set[Path] = set()
    for change in plan.changes:
        if change.after is not None:
            around = site.root.real(change.path).parents
            missing = [each for each in around if each not in coming and is_gone(each)]
            coming.update(missing)
            ledger.note_folders(change.path, len(missing))


def _unchanged(site: Site, plan: Plan) -> list[FileChange]:
    """The files in which all of ours stands already; whose it is, the ledger finds out."""
    changed = {each.path for each in plan.changes}
    paths = [path for path in dict.fromkeys(each.file for each in plan.parts) if path not in changed]
    return [FileChange(path, data, data) for path, data in ((path, site.read(path)) for path in paths)]


def remove(access: Access, site: Site, expected: str) -> list[Path]:
    """Take a connection back, as it was shown, and end its token; arguments, answer and errors as `install`."""
    with _changing:
        return _removed(access, site, expected)


def _removed(access: Access, site: Site, expected: str) -> list[Path]:
    with access.read() as work:
        plan = plan_removal(work, site)
        _expect(plan, expected)
        home = site_home(work)
        ledger = Ledger(work, home)
        ending, is_last = ending_tokens(work, ledger, home, site.owner)
        folders = {change.path: ledger.made_folders(change.path) for change in plan.changes}
        made = ledger.going_folders(site.owner)
    with undone_if_it_fails(site) as write:
        # Last the file for which the most folders were made: they go with it, once the others in them are gone.
        for change in sorted(plan.changes, key=lambda each: folders[each.path]):
            write(change, folders[change.path])
        remove_empty_folders(site.root, made)  # also around what somebody else took away already
        with dropping(home, site.target.name) if is_last else nullcontext(), access.write() as work:
            ledger = Ledger(work, home)
            _end_tokens(work, ending)
            for change in plan.changes:
                ledger.rewritten(change)
            dropped = ledger.disown(site.owner)
            work.session.flush()
            keep_port_called(work)
            work.changed(Kind.CLIENT, site.target.name, Action.UPDATED)
    _sweep(access, dropped)
    return [each.path for each in plan.changes]


def _sweep(access: Access, dropped: set[str]) -> None:
    """Remove the copies that nothing names any more."""
    with access.read() as work:
        sweep_copies(work, site_home(work), dropped)


def _expect(plan: Plan, expected: str) -> None:
    if plan.digest != expected:
        refuse_other_plan()


def refuse_other_plan() -> NoReturn:
    """Refuse to write what nobody said yes to; raises BigMindError `conflict`."""
    raise BigMindError(
        Code.CONFLICT,
        "What would be changed is not what was shown: a file was changed since.",
        "Look at it again, and say yes to that.",
    )


def _end_tokens(work: Work, ids: set[int]) -> None:
    for token in active_tokens(work, work.caller.user_id):
        if token.id in ids:
            end_token(work, token)


def _in_file(ledger: Ledger, site: Site, path: Path, ours: Sequence[PartLocation]) -> list[PartLocation]:
    """All that is ours in a file: of this install, as it was and will be, and of others."""
    known = [*ours, *ledger.parts(site.owner), *ledger.others(site.owner, [path])]
    return [each for each in dict.fromkeys(known) if each.path == path]


def _mode_of(site: Site, change: FileChange) -> int | None:
    return None if change.before is None else stat.S_IMODE(site.root.real(change.path).stat().st_mode)


@contextmanager
def undone_if_it_fails(site: Site) -> Generator[Callable[[FileChange, int], int]]:
    """Hands out what makes a change; when the block fails, all that were made are taken back, the last one first."""
    made: list[tuple[FileChange, int | None, int]] = []

    def write(change: FileChange, made_folders: int) -> int:
        mode = _mode_of(site, change)
        folders = write_change(site.root, change, made_folders)
        made.append((change, mode, folders))
        return folders

    try:
        yield write
    except BaseException:  # also of a server that is told to stop: half of an install is none
        for change, mode, folders in reversed(made):
            back = FileChange(change.path, before=change.after, after=change.before, mode=mode)
            try:
                write_change(site.root, back, folders)
            except BigMindError as error:  # another program wrote there by now: what it wrote stays
                log.warning("%s was not put back: %s", change.path, error)
        raise
