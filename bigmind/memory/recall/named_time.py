"""A question that is nothing but a time ("what did we do yesterday?"): its answer is that time's sessions."""

from datetime import UTC, date, datetime, time, timedelta

from sqlmodel import col, select

from bigmind.memory.tables import MemorySession
from bigmind.operations.day_words import first_day, last_day
from bigmind.search.engine import Hit, SearchResult
from bigmind.store.work import Work
from bigmind.text.excerpts import SearchedWords
from bigmind.text.lazy_pattern import lazy_pattern
from bigmind.text.small_letters import small_letters

LONGEST_QUESTION = 80
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
# Whatever else stands in a question asks for more than the time: "what did we decide yesterday" is a search.
_ASKED = lazy_pattern(
    rf"{_TIME}"
    rf"|what (?:did|have) (?:we|i|you) (?:do|done|work on|worked on|been doing) {_TIME}"
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
    """The caller's sessions of those days, the newest first; None where there are none."""
    kind, (first, last) = work.kinds["session"], days
    wanted = select(MemorySession.id).where(
        col(MemorySession.user_id) == work.caller.user_id,
        col(MemorySession.started_at) >= _begin(first),
        col(MemorySession.started_at) < _begin(last + timedelta(1)),
        *(each.over(kind.table) for each in kind.found_when),
    )
    if project is not None:
        wanted = wanted.where(col(MemorySession.project) == project)
    newest = wanted.order_by(col(MemorySession.started_at).desc(), col(MemorySession.id).desc()).limit(most)
    hits = [Hit("session", key, 1.0, False, session=key, is_good=True) for key in work.session.exec(newest) if key]
    return SearchResult(hits, SearchedWords([])) if hits else None


def _begin(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
