"""How a backup becomes the store again: prepared and checked in a scratch file, then taken over in one transaction.

No file is exchanged: the prepared pages are written through the store's own connection, as one SQLite transaction. So
readers go on reading the old store until the new one is there, a process that is killed leaves the old or the new one,
and it works where an open file cannot be replaced.
"""

import logging
import shutil
from collections.abc import Generator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlalchemy import func
from sqlmodel import select

from bigmind.backup.encryption import keys_of
from bigmind.backup.files import BackupInfo, Reason, read_manifest
from bigmind.backup.handover import carry_over, refuse_other_schema
from bigmind.backup.scratch_files import paced, require_room, scratch
from bigmind.backup.service import backup_now, in_our_words
from bigmind.backup.verification import ANOTHER, compare, damaged, examined, unpacked
from bigmind.backup.work_handover import hand_over_work
from bigmind.backup.workspace_handover import hand_over_workspaces
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action, Change, Kind
from bigmind.core.ids import new_id
from bigmind.core.progress import Progress
from bigmind.disk.existence import is_file_or_raises, seen
from bigmind.paths import make_private_folder
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.store.access import Access
from bigmind.store.migration import migrate
from bigmind.store.store import Store
from bigmind.store.tables import ChangeRow
from bigmind.work.ledger.ledger_rows import Writer

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class RestoreResult:
    """What was done.

    Attributes:
        path: of the backup.
        info: its manifest; None when it had none, so that only SQLite's own checks vouch for it.
        aside: where the replaced store is.
        forgotten: how many rows were removed again, because they had been forgotten since.
        with_tokens: whether users and tokens came back with it, because the memory was missing.
    """

    path: Path
    info: BackupInfo | None
    aside: Path
    forgotten: int
    with_tokens: bool


def restore(access: Access, path: Path, secrets: list[str]) -> RestoreResult:
    """Make the backup at `path` the store. Who may use it stays as it is; what was forgotten stays so.

    Where the memory is missing, who might use it is missing too: that comes back with the backup.

    Args:
        access: the caller's.
        path: of the backup.
        secrets: recovery keys to try beside this machine's own.

    Raises:
        BigMindError: `conflict`, when the backup is damaged or cannot be decrypted; `store_unusable`, when a newer
            BigMind wrote it; `storage_full`; `unavailable`. The store is then as it was.
    """
    store = access.store
    with store.safekeeping.turn, in_our_words(store), scratch(store.home) as place:
        _refuse_itself(store, path)
        prepared = place / "restored.db"
        require_room(store.home, store.home, 2 * sum(each.stat().st_size for each in (path, *_log_of(path))))
        info = _prepared(access, path, prepared, secrets)
        _tidy(store)
        with store.alone() as writer:
            aside = _kept_aside(store, access.progress)
            with _beside_the_living(store, prepared) as connection:
                refuse_other_schema(connection, path.name)
                # Tokens come back from the backups of this machine, and from no file that somebody sent.
                is_missing = store.safekeeping.loss is not None and path.parent == store.safekeeping.folder
                forgotten = carry_over(
                    *(connection, access.caller, access.operation, access.now, store.kinds), is_missing=is_missing
                )
                hand_over_work(connection, _writer_of(access), path.name, is_missing=is_missing)
                hand_over_workspaces(connection, access.now, is_missing=is_missing)
                store.backend.maintenance.seal_all(connection)  # the triggers that do so are the store's own writer's
            store.backend.snapshots.put_in_place(prepared, writer, store.home, access.progress)
            store.look()  # what was damaged is replaced; what the disk spoils anew is not passed over
        _tell(store)
    log.info("restored %s; what it replaced is in %s", path.name, aside)
    return RestoreResult(path, info, aside, forgotten, is_missing)


def _refuse_itself(store: Store, path: Path) -> None:
    """Refuse the living store: it would be read without its log, and lose what was written last."""
    if seen(store.path) and path.samefile(store.path):
        raise BigMindError(
            Code.CONFLICT,
            f"{path.name} is the memory that is in use, and no backup of it. Nothing was changed.",
            "`bigmind backup list` names the backups.",
        )


