"""Which session something belongs to that names none.

A session of another repository than the one that the caller is known to work in is not theirs, unless their connection
opened it: one client works in several windows at a time. A name without a slash may be what a model calls the project.
"""

from collections.abc import Mapping
from datetime import datetime, timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, case, func, or_, true
from sqlalchemy import select as columns
from sqlmodel import col, select

from bigmind.core.client_names import BRIDGE, SLASH
from bigmind.core.operation import Caller
from bigmind.memory.lookup import key_of
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

_IS_CALLERS: Any = col(MemorySession.user_id) == bindparam("user")

JUST_ENDED = timedelta(minutes=10)
"""What is learned so soon after a session's end was learned in it."""

ESCAPE = "/"
"""Stands before what would be no letter of a pattern."""


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
    return session_for_write(_found(work, _open_ones(*_shape(work.caller))), work.caller)


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
    has_project, is_bridge = _shape(work.caller)
    mine = (_mine(work), _may_be_in(has_project=has_project))
    alike = select(MemorySession).where(*mine, is_ended, since, MemorySession.one_liner == headline)
    last = (col(MemorySession.updated_at).desc(), col(MemorySession.id).desc())
    likeliest = alike.order_by(_likelihood(is_bridge=is_bridge), *last).limit(1)
    session = work.session.exec(likeliest, params=_seen(work.caller)).first()
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
    return first_of_caller(_found(work, _last_ended(*_shape(work.caller)), since=work.now - JUST_ENDED), work.caller)


def _found(work: Work, statement: Any, **values: Any) -> list[SessionInUse]:
    work.transaction.flush()  # what the mapper holds back is seen
    return [SessionInUse(*row) for row in all_rows(work, statement, {**_seen(work.caller), **values})]


def _shape(caller: Caller) -> tuple[bool, bool]:
    """What of a caller decides the text of a statement: whether they name a project, and whether they are the bridge.

    All else is a value of it: were it part of the text, each conversation would have statements of its own compiled,
    of 30 KB each.
    """
    return bool(caller.project), caller.agent == BRIDGE


def _seen(caller: Caller) -> Mapping[str, Any]:
    """What of a caller decides which session is theirs, as values. No connection, and no project, is called ""."""
    agent, last = caller.agent, f"/{(caller.project or '').rpartition('/')[2]}"
    return {
        "user": caller.user_id,
        "connection": caller.connection or "",
        "agent": agent,
        "bridged": f"{BRIDGE}{SLASH}{agent}",
        "behind": _escaped(f"{agent}{SLASH}"),
        "token": caller.token_id,
        "last": _escaped(last),
        "small_last": _escaped(last.lower()),
    }


def _escaped(text: str) -> str:
    """A text within a pattern, where it stands for itself."""
    for each in (ESCAPE, "%", "_"):
        text = text.replace(each, f"{ESCAPE}{each}")
    return text


@cache
def _open_ones(has_project: bool, is_bridge: bool) -> Any:
    """The two likeliest open sessions of a caller: two tell whether there is only one."""
    is_open = col(MemorySession.ended_at).is_(None)
    theirs = _IN_USE.where(_IS_CALLERS, is_open, _may_be_in(has_project=has_project))
    newest = (col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    return theirs.order_by(_likelihood(is_bridge=is_bridge), *newest).limit(limit_of(2))


@cache
def _last_ended(has_project: bool, is_bridge: bool) -> Any:
    """The likeliest session of a caller that ended after `since`."""
    lately = (_IS_CALLERS, col(MemorySession.ended_at) >= bindparam("since"), _may_be_in(has_project=has_project))
    last = (col(MemorySession.ended_at).desc(), col(MemorySession.id).desc())
    return _IN_USE.where(*lately).order_by(_likelihood(is_bridge=is_bridge), *last).limit(limit_of(1))


def _mine(work: Work) -> Any:
    return MemorySession.user_id == work.caller.user_id


def _may_be_in(*, has_project: bool) -> Any:
    """Whether a session was opened on the caller's connection, or may be of their project."""
    if not has_project:
        return true()
    named: Any = col(MemorySession.project)
    # Databases know small letters otherwise than Python, some in ASCII only: so also as the name is written.
    is_same = or_(
        named.endswith(bindparam("last"), escape=ESCAPE),
        func.lower(named).endswith(bindparam("small_last"), escape=ESCAPE),
    )
    is_any = or_(named.is_(None), named.not_like("%/%"))
    return or_(col(MemorySession.connection) == bindparam("connection"), is_any, is_same)


def _likelihood(*, is_bridge: bool) -> Any:
    """Sorts sessions as `nearness` does; whose client it is is told as `lookup.of_agent` tells it."""
    of_connection = col(MemorySession.connection) == bindparam("connection")
    named: Any = col(MemorySession.client)
    behind = named.startswith(bindparam("behind"), escape=ESCAPE)
    is_agents = named == bindparam("agent")
    of_client = is_agents if is_bridge else or_(is_agents, named == bindparam("bridged"), behind)
    of_token = col(MemorySession.token_id) == bindparam("token")
    return case((of_connection, 3), (of_client, 2), (of_token, 1), else_=0).desc()
