"""The caller's sessions as a timeline: narrowed down, ordered, a stretch at a time. Nothing here writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import and_, func, or_
from sqlmodel import col, select

from bigmind.core.errors import invalid
from bigmind.core.paging import cursor_after, place_of
from bigmind.memory.answers import SessionRow
from bigmind.memory.lookup import count, find_by_uid, key_of
from bigmind.memory.sessions.overview import TopicWeight, Weights
from bigmind.memory.sessions.service import session_rows
from bigmind.memory.tables import MemorySession, SessionTopic
from bigmind.store.work import Work

Order = Literal["newest", "oldest", "important"]

MOST_RUNNING = 20
"""Open sessions that stand before all others; more of them, forgotten ones mostly, stand in their order."""


@dataclass(frozen=True, slots=True)
class TimelineQuery:
    """Which sessions are looked at, and in which order.

    Attributes:
        text: all of its words stand in the headline, the outcome, the topics or the story; empty for any.
        topic: one of theirs; None for any, as in what follows.
        project: theirs.
        client: that led them.
        since: they began then or later.
        before: they began earlier.
        order: by when they began, or by their importance and then the newest first.
    """

    text: str = ""
    topic: str | None = None
    project: str | None = None
    client: str | None = None
    since: datetime | None = None
    before: datetime | None = None
    order: Order = "newest"


@dataclass(frozen=True, slots=True)
class Timeline:
    """A stretch of the timeline.

    Attributes:
        running: the sessions that are open, the newest first; at the beginning only.
        sessions: the others, in the order asked for.
        total: how many there are in all, those that run among them.
        cursor: where it goes on; None at the end.
    """

    running: Sequence[SessionRow]
    sessions: Sequence[SessionRow]
    total: int
    cursor: str | None


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The session before or after another: its id and its headline, which may be empty."""

    uid: str
    one_liner: str


def timeline(work: Work, query: TimelineQuery, limit: int, cursor: str | None = None) -> Timeline:
    """At most `limit` sessions of the caller from a cursor on, and, at the beginning, those that are open.

    Raises:
        BigMindError: `invalid_input`, when the cursor is none.
    """
    wanted = _conditions(work, query)
    running = _running(work, wanted)
    conditions = [*wanted, col(MemorySession.id).not_in([key_of(each) for each in running])]
    if cursor is not None:
        conditions.append(_behind(query.order, cursor))
    page = select(MemorySession).where(*conditions).order_by(*_ordering(query.order)).limit(limit + 1)
    found = list(work.session.exec(page))
    shown = found[:limit]
    return Timeline(
        running=session_rows(work, running) if cursor is None else [],
        sessions=session_rows(work, shown),
        total=count(work, MemorySession, *wanted),
        cursor=_cursor(shown[-1]) if len(found) > len(shown) else None,
    )


def client_weights(work: Work, limit: int) -> Weights:
    """The clients that led the caller's sessions, the most frequent first."""
    mine = MemorySession.user_id == work.caller.user_id
    times = func.count().label("times")
    counts = select(MemorySession.client, times).where(mine).group_by(MemorySession.client)
    rows = work.session.exec(counts.order_by(times.desc(), col(MemorySession.client))).all()
    return Weights([TopicWeight(*row) for row in rows[:limit]], len(rows))


def neighbours(work: Work, reference: str) -> tuple[Neighbour | None, Neighbour | None]:
    """The sessions of the caller that began just before and just after one of theirs.

    Raises:
        BigMindError: as `find_session`.
    """
    session = find_by_uid(work, MemorySession, reference, "session", "The list of sessions has them all.")
    place = cursor_after(session.started_at, key_of(session))
    return _next(work, "newest", place), _next(work, "oldest", place)


def _next(work: Work, order: Order, place: str) -> Neighbour | None:
    query = select(MemorySession.uid, MemorySession.one_liner).where(
        MemorySession.user_id == work.caller.user_id, _beyond(order, *place_of(place))
    )
    row = work.session.exec(query.order_by(*_ordering(order)).limit(1)).first()
    return Neighbour(*row) if row is not None else None


def _conditions(work: Work, query: TimelineQuery) -> list[Any]:
    conditions: list[Any] = [MemorySession.user_id == work.caller.user_id]
    if query.project is not None:
        conditions.append(MemorySession.project == query.project)
    if query.client is not None:
        conditions.append(MemorySession.client == query.client)
    if query.since is not None:
        conditions.append(MemorySession.started_at >= query.since)
    if query.before is not None:
        conditions.append(MemorySession.started_at < query.before)
    if query.topic is not None:
        tagged = select(SessionTopic.session_id).where(SessionTopic.topic == query.topic)
        conditions.append(col(MemorySession.id).in_(tagged))
    typed = work.backend.full_text.typed_filter("session", work.kinds["session"].searched, query.text)
    return [*conditions, *typed]


def _running(work: Work, wanted: Sequence[Any]) -> list[MemorySession]:
    is_open = col(MemorySession.ended_at).is_(None)
    query = select(MemorySession).where(*wanted, is_open).order_by(*_ordering("newest")).limit(MOST_RUNNING)
    return list(work.session.exec(query))


def _ordering(order: Order) -> tuple[Any, ...]:
    started, key = col(MemorySession.started_at), col(MemorySession.id)
    if order == "oldest":
        return started.asc(), key.asc()
    newest = (started.desc(), key.desc())
    return (col(MemorySession.importance).desc(), *newest) if order == "important" else newest


def _cursor(last: MemorySession) -> str:
    return f"{last.importance}.{cursor_after(last.started_at, key_of(last))}"


def _behind(order: Order, cursor: str) -> Any:
    """What holds for the rows behind the one that the cursor stands on."""
    weight, _, place = cursor.partition(".")
    if not (weight.isascii() and weight.isdecimal() and len(weight) <= 2):  # noqa: PLR2004 - up to 10
        raise invalid("cursor", cursor, "the cursor of the page before")
    beyond = _beyond(order, *place_of(place))
    if order != "important":
        return beyond
    importance = col(MemorySession.importance)
    return or_(importance < int(weight), and_(importance == int(weight), beyond))


def _beyond(order: Order, moment: datetime, last: int) -> Any:
    started, key = col(MemorySession.started_at), col(MemorySession.id)
    if order == "oldest":
        return or_(started > moment, and_(started == moment, key > last))
    return or_(started < moment, and_(started == moment, key < last))
