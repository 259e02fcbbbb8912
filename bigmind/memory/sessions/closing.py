"""Closes what nobody closed: a conversation's session from what is known of it, and what was left open for a day."""

from datetime import datetime, timedelta

from bigmind.core.events import Action, Kind
from bigmind.kinds import save, texts_of, write
from bigmind.memory.context.selection import topics_of
from bigmind.memory.lookup import key_of
from bigmind.memory.rules import AUTO_CLOSED_IMPORTANCE, CLOSED_FROM_KNOWN, NORMAL_IMPORTANCE, is_forgotten
from bigmind.memory.sessions import conversations
from bigmind.memory.sessions.makeshift_record import auto_closed_line, record_of
from bigmind.memory.sessions.service import Ending, Opening, end_session, open_session, open_sessions
from bigmind.memory.tables import Conversation, MemorySession
from bigmind.store.work import Work

IMPORTANCE = 2

FEWEST_TURNS = 2
LONG_TURN = timedelta(minutes=1)
"""So long a turn is work, whatever came of it."""


def close_forgotten(work: Work) -> int:
    """Close the caller's sessions that have been open for more than 24 hours; how many there were.

    Those of a conversation that hooks told of, and then no longer, are closed from what is known.
    """
    closed = 0
    for conversation in conversations.abandoned(work):
        session = conversations.session_of(work, conversation)
        if session is None:
            conversations.remove(work, conversation)  # nothing is known of it
        elif session.ended_at is None:
            close_from_known(work, conversation)
            closed += 1
    return closed + _close_left_open(work)


def _close_left_open(work: Work) -> int:
    """Close what has been open for more than 24 hours; how many there were. What was kept in it is its headline."""
    forgotten = [each for each in open_sessions(work) if is_forgotten(each.started_at, work.now)]
    for session in forgotten:
        before = texts_of(work, session)
        session.ended_at = session.updated_at = work.now
        if not session.one_liner:
            session.one_liner = auto_closed_line(work, session)
        session.importance = AUTO_CLOSED_IMPORTANCE
        save(work, session, Action.CLOSED, before)
    return len(forgotten)


def is_ended(conversation: Conversation, session: MemorySession | None) -> bool:
    """Whether there is nothing left to close: the assistant ended the session, or a person forgot it."""
    if session is None:
        return conversations.was_forgotten(conversation)
    return session.ended_at is not None and conversation.noted_at is None


def go_on(work: Work, conversation: Conversation, session: MemorySession) -> None:
    """Open a session again that was closed from what is known: the conversation went on."""
    if conversation.noted_at is None or session.ended_at is None:
        return
    session.ended_at, session.updated_at = None, work.now
    session.outcome, session.importance = "", NORMAL_IMPORTANCE
    work.session.add_all((session, conversation))
    write(work, session, Action.UPDATED)


def stop(work: Work, conversation: Conversation, last_words: str, *, attended: bool | None) -> None:
    """Note what is known of a conversation whose model stopped: the session stays open, its end is closed from that.

    Args:
        work: writes.
        conversation: whose turn is over.
        last_words: as in `close_from_known`.
        attended: whether a person follows the conversation; None: not known.
    """
    _part_from_ended(work, conversation, last_words, attended=attended)
    session = conversations.session_of(work, conversation)
    is_long = _is_long(work, conversation)
    conversation.busy_since = None
    if is_ended(conversation, session) or not (
        _is_worth_keeping(work, conversation, session, attended=attended) or (is_long and attended is not False)
    ):
        return
    close_from_known(work, conversation, last_words)
    if (session := conversations.session_of(work, conversation)) is not None:
        go_on(work, conversation, session)


