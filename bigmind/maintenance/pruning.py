"""Removing what has had its time: old moments, when a person asks for it, and the oldest entries of the audit log."""

from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import and_, func, not_
from sqlalchemy.orm import aliased
from sqlmodel import col, delete, select

from bigmind.core.errors import BigMindError, Code, FieldProblem
from bigmind.core.events import Action, Kind
from bigmind.core.operation import Caller
from bigmind.core.progress import CancelledError, Phase, Progress
from bigmind.maintenance.answers import Pruned, kept_in
from bigmind.maintenance.forgetting import PENDING, leave_no_trace
from bigmind.memory.lookup import count
from bigmind.memory.rules import MANY, is_much
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.people.service import NOBODY
from bigmind.store.access import Access
from bigmind.store.store import Store
from bigmind.store.tables import ChangeRow, StoreProperty
from bigmind.store.work import Work

BATCH = 50
"""Moments that are deleted in one unit of work: other writers wait for no more."""

BACKUP = "before-prune"
BACKED_UP_WITHIN = timedelta(days=1)

YOUNGEST_FOR_AGENTS = 30
"""Days: what is younger than that goes by a person's hand only."""

CHANGES_KEPT = 100_000
CHANGES_KEPT_FOR = timedelta(days=365)
CHANGES_AT_ONCE = 20_000


def prune(access: Access, days: int, *, dry_run: bool, whole: bool = False) -> Pruned:
    """Remove the caller's moments older than so many days; their sessions, with line and summary, stay.

    The newest moment of a session without detail stays, because little else says what that session was about; with
    `whole` it goes too.

    Much of it (more than 100 moments, or more than a fifth) is backed up first, and so is any of it when no backup was
    made for it within a day: pruned bit by bit, all of it is in one. Afterwards what was removed is overwritten, and
    the file gives back the room, in short steps.

    Raises:
        BigMindError: `forbidden`, when an agent asks for less than 30 days, in a dry run too; what the backup says,
            when it cannot be made. Nothing was removed then.
    """
    _permit(access.caller, days)
    until = _days_before(access.now, days)
    with access.read() as work:
        told = _told(work, until, days, dry_run=dry_run, whole=whole)
        total = count(work, Chunk, Chunk.user_id == work.caller.user_id)
    if dry_run or not told.moments:
        return told
    backup = _backed_up(access.store, access.progress, always=is_much(told.moments, total))
    before = access.store.size_in_bytes()
    if told.moments > MANY:
        _put_off_words(access.store)
    moments, sessions = 0, set[int]()
    try:
        phase = Phase(access.progress, "Removing old moments", told.moments)
        begin = datetime.min.replace(tzinfo=until.tzinfo)
        while batch := _prune_batch(access, begin, until, whole=whole):
            moments += len(batch)
            sessions |= {session for session, _ in batch}
            begin = batch[-1][1]
            phase.reach(moments)
        leave_no_trace(access.store, [], access.progress)
    except CancelledError as error:
        left = f"{moments:,} of {told.moments:,} old moments were removed.{kept_in(backup)}"
        raise CancelledError(error.why, left) from error
    shrank = max(0, before - access.store.size_in_bytes())
    done = {"moments": moments, "sessions": len(sessions), "bytes_freed": shrank, "backup": backup}
    return told.model_copy(update=done)


def _permit(caller: Caller, days: int) -> None:
    if caller.is_person or days >= YOUNGEST_FOR_AGENTS:
        return
    raise BigMindError(
        Code.FORBIDDEN,
        f"Only a person prunes moments that are younger than {YOUNGEST_FOR_AGENTS} days.",
        f"Pass days={YOUNGEST_FOR_AGENTS} or more, or ask the user to run `bigmind memory vacuum`.",
        problems=(FieldProblem("days", str(days), f"{YOUNGEST_FOR_AGENTS} or more from an assistant"),),
    )


def _days_before(moment: datetime, days: int) -> datetime:
    try:
        return moment - timedelta(days=days)
    except OverflowError:
        return datetime.min.replace(tzinfo=moment.tzinfo)


def _old(work: Work, until: datetime) -> list[Any]:
    return [Chunk.user_id == work.caller.user_id, Chunk.created_at < until]


def _without_detail() -> Any:
    bare = select(MemorySession.id).where(col(MemorySession.has_detail).is_(False))
    return col(Chunk.session_id).in_(bare)


def _last_word() -> Any:
    """Whether a moment is the newest of a session without detail."""
    other = aliased(Chunk)
    newest = select(func.max(other.seq)).where(other.session_id == Chunk.session_id).correlate(Chunk).scalar_subquery()
    return and_(_without_detail(), col(Chunk.seq) == newest)


def _to_go(work: Work, until: datetime, *, whole: bool) -> list[Any]:
    return _old(work, until) if whole else [*_old(work, until), not_(_last_word())]


def _told(work: Work, until: datetime, days: int, *, dry_run: bool, whole: bool) -> Pruned:
    # Of bytes, not of characters: `length` of a text counts the latter.
    size = func.coalesce(func.sum(func.octet_length(Chunk.content)), 0)
    counts = func.count(), func.count(func.distinct(Chunk.session_id))
    goes = _to_go(work, until, whole=whole)
    moments, sessions, text = work.session.exec(select(*counts, size).where(*goes)).one()
    bare_moments, bare_sessions = work.session.exec(select(*counts).where(*goes, _without_detail())).one()
    return Pruned(
        days=days,
        dry_run=dry_run,
        moments=moments,
        sessions=sessions,
        moments_without_detail=bare_moments,
        sessions_without_detail=bare_sessions,
        newest_kept=0 if whole else count(work, Chunk, *_old(work, until), _last_word()),
        bytes_of_text=text,
        bytes_freed=0,
    )


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
        store.backend.maintenance.put_off_words(connection, ["chunk"])


def _prune_batch(access: Access, begin: datetime, until: datetime, *, whole: bool) -> list[tuple[int, datetime]]:
    """Delete some that are no older than `begin`; the keys of their sessions, with their times, the oldest first."""
    with access.write() as work:
        # From where the batch before ended: what stays need not be passed over by each.
        which = [*_to_go(work, until, whole=whole), Chunk.created_at >= begin]
        query = select(Chunk.id, Chunk.session_id, Chunk.created_at).where(*which).order_by(col(Chunk.created_at))
        batch = list(work.session.exec(query.limit(BATCH)))
        work.session.exec(delete(Chunk).where(col(Chunk.id).in_([key for key, _, _ in batch])))
        sessions = {session for _, session, _ in batch}
        for uid in work.session.exec(select(MemorySession.uid).where(col(MemorySession.id).in_(sessions))):
            work.changed(Kind.SESSION, uid, Action.PRUNED)
    return [(session, at) for _, session, at in batch]


def prune_changes(store: Store, kept: int = CHANGES_KEPT, at_once: int = CHANGES_AT_ONCE) -> int:
    """Remove entries of the audit log that are older than a year, but for the newest `kept`; `at_once` at most.

    Numbers of changes go on growing: SQLite remembers the last one it gave.
    """
    with store.write(NOBODY, "prune_changes") as work:
        newest = work.session.exec(select(func.max(ChangeRow.id))).one() or 0
        old = select(ChangeRow.id).where(col(ChangeRow.id) <= newest - kept, ChangeRow.at < work.now - CHANGES_KEPT_FOR)
        oldest = old.order_by(col(ChangeRow.id)).limit(at_once)
        return work.session.exec(delete(ChangeRow).where(col(ChangeRow.id).in_(oldest))).rowcount
