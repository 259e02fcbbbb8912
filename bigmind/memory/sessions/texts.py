"""The texts of a session, which stand in three tables; and what is derived of them for search."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from sqlalchemy import bindparam
from sqlalchemy import select as columns
from sqlmodel import col, select

from bigmind.core.kind import ORIGIN, LabeledText
from bigmind.memory.tables import MemorySession, SessionSummary, SessionTopic
from bigmind.store.prepared_statements import kept_rows
from bigmind.store.work import Work

_TOPICS = (
    columns(col(SessionTopic.session_id), col(SessionTopic.topic))
    .where(col(SessionTopic.session_id).in_(bindparam("keys", expanding=True)))
    .order_by(col(SessionTopic.position))
)
_DETAILS = columns(
    col(SessionSummary.session_id),
    *(col(each) for each in (SessionSummary.summary, SessionSummary.key_facts, SessionSummary.code_refs)),
).where(col(SessionSummary.session_id).in_(bindparam("keys", expanding=True)))


class SessionLine(Protocol):
    """A session's key, and what is told of it in one line: of a row, or of what was read of one."""

    @property
    def id(self) -> int | None: ...
    @property
    def one_liner(self) -> str: ...
    @property
    def outcome(self) -> str: ...


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


def told_of_session(work: Work, session: MemorySession) -> list[LabeledText]:
    """The texts of a session of the store, as they are now."""
    work.session.flush()
    query = select(SessionTopic.topic).where(SessionTopic.session_id == session.id)
    topics = work.session.exec(query.order_by(col(SessionTopic.position))).all()
    return of_session(session.one_liner, session.outcome, topics, work.session.get(SessionSummary, session.id))


def told_of_sessions(work: Work, sessions: Sequence[SessionLine]) -> dict[int, list[LabeledText]]:
    """The texts of some sessions, by their keys; two questions to the store, however many there are."""
    keys = [each.id for each in sessions]
    if not keys:
        return {}
    topics: dict[int, list[str]] = {}
    for each in kept_rows(work, _TOPICS, keys=keys):
        topics.setdefault(each.session_id, []).append(each.topic)
    detail = {each.session_id: each for each in kept_rows(work, _DETAILS, keys=keys)}
    return {
        each.id: of_session(each.one_liner, each.outcome, topics.get(each.id, ()), detail.get(each.id))
        for each in sessions
        if each.id is not None
    }


def texts_of_session(work: Work, session: MemorySession) -> list[LabeledText]:
    """The same of one session, with where it comes from."""
    origin = [LabeledText(each.label, getattr(session, each.column) or "") for each in ORIGIN]
    return [*told_of_session(work, session), *origin]


def retold(told: Iterable[LabeledText]) -> str:
    """All that is told of a session beside its headline, one text to a line."""
    return "\n".join(each.text for each in told if each.text and each.label != "headline")


def detail_in_words(work: Work, session: MemorySession) -> str:
    """What a session's `told` is derived as: it is found by that, beside its headline."""
    return retold(told_of_session(work, session))
