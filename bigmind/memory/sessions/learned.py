"""What was learned in a session: its facts and hypotheses, whatever became of them. Nothing here writes."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.memory.lookup import count, key_of
from bigmind.memory.sessions.service import find_session
from bigmind.memory.tables import Fact, Hypothesis
from bigmind.store.work import Work

ACTIVE = "active"
DEPRECATED = "deprecated"


@dataclass(frozen=True, slots=True)
class LearnedItem:
    """A fact or a hypothesis as it is now.

    Attributes:
        uid: its id.
        text: its words.
        category: of a fact; empty for a hypothesis.
        state: of a fact `active` or `deprecated`, of a hypothesis its status.
        confidence: from 0 to 1.
        created_at: when it was stored.
        caution: what in it waits for a person.
    """

    uid: str
    text: str
    category: str
    state: str
    confidence: float
    created_at: datetime
    caution: str


@dataclass(frozen=True, slots=True)
class SessionLearnings:
    """What was learned in a session, the newest first, and how much of each there is in all."""

    facts: Sequence[LearnedItem]
    hypotheses: Sequence[LearnedItem]
    facts_total: int
    hypotheses_total: int


def born_in(work: Work, reference: str, limit: int) -> SessionLearnings:
    """The facts and the hypotheses that were stored in a session of the caller, at most `limit` of each.

    Raises:
        BigMindError: as `find_session`.
    """
    key = key_of(find_session(work, reference))
    facts: list[Fact] = _newest(work, Fact, key, limit)
    hypotheses: list[Hypothesis] = _newest(work, Hypothesis, key, limit)
    return SessionLearnings(
        facts=[_learned(each, each.category, DEPRECATED if each.deprecated_at else ACTIVE) for each in facts],
        hypotheses=[_learned(each, "", each.status) for each in hypotheses],
        facts_total=count(work, Fact, Fact.session_id == key),
        hypotheses_total=count(work, Hypothesis, Hypothesis.session_id == key),
    )


def _newest(work: Work, table: Any, key: int, limit: int) -> list[Any]:
    query = select(table).where(table.session_id == key).order_by(col(table.created_at).desc(), col(table.id).desc())
    return list(work.session.exec(query.limit(limit)))


def _learned(row: Fact | Hypothesis, category: str, state: str) -> LearnedItem:
    return LearnedItem(row.uid, row.text, category, state, row.confidence, row.created_at, pending(row))
