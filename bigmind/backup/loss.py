"""A memory that is gone or empty beside its backups: noticed when the store is opened, ended by a person.

A database that is not there, or has no length, is made anew by SQLite without a word. Nothing is kept of the loss but
the emptiness itself: while it lasts nothing is written (`Safekeeping.permit`), so that the next start finds it again.
"""

import logging

from bigmind.backup.chosen_folder import backups_away
from bigmind.backup.files import BackupInfo
from bigmind.backup.service import backups
from bigmind.core.clock import local
from bigmind.core.errors import BigMindError
from bigmind.core.kind import Kinds
from bigmind.people.service import NOBODY
from bigmind.store.backup_keeping import MemoryLoss
from bigmind.store.store import Store
from bigmind.store.tables import StoreProperty
from bigmind.text.phrasing import counted

log = logging.getLogger(__name__)

PROPERTY = "began_empty"
"""Names the newest backup there was when a person chose to begin with an empty memory."""


def notice_loss(store: Store) -> None:
    """Say in the store's safekeeping whether its memory is missing; call it when it was opened."""
    store.safekeeping.loss = _loss(store)
    if loss := store.safekeeping.loss:
        log.critical("%s %s", loss.in_words, loss.remedy)


def notice_restored(store: Store) -> None:
    """The same after a restore: who chose a backup without anything in it has an empty memory, and misses none."""
    store.safekeeping.loss = _loss(store)
    begin_empty(store)


def begin_empty(store: Store) -> None:
    """Go on with the empty memory, because a person says so."""
    if loss := store.safekeeping.loss:
        with store.write(NOBODY, PROPERTY) as work:
            work.session.merge(StoreProperty(name=PROPERTY, value=loss.backup))
        store.safekeeping.loss = None


def _loss(store: Store) -> MemoryLoss | None:
    # What people forgot or removed left its trace: they emptied it. What cannot be read is there, and damaged.
    if store.condition.damage or _holds_any(store, (*(each.name for each in store.kinds), "forgotten")):
        return None
    with store.read(NOBODY, PROPERTY) as work:
        if work.session.get(StoreProperty, PROPERTY) is not None:
            return None
    if newest := _newest_with_memory(store, _readable(store)):
        return MemoryLoss(newest.name, newest.taken_at, _held(newest, store.kinds))
    away = backups_away(store)
    if away is None or not _newest_with_memory(store, [away.last]):
        return None
    holds = f"{_held(away.last, store.kinds)} and is not in {away.folder} now: connect its drive"
    return MemoryLoss(away.last.name, away.last.taken_at, holds)


def _holds_any(store: Store, tables: tuple[str, ...]) -> bool:
    connection = store.backend.snapshots.connected(store.path, read_only=True)
    try:
        return any(connection.execute(f'SELECT 1 FROM "{name}" LIMIT 1').fetchone() for name in tables)  # noqa: S608
    except store.backend.faults.errors as error:
        if not store.backend.faults.is_damage(error):
            raise
        return True
    finally:
        connection.close()


def _readable(store: Store) -> list[BackupInfo]:
    """The verified backups, of whichever store: the lost one's name is lost with it."""
    try:
        return [each.info for each in backups(store) if each.info and not each.problem]
    except BigMindError as error:  # a drive that is not there
        log.warning("whether the memory is missing is not known: %s", error)
        return []


def _newest_with_memory(store: Store, found: list[BackupInfo]) -> BackupInfo | None:
    """The newest of them that holds something."""
    held = [each.name for each in store.kinds]
    return next((each for each in found if any(each.tables[name].rows for name in held if name in each.tables)), None)


def _held(info: BackupInfo, kinds: Kinds) -> str:
    """What a backup holds, in words; with when it was taken."""
    counts = {each: info.tables[each.name].rows for each in kinds.with_ids if each.name in info.tables}
    told = [counted(number, *kind.words) for kind, number in counts.items() if number]
    return f"{', '.join(told) or 'a profile'} ({local(info.taken_at)})"
