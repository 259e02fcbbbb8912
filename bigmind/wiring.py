"""The composition root: builds everything from its parts. Tests build it with other parts."""

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from sqlmodel import select

from bigmind.backup.files import Reason
from bigmind.backup.loss import notice_loss
from bigmind.backup.restore_offer import unopenable
from bigmind.backup.service import before_migration, clean_up
from bigmind.core.clock import Clock, system_clock
from bigmind.core.errors import BigMindError
from bigmind.core.events import Action, Change, Kind
from bigmind.core.kind import Kinds
from bigmind.core.operation import Mode, Role
from bigmind.maintenance.startup import keep_up
from bigmind.memory.projects.names import ProjectNames
from bigmind.operations.catalogue import Catalogue
from bigmind.operations.dispatch import Dispatcher
from bigmind.operations.tools import tool_table
from bigmind.paths import (
    PRIVATE_FILE,
    backups_folder,
    make_private_folder,
    narrow,
    store_file,
    token_file,
    write_private_file,
)
from bigmind.people.authentication import Authenticator
from bigmind.people.service import NOBODY, OWN_KINDS, active_tokens, end_token, ensure_user, mint_token
from bigmind.people.tables import User
from bigmind.people.token_format import TokenKind
from bigmind.people.user_rules import refuse_start
from bigmind.portable.transfer_paths import remove_kept_exports
from bigmind.registry import KINDS, OPERATIONS
from bigmind.store.condition import DamagedError
from bigmind.store.ownership import Ownership
from bigmind.store.store import Store
from bigmind.store.tables import StoreProperty

MODE = "mode"
"""The store's property that says in which mode it was started last."""


def catalogue() -> Catalogue:
    """Everything BigMind offers."""
    return Catalogue(OPERATIONS)


@dataclass(frozen=True, slots=True)
class Mind:
    """A running BigMind, without any surface: store, use cases, and who may use them.

    Attributes:
        store: what is remembered.
        dispatcher: runs the use cases.
        authenticator: says who holds a token.
        is_first_start: whether this start made its user, in a memory that no backup misses: of each once, ever.
    """

    store: Store
    dispatcher: Dispatcher
    authenticator: Authenticator
    is_first_start: bool = False

    def close(self) -> None:
        """End what is being done, and close the store."""
        self.dispatcher.close()
        self.store.close()


def open_mind(
    home: Path,
    username: str,
    clock: Clock = system_clock,
    ownership: Ownership | None = None,
    mode: Mode = Mode.PERSONAL,
    backups: Path | None = None,
    file: Path | None = None,
    kinds: Kinds = KINDS,
) -> Mind:
    """Open the memory of one home, in `file` or one in there, for its user; with its own clients' token files.

    `kinds` are what it remembers.

    A store with an older schema is backed up, into `backups` or a folder of the home, before it is migrated.

    Raises:
        BigMindError: `store_in_use`, `store_unusable`; `storage_full` and others, when that backup cannot be made.
    """
    try:
        store = Store(home, clock, ownership, mode, backups, before_migration, file, kinds)
    except DamagedError as fault:
        place, folder = file or store_file(home), backups or backups_folder(home)
        raise unopenable(fault, place, folder, is_named=file is not None) from fault
    everything = catalogue()
    store.tools, store.after_restore = tool_table(everything, mode), keep_up
    with ExitStack() as undone, upgrade_noted(store):
        undone.callback(store.close)  # nobody else has it yet
        clean_up(store)
        notice_loss(store)
        store.events.subscribe(lambda change: _leave_no_export(home, change))
        authenticator = Authenticator(store, clock)
        is_new = provision(store, authenticator, home, username) and store.safekeeping.loss is None
        keep_up(store)
        undone.pop_all()
    return Mind(store, Dispatcher(everything, store, ProjectNames()), authenticator, is_new)


@contextmanager
def upgrade_noted(store: Store) -> Generator[None]:
    """Have an error that nobody expected say which backup is from before an upgrade of this very start."""
    try:
        yield
    except Exception as error:
        made = [each for each in store.safekeeping.given if Reason.BEFORE_MIGRATION in each]
        if made and not isinstance(error, BigMindError):
            error.add_note(f"The memory was upgraded by this start; the backup {made[0]} is from before.")
        raise


def _leave_no_export(home: Path, change: Change) -> None:
    """Remove exports that may hold what was forgotten, whoever's: an admin's holds what others forget."""
    if change.action is Action.FORGOTTEN:
        remove_kept_exports(home)


def provision(store: Store, authenticator: Authenticator, home: Path, username: str) -> bool:
    """Make the user, and give the command line and the bridge a token each where theirs is missing or not valid.

    Returns:
        Whether there was no such user before.

    Raises:
        BigMindError: `forbidden`, when the user is disabled; no token is made then.
    """
    with store.write(NOBODY, "provision", beside=True) as work:
        is_new = work.session.exec(select(User.id).where(User.username == username)).first() is None
        user = ensure_user(work, username)
        refuse_start(work, user)
        user_id = user.id or 0
        newcomer = user.uid if is_new and user.role != Role.ADMIN else ""  # whoever begins a memory is its admin
        was = work.session.get(StoreProperty, MODE)
        mode = store.mode.value if store.mode != (was.value if was else Mode.PERSONAL) else ""
    if newcomer or mode:
        _note_start(store, user_id, newcomer, mode)
    for kind in OWN_KINDS:
        if not _is_provisioned(authenticator, token_file(home, kind), user_id, kind):
            _replace_own_token(store, home, user_id, kind)
    return is_new


def _note_start(store: Store, user_id: int, newcomer: str, mode: str) -> None:
    """Leave in the audit log what a start alone does: somebody became a user by it, or it is in another mode."""
    with store.write(replace(NOBODY, user_id=user_id), "provision", beside=True) as work:
        if newcomer:
            work.changed(Kind.USER, newcomer, Action.CREATED)
        if mode:
            work.session.merge(StoreProperty(name=MODE, value=mode))
            work.changed(Kind.SETTINGS, f"{MODE}={mode}", Action.UPDATED)


def _is_provisioned(authenticator: Authenticator, file: Path, user_id: int, kind: TokenKind) -> bool:
    """Whether the file holds a valid token of that user and kind; what it grants to others is taken from them."""
    make_private_folder(file.parent)
    if not file.is_file():
        return False
    narrow(file, PRIVATE_FILE)
    known = authenticator.principal(file.read_text(encoding="utf-8", errors="replace").strip())
    return known is not None and known.kind is kind and known.caller.user_id == user_id


def _replace_own_token(store: Store, home: Path, user_id: int, kind: TokenKind) -> None:
    with store.write(replace(NOBODY, user_id=user_id), "provision", beside=True) as work:
        for old in active_tokens(work, user_id):
            if old.kind == kind:
                end_token(work, old)
        secret = mint_token(work, user_id, kind, kind).secret
    write_private_file(token_file(home, kind), secret)
