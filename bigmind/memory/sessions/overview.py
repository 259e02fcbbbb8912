"""What the pages show and no operation answers: sums over a user's whole memory. Nothing here writes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, cast

from sqlalchemy import and_, bindparam, case, func, or_
from sqlmodel import col, select

from bigmind.core.errors import not_found
from bigmind.core.events import EVERYBODYS, Action, changed_kind
from bigmind.memory.lookup import key_of
from bigmind.memory.sessions.service import find_session
from bigmind.memory.tables import Chunk, MemorySession, SessionTopic
from bigmind.store.driver_statements import first_row, limit_of
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work

MOST_SEQ = 2**31 - 1
"""What the column holds on every database."""

EXCERPT = 800
"""Characters of a moment that a list of moments carries; `moment_of` has the whole of it."""

_IS_CALLERS = col(ChangeRow.user_id) == bindparam("user")
_NEWEST_CHANGE = select(func.max(ChangeRow.id))


@dataclass(frozen=True, slots=True)
class TopicWeight:
    """A name, and in how many sessions it occurs."""

    name: str
    sessions: int


@dataclass(frozen=True, slots=True)
class Weights:
    """The heaviest names, and how many names there are in all."""

    heaviest: Sequence[TopicWeight]
    total: int


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A moment kept, with at most `EXCERPT` characters of its words. `length` counts all of them.

    `caution` names what in it waits for a person.
    """

    uid: str
    caution: str
    seq: int
    role: str
    client: str
    flag_reason: str
    created_at: datetime
    text: str
    length: int


@dataclass(frozen=True, slots=True)
class LastWrite:
    """When memory last changed, and by whose hand."""

    at: datetime
    client: str


@dataclass(frozen=True, slots=True)
class StoreNews:
    """What changed since some change: the number of the newest, and the kinds of things that changed."""

    number: int
    kinds: frozenset[str]


def topic_weights(work: Work, limit: int) -> Weights:
    """The caller's topics, the most frequent first."""
    mine = MemorySession.user_id == work.caller.user_id
    joined = col(SessionTopic.session_id) == col(MemorySession.id)
    times = func.count().label("times")
    counts = select(SessionTopic.topic, times).join(MemorySession, joined).where(mine).group_by(SessionTopic.topic)
    rows = work.session.exec(counts.order_by(times.desc(), col(SessionTopic.topic)).limit(limit)).all()
    distinct = select(func.count(func.distinct(SessionTopic.topic))).join(MemorySession, joined).where(mine)
    return Weights([TopicWeight(*row) for row in rows], work.session.exec(distinct).one())


def project_weights(work: Work, limit: int) -> Weights:
    """The caller's projects, the most frequent first."""
    mine: list[Any] = [MemorySession.user_id == work.caller.user_id, col(MemorySession.project).is_not(None)]
    times = func.count().label("times")
    counts = select(MemorySession.project, times).where(*mine).group_by(col(MemorySession.project))
    rows = work.session.exec(counts.order_by(times.desc(), col(MemorySession.project)).limit(limit)).all()
    distinct = select(func.count(func.distinct(MemorySession.project))).where(*mine)
    return Weights([TopicWeight(name or "", count) for name, count in rows], work.session.exec(distinct).one())


def moments_of(work: Work, reference: str, *, after: int, limit: int) -> list[Excerpt]:
    """Moments kept in a session of the caller, in their order, behind the one numbered `after`."""
    session = find_session(work, reference)
    # A moment may be a megabyte: the rest of it stays in the database.
    waiting = case((col(Chunk.accepted_at).is_(None), Chunk.caution), else_="")
    columns: Any = (
        *(Chunk.uid, waiting),
        *(Chunk.seq, Chunk.role, Chunk.client, Chunk.flag_reason, Chunk.created_at),
        func.substr(Chunk.content, 1, EXCERPT),
        func.length(Chunk.content),
    )
    # By its owner too: not what an import brings that is not settled.
    of_session = Chunk.session_id == key_of(session), Chunk.user_id == work.caller.user_id
    # The stubs of `select` and `exec` end at four columns.
    choose: Any = select
    query = choose(*columns).where(*of_session, Chunk.seq > after).order_by(col(Chunk.seq)).limit(limit)
    return [Excerpt(*row) for row in cast("Iterable[Any]", work.session.exec(query))]


def moment_of(work: Work, reference: str, seq: int) -> str:
    """The whole text of one moment of a session of the caller.

    Raises:
        BigMindError: `not_found`.
    """
    session = find_session(work, reference)
    mine = Chunk.user_id == work.caller.user_id
    query = select(Chunk.content).where(Chunk.session_id == key_of(session), Chunk.seq == seq, mine)
    content = work.session.exec(query).first() if 0 < seq <= MOST_SEQ else None
    if content is None:
        raise not_found("moment", seq, "The session's page lists its moments.")
    return content


def places_of(work: Work, uids: Sequence[str]) -> dict[str, int]:
    """The numbers that moments of the caller have in their sessions, by the moments' ids."""
    query = select(Chunk.uid, Chunk.seq).where(col(Chunk.uid).in_(uids), Chunk.user_id == work.caller.user_id)
    return dict(work.session.exec(query).all())


def last_write(work: Work) -> LastWrite | None:
    """The caller's newest change of memory itself; signing in is none."""
    newest = _last_change(tuple(each.name for each in work.kinds.owned))
    row = first_row(work.session, newest, {"user": work.caller.user_id})
    return LastWrite(*row) if row is not None else None


@lru_cache
def _last_change(kinds: Sequence[str]) -> Any:
    """The newest change of a caller's things of these kinds."""
    found = select(ChangeRow.at, ChangeRow.client).where(_IS_CALLERS, col(ChangeRow.kind).in_(kinds))
    return found.order_by(col(ChangeRow.id).desc()).limit(limit_of(1))


def newest_change(work: Work) -> int:
    """The number of the newest change, whoever's; 0 when there was none."""
    (newest,) = first_row(work.session, _NEWEST_CHANGE, {})
    return newest or 0


def changes_since(work: Work, number: int) -> StoreNews:
    """What changed after the change of that number, and concerns the caller (`Change.concerns`)."""
    mine = or_(col(ChangeRow.user_id) == work.caller.user_id, col(ChangeRow.kind).in_(EVERYBODYS), *_of_shared(work))
    kinds = work.session.exec(select(ChangeRow.kind).where(col(ChangeRow.id) > number, mine).distinct())
    return StoreNews(newest_change(work), frozenset(map(changed_kind, kinds)))


def _of_shared(work: Work) -> Iterator[Any]:
    """Of each kind that users share, the condition of a change of what is shared by now, or came by an import."""
    for kind in work.kinds:
        if kind.is_everybodys:
            yield ChangeRow.kind == kind.name
        elif kind.shared_when is not None:
            here = select(kind.keys).where(kind.table.uid == ChangeRow.entity, kind.shared_when.over(kind.table))
            yield and_(col(ChangeRow.kind) == kind.name, or_(here.exists(), col(ChangeRow.action) == Action.SHARED))
