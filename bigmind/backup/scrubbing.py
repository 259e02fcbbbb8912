"""Takes what was forgotten out of the backups that exist: the rows, and every byte of them."""

import logging
import os
from collections.abc import Collection, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from bigmind.backup.encryption import Keys, keys_of, seal
from bigmind.backup.files import Backup, BackupInfo, backups_in, is_encrypted, manifest_of, write_manifest
from bigmind.backup.scratch_files import paced, partial_of, scratch
from bigmind.backup.verification import damaged, unpacked
from bigmind.core.errors import BigMindError, Code
from bigmind.core.kind import Kind, Kinds
from bigmind.disk import open_files
from bigmind.disk.flushing import sync_folder
from bigmind.paths import PRIVATE_FILE
from bigmind.people.service import NOBODY
from bigmind.store.contents import Contents, TableState
from bigmind.store.erasure import erasing
from bigmind.store.store import Store
from bigmind.store.tables import addition_of, change_of

log = logging.getLogger(__name__)

AT_A_TIME = 500
"""Ids in one statement."""

DAMAGED = "damaged"
"""Where a restore keeps a store that cannot be backed up, in the home."""
OTHERS = "it is of another store, whose backups are left alone"
_MOMENT = "%Y-%m-%d %H:%M:%S.%f"
"""How SQLAlchemy writes a moment into SQLite, in UTC."""
_NOTE = "INSERT OR REPLACE INTO forgotten (uid, kind, at) VALUES (?, ?, ?)"
"""A backup that is restored elsewhere has to know too what was forgotten: its ledger tells of it."""


@dataclass(frozen=True, slots=True)
class Tombstone:
    """A tombstone: the id of what was forgotten (of a profile: its user's), what kind of thing it was, and when."""

    uid: str
    kind: str
    at: datetime


@dataclass(slots=True)
class ScrubbedBackups:
    """Names of the backups that held what was forgotten and no longer do, and of those that may, with the reason."""

    cleaned: list[str] = field(default_factory=list[str])
    left: dict[str, str] = field(default_factory=dict[str, str])


def scrub_backups(store: Store, gone: Sequence[Tombstone]) -> ScrubbedBackups:
    """Remove what was forgotten from every backup in the store's folder, and overwrite its bytes.

    Each is worked on in a scratch file that replaces it only when it is whole again; a process that is killed leaves
    the old one, or the new one. A damaged backup, one of another store, and one that no key of this machine opens, is
    left as it is, and named: what was forgotten is removed when it is restored.
    """
    told = ScrubbedBackups()
    with store.safekeeping.turn:
        _kept_aside(store, told)
        own = _own_id(store)
        for backup in _found(store, told):
            # What was forgotten before a backup was taken is not in it.
            taken = backup.info.taken_at if backup.info else datetime.min.replace(tzinfo=UTC)
            concerned = [each for each in gone if each.at >= taken]
            if concerned and backup.info is not None and backup.info.store != own:
                told.left[backup.path.name] = OTHERS
                continue
            try:
                if concerned and _scrubbed(store, backup, concerned):
                    told.cleaned.append(backup.path.name)
            except (BigMindError, OSError, *store.backend.faults.errors) as error:
                log.warning("the backup %s still holds what was forgotten: %s", backup.path.name, error)
                told.left[backup.path.name] = _why(error)
    return told


def _why(error: Exception) -> str:
    """Why a backup could not be cleaned, in words."""
    if isinstance(error, BigMindError):
        return error.message
    if isinstance(error, PermissionError) and os.name == "nt":
        return "another program has it open, or it may not be changed"
    told = error.strerror if isinstance(error, OSError) else None
    return told or str(error)


def _kept_aside(store: Store, told: ScrubbedBackups) -> None:
    """Name the copies of damaged stores that a restore put aside: they are no databases that rows can be taken from."""
    for path in sorted((store.home / DAMAGED).glob("*.db")):
        told.left[f"{DAMAGED}/{path.name}"] = "a damaged store that was kept aside; remove it when nothing is missed"


def _own_id(store: Store) -> object:
    with store.read(NOBODY, "scrub_backups") as work:
        return work.session.connection().exec_driver_sql("SELECT uid FROM user ORDER BY id LIMIT 1").scalar()


def _found(store: Store, told: ScrubbedBackups) -> list[Backup]:
    try:
        return backups_in(store.safekeeping.folder)
    except OSError as error:
        told.left[str(store.safekeeping.folder)] = str(error)
        return []


def _scrubbed(store: Store, backup: Backup, gone: Sequence[Tombstone]) -> bool:
    """Clean one backup; False when it holds nothing of what is gone."""
    keys = keys_of(store.home)
    if is_encrypted(backup.path) and keys is None:
        raise BigMindError(
            Code.CONFLICT,
            "It is encrypted, and this machine has no keys to write it anew.",
        )
    sha256 = backup.info.sha256 if backup.info else None
    with scratch(store.home) as place:
        database = place / "scrubbed.db"
        with os.fdopen(os.open(database, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE_FILE), "wb") as target:
            unpacked(backup.path, target, [keys.device] if keys else [], sha256)
        contents = _without(store, database, gone)
        if contents is None:
            return False
        _replace(store, backup, database, contents, keys)
    return True


