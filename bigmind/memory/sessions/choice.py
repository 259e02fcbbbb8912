"""Which session something belongs to that names none.

A session of another repository than the one that the caller is known to work in is not theirs, unless their connection
opened it: one client works in several windows at a time. A name without a slash may be what a model calls the project.
"""

from datetime import datetime, timedelta
from functools import lru_cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, case, func, or_, true
from sqlalchemy import select as columns
from sqlmodel import col, select

from bigmind.core.operation import Caller
from bigmind.memory.lookup import key_of, of_agent
from bigmind.memory.rules import REPEATED_WITHIN, first_of_caller, is_callers, nearness, session_for_write
from bigmind.memory.sessions import conversations
from bigmind.memory.tables import Chunk, MemorySession
from bigmind.store.driver_statements import all_rows, limit_of
from bigmind.store.work import Work

_IN_USE: Any = columns(
    *(col(each) for each in (MemorySession.id, MemorySession.uid, MemorySession.project, MemorySession.client)),
    *(col(each) for each in (MemorySession.connection, MemorySession.token_id, MemorySession.started_at)),
    columns(func.coalesce(func.max(Chunk.seq), 0))
    .where(col(Chunk.session_id) == col(MemorySession.id))
    .scalar_subquery(),
)

JUST_ENDED = timedelta(minutes=10)
"""What is learned so soon after a session's end was learned in it."""

CALLERS_KEPT = 32
"""Callers whose statements are kept as they were built: nearly every call asks for its session."""


class SessionInUse(NamedTuple):
    """A session as nearly every call asks for it; `last_place`: of the moments in it, 0 where there is none."""

    id: int
    uid: str
    project: str | None
    client: str
    connection: str | None
    token_id: int | None
    started_at: datetime
    last_place: int = 0


def current_session(work: Work) -> SessionInUse | None:
    """The open session that a moment of the caller belongs to, if there is one."""
    return session_for_write(_found(work, _open_ones(*_seen(work.caller))), work.caller)


def source_session(work: Work) -> SessionInUse | None:
    """The session that a fact, a hypothesis or an entry of knowledge comes from; None when there was no conversation.

    That is the one that is open, or one that ended within the last ten minutes where it is nearer to the caller, and
    its conversation did not go on in one that hooks opened since. A
    person who writes something down by hand is in no conversation but their own.
    """
    session, ended = current_session(work), _just_ended(work)
    if ended is not None and (session is None or _is_nearer(work, ended, session)):
        session = ended
    is_anothers = session is not None and work.caller.is_person and not is_callers(session, work.caller)
    return None if is_anothers else session


def _is_nearer(work: Work, ended: SessionInUse, session: SessionInUse) -> bool:
    if nearness(ended, work.caller) <= nearness(session, work.caller):
        return False
    is_hooks = session.connection == conversations.BY_HOOK and is_callers(session, work.caller)
    return not (is_hooks and conversations.went_on(work, ended, session))


def session_to_end(work: Work, headline: str, outcome: str) -> MemorySession | None:
    """The session that the caller ends, who names none; None when a new one has to hold what is told.

    It is the one that a repeated call ended, unless another was opened since; else the newest that is open on the
    connection; else, on a connection that had none, the one that a moment would belong to, unless another client
    opened it; else what hooks wrote of its conversation.
    """
    session, told = _to_be_told(work), _told_lately(work, headline, outcome)
    if session is None or told is None:
        return told or session
    # The keys tell apart what was opened and ended in the same moment.
    is_newer = (session.updated_at, key_of(session)) > (told.updated_at, key_of(told))
    return session if session.ended_at is None and is_newer else told


def _to_be_told(work: Work) -> MemorySession | None:
    before = last_on_connection(work)
    if before is not None:
        is_open = before.ended_at is None
        return before if is_open or conversations.was_closed(work, before) else None
    current = current_session(work)
    if current is not None and is_callers(current, work.caller):
        return work.session.get(MemorySession, current.id)
    return conversations.closed_lately(work)  # what another client has open, it goes on with


