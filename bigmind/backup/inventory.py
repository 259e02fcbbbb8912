"""Every backup in a store's folder, with what a person wants to know of each, and when the next one is made."""

from datetime import datetime, timedelta
from pathlib import Path

from bigmind.backup import encryption
from bigmind.backup.answers import BackupList, BackupRow
from bigmind.backup.files import Backup, BackupInfo, Reason, backup_at, damage, is_encrypted
from bigmind.backup.rotation import kept
from bigmind.backup.service import backups, in_our_words, own_id
from bigmind.core.errors import invalid, not_found
from bigmind.core.kind import Kinds
from bigmind.core.progress import BYTES, Phase, Progress, nobody_waits
from bigmind.disk.existence import is_file_or_raises
from bigmind.paths import expanded
from bigmind.store.store import Store


def overview(store: Store, *, verify: bool = False, progress: Progress = nobody_waits) -> BackupList:
    """The backups, the newest first.

    Args:
        store: whose.
        verify: read every byte of each, to see whether one has changed.
        progress: is told how many of those bytes are read.

    Raises:
        BigMindError: `unavailable`, when the folder cannot be read.
    """
    own = own_id(store)
    with in_our_words(store):
        found = backups(store)
        verified = [each.info for each in found if each.info and not each.problem and each.info.store == own]
        why = kept(verified, store.clock())
        problems = _problems(found, progress) if verify else {}
        rows = [_row(store.kinds, each, str(own), why, problems) for each in found]
    keeping, last = store.safekeeping, _last_automatic(verified, store.clock())
    return BackupList(
        folder=str(keeping.folder),
        encrypting=encryption.is_encrypting(store.home),
        backups=rows,
        last_failure=keeping.failure.message if keeping.failure else "",
        every_hours=keeping.every / timedelta(hours=1),
        last_automatic_at=last,
        next_automatic_at=_next(last, keeping.every, store.clock()),
        verified_now=verify,
    )


def one(store: Store, reference: str) -> BackupRow:
    """A backup, by its name in the list or by the path of a file.

    Raises:
        BigMindError: `not_found`, `invalid_input`.
    """
    path = located(store, reference)
    with in_our_words(store, path.parent):
        return _row(store.kinds, backup_at(path), str(own_id(store)), {}, {})


def located(store: Store, reference: str) -> Path:
    """The file that a person means: a name of the list, or a path. Raises as `one`."""
    given = expanded("backup", reference)
    path = given if given.is_absolute() else store.safekeeping.folder / reference
    if not given.is_absolute() and given.name != reference:
        raise invalid("backup", reference, "a name of the list, or the whole path of a file")
    with in_our_words(store, path.parent):
        if is_file_or_raises(path):
            return path
    raise not_found("backup", reference, "`bigmind backup list` shows their names.")


def _problems(found: list[Backup], progress: Progress) -> dict[str, str]:
    """What is wrong with each, when all of its bytes are read."""
    phase = Phase(progress, "Reading every backup", sum(each.bytes for each in found), BYTES)
    return {each.path.name: damage(each, phase) for each in found}


def _row(kinds: Kinds, backup: Backup, own: str, why: dict[str, str], problems: dict[str, str]) -> BackupRow:
    info: BackupInfo | None = backup.info
    name = backup.path.name
    return BackupRow(
        name=name,
        taken_at=backup.taken_at,
        reason=info.reason if info else None,
        bytes=backup.bytes,
        encrypted=is_encrypted(backup.path),
        verified_at=info.verified_at if info else None,
        own=info is None or info.store == own,
        problem=problems.get(name, backup.problem),
        schema_revision=info.schema_revision if info else "",
        kept=why.get(name, ""),
        sessions=_held(info, "session"),
        moments=_held(info, "chunk"),
        facts=_held(info, "fact"),
        holds={each.plural: held for each in kinds.with_ids if (held := _held(info, each.name)) is not None},
        change=info.change if info else None,
    )


def _held(info: BackupInfo | None, table: str) -> int | None:
    return info.tables[table].rows if info is not None and table in info.tables else None


def _last_automatic(verified: list[BackupInfo], now: datetime) -> datetime | None:
    return next((each.taken_at for each in verified if each.reason is Reason.SCHEDULED and each.taken_at <= now), None)


def _next(last: datetime | None, every: timedelta, now: datetime) -> datetime | None:
    """When the next one is due; None where none is made by itself."""
    if not every:
        return None
    return now if last is None else max(now, last + every)
