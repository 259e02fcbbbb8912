"""Conversations as the hooks of clients tell of them, and which memory session each of them is kept in.

A conversation belongs to one user and one client: whoever asks, no other's is ever found here. `prompts` counts those
since the memory was last written to, which is what a reminder depends on; their text is not kept.
"""

import re
from collections.abc import Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from sqlalchemy import and_, or_
from sqlmodel import col, select, update

from bigmind.memory.lookup import Keyed, key_of, of_agent
from bigmind.memory.rules import AUTO_CLOSE_AFTER, NORMAL_IMPORTANCE
from bigmind.memory.tables import Chunk, Conversation, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind
from bigmind.store.work import Work
from bigmind.usage.usage_events import EventKind, note_event

KEPT = timedelta(days=30)
"""How long a conversation is known that no hook spoke of again."""

BY_HOOK = " hook"
"""Stands in place of a session's connection that a hook opened; no client can name one that begins with a blank."""

_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)

MOST_LATELY = 50

SILENT_FOR = timedelta(hours=1)
"""A conversation that stopped so long ago is taken for one that ended; its next prompt goes on with it."""


def known(work: Work, key: str) -> Conversation | None:
    """The caller's conversation that its client calls `key`, if a hook told of it."""
    query = select(Conversation).where(*_of_client(work), Conversation.key == _as_kept(key))
    return work.session.exec(query).first()


def _as_kept(key: str) -> str:
    """A client's id as it is stored: one that is no UUID may hold anything, a secret too, and is only compared."""
    return key if _UUID.fullmatch(key) else sha256(key.encode()).hexdigest()


def met(work: Work, key: str, *, begins: bool = False) -> Conversation:
    """The conversation that a hook speaks of, noted as seen now; `begins`: no session that is open can be its own."""
    conversation = known(work, key)
    if conversation is None:
        conversation = Conversation(
            user_id=work.caller.user_id,
            client=work.caller.client,
            key=_as_kept(key),
            started_at=work.now,
            seen_at=work.now,
        )
        if not begins:
            _adopt(work, conversation)
    session = session_of(work, conversation)
    if session is not None and _was_written(work, session, conversation.seen_at):
        conversation.prompts = 0
    conversation.seen_at = work.now
    conversation.project = work.caller.project or conversation.project
    work.session.add(conversation)
    return conversation


def _adopt(work: Work, conversation: Conversation) -> None:
    """Keep a conversation whose start no hook told of in the one session that its client has open for nobody else."""
    bound = select(Conversation.session_id).where(
        Conversation.user_id == work.caller.user_id, col(Conversation.session_id).is_not(None)
    )
    query = select(MemorySession).where(
        MemorySession.user_id == work.caller.user_id,
        of_agent(MemorySession.client, work.caller.agent),
        col(MemorySession.ended_at).is_(None),
        col(MemorySession.id).not_in(bound),
        col(MemorySession.started_at) > work.now - AUTO_CLOSE_AFTER,
    )
    found = [each for each in work.session.exec(query) if _may_be_same(each.project, work.caller.project)]
    if len(found) == 1:
        conversation.session_id = key_of(found[0])


def session_of(work: Work, conversation: Conversation) -> MemorySession | None:
    """The session that the conversation is kept in; None when it was never opened, or was forgotten."""
    return work.session.get(MemorySession, conversation.session_id) if conversation.session_id is not None else None


def was_forgotten(conversation: Conversation) -> bool:
    """Whether what was kept of the conversation is gone, by a person's hand: nothing is kept of it again."""
    return conversation.noted_at is not None and conversation.session_id is None


def is_made_by_hook(work: Work, session: MemorySession) -> bool:
    """Whether no assistant opened the session, but a hook, for a conversation that had none.

    Earlier ones were opened by the bridge's token over no connection, which no assistant does.
    """
    if session.connection is not None:
        return session.connection == BY_HOOK
    token = work.session.get(Token, session.token_id) if session.token_id is not None else None
    return token is not None and token.kind == TokenKind.BRIDGE