def end(work: Work, conversation: Conversation, last_words: str, *, attended: bool | None) -> None:
    """Close the session of a conversation that is over, if nobody did; of a call that kept nothing none is left.

    Args:
        work: writes.
        conversation: which is over.
        last_words: as in `close_from_known`.
        attended: whether a person followed the conversation; None: not known.
    """
    _part_from_ended(work, conversation, last_words, attended=attended)
    session = conversations.session_of(work, conversation)
    conversation.busy_since = None
    if is_ended(conversation, session):
        return
    if _is_worth_keeping(work, conversation, session, attended=attended):
        close_from_known(work, conversation, last_words)
    elif session is not None:
        _drop(work, conversation, session)


def _is_long(work: Work, conversation: Conversation) -> bool:
    return conversation.busy_since is not None and work.now - conversation.busy_since >= LONG_TURN


def _part_from_ended(work: Work, conversation: Conversation, last_words: str, *, attended: bool | None) -> None:
    """Begin a further session when work was done since the assistant ended the conversation's, whose record stays.

    Work is also what was stored, which goes into the further session. The turn in which the session was ended, or
    corrected, is no such work; nor is one that stored nothing, and of which nobody told a word.
    """
    session, began = conversations.session_of(work, conversation), conversation.busy_since
    if session is None or not is_ended(conversation, session) or began is None or began <= session.updated_at:
        return
    stored = conversations.born_after(work, conversation, session, began)
    is_work = conversation.prompts >= FEWEST_TURNS or (_is_long(work, conversation) and attended is not False)
    if not stored and not (is_work and last_words.strip()):
        return
    conversations.note(work, conversation)
    further = _open_for(work, conversation, conversation.project or session.project, began)
    for each in stored:
        each.session_id = key_of(further)
        write(work, each, Action.UPDATED)
        conversation.prompts = 0


def _is_worth_keeping(
    work: Work, conversation: Conversation, session: MemorySession | None, *, attended: bool | None
) -> bool:
    """Whether a conversation leaves a session: work was done in it, or its assistant opened one for a person."""
    if conversation.turns >= FEWEST_TURNS:
        return True
    return session is not None and (attended is not False or conversations.has_kept(work, session))


def _drop(work: Work, conversation: Conversation, session: MemorySession) -> None:
    """Remove the empty session of a single call: there is nothing in it to be known."""
    conversation.session_id = conversation.noted_at = None
    work.session.add(conversation)
    work.session.delete(session)
    work.changed(Kind.SESSION, session.uid, Action.PRUNED)


def close_from_known(work: Work, conversation: Conversation, last_words: str = "") -> None:
    """Close the session of a conversation that the assistant did not end, from what is known of it.

    One that has none gets one, which began when the conversation did; one that was closed so before is corrected.
    Nothing is kept of a conversation which a person has forgotten.

    Args:
        work: writes.
        conversation: whose session.
        last_words: the assistant's last message, as far as the client tells it, with any secrets; may be empty.
    """
    session = conversations.session_of(work, conversation)
    if session is None:
        if conversations.was_forgotten(conversation):
            return
        session = _open_for(work, conversation, conversation.project, conversation.started_at)
    _write_known(work, session, _masked(last_words))
    conversation.noted_at = work.now
    work.session.add(conversation)


def _masked(words: str) -> str:
    from bigmind.secrets.masking import mask  # noqa: PLC0415 - its rules are loaded at the first use

    return mask(words).text if words else ""


def _open_for(work: Work, conversation: Conversation, project: str | None, began: datetime) -> MemorySession:
    session = open_session(work, Opening(project, writer=conversation.client), attached=False)
    session.started_at, session.connection = began, conversations.BY_HOOK
    conversation.session_id = key_of(session)
    work.session.add(conversation)
    return session


def _write_known(work: Work, session: MemorySession, last_words: str) -> None:
    record = record_of(work, session, last_words)
    ending = Ending(
        one_liner=record.headline,
        topics=topics_of(work, session),
        outcome=CLOSED_FROM_KNOWN,
        summary=record.detail,
        importance=IMPORTANCE,
        is_callers=bool(last_words),
    )
    end_session(work, session.uid, ending)
