"""Use cases of sessions and of the moments kept in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, bindparam, func, or_
from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.client_names import named, rewritten_by
from bigmind.core.errors import invalid
from bigmind.core.events import Action
from bigmind.core.ids import new_id, short
from bigmind.core.paging import cursor_after, place_of
from bigmind.core.plain_text import seen
from bigmind.kinds import save, save_new, texts_of
from bigmind.memory.answers import EndedSession, KeptChunk, SessionDetail, SessionList, SessionRow
from bigmind.memory.lookup import count, find_by_uid, key_of
from bigmind.memory.projects.known import unknown_project
from bigmind.memory.rules import is_anothers
from bigmind.memory.search_filters import filters_of, within
from bigmind.memory.sessions import conversations
from bigmind.memory.sessions.choice import SessionInUse, current_session, last_on_connection, session_to_end
from bigmind.memory.tables import Chunk, MemorySession, SessionSummary, SessionTopic
from bigmind.people.agent_names import shown_agent
from bigmind.store.prepared_statements import first, new_row
from bigmind.store.work import Work
from bigmind.text.phrasing import enumerated, part

_LAST_PLACE = select(func.max(Chunk.seq)).where(col(Chunk.session_id) == bindparam("session"))


@dataclass(frozen=True, slots=True)
class Opening:
    """What a new session is about; all of it may be unknown.

    Attributes:
        project: it is of; None: the workspace's.
        topics: in the order given.
        claimed: what its client calls itself.
        writer: whose it is, where that is not the caller: as another row of the store says.
    """

    project: str | None = None
    topics: Sequence[str] = ()
    claimed: str | None = None
    writer: str | None = None


def open_session(work: Work, opening: Opening, *, attached: bool = True) -> MemorySession:
    """Open a session on the caller's connection; `attached`: the conversation that hooks tell of is kept in it."""
    project = opening.project or work.caller.project
    conversation = conversations.waiting(work, project) if attached else None
    session = conversations.taken_over(work, conversation) or MemorySession(
        uid=new_id(), user_id=work.caller.user_id, client="", started_at=work.now, updated_at=work.now
    )
    session.project = project or session.project or (conversation.project if conversation is not None else None)
    session.client = named(work.caller.client, opening.claimed) if opening.writer is None else opening.writer
    session.connection = work.caller.connection
    session.token_id = work.caller.token_id or None
    session.updated_at = work.now
    is_new = session.id is None
    work.session.add(session)
    work.session.flush()
    _set_topics(work, session, opening.topics)
    save(work, session, Action.CREATED if is_new else Action.UPDATED)
    if conversation is not None:
        conversations.attach(work, conversation, session)
    return session


