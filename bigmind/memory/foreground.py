"""What of the memory stands in the context: the rows that come first, how many there are, how many are held back.

A row whose text instructs its reader (`caution`) is held back until a person accepts it. Deprecated rows and those of
others are no part of it at all.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from sqlalchemy import ColumnElement, case, func, or_
from sqlmodel import col, select

from bigmind.memory.tables import Fact, Hypothesis, Knowledge, MemorySession, Profile, SessionTopic
from bigmind.search.words import match_expression, query_terms
from bigmind.store.sqlite.fulltext import KNOWLEDGE, Condition, search
from bigmind.store.work import Work

OPEN_CONSIDERED = 5
"""More open sessions would push out what closed ones say; the rest is counted."""

MOST_MATCHES = 200

Row = TypeVar("Row")
Flagged = type[Profile] | type[MemorySession] | type[Fact] | type[Hypothesis] | type[Knowledge]


@dataclass(frozen=True, slots=True)
class Known(Generic[Row]):
    """Rows, the most important first; how many of the kind could be shown; how many are held back."""

    rows: Sequence[Row]
    total: int
    held_back: int


def is_harmless(table: Flagged) -> ColumnElement[bool]:
    """Whether a row may be shown without anybody asking for it."""
    return or_(col(table.caution) == "", col(table.accepted_at).is_not(None))


def known_knowledge(work: Work, project: str | None, topics: Sequence[str], most: int) -> Known[Knowledge]:
    """Approved company knowledge: what matches project or topics, then the most important, then the newest."""
    matches: list[ColumnElement[bool]] = []
    if project is not None:
        matches.append(col(Knowledge.project) == project)
    approved = [Condition("status", "approved")]
    if hits := search(work.session, KNOWLEDGE, _expression(project, topics), approved, MOST_MATCHES):
        matches.append(col(Knowledge.id).in_([key for key, _ in hits]))
    order: list[Any] = [col(Knowledge.importance).desc(), col(Knowledge.updated_at).desc(), col(Knowledge.id).desc()]
    if matches:
        order.insert(0, case((or_(*matches), 0), else_=1))
    return _known(work, Knowledge, [Knowledge.status == "approved"], order, most)


def _expression(project: str | None, topics: Sequence[str]) -> str:
    """What finds entries about a project, but for its host, or about a topic."""
    name = re.sub(r"^[^/]+\.[^/]+/", "", project or "")
    return match_expression(query_terms(" ".join((name, *topics))))


def known_facts(work: Work, project: str | None, most: int) -> Known[Fact]:
    """The caller's active facts: of the project, then the surest, then the newest."""
    order: list[Any] = [col(Fact.confidence).desc(), col(Fact.updated_at).desc(), col(Fact.id).desc()]
    if project is not None:
        order.insert(0, case((col(Fact.project) == project, 0), else_=1))
    mine = [Fact.user_id == work.caller.user_id, col(Fact.deprecated_at).is_(None)]
    return _known(work, Fact, mine, order, most)


def known_hypotheses(work: Work, most: int) -> Known[Hypothesis]:
    """The caller's open hypotheses, the newest first."""
    mine = [Hypothesis.user_id == work.caller.user_id, Hypothesis.status == "open"]
    return _known(work, Hypothesis, mine, [col(Hypothesis.created_at).desc(), col(Hypothesis.id).desc()], most)


def known_profile(work: Work) -> Known[Profile]:
    """The caller's profile, if there is one."""
    return _known(work, Profile, [Profile.user_id == work.caller.user_id], [Profile.user_id], 1)


def _known(work: Work, table: type[Row], conditions: list[Any], order: list[Any], most: int) -> Known[Row]:
    harmless: Any = is_harmless(table)  # pyright: ignore[reportArgumentType] - whoever calls it passes such a table
    counts = select(func.count().filter(harmless), func.count()).select_from(table).where(*conditions)
    total, everything = work.session.exec(counts).one()
    rows = work.session.exec(select(table).where(*conditions, harmless).order_by(*order).limit(most)).all()
    return Known(rows, total, everything - total)


def known_sessions(work: Work, wanted: int, project: str | None, without: str) -> Known[MemorySession]:
    """Open sessions, and the newest closed ones, of the project before others.

    Those with a caution are among them, for their rows are shown without their texts.
    """
    mine = [MemorySession.user_id == work.caller.user_id, MemorySession.uid != without]
    newest = (col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    is_open = col(MemorySession.ended_at).is_(None)
    count = work.session.exec(select(func.count()).select_from(MemorySession).where(*mine, is_open)).one()
    found = list(
        work.session.exec(select(MemorySession).where(*mine, is_open).order_by(*newest).limit(OPEN_CONSIDERED))
    )
    unseen = count - len(found)
    closed = select(MemorySession).where(*mine, col(MemorySession.ended_at).is_not(None))
    preferred: list[MemorySession] = []
    if project is not None:
        of_project = closed.where(MemorySession.project == project).order_by(*newest).limit(wanted)
        preferred = list(work.session.exec(of_project))
    known = {each.id for each in preferred}
    others = work.session.exec(closed.order_by(*newest).limit(wanted)).all()
    preferred += [each for each in others if each.id not in known]
    found += preferred[:wanted]
    flagged = sum(bool(each.caution) and each.accepted_at is None for each in found)
    return Known(found, len(found) + unseen, flagged)


def topics_of(work: Work, session: MemorySession) -> Sequence[str]:
    """The topics of a session, in their order."""
    told = select(SessionTopic.topic).where(SessionTopic.session_id == session.id)
    return work.session.exec(told.order_by(col(SessionTopic.position))).all()
