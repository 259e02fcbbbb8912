"""What answers a question that asks for nothing but a time: that time's sessions, and what was stored in it."""

from collections.abc import Collection, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, and_, literal, not_, or_, union_all
from sqlalchemy import select as columns
from sqlmodel import col, select

from bigmind.core.kind import Kind
from bigmind.kinds import readable, waiting
from bigmind.memory.recall.time_question import TimeQuestion, Wanted
from bigmind.memory.rules import SAYING_NOTHING
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.search.engine import Hit, SearchResult
from bigmind.store.prepared_statements import rows
from bigmind.store.work import Work
from bigmind.text.excerpts import SearchedWords

MOST_MOMENTS = 100
"""Moments that are read of the sessions that are told, the newest: few of each are shown."""
WHY = "its time"
THOUGHT = "thought"
STORED = ("fact", "knowledge", THOUGHT)
"""Kinds that are told where what was decided, learned or changed is asked for; of thoughts, records of decisions."""
DECISIONS = ("decision", "decisions", "decision_record", "entscheidung", "entscheidungen")
"""Categories of what was decided; all are stored in small letters."""


class _Scope(NamedTuple):
    """From when until before when, of which project if of one, and how many at most."""

    first: datetime
    after: datetime
    project: str | None
    most: int

    def within(self, at: Any) -> list[Any]:
        """The conditions of a time of it."""
        return [at >= self.first, at < self.after]

    def found(self, kind: Kind) -> list[Any]:
        """The conditions of a row of a kind that may be found, and that is of the project."""
        found = [each.over(kind.table) for each in kind.found_when]
        return found if self.project is None else [*found, kind.table.project == self.project]


class _Found(NamedTuple):
    """What was found: whether it goes before what does not, when it was, and its hit."""

    goes_first: bool
    at: datetime
    hit: Hit


def found_then(
    work: Work, asked: TimeQuestion, project: str | None, kinds: Collection[str], most: int
) -> SearchResult | None:
    """What the caller may find of those days, of some kinds, the newest first; None where there is nothing.

    Of what was stored, decisions go first where they are asked for, and nothing else is told; without any, all is.
    """
    scope = _Scope(_begin(asked.first), _begin(asked.last + timedelta(1)), project, most)
    stored = [each for each in STORED if each in kinds and asked.wanted is not Wanted.DONE]
    found = _stored(work, scope, stored, is_of_decisions=asked.wanted is Wanted.DECIDED) if stored else []
    sessions = {each.id or 0: each for each in _sessions(work, scope)} if "session" in kinds else {}
    found += [_Found(False, each.started_at, _hit("session", key, key)) for key, each in sessions.items()]
    found.sort(key=lambda each: (each.goes_first, each.at), reverse=True)
    hits = [each.hit for each in found[:most]]
    shown = [each.key for each in hits if each.kind == "session"]
    hits += _moments(work, [key for key in shown if _needs_moments(sessions[key], scope.first)], scope)
    return SearchResult(hits, SearchedWords([])) if hits else None


def _hit(kind: str, key: int, session: int = 0) -> Hit:
    return Hit(kind, key, 1.0, False, session=session, is_good=True)


def _stored(work: Work, scope: _Scope, kinds: Sequence[str], *, is_of_decisions: bool) -> list[_Found]:
    """The newest of what was stored then and does not wait for a person: nobody asked for that by its words."""
    of_kinds = (work.kinds[each] for each in kinds)
    some = union_all(*(_of_kind(work, scope, each) for each in of_kinds)).subquery()
    first = [some.c.is_decision.desc()] if is_of_decisions else []
    found = rows(work, columns(some).order_by(*first, some.c.at.desc(), some.c.key.desc()).limit(scope.most))
    decisions = [each for each in found if each.is_decision and is_of_decisions]
    return [_Found(bool(decisions), each.at, _hit(each.kind, each.key)) for each in decisions or found]


def _of_kind(work: Work, scope: _Scope, kind: Kind) -> Any:
    decides = kind.table.category.in_(DECISIONS)
    told = (
        literal(kind.name).label("kind"),
        kind.keys.label("key"),
        kind.times.label("at"),
        decides.label("is_decision"),
    )
    some = [decides] if kind.name == THOUGHT else []
    # Facts have an index by when they were written last, which is never before they were stored; none by that.
    written = getattr(kind.table, kind.changed) >= scope.first
    return columns(*told).where(
        readable(work, kind), written, *scope.within(kind.times), *scope.found(kind), not_(and_(*waiting(kind))), *some
    )


def _sessions(work: Work, scope: _Scope) -> Sequence[MemorySession]:
    """The caller's sessions of those days that tell something, the newest first.

    A session without words, as the one that the question is asked in often is, would only hide what is stored.
    """
    moments = select(Chunk.session_id).where(
        col(Chunk.user_id) == work.caller.user_id, *scope.within(col(Chunk.created_at))
    )
    began = and_(*scope.within(col(MemorySession.started_at)))
    kept = or_(began & _tells_something(), col(MemorySession.id).in_(moments))
    mine = col(MemorySession.user_id) == work.caller.user_id
    wanted = select(MemorySession).where(mine, kept, *scope.found(work.kinds["session"]))
    newest = wanted.order_by(col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    return work.session.exec(newest.limit(scope.most)).all()


def _tells_something() -> ColumnElement[bool]:
    """As `rules.telling`; moments that were kept in it are another way."""
    line = col(MemorySession.one_liner)
    is_told = or_(line != "", col(MemorySession.outcome) != "", col(MemorySession.has_detail).is_(True))
    return is_told & line.not_in(SAYING_NOTHING)


def _needs_moments(session: MemorySession, first: datetime) -> bool:
    """Whether what was kept in a session says more of those days than its line: it has none, or began before."""
    return session.started_at < first or session.one_liner in {"", *SAYING_NOTHING}


def _moments(work: Work, sessions: Sequence[int], scope: _Scope) -> list[Hit]:
    """The newest moments of those days that were kept in some sessions."""
    if not sessions:
        return []
    at = col(Chunk.created_at)
    kept = select(Chunk.id, Chunk.session_id).where(col(Chunk.session_id).in_(sessions), *scope.within(at))
    newest = kept.order_by(at.desc(), col(Chunk.id).desc()).limit(MOST_MOMENTS)
    return [_hit("chunk", key, session) for key, session in work.session.exec(newest) if key]


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
