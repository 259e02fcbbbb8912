"""What is derived from the rows, and can be made anew from them: split terms, cautions, full-text indexes."""

import logging
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass
from time import monotonic
from typing import Any

from sqlalchemy import ColumnElement
from sqlmodel import col, func, select

from bigmind.caution.detect import cautions_anew
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.core.events import Kind as Changed
from bigmind.core.ids import new_id
from bigmind.core.kind import Kind
from bigmind.core.progress import CancelledError, Phase, Progress, nobody_waits
from bigmind.kinds import derive as derive_row
from bigmind.kinds import terms_of, texts_of
from bigmind.maintenance.answers import Reindexed
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.people.service import NOBODY
from bigmind.people.tables import User
from bigmind.search.reembedding import embed_anew, note_unread
from bigmind.store.access import Access
from bigmind.store.store import Store
from bigmind.store.tables import StoreProperty
from bigmind.store.work import Work

log = logging.getLogger(__name__)

VERSION = "7"
"""Grows whenever `terms_of`, `retold`, `cautions` or `texts_of` gives something else for the same row."""

PROPERTY = "derived"
PURPOSE = "reindex"
BATCH = 200
UNIT_SECONDS = 0.05
"""How long a unit of work goes on taking rows: others wait for no more."""

LEFT = "What was made anew by then is in use; the rest is as it was."
RECOVERED = "[recovered — moments whose session was missing]"


@dataclass(slots=True)
class DerivationCount:
    """How many rows were looked at, and in how many something differed."""

    rows: int = 0
    changed: int = 0


def bring_up_to_date(store: Store) -> None:
    """Derive everything anew when another version of BigMind derived it, or none; call it when the store was opened."""
    if is_up_to_date(store):
        return
    note_unread(store)
    try:
        derive(store)
    except BigMindError as error:
        if error.code is not Code.STORE_UNUSABLE or store.condition.damage:
            raise
        log.warning("The full-text indexes do not fit the rows; they are made anew.")
        rebuild(store)
        derive(store)


def is_up_to_date(store: Store) -> bool:
    """Whether what is derived was derived by this version."""
    with store.read(NOBODY, PURPOSE) as work:
        known = work.session.get(StoreProperty, PROPERTY)
        return known is not None and known.value == VERSION


def derive(store: Store, progress: Progress = nobody_waits) -> DerivationCount:
    """Make the derived columns of every row anew, in small units of work; the full-text indexes follow by triggers.

    Only rows that differ are written. A second run changes nothing. `progress` is told how many were looked at.
    """
    done = DerivationCount()
    there = _counts(store)
    phase = Phase(progress, "Looking at what is derived", sum(there.values()))
    for kind in store.kinds:
        for keys in _batches(store, kind) if there[kind.name] else ():
            with store.read(NOBODY, PURPOSE) as work:
                rows = work.session.exec(select(kind.table).where(kind.keys.in_(keys))).all()
                differ = [getattr(row, kind.key) for row in rows if _differs(work, row)]
            done.rows += len(keys)
            phase.reach(done.rows)
            done.changed += len(differ)
            if differ:
                _write(store, kind, differ)
    with store.write(NOBODY, PURPOSE) as work:
        work.session.merge(StoreProperty(name=PROPERTY, value=VERSION))
    return done


def _counts(store: Store) -> dict[str, int]:
    """How many rows there are of each kind; of most none, when the store is new."""
    with store.read(NOBODY, PURPOSE) as work:
        return {
            each.name: work.session.exec(select(func.count()).select_from(each.table)).one() for each in store.kinds
        }


def _batches(store: Store, kind: Kind) -> Iterator[list[int]]:
    last = 0
    while True:
        with store.read(NOBODY, PURPOSE) as work:
            query = select(kind.keys).where(kind.keys > last).order_by(kind.keys).limit(BATCH)
            keys = list(work.session.exec(query))
        if not keys:
            return
        yield keys
        last = keys[-1]


def _differs(work: Work, row: Any) -> bool:
    if cautions_anew(row.caution, texts_of(work, row)) != row.caution:
        return True
    kind, is_same = work.kinds.of(row), True
    if kind.derived is not None:
        name, derived = kind.derived
        is_same = getattr(row, name) == derived(work, row)
    return not is_same or terms_of(work, row) != getattr(row, "terms", "")


def _write(store: Store, kind: Kind, keys: list[int]) -> None:
    """Write what differs, a short time in each unit; what a person accepted stays so, for the words are the same."""
    left = list(keys)
    while left:
        until = monotonic() + UNIT_SECONDS
        with store.write(NOBODY, PURPOSE) as work:
            while left and monotonic() < until:
                row = work.session.get(kind.table, left.pop())
                if row is not None:
                    row.caution = cautions_anew(row.caution, texts_of(work, row))
                    derive_row(work, row)
                    work.session.flush()


