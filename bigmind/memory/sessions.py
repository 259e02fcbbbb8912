"""Use cases of sessions and of the moments kept in them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import and_, case, func, or_
from sqlmodel import col, select

from bigmind.core.errors import invalid
from bigmind.core.events import Action, Kind
from bigmind.core.ids import new_id, short
from bigmind.core.paging import cursor_after, place_of
from bigmind.memory import conversations
from bigmind.memory.answers import EndedSession, KeptChunk, SessionDetail, SessionList, SessionRow
from bigmind.memory.caution import judge, pending
from bigmind.memory.indexed import make_findable, terms_of
from bigmind.memory.judged import texts_of
from bigmind.memory.lookup import find_by_uid, key_of
from bigmind.memory.rules import AUTO_CLOSED, REPEATED_WITHIN, is_callers, is_forgotten, session_for_write
from bigmind.memory.tables import Chunk, MemorySession, SessionSummary, SessionTopic
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class Opening:
    """What a new session is about; all of it may be unknown."""

    project: str | None = None
    topics: Sequence[str] = ()
    client: str | None = None


def open_session(work: Work, opening: Opening, *, attached: bool = True) -> MemorySession:
    """Open a session on the caller's connection; `attached`: the conversation that hooks tell of is kept in it."""
    project = opening.project or work.caller.project
    conversation = conversations.waiting(work, project) if attached else None
    session = conversations.taken_over(work, conversation) or MemorySession(
        uid=new_id(), user_id=work.caller.user_id, client="", started_at=work.now, updated_at=work.now
    )
    session.project = project or session.project or (conversation.project if conversation is not None else None)
    session.client = opening.client or work.caller.client
    session.connection = work.caller.connection
    session.token_id = work.caller.token_id or None
    session.updated_at = work.now
    is_new = session.id is None
    work.session.add(session)
    work.session.flush()
    _set_topics(work, session, opening.topics)
    judge(session, texts_of(work, session))
    make_findable(work, session)
    if conversation is not None:
        conversations.attach(work, conversation, session)
    work.changed(Kind.SESSION, session.uid, Action.CREATED if is_new else Action.UPDATED)
    return session


def close_forgotten_sessions(work: Work) -> int:
    """Close the caller's sessions that have been open for more than 24 hours; how many there were."""
    forgotten = [each for each in open_sessions(work) if is_forgotten(each.started_at, work.now)]
    for session in forgotten:
        session.ended_at = session.updated_at = work.now
        session.one_liner = session.one_liner or AUTO_CLOSED
        make_findable(work, session)
        work.changed(Kind.SESSION, session.uid, Action.CLOSED)
    return len(forgotten)


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


def target_session(work: Work, reference: str | None) -> tuple[MemorySession, str]:
    """The session a write belongs to, and what the caller should be told about the choice."""
    if reference is not None:
        return find_session(work, reference), ""
    if (session := current_session(work)) is not None:
        return session, ""
    session = open_session(work, Opening())
    return (
        session,
        f"No session was open, so {short(session.uid)} was opened; call memory_start_session first next time.",
    )


def conversation(work: Work) -> tuple[MemorySession | None, str]:
    """The session that a fact or a hypothesis is born in, and what to say of the choice.

    A person who writes one down by hand is in no conversation, unless they opened one: none is opened for it, and an
    assistant's is not where it comes from.
    """
    if not work.caller.is_person:
        return target_session(work, None)
    session = current_session(work)
    return (session, "") if session is not None and is_callers(session, work.caller) else (None, "")


def current_session(work: Work) -> MemorySession | None:
    """The open session that a write of the caller belongs to, if there is one."""
    return session_for_write(_candidates(work), work.caller)


def current_project(work: Work) -> str | None:
    """The project that the caller works on: of the current session, else of the workspace."""
    session = current_session(work)
    return session.project if session is not None and session.project else work.caller.project


