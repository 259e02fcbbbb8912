"""A question that asks for nothing but a time ("what did we do yesterday?"): its answer is that time's sessions."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, time, timedelta

from sqlalchemy import ColumnElement, or_
from sqlmodel import col, select

from bigmind.memory.rules import SAYING_NOTHING
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.operations.day_words import first_day, last_day
from bigmind.search.engine import Hit, SearchResult
from bigmind.store.work import Work
from bigmind.text.excerpts import SearchedWords
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters

LONGEST_QUESTION = 80
MOST_MOMENTS = 100
"""Moments that are read of the sessions that are told, the newest: few of each are shown."""
WHY = "of the time that is asked for"
_WORDS = {
    **{word: word for word in ("today", "yesterday", "this week", "last week", "this month", "last month")},
    "heute": "today",
    "gestern": "yesterday",
    "diese woche": "this week",
    "letzte woche": "last week",
    "diesen monat": "this month",
    "letzten monat": "last month",
}
_TIME = f"({'|'.join(_WORDS)})"
# Whatever else stands in a question asks for more than the time: "what did we decide yesterday" is a search. So is the
# time alone: a word stands for itself.
_ASKED = lazy_pattern(
    rf"what (?:did|have) (?:we|i|you) (?:do|done|work on|worked on|been doing) {_TIME}"
    rf"|what (?:happened|was done|has been done|got done) {_TIME}"
    rf"|was (?:haben wir|habe ich|hast du|wurde|ist) {_TIME}"
    r" (?:gemacht|getan|erledigt|geschafft|passiert)"
)


def time_alone(question: str, now: datetime) -> tuple[date, date] | None:
    """The first and the last day that a question asks for, of one that asks for nothing else."""
    if len(question) > LONGEST_QUESTION:
        return None
    found = _ASKED.fullmatch(" ".join(small_letters(question).strip(" ?!.").split()))
    word = next(filter(None, found.groups()), "") if found else ""
    first, last = first_day(_WORDS.get(word, ""), now), last_day(_WORDS.get(word, ""), now)
    return (first, last) if first and last else None


def sessions_then(work: Work, days: tuple[date, date], project: str | None, most: int) -> SearchResult | None:
    """The caller's sessions of those days that tell something, the newest first; None where there are none.

    A session without words, as the one that the question is asked in often is, would only hide what is stored.
    """
    kind, first, after = work.kinds["session"], _begin(days[0]), _begin(days[1] + timedelta(1))
    moments = select(Chunk.session_id).where(
        col(Chunk.user_id) == work.caller.user_id, col(Chunk.created_at) >= first, col(Chunk.created_at) < after
    )
    began = (col(MemorySession.started_at) >= first) & (col(MemorySession.started_at) < after)
    wanted = select(MemorySession).where(
        col(MemorySession.user_id) == work.caller.user_id,
        or_(began & _tells_something(), col(MemorySession.id).in_(moments)),
        *(each.over(kind.table) for each in kind.found_when),
    )
    if project is not None:
        wanted = wanted.where(col(MemorySession.project) == project)
    newest = wanted.order_by(col(MemorySession.started_at).desc(), col(MemorySession.id).desc()).limit(most)
    found = {key: each for each in work.session.exec(newest) if (key := each.id)}
    hits = [Hit("session", key, 1.0, False, session=key, is_good=True) for key in found]
    hits += _moments(work, [key for key, each in found.items() if _needs_moments(each, first)], first, after)
    return SearchResult(hits, SearchedWords([])) if hits else None


def _tells_something() -> ColumnElement[bool]:
    """As `rules.telling`; moments that were kept in it are another way."""
    line = col(MemorySession.one_liner)
    is_told = or_(line != "", col(MemorySession.outcome) != "", col(MemorySession.has_detail).is_(True))
    return is_told & line.not_in(SAYING_NOTHING)


def _needs_moments(session: MemorySession, first: datetime) -> bool:
    """Whether what was kept in a session says more of those days than its line: it has none, or began before."""
    return session.started_at < first or session.one_liner in {"", *SAYING_NOTHING}


def _moments(work: Work, sessions: Sequence[int], first: datetime, after: datetime) -> list[Hit]:
    """The newest moments of those days that were kept in some sessions."""
    kept = select(Chunk.id, Chunk.session_id).where(
        col(Chunk.session_id).in_(sessions), col(Chunk.created_at) >= first, col(Chunk.created_at) < after
    )
    newest = kept.order_by(col(Chunk.created_at).desc(), col(Chunk.id).desc()).limit(MOST_MOMENTS)
    rows = work.session.exec(newest) if sessions else ()
    return [Hit("chunk", key, 1.0, False, session=session, is_good=True) for key, session in rows if key]


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