def reindex(access: Access) -> Reindexed:
    """Derive everything anew, rebuild the full-text indexes, give orphaned moments a session, and run every check.

    Weights of thoughts come back within their bounds. Vectors are made anew behind everything else; those that are
    there are searched until then. Others write and search meanwhile.

    Raises:
        CancelledError: when it was told to stop.
    """
    try:
        return _reindexed(access)
    except CancelledError as error:
        raise CancelledError(error.why, LEFT) from error


def _reindexed(access: Access) -> Reindexed:
    from bigmind.brain.upkeep import bring_weights_back  # noqa: PLC0415 - needed here only

    adopted = _adopt(access)
    # First: a trigger cannot take words out of an index that does not hold them.
    indexes = _renew(access)
    done = derive(access.store, access.progress)
    queued = embed_anew(access)
    with access.write() as work:
        bring_weights_back(work)
        work.changed(Changed.STORE, new_id(), Action.REINDEXED)
    access.progress(0, 0, "Checking the whole file")
    problems = _problems(access.store)
    return Reindexed(
        rows=done.rows,
        changed=done.changed,
        adopted=adopted,
        indexes=indexes,
        queued=queued,
        problems=problems,
    )


def rebuild(store: Store) -> None:
    """Make each full-text index anew from its rows; writers wait for one index at a time (seconds for 100 MB)."""
    with store.alone() as connection:
        names = store.backend.full_text.indexes(connection)
    for name in names:
        _rebuild(store, name)


def _rebuild(store: Store, name: str) -> None:
    with store.alone() as connection:
        store.backend.full_text.rebuild(connection, name)


def finish_reindexing(store: Store) -> None:
    """Take away what a process that was killed while it reindexed left; call it when the store was opened."""
    try:
        store.backend.full_text.discard_unfinished(store.alone)
    except store.backend.faults.errors as error:
        log.warning("What is left of an index is taken away by the next start: %s", error)


def _renew(access: Access) -> list[str]:
    """Make each full-text index anew in short units, between which others write; its names.

    Raises:
        CancelledError: when it was told to stop; what is made anew by then is in use.
    """
    store = access.store
    finish_reindexing(store)
    with store.alone() as connection:
        names = store.backend.full_text.indexes(connection)
    there = _counts(store)
    phase = Phase(
        access.progress, "Rebuilding the full-text indexes", 2 * sum(there[each.name] for each in store.kinds.searched)
    )
    for name in names:
        try:
            with closing(store.backend.full_text.renew(store.alone, store.undisturbed, name)) as units:
                for rows in units:
                    access.cancellation.check()
                    phase.add(rows)
                    phase.tell()
        except (BigMindError, *store.backend.faults.errors) as error:
            if not _is_of_an_index(store, error):
                raise
            log.warning("%s cannot be replaced (%s): it is made anew in one unit, for which others wait.", name, error)
            _rebuild(store, name)
    store.backend.maintenance.shrink(store.alone)
    return names


def _is_of_an_index(store: Store, error: Exception) -> bool:
    """Whether it is the index that does not let itself be replaced, not the disk or the whole file."""
    if store.condition.damage:
        return False
    return not isinstance(error, BigMindError) or error.code is Code.STORE_UNUSABLE


def _problems(store: Store) -> list[str]:
    """What the checks find, on a copy; where there is no room for one, in place, and others wait."""
    from bigmind.backup.verification import file_problems  # noqa: PLC0415 - needed here only

    try:
        return file_problems(store)
    except BigMindError as error:
        if error.code not in {Code.STORAGE_FULL, Code.UNAVAILABLE}:
            raise
        log.warning("The file is checked in place, for which others wait: %s", error)
        return store.integrity()


def is_orphan() -> ColumnElement[bool]:
    """The condition of a moment whose session does not exist: possible only where a file was damaged or edited."""
    return col(Chunk.session_id).not_in(select(MemorySession.id))


def _adopt(access: Access) -> int:
    """Put orphaned moments into one closed session per owner, so that they are found again; how many there were."""
    with access.write() as work:
        in_order = (col(Chunk.user_id), col(Chunk.created_at), col(Chunk.id))
        lost = list(work.session.exec(select(Chunk).where(is_orphan()).order_by(*in_order)))
        for owner in dict.fromkeys(chunk.user_id for chunk in lost):
            if work.session.get(User, owner) is None:
                continue
            session = _recovered(work, owner)
            for number, chunk in enumerate((each for each in lost if each.user_id == owner), 1):
                chunk.session_id, chunk.seq = session.id or 0, number
                work.session.add(chunk)
        return len(lost)


def _recovered(work: Work, owner: int) -> MemorySession:
    session = MemorySession(
        uid=new_id(),
        user_id=owner,
        client=work.caller.client,
        started_at=work.now,
        ended_at=work.now,
        updated_at=work.now,
        one_liner=RECOVERED,
    )
    work.session.add(session)
    work.session.flush()
    return session