def _candidates(work: Work) -> list[MemorySession]:
    """The two open sessions that a write most likely belongs to: two tell whether there is only one."""
    of_connection = col(MemorySession.connection) == (work.caller.connection or "")  # no connection is called ""
    of_client = col(MemorySession.client) == work.caller.client
    of_token = col(MemorySession.token_id) == work.caller.token_id
    likely = case((of_connection, 3), (of_client, 2), (of_token, 1), else_=0).desc()
    newest = (likely, col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
    mine = (MemorySession.user_id == work.caller.user_id, col(MemorySession.ended_at).is_(None))
    return list(work.session.exec(select(MemorySession).where(*mine).order_by(*newest).limit(2)))


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


def end_session(work: Work, reference: str | None, ending: Ending) -> EndedSession:
    """Close a session and write its line (Tier 1) and its detail (Tier 2). Closing it again corrects both."""
    session, note = _session_to_end(work, reference, ending)
    before = texts_of(work, session)
    if session.ended_at is None:
        session.ended_at = work.now
    else:
        note = "It was closed before; its record is corrected."
    session.updated_at = work.now
    session.one_liner = ending.one_liner
    session.outcome = ending.outcome
    if ending.importance is not None:
        session.importance = ending.importance
    if ending.summary is not None or ending.key_facts or ending.code_refs:
        _write_detail(work, session, ending)
    work.session.add(session)
    _set_topics(work, session, ending.topics)
    judge(session, texts_of(work, session), before)
    make_findable(work, session)
    conversations.told(work, session)
    work.changed(Kind.SESSION, session.uid, Action.CLOSED)
    return EndedSession(
        session_id=session.uid,
        one_liner=session.one_liner,
        has_detail=session.has_detail,
        chunks=_chunk_counts(work, [session]).get(key_of(session), 0),
        note=note,
        caution=pending(session),
    )


def _session_to_end(work: Work, reference: str | None, ending: Ending) -> tuple[MemorySession, str]:
    """As `target_session`, but a call that is repeated ends no other session than the first did.

    And one that is not a repetition overwrites none: where the connection's session was closed under another headline,
    as when an IDE goes on to a second conversation, a new one holds what is told now. What a hook closed, because
    nobody had, is corrected.
    """
    if reference is None:
        newest = (col(MemorySession.started_at).desc(), col(MemorySession.id).desc())
        mine = select(MemorySession).where(MemorySession.user_id == work.caller.user_id).order_by(*newest).limit(1)
        on_connection = mine.where(MemorySession.connection == (work.caller.connection or ""))
        if (session := work.session.exec(on_connection).first()) is not None:
            is_same = session.ended_at is None or session.one_liner == ending.one_liner
            if is_same or conversations.was_closed(work, session):
                return session, ""
            fresh = open_session(work, Opening(session.project, client=session.client))
            old, new = short(session.uid), short(fresh.uid)
            return fresh, f"{old} was closed before, so {new} holds this; to correct {old}, pass it as session_id."
        said_before = mine.where(
            MemorySession.client == work.caller.client,
            MemorySession.one_liner == ending.one_liner,
            col(MemorySession.ended_at) > work.now - REPEATED_WITHIN,
        )
        if (session := work.session.exec(said_before).first()) is not None:
            return session, ""
        current = current_session(work)
        is_own = current is not None and is_callers(current, work.caller)
        if not is_own and (session := conversations.closed_lately(work)) is not None:
            return session, ""
    return target_session(work, reference)


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
    if not content.strip():
        raise invalid("content", content, "text that says something")
    session, note = target_session(work, reference)
    last = work.session.exec(select(func.max(Chunk.seq)).where(Chunk.session_id == session.id)).one()
    chunk = Chunk(
        uid=new_id(),
        user_id=work.caller.user_id,
        session_id=key_of(session),
        project=session.project or work.caller.project,
        client=work.caller.client,
        role=role,
        content=content,
        flag_reason=flag_reason,
        seq=(last or 0) + 1,
        created_at=work.now,
    )
    judge(chunk, texts_of(work, chunk))
    chunk.terms = terms_of(chunk)
    work.session.add(chunk)
    work.changed(Kind.CHUNK, chunk.uid, Action.CREATED)
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
    )


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
