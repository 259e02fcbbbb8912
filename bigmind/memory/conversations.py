"""Conversations as the hooks of clients tell of them, and which memory session each of them is kept in.

A conversation belongs to one user and one client: whoever asks, no other's is ever found here. `prompts` counts those
since the memory was last written to, which is what a reminder depends on; their text is not kept.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlmodel import col, delete, select, update

from bigmind.memory.lookup import key_of
from bigmind.memory.rules import AUTO_CLOSE_AFTER
from bigmind.memory.tables import Chunk, Conversation, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.people.tables import Token
from bigmind.people.tokens import TokenKind
from bigmind.store.work import Work

KEPT = timedelta(days=30)
"""How long a conversation is known that no hook spoke of again."""

MOST_LATELY = 50


def known(work: Work, key: str) -> Conversation | None:
    """The caller's conversation that its client calls `key`, if a hook told of it."""
    return work.session.exec(select(Conversation).where(*_of_client(work), Conversation.key == key)).first()


def met(work: Work, key: str) -> Conversation:
    """The conversation that a hook speaks of, noted as seen now."""
    conversation = known(work, key)
    if conversation is None:
        conversation = Conversation(
            user_id=work.caller.user_id, client=work.caller.client, key=key, started_at=work.now, seen_at=work.now
        )
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
        MemorySession.client == work.caller.client,
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
    return conversation.closed_at is not None and conversation.session_id is None


def is_made_by_hook(work: Work, session: MemorySession) -> bool:
    """Whether no assistant opened the session, but a hook, for a conversation that had none.

    Hooks use the bridge's token, and name no connection, as the bridge does.
    """
    token = work.session.get(Token, session.token_id) if session.token_id is not None else None
    return session.connection is None and token is not None and token.kind == TokenKind.BRIDGE


def waiting(work: Work, project: str | None) -> Conversation | None:
    """The conversation that a session which the caller's client opens now most likely is of.

    That is its newest one without a session, or with one that a hook made; else the very newest, when its session has
    ended. A project that both name must be the same.
    """
    lately = _lately(work, project)
    for each in lately:
        session = session_of(work, each)
        if session is None or (each.closed_at is not None and is_made_by_hook(work, session)):
            return each
    before = session_of(work, lately[0]) if lately else None
    return lately[0] if before is not None and before.ended_at is not None else None


def taken_over(work: Work, conversation: Conversation | None) -> MemorySession | None:
    """The session that a hook made for a conversation, open again: it is the assistant's, who starts one after all."""
    session = session_of(work, conversation) if conversation is not None else None
    if session is None or not is_made_by_hook(work, session):
        return None
    session.ended_at = None
    return session


def attach(work: Work, conversation: Conversation, session: MemorySession) -> None:
    """Keep a conversation in a session from now on."""
    conversation.session_id, conversation.closed_at = key_of(session), None
    work.session.add(conversation)


def told(work: Work, session: MemorySession) -> None:
    """Note that somebody ended the session in their own words: no hook writes over them."""
    ours = (col(Conversation.user_id) == work.caller.user_id, col(Conversation.session_id) == session.id)
    work.session.exec(update(Conversation).where(*ours).values(closed_at=None))


def was_closed(work: Work, session: MemorySession) -> bool:
    """Whether a hook closed the session from what was known of it."""
    query = select(Conversation.id).where(Conversation.user_id == work.caller.user_id)
    closed = query.where(Conversation.session_id == session.id, col(Conversation.closed_at).is_not(None))
    return work.session.exec(closed.limit(1)).first() is not None


def closed_lately(work: Work) -> MemorySession | None:
    """The session of the client's newest conversation, when a hook closed it: what is told now is meant for it."""
    newest = next(iter(_lately(work, work.caller.project)), None)
    return session_of(work, newest) if newest is not None and newest.closed_at is not None else None


def abandoned(work: Work) -> list[Conversation]:
    """The caller's conversations that were left open for more than a day; those of a month ago are dropped."""
    mine = col(Conversation.user_id) == work.caller.user_id
    work.session.exec(delete(Conversation).where(mine, col(Conversation.seen_at) < work.now - KEPT))
    left = (col(Conversation.closed_at).is_(None), col(Conversation.seen_at) < work.now - AUTO_CLOSE_AFTER)
    return list(work.session.exec(select(Conversation).where(mine, *left)))


def _of_client(work: Work) -> Sequence[Any]:
    return (Conversation.user_id == work.caller.user_id, Conversation.client == work.caller.client)


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
    if session.updated_at > since:
        return True
    born = [
        select(table.id).where(table.session_id == session.id, col(table.created_at) > since)
        for table in (Chunk, Fact, Hypothesis, Knowledge)
    ]
    return any(work.session.exec(query.limit(1)).first() is not None for query in born)
