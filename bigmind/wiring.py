"""The composition root: builds everything from its parts. Tests build it with other parts."""

from dataclasses import dataclass, replace
from pathlib import Path

from bigmind.backup.loss import notice_loss
from bigmind.backup.operations import OPERATIONS as BACKUP
from bigmind.backup.service import before_migration, clean_up
from bigmind.clients.operations import OPERATIONS as CLIENTS
from bigmind.core.clock import Clock, system_clock
from bigmind.core.operation import Mode
from bigmind.learning.operations import OPERATIONS as LEARNING
from bigmind.maintenance.operations import OPERATIONS as CARE
from bigmind.maintenance.review_operations import OPERATIONS as REVIEW
from bigmind.maintenance.scan_operations import OPERATIONS as SECRETS
from bigmind.maintenance.startup import keep_up
from bigmind.memory.facts.operations import OPERATIONS as FACTS
from bigmind.memory.hypotheses.operations import OPERATIONS as JOURNAL
from bigmind.memory.knowledge.operations import OPERATIONS as KNOWLEDGE
from bigmind.memory.operations import OPERATIONS as MEMORY
from bigmind.memory.projects.names import ProjectNames
from bigmind.memory.projects.operations import OPERATIONS as PROJECTS
from bigmind.memory.recall.operations import OPERATIONS as SEARCH
from bigmind.memory.sessions.hook_operations import OPERATIONS as HOOKS
from bigmind.operations.catalogue import Catalogue
from bigmind.operations.dispatch import Dispatcher
from bigmind.operations.tools import tool_table
from bigmind.paths import PRIVATE_FILE, make_private_folder, narrow, token_file, write_private_file
from bigmind.people.authentication import Authenticator
from bigmind.people.operations import OPERATIONS as PEOPLE
from bigmind.people.passphrase_operations import OPERATIONS as PASSPHRASES
from bigmind.people.service import NOBODY, OWN_KINDS, active_tokens, end_token, ensure_user, mint_token
from bigmind.people.token_format import TokenKind
from bigmind.portable.operations import OPERATIONS as PORTABLE
from bigmind.search.model_operations import OPERATIONS as MODELS
from bigmind.server.operations import OPERATIONS as SERVER
from bigmind.server.settings_operations import OPERATIONS as SETTINGS
from bigmind.store.ownership import Ownership
from bigmind.store.store import Store
from bigmind.usage.operations import OPERATIONS as CLIENT_TOOLSETS


def catalogue() -> Catalogue:
    """Everything BigMind offers."""
    return Catalogue(
        (
            *MEMORY,
            *JOURNAL,
            *SEARCH,
            *MODELS,
            *KNOWLEDGE,
            *REVIEW,
            *FACTS,
            *PROJECTS,
            *CARE,
            *SECRETS,
            *HOOKS,
            *PORTABLE,
            *LEARNING,
            *BACKUP,
            *PEOPLE,
            *PASSPHRASES,
            *SERVER,
            *SETTINGS,
            *CLIENTS,
            *CLIENT_TOOLSETS,
        )
    )


@dataclass(frozen=True, slots=True)
class Mind:
    """A running BigMind, without any surface: store, use cases, and who may use them."""

    store: Store
    dispatcher: Dispatcher
    authenticator: Authenticator

    def close(self) -> None:
        """Close the store."""
        self.store.close()


def open_mind(
    home: Path,
    username: str,
    clock: Clock = system_clock,
    ownership: Ownership | None = None,
    mode: Mode = Mode.PERSONAL,
    backups: Path | None = None,
    file: Path | None = None,
) -> Mind:
    """Open the memory of one home, in `file` or one in there, for its user; with its own clients' token files.

    A store with an older schema is backed up, into `backups` or a folder of the home, before it is migrated.

    Raises:
        BigMindError: `store_in_use`, `store_unusable`; `storage_full` and others, when that backup cannot be made.
    """
    store = Store(home, clock, ownership, mode, backups, before_migration, file)
    everything = catalogue()
    store.tools, store.after_restore = tool_table(everything), keep_up
    clean_up(store)
    notice_loss(store)
    authenticator = Authenticator(store, clock)
    provision(store, authenticator, home, username)
    keep_up(store)
    return Mind(store, Dispatcher(everything, store, ProjectNames()), authenticator)


def provision(store: Store, authenticator: Authenticator, home: Path, username: str) -> None:
    """Make the user, and give the command line and the bridge a token each where theirs is missing or not valid."""
    with store.write(NOBODY, "provision", beside=True) as work:
        user_id = ensure_user(work, username).id or 0
    for kind in OWN_KINDS:
        if not _is_provisioned(authenticator, token_file(home, kind), user_id, kind):
            _replace_own_token(store, home, user_id, kind)


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