def is_further(work: Work, conversation: Conversation, session: MemorySession) -> bool:
    """Whether a hook made the session for what came after the assistant had ended the conversation's own."""
    return is_made_by_hook(work, session) and session.started_at > conversation.started_at


def went_on(work: Work, ended: Keyed, session: Keyed) -> bool:
    """Whether the conversation of a session that was ended is kept in the further one that a hook made since."""
    query = select(Conversation).where(col(Conversation.session_id).in_((key_of(ended), key_of(session))))
    kept = {each.session_id: each for each in work.session.exec(query)}
    before, further = work.session.get_one(MemorySession, ended.id), work.session.get_one(MemorySession, session.id)
    its = kept.get(further.id)
    return before.id not in kept and its is not None and its.started_at <= before.started_at < further.started_at


def born_after(
    work: Work, conversation: Conversation, ended: MemorySession, began: datetime
) -> list[Fact | Hypothesis | Knowledge]:
    """What a conversation's client stored since a turn began, when its assistant had ended its session before.

    It came of that session, or of none; the latter may be of another conversation that is at work.
    """
    is_alone = all(
        each.busy_since is None or each.id == conversation.id for each in _lately(work, conversation.project)
    )
    found: list[Fact | Hypothesis | Knowledge] = []
    for table in (Fact, Hypothesis, Knowledge):
        whence: Any = col(table.session_id)
        is_its = or_(whence == ended.id, whence.is_(None)) if is_alone else whence == ended.id
        mine = work.kinds.of(table).owners == conversation.user_id
        by_client = of_agent(table.client, work.caller.agent)
        query = select(table).where(mine, by_client, is_its, col(table.created_at) >= began)
        found += [
            each
            for each in work.session.exec(query)
            if each.session_id is not None or _may_be_same(each.project, conversation.project)
        ]
    return found


def waiting(work: Work, project: str | None) -> Conversation | None:
    """The conversation that a session which the caller's client opens now most likely is of.

    That is its newest one without a session, or with one that a hook made, first of those that are at work: a window
    may have been opened since the one that asks. Else the very newest, when its session has ended. A project that both
    name must be the same.
    """
    lately = _lately(work, project)
    for each in sorted(lately, key=lambda each: each.busy_since is None):
        session = session_of(work, each)
        if session is None or (each.noted_at is not None and is_made_by_hook(work, session)):
            return each
    before = session_of(work, lately[0]) if lately else None
    return lately[0] if before is not None and before.ended_at is not None else None


def take_given(work: Work, project: str | None) -> datetime | None:
    """Since when the start context stands in the conversation that the caller is in; said once.

    None where that is not sure: no hook gave it, or another conversation of the client is at work too, and the caller
    may be in that one. A compaction gives it anew.

    Args:
        work: writes.
        project: of the session that the caller is about to open.
    """
    conversation = waiting(work, project)
    if conversation is None or conversation.given_at is None or conversation.busy_since is None:
        return None
    lately = _lately(work, None)
    if any(each.busy_since is not None and each.id != conversation.id for each in lately):
        return None
    given_at, conversation.given_at = conversation.given_at, None
    work.session.add(conversation)
    return given_at


def taken_over(work: Work, conversation: Conversation | None) -> MemorySession | None:
    """The session that a hook made for a conversation, open again: it is the assistant's, who starts one after all.

    One that was told since in the assistant's own words stays as it is.
    """
    session = session_of(work, conversation) if conversation is not None else None
    if conversation is None or session is None or conversation.noted_at is None or not is_made_by_hook(work, session):
        return None
    if session.ended_at is not None:  # what its end said of it holds no more
        session.ended_at, session.outcome, session.importance = None, "", NORMAL_IMPORTANCE
    return session


def attach(work: Work, conversation: Conversation, session: MemorySession) -> None:
    """Keep a conversation in a session from now on."""
    conversation.session_id, conversation.noted_at = key_of(session), None
    work.session.add(conversation)


def told(work: Work, session: MemorySession) -> None:
    """Note that somebody ended the session in their own words: no hook writes over them."""
    ours = (col(Conversation.user_id) == work.caller.user_id, col(Conversation.session_id) == session.id)
    work.session.exec(update(Conversation).where(*ours).values(noted_at=None))


