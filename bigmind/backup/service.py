"""Making backups, and saying how they are. Each is restored to a scratch file before it counts as one."""

import errno
import logging
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import NoReturn

from bigmind.backup.chosen_folder import backups_away, note_backup
from bigmind.backup.encryption import Keys, ProgressReader, keys_of, seal
from bigmind.backup.files import (
    Backup,
    BackupInfo,
    LedgerHead,
    Reason,
    backups_in,
    damage,
    is_encrypted,
    manifest_of,
    narrow_backups,
    new_name,
    remove_backup,
    write_manifest,
)
from bigmind.backup.rotation import superfluous
from bigmind.backup.scratch_files import paced, partial_of, prepare, require_room, scratch, sweep
from bigmind.backup.system_log import head_line, write_to_system_log
from bigmind.backup.verification import compare, examined, unpacked
from bigmind.core.clock import local
from bigmind.core.errors import BigMindError, Code
from bigmind.core.progress import BYTES, Phase, Progress, nobody_waits
from bigmind.disk import open_files
from bigmind.disk.existence import is_gone
from bigmind.disk.flushing import sync_folder
from bigmind.disk.refused_writes import why_refused
from bigmind.paths import IMPORTS
from bigmind.store.backup_keeping import FailedBackup
from bigmind.store.contents import Contents, TableState
from bigmind.store.store import Store
from bigmind.work.ledger.heads import head_in

log = logging.getLogger(__name__)

_LONGEST_NAME = 70
"""Letters of the name under which a backup is written, before an upgrade."""
FULL = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


@dataclass(frozen=True, slots=True)
class BackupState:
    """How a store's backups are: the newest verified one, and the last attempt when it failed."""

    newest: BackupInfo | None
    failure: FailedBackup | None


def backup_now(store: Store, reason: Reason | str, progress: Progress = nobody_waits) -> BackupInfo:
    """Make a verified backup; takes no lock that a reader or a writer of the store waits for.

    Older ones that have had their time are removed after it.

    Args:
        store: whose.
        reason: why, one of `Reason`. Where the drive of the backups is away, only a person's own begins anew, and none
            while the memory is missing: an empty one would be what the next start knows of.
        progress: is told how far each step of it is, in bytes.

    Raises:
        BigMindError: `storage_full`, `store_unusable`, `unavailable`, or `conflict` when what was written cannot be
            restored; nothing of it is left, and the store is as it was.
    """
    reason = Reason(reason)
    with store.safekeeping.turn, _noted(store, reason):
        away = backups_away(store)
        if away and (away.is_missing or reason is not Reason.MANUAL):
            raise away.fault(is_open=reason is not Reason.BEFORE_MIGRATION)
        with in_our_words(store):
            info = _made(store, reason, progress)
        note_backup(store, info)
        log.info("backup %s: %s bytes, verified", info.name, info.bytes)
        rotate(store)
    return info


@contextmanager
def _noted(store: Store, reason: Reason) -> Generator[None]:
    try:
        yield
    except BigMindError as error:
        log.error("the backup (%s) failed: %s", reason, error)  # noqa: TRY400 - it is told, and raised
        if error.code in {Code.CONFLICT, Code.STORE_UNUSABLE} and store.look():
            store.safekeeping.failure = FailedBackup(store.clock(), reason, store.condition.in_words)
            raise store.condition.fault from error
        store.safekeeping.failure = FailedBackup(store.clock(), reason, error.message)
        raise
    store.safekeeping.failure = None


@contextmanager
def in_our_words(store: Store, folder: Path | None = None) -> Generator[None]:
    """Tell the faults of the disk and of the database in words; `folder` is where backups are, if it is another."""
    try:
        yield
    except OSError as error:
        _raise(error, folder or store.safekeeping.folder)
    except store.backend.faults.errors as error:
        if (fault := store.backend.faults.meaning(error)) is None:
            raise
        raise fault from error


def _raise(error: OSError, folder: Path) -> NoReturn:
    if error.errno in FULL:
        raise BigMindError(
            Code.STORAGE_FULL,
            f"There is no room for a backup in {folder} ({error.strerror}).",
            "Make room there, or set BIGMIND_BACKUP_FOLDER to a folder on another disk. Nothing was changed.",
        ) from error
    raise BigMindError(
        Code.UNAVAILABLE,
        f"A backup in {folder} cannot be written or read: {why_refused(error, folder, _LONGEST_NAME)}.",
        "Check that the folder is there and that you may write to it, or set BIGMIND_BACKUP_FOLDER to another one.",
    ) from error