def _told_lately(work: Work, headline: str, outcome: str) -> MemorySession | None:
    """The session that was ended in these words within the last hour."""
    since = col(MemorySession.updated_at) > work.now - REPEATED_WITHIN
    is_ended = col(MemorySession.ended_at).is_not(None)
    mine = (_mine(work), _may_be_in(*_seen(work.caller)))
    alike = select(MemorySession).where(*mine, is_ended, since, MemorySession.one_liner == headline)
    last = (col(MemorySession.updated_at).desc(), col(MemorySession.id).desc())
    session = work.session.exec(alike.order_by(_likelihood(*_seen(work.caller)), *last).limit(1)).first()
    is_same = session is not None and (is_callers(session, work.caller) or session.outcome == outcome)
    return session if is_same else None


def last_on_connection(work: Work) -> MemorySession | None:
    """The newest session that is open on the caller's connection, else the one that ended last on it."""
    if work.caller.connection is None:
        return None
    here = select(MemorySession).where(_mine(work), MemorySession.connection == work.caller.connection)
    is_open = col(MemorySession.ended_at).is_(None)
    last = func.coalesce(col(MemorySession.ended_at), col(MemorySession.started_at)).desc()
    return work.session.exec(here.order_by(is_open.desc(), last, col(MemorySession.id).desc()).limit(1)).first()


def current_project(work: Work) -> str | None:
    """The project that the caller works on: of the current session, else of the workspace."""
    session = current_session(work)
    return session.project if session is not None and session.project else work.caller.project


def _just_ended(work: Work) -> SessionInUse | None:
    """The session that the caller ended last, if that was within the last ten minutes."""
    return first_of_caller(_found(work, _last_ended(*_seen(work.caller)), since=work.now - JUST_ENDED), work.caller)


def _found(work: Work, statement: Any, **values: Any) -> list[SessionInUse]:
    work.session.flush()  # what the mapper holds back is seen
    return [SessionInUse(*row) for row in all_rows(work.session, statement, values)]


def _seen(caller: Caller) -> tuple[int, str, str, int, str]:
    """What of a caller decides which session is theirs. No connection, and no project, is called ""."""
    return caller.user_id, caller.connection or "", caller.agent, caller.token_id, caller.project or ""


@lru_cache(CALLERS_KEPT)
def _open_ones(*seen: Any) -> Any:
    """The two likeliest open sessions of a caller: two tell whether there is only one."""
    user_id, *_ = seen
    theirs = _IN_USE.where(MemorySession.user_id == user_id, col(MemorySession.ended_at).is_(None), _may_be_in(*seen))
    newest = (col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    return theirs.order_by(_likelihood(*seen), *newest).limit(limit_of(2))


@lru_cache(CALLERS_KEPT)
def _last_ended(*seen: Any) -> Any:
    """The likeliest session of a caller that ended after `since`."""
    user_id, *_ = seen
    lately = (MemorySession.user_id == user_id, col(MemorySession.ended_at) >= bindparam("since"), _may_be_in(*seen))
    last = (col(MemorySession.ended_at).desc(), col(MemorySession.id).desc())
    return _IN_USE.where(*lately).order_by(_likelihood(*seen), *last).limit(limit_of(1))


def _mine(work: Work) -> Any:
    return MemorySession.user_id == work.caller.user_id


def _may_be_in(_user_id: int, connection: str, _agent: str, _token_id: int, project: str) -> Any:
    """Whether a session was opened on the caller's connection, or may be of their project."""
    if not project:
        return true()
    named: Any = col(MemorySession.project)
    last = f"/{project.rpartition('/')[2]}"
    # Databases know small letters otherwise than Python, some in ASCII only: so also as the name is written.
    is_same = or_(named.endswith(last, autoescape=True), func.lower(named).endswith(last.lower(), autoescape=True))
    is_any = or_(named.is_(None), named.not_like("%/%"))
    return or_(col(MemorySession.connection) == connection, is_any, is_same)


def _likelihood(_user_id: int, connection: str, agent: str, token_id: int, _project: str) -> Any:
    """Sorts sessions as `nearness` does."""
    of_connection = col(MemorySession.connection) == connection
    of_client = of_agent(MemorySession.client, agent)
    of_token = col(MemorySession.token_id) == token_id
    return case((of_connection, 3), (of_client, 2), (of_token, 1), else_=0).desc()