def was_closed(work: Work, session: MemorySession) -> bool:
    """Whether a hook wrote what is known of the session, and nobody has told it in their own words since."""
    query = select(Conversation.id).where(Conversation.user_id == work.caller.user_id)
    noted = query.where(Conversation.session_id == session.id, col(Conversation.noted_at).is_not(None))
    return work.session.exec(noted.limit(1)).first() is not None


def closed_lately(work: Work) -> MemorySession | None:
    """The session of the client's newest conversation, when a hook wrote it: what is told now is meant for it."""
    newest = next(iter(_lately(work, work.caller.project)), None)
    return session_of(work, newest) if newest is not None and newest.noted_at is not None else None


def remove(work: Work, conversation: Conversation) -> None:
    """Remove a conversation; that there was one stays written down, unless a person forgot what was kept of it."""
    if not was_forgotten(conversation):
        note(work, conversation)
    work.session.delete(conversation)


def note(work: Work, conversation: Conversation) -> None:
    """Write down that there was a conversation, and which session it is kept in until now."""
    session = session_of(work, conversation)
    note_event(
        work,
        EventKind.CONVERSATION,
        at=conversation.started_at,
        client=conversation.client,
        project=conversation.project,
        entity=session.uid if session is not None else "",
        amount=conversation.turns,
    )


def abandoned(work: Work) -> list[Conversation]:
    """The caller's conversations that nobody ended: silent for a day, or for an hour since they stopped.

    Those of a month ago are dropped.
    """
    mine = col(Conversation.user_id) == work.caller.user_id
    for old in work.session.exec(select(Conversation).where(mine, col(Conversation.seen_at) < work.now - KEPT)).all():
        remove(work, old)
    seen, noted, kept_in = col(Conversation.seen_at), col(Conversation.noted_at), col(Conversation.session_id)
    is_long_ago = seen < work.now - AUTO_CLOSE_AFTER
    has_stopped = and_(noted == seen, col(Conversation.busy_since).is_(None), seen < work.now - SILENT_FOR)
    left_open = and_(kept_in.is_not(None), col(MemorySession.ended_at).is_(None), or_(has_stopped, is_long_ago))
    unknown = and_(kept_in.is_(None), noted.is_(None), is_long_ago)
    query = select(Conversation).outerjoin(MemorySession, kept_in == MemorySession.id)
    return list(work.session.exec(query.where(mine, or_(left_open, unknown))))


def has_kept(work: Work, session: MemorySession, since: datetime | None = None) -> bool:
    """Whether a moment, a fact, a hypothesis or an entry of knowledge came of a session; only those after `since`."""
    born = [
        select(table.id).where(table.session_id == session.id, *([col(table.created_at) > since] if since else []))
        for table in (Chunk, Fact, Hypothesis, Knowledge)
    ]
    return any(work.session.exec(query.limit(1)).first() is not None for query in born)


def _of_client(work: Work) -> Sequence[Any]:
    return (Conversation.user_id == work.caller.user_id, of_agent(Conversation.client, work.caller.agent))


def _lately(work: Work, project: str | None) -> list[Conversation]:
    """The client's conversations of the last day that may be of a project, the newest first."""
    since = col(Conversation.seen_at) > work.now - AUTO_CLOSE_AFTER
    newest = (col(Conversation.seen_at).desc(), col(Conversation.id).desc())
    query = select(Conversation).where(*_of_client(work), since).order_by(*newest).limit(MOST_LATELY)
    return [each for each in work.session.exec(query) if _may_be_same(each.project, project)]


def _may_be_same(one: str | None, other: str | None) -> bool:
    """Whether two names can mean one project: a model may say `apollo` for `git.example.org/ada/apollo`."""
    if not one or not other:
        return True
    return one.rpartition("/")[2].casefold() == other.rpartition("/")[2].casefold()


def _was_written(work: Work, session: MemorySession, since: datetime) -> bool:
    """Whether the memory of a session was written to after a moment."""
    return session.updated_at > since or has_kept(work, session, since)