def _log_of(path: Path) -> list[Path]:
    """The log of a database that was taken as it lay in its folder, where it has one; what was written last is there.

    SQLite looks for it beside what a link leads to.
    """
    log_file = path.resolve()
    log_file = log_file.with_name(f"{log_file.name}-wal")
    return [log_file] if is_file_or_raises(log_file) else []


def _tidy(store: Store) -> None:
    """Nothing beside the living store's indexes, whose schema is compared; a damaged one is replaced as it is."""
    try:
        store.backend.full_text.discard_unfinished(store.alone)
    except (BigMindError, *store.backend.faults.errors) as error:
        log.warning("What is left of an index stays there: %s", error)


def _writer_of(access: Access) -> Writer:
    caller = access.caller
    return Writer(access.now, caller.user_id, caller.client, caller.presence.value, access.operation)


def _prepared(access: Access, path: Path, prepared: Path, secrets: list[str]) -> BackupInfo | None:
    """Restore the backup to a scratch file, check all of it, and bring its schema up to date."""
    try:
        info = read_manifest(path)
    except ValueError as error:
        raise damaged(path.name, f"its manifest is not as it was written ({type(error).__name__})") from error
    keys = keys_of(access.store.home)
    with paced(prepared) as target:
        known = [*secrets, *([keys.device] if keys else [])]
        unpacked(path, target, known, info.sha256 if info else None, access.progress)
    for each in _log_of(path) if info is None else []:
        shutil.copyfile(each, prepared.with_name(f"{prepared.name}-wal"))
    access.progress(0, 0, "Checking the backup")
    found = examined(access.backend, prepared, path.name)
    if info is not None:
        compare(path.name, found, info.tables)
    if not found.schema_revision:
        raise BigMindError(Code.CONFLICT, f"{path.name} is not a backup of BigMind's.", ANOTHER)
    engine = access.backend.engines.writing(prepared)
    try:
        with engine.connect() as connection:  # of a backup that was made while an index was made anew
            writer = connection.connection.driver_connection
            access.backend.full_text.discard_unfinished(lambda: nullcontext(writer))
        migrate(access.backend.engines, engine)
    finally:
        engine.dispose()
    return info


def _kept_aside(store: Store, progress: Progress) -> Path:
    """The store as it is, verified; where it is damaged, which may be why another is wanted, page by page."""
    try:
        return store.safekeeping.folder / backup_now(store, Reason.BEFORE_RESTORE, progress).name
    except BigMindError as error:
        if error.code not in {Code.CONFLICT, Code.STORE_UNUSABLE}:
            raise
        make_private_folder(store.home / "damaged")
        place = store.home / "damaged" / f"bigmind-{store.clock():%Y%m%d-%H%M%S}-{new_id()[:8]}.db"
        store.backend.snapshots.copy_as_it_is(store.path, place)
        return place


@contextmanager
def _beside_the_living(store: Store, prepared: Path) -> Generator[Any]:
    living = store.path
    try:
        with closing(store.backend.snapshots.connected(prepared, living=living)) as connection:
            yield connection
    except store.backend.faults.errors as error:
        log.exception("the living store cannot be carried over")
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"Who may use the memory cannot be read from the store that is there: {error}.",
            f"Stop BigMind, move {living.name} and the files beside it that begin so out of {living.parent}, start "
            "BigMind again, and restore the backup into the new store.",
        ) from error


def _tell(store: Store) -> None:
    """Every user's pages and clients show another memory now, and every token may mean another user."""
    with store.read(NOBODY, "restored") as work:
        last = work.session.exec(select(func.max(ChangeRow.id))).one() or 0
        users = work.session.exec(select(User.id)).all()
    store.host.activity.forget_deliveries()
    store.events.publish([Change(last, user or 0, Kind.STORE, "", Action.RESTORED) for user in users])