def open_sessions(work: Work) -> list[MemorySession]:
    """The caller's open sessions, newest first."""
    query = (
        select(MemorySession)
        .where(MemorySession.user_id == work.caller.user_id, col(MemorySession.ended_at).is_(None))
        .order_by(col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    )
    return list(work.session.exec(query))


def find_session(work: Work, reference: str) -> MemorySession:
    """The caller's session of that id or unambiguous prefix.

    Raises:
        BigMindError: `not_found`, also for somebody else's; `ambiguous`; `invalid_input`.
    """
    return find_by_uid(work, MemorySession, reference, "session", "memory_list_sessions shows their ids.")


def target_session(work: Work, reference: str | None) -> tuple[SessionInUse, str]:
    """The session a moment belongs to, and what the caller should be told about the choice."""
    if reference is not None:
        return _in_use(work, find_session(work, reference)), ""
    if (session := current_session(work)) is not None:
        return session, _whose(work, session)
    session = _in_use(work, open_session(work, Opening()))
    return (
        session,
        f"No session of yours was open, so {short(session.uid)} was opened; call memory_start_session first next time.",
    )


def _whose(work: Work, session: SessionInUse) -> str:
    """Whose session a moment was put into, where it is not plainly the caller's."""
    return f"{shown_agent(session.client)} opened that session." if is_anothers(session, work.caller) else ""


def _in_use(work: Work, session: MemorySession) -> SessionInUse:
    (last,) = first(work, _LAST_PLACE, session=session.id)
    named = (session.uid, session.project, session.client, session.connection, session.token_id, session.started_at)
    return SessionInUse(key_of(session), *named, last_place=last or 0)


@dataclass(frozen=True, slots=True)
class Ending:
    """What is known of a session when it ends."""

    one_liner: str
    topics: Sequence[str]
    outcome: str
    summary: str | None = None
    key_facts: Sequence[str] = ()
    code_refs: Sequence[str] = ()
    importance: int | None = None
    is_callers: bool = True
    """Whether these are the caller's words, and not drawn from what is in the session."""


def end_session(work: Work, reference: str | None, ending: Ending) -> EndedSession:
    """Close a session and write its line (Tier 1) and its detail (Tier 2). Closing it again corrects both."""
    session, note = _session_to_end(work, reference, ending)
    before = texts_of(work, session)
    if reference is None and ending.is_callers and work.caller.connection is not None:
        session.connection = work.caller.connection  # what is told on it next is not for another conversation's session
    if session.ended_at is None:
        session.ended_at = work.now
    else:
        note = "It was closed before; its record is corrected."
    session.updated_at = work.now
    if ending.is_callers and not work.caller.is_person:
        session.client = rewritten_by(session.client, work.caller.client)
    session.one_liner = ending.one_liner
    session.outcome = ending.outcome
    if ending.importance is not None:
        session.importance = ending.importance
    if ending.summary is not None or ending.key_facts or ending.code_refs:
        _write_detail(work, session, ending)
    work.session.add(session)
    _set_topics(work, session, ending.topics)
    save(work, session, Action.CLOSED, before)
    conversations.told(work, session)
    return EndedSession(
        session_id=session.uid,
        one_liner=session.one_liner,
        has_detail=session.has_detail,
        chunks=_chunk_counts(work, [session]).get(key_of(session), 0),
        note=note,
        caution=pending(session),
    )


def _session_to_end(work: Work, reference: str | None, ending: Ending) -> tuple[MemorySession, str]:
    """The session that is ended, and what to say of the choice.

    A call that is repeated ends no other session than the first did, and one that is not overwrites none: where
    nothing is open for it, a new session holds what is told.
    """
    if reference is not None:
        return find_session(work, reference), ""
    if (session := session_to_end(work, ending.one_liner, ending.outcome)) is not None:
        return session, ""
    before = last_on_connection(work)
    if before is None:
        session = open_session(work, Opening())
        holds = f"No session of yours was open, so {short(session.uid)} holds this"
        note = f"{holds}; call memory_start_session first next time."
        return session, note
    session = open_session(work, Opening(before.project, writer=rewritten_by(before.client, work.caller.client)))
    old, new = short(before.uid), short(session.uid)
    return session, f"{old} was closed before, so {new} holds this; to correct {old}, pass it as session_id."


def _write_detail(work: Work, session: MemorySession, ending: Ending) -> None:
    detail = work.session.get(SessionSummary, session.id) or SessionSummary(
        session_id=key_of(session), summary="", created_at=work.now
    )
    if ending.summary is not None:
        detail.summary = ending.summary
    if ending.key_facts:
        detail.key_facts = list(ending.key_facts)
    if ending.code_refs:
        detail.code_refs = list(ending.code_refs)
    work.session.add(detail)
    session.has_detail = True


def keep_chunk(work: Work, reference: str | None, role: str, content: str, flag_reason: str) -> KeptChunk:
    """Keep a moment word for word (Tier 3)."""
    if not seen(content):
        raise invalid("content", content, "text that says something")
    session, note = target_session(work, reference)
    chunk = new_row(
        Chunk,
        uid=new_id(),
        user_id=work.caller.user_id,
        session_id=session.id,
        project=session.project or work.caller.project,
        client=work.caller.client,
        role=role,
        content=content,
        flag_reason=flag_reason,
        seq=session.last_place + 1,
        created_at=work.now,
    )
    save_new(work, chunk, Action.CREATED)
    return KeptChunk(chunk_id=chunk.uid, session_id=session.uid, seq=chunk.seq, note=note, caution=chunk.caution)


def session_detail(work: Work, reference: str) -> SessionDetail:
    """Tier 2 of a session, and how many moments it has."""
    session = find_session(work, reference)
    detail = work.session.get(SessionSummary, session.id)
    return SessionDetail(
        session=session_rows(work, [session])[0],
        summary=detail.summary if detail else None,
        key_facts=detail.key_facts if detail else [],
        code_refs=detail.code_refs if detail else [],
    )


@dataclass(frozen=True, slots=True)
class SessionQuery:
    """Which sessions are listed. `None` does not restrict."""

    topic: str | None = None
    project: str | None = None
    since: datetime | None = None
    limit: int = 20
    cursor: str | None = None


def list_sessions(work: Work, query: SessionQuery) -> SessionList:
    """A page of the caller's sessions, newest first."""
    conditions: list[Any] = [MemorySession.user_id == work.caller.user_id]
    if query.project is not None:
        conditions.append(MemorySession.project == query.project)
    if query.since is not None:
        conditions.append(MemorySession.started_at >= query.since)
    if query.topic is not None:
        tagged = select(SessionTopic.session_id).where(SessionTopic.topic == query.topic)
        conditions.append(col(MemorySession.id).in_(tagged))
    total = work.session.exec(select(func.count()).select_from(MemorySession).where(*conditions)).one()
    started, key = col(MemorySession.started_at), col(MemorySession.id)
    if query.cursor is not None:
        moment, last = place_of(query.cursor)
        conditions.append(or_(started < moment, and_(started == moment, key < last)))
    page = select(MemorySession).where(*conditions).order_by(started.desc(), key.desc()).limit(query.limit + 1)
    found = list(work.session.exec(page))
    shown = found[: query.limit]
    more = len(found) > len(shown)
    return SessionList(
        sessions=session_rows(work, shown),
        total=total,
        cursor=cursor_after(shown[-1].started_at, key_of(shown[-1])) if more else None,
        unmatched="" if shown else _unmatched(work, query),
    )


def _unmatched(work: Work, query: SessionQuery) -> str:
    """Which filters leave no session over, and what to do; empty where none is stored at all."""
    if query.cursor is not None:
        return "No sessions are left."
    filters = filters_of(query.project, query.since)
    given = [*(["topic"] if query.topic else []), *filters]
    if not given or count(work, MemorySession, MemorySession.user_id == work.caller.user_id) == 0:
        return ""
    topic = f" with the topic {part(query.topic)!r}" if query.topic else ""
    whole = " A topic is matched as a whole." if query.topic else ""
    told = (
        f"There is no session{topic}{within(filters)}.{whole} Leave {enumerated(given)} out, or search for the words."
    )
    return unknown_project(work, query.project) or told


def session_rows(work: Work, sessions: Sequence[MemorySession]) -> list[SessionRow]:
    """Sessions as they leave the store, with their topics and the number of their moments."""
    keys = [key_of(session) for session in sessions]
    topics: dict[int, list[str]] = {}
    tagged = select(SessionTopic).where(col(SessionTopic.session_id).in_(keys)).order_by(col(SessionTopic.position))
    for tag in work.session.exec(tagged):
        topics.setdefault(tag.session_id, []).append(tag.topic)
    counts = _chunk_counts(work, sessions)
    return [
        SessionRow(
            session_id=each.uid,
            started_at=each.started_at,
            ended_at=each.ended_at,
            project=each.project,
            client=each.client,
            one_liner=each.one_liner,
            topics=topics.get(key_of(each), []),
            outcome=each.outcome,
            importance=each.importance,
            has_detail=each.has_detail,
            chunks=counts.get(key_of(each), 0),
            caution=pending(each),
        )
        for each in sessions
    ]


def _chunk_counts(work: Work, sessions: Sequence[MemorySession]) -> dict[int, int]:
    keys = [key_of(session) for session in sessions]
    counts = (
        select(Chunk.session_id, func.count()).where(col(Chunk.session_id).in_(keys)).group_by(col(Chunk.session_id))
    )
    return dict(work.session.exec(counts).all())


def _set_topics(work: Work, session: MemorySession, topics: Sequence[str]) -> None:
    for old in work.session.exec(select(SessionTopic).where(SessionTopic.session_id == session.id)):
        work.session.delete(old)
    work.session.flush()
    for position, topic in enumerate(topics):
        work.session.add(SessionTopic(session_id=key_of(session), topic=topic, position=position))
