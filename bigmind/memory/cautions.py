"""Which texts of a row are looked through for what instructs a later reader: every one that a client may choose.

The one list of them: use cases flag by it, derivation flags by it anew, and a person who accepts is shown it.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from sqlalchemy import literal_column
from sqlmodel import col, select

from bigmind.memory.tables import (
    Chunk,
    Fact,
    Hypothesis,
    Knowledge,
    MemorySession,
    Profile,
    SessionSummary,
    SessionTopic,
)
from bigmind.store.work import Work

Judged = Profile | MemorySession | Chunk | Fact | Hypothesis | Knowledge


class LabeledText(NamedTuple):
    """One text of a row, and what it is to the row."""

    label: str
    text: str


def texts_of(work: Work, row: Judged) -> list[str]:
    """The texts of a row that are judged, as they are now; none is empty."""
    return [each.text for each in told_by(work, row)]


def told_by(work: Work, row: Judged) -> list[LabeledText]:
    """The texts of a row that are judged, with their labels; those that are empty are left out."""
    return [each for each in (*_words(work, row), *_origin(row)) if each.text]


class SessionTexts(Protocol):
    """What is told of a session in detail, in a row or in a file."""

    @property
    def summary(self) -> str: ...
    @property
    def key_facts(self) -> Sequence[str]: ...
    @property
    def code_refs(self) -> Sequence[str]: ...


def of_session(one_liner: str, outcome: str, topics: Iterable[str], detail: SessionTexts | None) -> list[LabeledText]:
    """The texts of a session, the headline first."""
    told = [LabeledText("headline", one_liner), LabeledText("outcome", outcome)]
    told += [LabeledText("topic", topic) for topic in topics]
    if detail is not None:
        told.append(LabeledText("summary", detail.summary))
        told += [LabeledText("key fact", text) for text in detail.key_facts]
        told += [LabeledText("code", text) for text in detail.code_refs]
    return told


def _words(work: Work, row: Judged) -> list[LabeledText]:
    match row:
        case Profile():
            pinned = [LabeledText("pinned fact", text) for text in row.pinned_facts]
            return [LabeledText("role", row.role), LabeledText("preferences", row.preferences), *pinned]
        case MemorySession():
            return told_of_session(work, row)
        case Chunk():
            return [LabeledText("content", row.content), LabeledText("reason", row.flag_reason)]
        case Fact():
            reason = LabeledText("reason of deprecation", row.deprecation_reason)
            return [LabeledText("fact", row.text), LabeledText("category", row.category), reason]
        case Hypothesis():
            return [LabeledText("hypothesis", row.text), LabeledText("resolution", row.resolution)]
        case Knowledge():
            words = [
                LabeledText("title", row.title),
                LabeledText("content", row.content),
                LabeledText("category", row.category),
            ]
            return [*words, LabeledText("review notes", row.review_notes)]


def told_of_session(work: Work, session: MemorySession) -> list[LabeledText]:
    """The texts of a session of the store, as they are now."""
    work.session.flush()
    query = select(SessionTopic.topic).where(SessionTopic.session_id == session.id)
    topics = work.session.exec(query.order_by(col(SessionTopic.position))).all()
    return of_session(session.one_liner, session.outcome, topics, work.session.get(SessionSummary, session.id))


def told_of_sessions(work: Work, sessions: Sequence[MemorySession]) -> dict[int, list[LabeledText]]:
    """The texts of some sessions, by their keys; two questions to the store, however many there are."""
    keys = [each.id for each in sessions]
    if not keys:
        return {}
    topics: dict[int, list[str]] = {}
    of_those = select(SessionTopic).where(col(SessionTopic.session_id).in_(keys))
    for each in work.session.exec(of_those.order_by(col(SessionTopic.position))):
        topics.setdefault(each.session_id, []).append(each.topic)
    details = work.session.exec(select(SessionSummary).where(col(SessionSummary.session_id).in_(keys)))
    detail = {each.session_id: each for each in details}
    return {
        each.id: of_session(each.one_liner, each.outcome, topics.get(each.id, ()), detail.get(each.id))
        for each in sessions
        if each.id is not None
    }


def _origin(row: Judged) -> list[LabeledText]:
    """Where it comes from: names that a client gives itself, or its workspace, stand in the context too."""
    if isinstance(row, Profile):
        return []
    return [LabeledText("project", row.project or ""), LabeledText("client", row.client)]


def waiting(table: Any) -> list[Any]:
    """The conditions of a row that was flagged and that nobody accepted; what is deprecated waits for nobody."""
    # Written out, not bound: else the partial index of moments would not be known to fit.
    conditions = [col(table.caution) != literal_column("''"), col(table.accepted_at).is_(None)]
    if table is Knowledge:
        return [*conditions, Knowledge.status != "deprecated"]
    return [*conditions, col(Fact.deprecated_at).is_(None)] if table is Fact else conditions