def _made(store: Store, reason: Reason, progress: Progress) -> BackupInfo:
    home, folder = store.home, store.safekeeping.folder
    store.file.permit()
    prepare(home, folder)
    require_room(home, folder, store.size_in_bytes())
    keys = keys_of(home)
    encrypted = keys is not None and keys.is_on
    with scratch(home) as place:
        taken_at = store.clock()
        contents = store.backend.snapshots.copy(store.path, place / "snapshot.db", progress)
        head = ledger_head(store, place / "snapshot.db")
        path = folder / new_name(folder, taken_at, reason, store.safekeeping.given, encrypted=encrypted)
        partial = partial_of(home, path)
        try:
            sha256 = _written(place / "snapshot.db", partial, keys if encrypted else None, progress)
            if (kept := _kept_already(folder, reason, sha256)) is not None:
                open_files.remove(partial)
                store.safekeeping.given.add(kept.name)
                return kept
            _verify(store, path, partial, place / "restored.db", contents, (keys, sha256), progress)
            info = _described(store, path, taken_at, reason, contents, (partial.stat().st_size, sha256))
            info = info.model_copy(update={"ledger": head})
            write_manifest(path, info)
            open_files.replace(partial, path)
            store.safekeeping.given.add(path.name)
            sync_folder(folder)
        except BaseException:
            with suppress(OSError):  # one that a program has open: why it failed is told, and a start sweeps up
                open_files.remove(partial)
                if is_gone(path):
                    open_files.remove(manifest_of(path))
            raise
    log_head(store, head)
    return info


def _kept_already(folder: Path, reason: Reason, sha256: str) -> BackupInfo | None:
    """The newest backup from before an upgrade that failed, where it has the very bytes of the one that was written.

    Who tries again and again does not fill the disk with one memory. Encrypted ones never have the same bytes.
    """
    if reason is not Reason.BEFORE_MIGRATION:
        return None
    with suppress(OSError):  # an older one that cannot be read is none, and that of now is written
        newest = next((each for each in backups_in(folder) if each.info and each.info.reason is reason), None)
        if newest and newest.info and newest.info.sha256 == sha256 and not damage(newest):
            return newest.info
    return None


def ledger_head(store: Store, database: Path) -> LedgerHead | None:
    """The head of the ledger in a database file; None where there is none."""
    connection = store.backend.snapshots.connected(database, read_only=True)
    try:
        found = head_in(connection)
    finally:
        connection.close()
    return None if found is None else LedgerHead(number=found.number, digest=found.digest)


def log_head(store: Store, head: LedgerHead | None) -> None:
    """Write a head of the ledger into the system's log, where this account cannot change it."""
    if head is not None:
        write_to_system_log(head_line(own_id(store), head.number, head.digest))


def _written(copy: Path, partial: Path, keys: Keys | None, progress: Progress) -> str:
    """Write the copy to its place, encrypted where that is wanted, and on disk; the copy is gone after it."""
    phase = Phase(progress, "Encrypting the copy" if keys else "Writing the backup", copy.stat().st_size, BYTES)
    with paced(partial) as target, copy.open("rb") as source:
        sha256 = seal(ProgressReader(source, phase), target, keys)
    open_files.remove(copy)
    return sha256


def _verify(
    store: Store,
    path: Path,
    partial: Path,
    restored: Path,
    expected: Contents,
    seal_of: tuple[Keys | None, str],
    progress: Progress,
) -> None:
    keys, sha256 = seal_of
    with paced(restored) as target:
        unpacked(partial, target, [keys.device] if keys else [], sha256, progress)
    progress(0, 0, "Checking the copy")
    found = examined(store.backend, restored, path.name)
    compare(path.name, found, expected.tables)


def _described(
    store: Store, path: Path, taken_at: datetime, reason: Reason, contents: Contents, file: tuple[int, str]
) -> BackupInfo:
    encrypted = is_encrypted(path)
    # A sample's digest would let who guesses a row confirm it.
    tables = {
        name: TableState(rows=each.rows, sample="" if encrypted else each.sample)
        for name, each in contents.tables.items()
    }
    return BackupInfo(
        name=path.name,
        taken_at=taken_at,
        reason=reason,
        store=contents.store,
        schema_revision=contents.schema_revision,
        change=contents.change,
        bytes=file[0],
        sha256=file[1],
        encrypted=encrypted,
        tables=tables,
        verified_at=store.clock(),
    )


