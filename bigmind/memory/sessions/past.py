"""Sessions that were held elsewhere, before: told of by a person, and closed from the beginning."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, delete

from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id
from bigmind.kinds import save
from bigmind.memory.lookup import count, find_by_uid, key_of
from bigmind.memory.tables import Chunk, MemorySession, SessionSummary, SessionTopic
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class PastSession:
    """What is known of a session that was held elsewhere."""

    one_liner: str
    started_at: datetime
    ended_at: datetime
    project: str | None = None
    topics: Sequence[str] = ()
    summary: str = ""


def store_past(work: Work, past: PastSession) -> MemorySession:
    """Keep a session as it was; its client is the caller's."""
    session = MemorySession(
        uid=new_id(),
        user_id=work.caller.user_id,
        project=past.project,
        client=work.caller.client,
        started_at=past.started_at,
        ended_at=past.ended_at,
        one_liner=past.one_liner,
        has_detail=bool(past.summary),
        updated_at=work.now,
    )
    work.session.add(session)
    work.session.flush()
    for position, topic in enumerate(past.topics):
        work.session.add(SessionTopic(session_id=key_of(session), topic=topic, position=position))
    if past.summary:
        work.session.add(SessionSummary(session_id=key_of(session), summary=past.summary, created_at=work.now))
    save(work, session, Action.CREATED)
    return session


def remove_past(work: Work, uid: str, as_of: datetime) -> bool:
    """Take such a session back, unless something was added or changed since `as_of`; whether it went.

    Raises:
        BigMindError: `not_found`.
    """
    session = find_by_uid(work, MemorySession, uid, "session", "memory_list_sessions shows their ids.")
    if session.updated_at != as_of or count(work, Chunk, Chunk.session_id == session.id):
        return False
    work.session.exec(delete(MemorySession).where(col(MemorySession.id) == session.id))
    work.changed(Kind.SESSION, uid, Action.PRUNED)
    return True
