"""Removing what has had its time: old moments, when a person asks for it, and the oldest entries of the audit log."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import func
from sqlmodel import col, delete, select

from bigmind.core.events import Action, Kind
from bigmind.core.progress import Phase, Progress
from bigmind.memory.care_answers import Pruned
from bigmind.memory.forgetting import PENDING, leave_no_trace
from bigmind.memory.lookup import count
from bigmind.memory.rules import MANY, is_much
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.people.service import NOBODY
from bigmind.store.access import Access
from bigmind.store.sqlite.scrub import remove_words_at_once
from bigmind.store.store import Store
from bigmind.store.tables import ChangeRow, StoreProperty
from bigmind.store.work import Work

BATCH = 200
"""Moments that are deleted in one unit of work: other writers wait for no more."""

BACKUP = "before-prune"
BACKED_UP_WITHIN = timedelta(days=1)

CHANGES_KEPT = 100_000
CHANGES_KEPT_FOR = timedelta(days=365)
CHANGES_AT_ONCE = 20_000


def prune(access: Access, days: int, *, dry_run: bool) -> Pruned:
    """Remove the caller's moments older than so many days; their sessions, with line and summary, stay.

    Much of it (more than 100 moments, or more than a fifth) is backed up first, and so is any of it when no backup was
    made for it within a day: pruned bit by bit, all of it is in one. Afterwards the file is written anew, so that it
    shrinks by what was removed: that takes under a second for 150 MB, and others write again after it.

    Raises:
        BigMindError: what the backup says, when it cannot be made; nothing was removed then.
    """
    until = _days_before(access.now, days)
    with access.read() as work:
        told = _told(work, until, days, dry_run=dry_run)
        total = count(work, Chunk, Chunk.user_id == work.caller.user_id)
    if dry_run or not told.moments:
        return told
    backup = _backed_up(access.store, access.progress, always=is_much(told.moments, total))
    before = access.store.size_in_bytes()
    if told.moments > MANY:
        _put_off_words(access.store)
    phase = Phase(access.progress, "Removing old moments", told.moments)
    moments, sessions = 0, set[int]()
    while batch := _prune_batch(access, until):
        moments += len(batch)
        sessions |= set(batch.values())
        phase.reach(moments)
    access.progress(0, 0, "Writing the file anew")
    leave_no_trace(access.store, [])
    shrank = max(0, before - access.store.size_in_bytes())
    done = {"moments": moments, "sessions": len(sessions), "bytes_freed": shrank, "backup": backup}
    return told.model_copy(update=done)


def _days_before(moment: datetime, days: int) -> datetime:
    try:
        return moment - timedelta(days=days)
    except OverflowError:
        return datetime.min.replace(tzinfo=moment.tzinfo)


def _old(work: Work, until: datetime) -> list[Any]:
    return [Chunk.user_id == work.caller.user_id, Chunk.created_at < until]


def _told(work: Work, until: datetime, days: int, *, dry_run: bool) -> Pruned:
    # Of bytes, not of characters: `length` of a text counts the latter.
    size = func.coalesce(func.sum(func.octet_length(Chunk.content)), 0)
    sums = select(func.count(), func.count(func.distinct(Chunk.session_id)), size).where(*_old(work, until))
    moments, sessions, text = work.session.exec(sums).one()
    return Pruned(days=days, dry_run=dry_run, moments=moments, sessions=sessions, bytes_of_text=text, bytes_freed=0)


def _backed_up(store: Store, progress: Progress, *, always: bool) -> str | None:
    from bigmind.backup.service import backup_now, newest_for  # noqa: PLC0415 - needed for pruning only

    # What is older than a day was there when that backup was taken.
    newest = None if always else newest_for(store, BACKUP)
    if newest is not None and store.clock() - newest < BACKED_UP_WITHIN:
        return None
    return backup_now(store, BACKUP, progress).name


def _put_off_words(store: Store) -> None:
    """Have the words of what is pruned leave the index all together at the end, also when this process is killed."""
    with store.write(NOBODY, PENDING) as work:
        work.session.merge(StoreProperty(name=PENDING, value="pruning"))
    with store.alone() as connection:
        for index in ("chunk_fts", "chunk_grams"):
            remove_words_at_once(connection, index, at_once=False)


def _prune_batch(access: Access, until: datetime) -> dict[int, int]:
    """Delete some; their keys, with the keys of their sessions."""
    with access.write() as work:
        query = select(Chunk.id, Chunk.session_id).where(*_old(work, until)).order_by(col(Chunk.created_at))
        batch = {key or 0: session for key, session in work.session.exec(query.limit(BATCH))}
        work.session.exec(delete(Chunk).where(col(Chunk.id).in_(batch)))
        owners = select(MemorySession.uid).where(col(MemorySession.id).in_(set(batch.values())))
        for uid in work.session.exec(owners):
            work.changed(Kind.SESSION, uid, Action.PRUNED)
    return batch


def prune_changes(store: Store, kept: int = CHANGES_KEPT, at_once: int = CHANGES_AT_ONCE) -> int:
    """Remove entries of the audit log that are older than a year, but for the newest `kept`; `at_once` at most.

    Numbers of changes go on growing: SQLite remembers the last one it gave.
    """
    with store.write(NOBODY, "prune_changes") as work:
        newest = work.session.exec(select(func.max(ChangeRow.id))).one() or 0
        old = select(ChangeRow.id).where(col(ChangeRow.id) <= newest - kept, ChangeRow.at < work.now - CHANGES_KEPT_FOR)
        oldest = old.order_by(col(ChangeRow.id)).limit(at_once)
        return work.session.exec(delete(ChangeRow).where(col(ChangeRow.id).in_(oldest))).rowcount