def before_migration(store: Store) -> None:
    """Back up a store whose schema is about to change.

    Raises:
        BigMindError: as `backup_now`; the store must then be left as it is.
    """
    try:
        backup_now(store, Reason.BEFORE_MIGRATION)
    except BigMindError as error:
        raise BigMindError(
            error.code,
            f"The memory was not upgraded, because no backup of it could be made first. {error.message}",
            error.hint or "Go on with the older BigMind until it can.",
        ) from error


def clean_up(store: Store) -> None:
    """Remove what a killed process left in the making; call it once, when the store was opened."""
    with store.safekeeping.turn:
        sweep(store.home, store.safekeeping.folder)
        if left := narrow_backups(store.safekeeping.folder):
            told = ", ".join(map(str, left))
            log.warning("others may read these backups, and BigMind cannot or may not change that: %s", told)
    for left in store.home.glob(IMPORTS):
        open_files.remove(left)


def backups(store: Store) -> list[Backup]:
    """Every backup in the store's folder, the newest first; also those of other stores, and damaged ones.

    Those that are dated ahead, because a clock was wrong, come last: none of them is taken for the newest.
    """
    now = store.clock()
    with in_our_words(store):
        return sorted(backups_in(store.safekeeping.folder), key=lambda each: each.taken_at > now)


def verified(store: Store) -> list[BackupInfo]:
    """The backups of this very store that were verified and still have their size, the newest first."""
    own = own_id(store)
    return [each.info for each in backups(store) if each.info and not each.problem and each.info.store == own]


def own_id(store: Store) -> object:
    """By what the backups of a store are known as its own: the id of its first user."""
    return _first(store, "SELECT uid FROM user ORDER BY id LIMIT 1")


def state(store: Store) -> BackupState:
    """The newest verified backup of a store, and its last failure. Reads the folder and no backup."""
    return BackupState(next(iter(verified(store)), None), store.safekeeping.failure)


def newest_for(store: Store, reason: Reason | str) -> datetime | None:
    """When the newest verified backup was taken for a reason, by a clock that is not ahead; None without one."""
    now = store.clock()
    return next((each.taken_at for each in verified(store) if each.reason == reason and each.taken_at <= now), None)


def in_words(store: Store) -> str:
    """How a store's backups are, for people."""
    try:
        now = state(store)
    except BigMindError as error:
        return error.message
    if away := backups_away(store):
        return f"{away.in_words} {away.remedy}"
    loss = store.safekeeping.loss  # the file that is missing took along whose store the backups are of
    at = now.newest.taken_at if now.newest else loss.taken_at if loss else None
    newest = f"the last verified one is of {local(at)}" if at else "none is verified yet"
    return f"{newest}; since then one FAILED: {now.failure.message}" if now.failure else newest


def is_due(store: Store, every: timedelta) -> bool:
    """Whether a scheduled backup is wanted: the last is older than that, and something was changed since; or it failed.

    Never while the memory is missing.
    """
    if store.safekeeping.loss is not None:  # there is nothing to keep, and others are looked for
        return False
    if (failure := store.safekeeping.failure) and failure.reason == Reason.SCHEDULED:
        return True  # what is told of it stands until one succeeds, as when a drive is back
    now, changes = store.clock(), _first(store, "SELECT max(id) FROM change")
    done = (each for each in verified(store) if each.reason is Reason.SCHEDULED and each.taken_at <= now)
    last = next(done, None)
    if last is None:
        return changes is not None
    return now - last.taken_at >= every and changes != last.change


def _first(store: Store, statement: str) -> object:
    """The one value of a query on the store, whatever its schema."""
    connection = store.backend.snapshots.connected(store.path, read_only=True)
    try:
        row = connection.execute(statement).fetchone()
    finally:
        connection.close()
    return row[0] if row else None


def rotate(store: Store) -> set[str]:
    """Remove the backups that have had their time; returns their names."""
    gone = superfluous(verified(store), store.clock())
    for name in sorted(gone):
        try:
            remove_backup(store.safekeeping.folder / name)
        except OSError as error:
            log.warning("the backup %s cannot be removed: %s", name, error)
    return gone