def _without(store: Store, database: Path, gone: Sequence[Tombstone]) -> Contents | None:
    """Take out of a scratch database what is gone; None when nothing of it is there.

    Raises:
        BigMindError: `conflict`, when it is not whole afterwards.
    """
    backend = store.backend
    connection = backend.snapshots.connected(database)
    try:
        connection.execute("PRAGMA journal_mode=OFF")  # a scratch file that is not whole is thrown away
        connection.execute("PRAGMA synchronous=OFF")
        connection.execute("PRAGMA secure_delete=ON")
        if not erase(connection, gone, store.kinds):
            return None
        backend.maintenance.seal_all(connection)  # what referred to it has lost its reference
        with closing(backend.maintenance.pages(database)) as pages:
            backend.maintenance.overwrite(lambda: nullcontext(connection), pages)
        if found := backend.maintenance.problems(connection):
            raise damaged(database.name, found[0])
        return backend.snapshots.contents(connection)
    finally:
        connection.close()


def erase(connection: Any, gone: Iterable[Tombstone], kinds: Kinds) -> int:
    """Delete from a database of any schema revision what is gone, and the receipts, which may repeat it.

    Args:
        connection: the driver's own, outside of any transaction.
        gone: what was forgotten; a profile that was written after it was forgotten stays.
        kinds: of what is remembered; an older schema has fewer tables.

    Returns:
        How many rows of what is gone were there.
    """
    gone = list(gone)
    connection.execute("PRAGMA foreign_keys=ON")  # what hangs on a row goes with it
    connection.execute("BEGIN IMMEDIATE")
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    there = sum(_erase(connection, each, gone, tables) for each in kinds.with_ids if each.name in tables)
    for each in gone:
        if each.kind in kinds and kinds[each.kind].is_single:
            there += _delete_single(connection, kinds[each.kind], each)
    if "store_property" in tables:
        # of an import that was not finished
        changes = [(name,) for each in gone for name in (change_of(each.uid), addition_of(each.uid))]
        there += max(0, connection.executemany("DELETE FROM store_property WHERE name = ?", changes).rowcount)
    if there:
        connection.execute("DELETE FROM receipt")
    connection.execute("COMMIT")
    return there


def _delete_single(connection: Any, kind: Kind, gone: Tombstone) -> int:
    """Delete what a user has one of, unless it was written after it was forgotten; how many there were."""
    moment = gone.at.astimezone(UTC).strftime(_MOMENT)
    of_user = f"DELETE FROM {kind.name} WHERE {kind.owner} = (SELECT id FROM user WHERE uid = ?)"  # noqa: S608 - ours
    return connection.execute(f"{of_user} AND {kind.changed} <= ?", (gone.uid, moment)).rowcount


def _erase(connection: Any, kind: Kind, gone: Sequence[Tombstone], tables: Collection[str]) -> int:
    """Take a kind's things among what is gone, and what repeats their words, and note that; how many there were."""
    moments = {each.uid: each.at.astimezone(UTC).strftime(_MOMENT) for each in gone}
    uids = [*moments]
    there = 0
    for start in range(0, len(uids), AT_A_TIME):
        some = uids[start : start + AT_A_TIME]
        places = ", ".join("?" * len(some))
        found = f"SELECT uid FROM {kind.name} WHERE uid IN ({places})"  # noqa: S608 - a name of our schema
        for (uid,) in connection.execute(found, some).fetchall():
            if kind.before_erasing is not None:
                kind.before_erasing(connection, uid)
            own, *elsewhere = erasing(kind)
            there += connection.execute(own, {"uid": uid}).rowcount
            for statement in elsewhere:
                connection.execute(statement, {"uid": uid})
            if "forgotten" in tables:  # not in the first schema
                connection.execute(_NOTE, (uid, kind.name, moments[uid]))
    return there


def _replace(store: Store, backup: Backup, database: Path, contents: Contents, keys: Keys | None) -> None:
    """Put the scrubbed database in the backup's place, with a manifest of its own."""
    path = backup.path
    partial = partial_of(store.home, path)
    try:
        with paced(partial) as target, database.open("rb") as source:
            sha256 = seal(source, target, keys if is_encrypted(path) else None)
        # Between the two replacements the file has no manifest: it can still be restored, after a full check.
        open_files.remove(manifest_of(path))
        _exchange(partial, backup)
        if backup.info is not None:
            write_manifest(path, _described(store, backup.info, path, contents, sha256))
        sync_folder(path.parent)
    finally:
        open_files.remove(partial)


def _exchange(partial: Path, backup: Backup) -> None:
    """Put the new file in place of the old one, which stays a verified backup where it cannot be replaced."""
    try:
        open_files.replace(partial, backup.path)
    except OSError:
        if backup.info is not None:
            write_manifest(backup.path, backup.info)
        raise


def _described(store: Store, before: BackupInfo, path: Path, contents: Contents, sha256: str) -> BackupInfo:
    # A sample's digest would let who guesses a row confirm it.
    tables = {
        name: TableState(rows=each.rows, sample="" if before.encrypted else each.sample)
        for name, each in contents.tables.items()
    }
    found = {"tables": tables, "bytes": path.stat().st_size, "sha256": sha256, "verified_at": store.clock()}
    return before.model_copy(update=found)
