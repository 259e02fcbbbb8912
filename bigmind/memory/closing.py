"""Closes what nobody closed: a conversation's session from what is known of it, and what was left open for a day."""

from sqlmodel import col, select

from bigmind.core.events import Action, Kind
from bigmind.core.text import one_line, quoted, shortened
from bigmind.memory import conversations
from bigmind.memory.caution import pending
from bigmind.memory.foreground import topics_of
from bigmind.memory.indexed import make_findable
from bigmind.memory.lookup import key_of
from bigmind.memory.sessions import Ending, Opening, close_forgotten_sessions, end_session, open_session
from bigmind.memory.tables import Chunk, Conversation, MemorySession
from bigmind.store.work import Work

MARK = "[not ended by the assistant]"
"""Begins the headline of a session that was closed from what is known."""

WORDLESS = "a conversation of which nothing is known"

OUTCOME = "Closed by BigMind from what is known: the assistant did not end the session."
IMPORTANCE = 2
LONGEST_HEADLINE = 120
LONGEST_WORDS = 1_500
LONGEST_MOMENT = 200
MOST_MOMENTS = 8


def close_forgotten(work: Work) -> int:
    """Close the caller's sessions that have been open for more than 24 hours; how many there were.

    Those of a conversation that hooks told of, and then no longer, are closed from what is known.
    """
    closed = 0
    for conversation in conversations.abandoned(work):
        session = conversations.session_of(work, conversation)
        if session is None:
            work.session.delete(conversation)  # nothing is known of it
        elif session.ended_at is None:
            close_from_known(work, conversation)
            closed += 1
    return closed + close_forgotten_sessions(work)


def is_ended(conversation: Conversation, session: MemorySession | None) -> bool:
    """Whether there is nothing left to close: the assistant ended the session, or a person forgot it."""
    if session is None:
        return conversations.was_forgotten(conversation)
    return session.ended_at is not None and conversation.closed_at is None


def go_on(work: Work, conversation: Conversation, session: MemorySession) -> None:
    """Open the assistant's session again that was closed from what is known: the conversation went on."""
    if conversation.closed_at is None or conversations.is_made_by_hook(work, session):
        return
    session.ended_at, session.updated_at = None, work.now
    conversation.closed_at = None
    work.session.add_all((session, conversation))
    make_findable(work, session)
    work.changed(Kind.SESSION, session.uid, Action.UPDATED)


def has_words(session: MemorySession | None) -> bool:
    """Whether the session was closed with words that were said in it."""
    said = session.one_liner if session is not None else ""
    return said.startswith(MARK) and not said.endswith(WORDLESS)


def close_from_known(work: Work, conversation: Conversation, last_words: str = "") -> None:
    """Close the session of a conversation that the assistant did not end, from what is known of it.

    One that has none gets one, which began when the conversation did; one that was closed so before is corrected.
    Nothing is kept of a conversation in which nothing was said, or which a person has forgotten.

    Args:
        work: writes.
        conversation: whose session.
        last_words: the assistant's last message, as far as the client tells it, with any secrets; may be empty.
    """
    session = conversations.session_of(work, conversation)
    if session is None:
        was_silent = not (last_words or conversation.prompts or conversation.asked_at)
        if was_silent or conversations.was_forgotten(conversation):
            return
        session = _opened_for(work, conversation)
    if last_words or not session.one_liner:
        _write_known(work, session, _masked(last_words))
    elif session.ended_at is None:  # closed so before, with words that are not known again now
        session.ended_at = session.updated_at = work.now
        make_findable(work, session)
        work.changed(Kind.SESSION, session.uid, Action.CLOSED)
    conversation.closed_at = work.now
    work.session.add(conversation)


def _masked(words: str) -> str:
    from bigmind.secrets.masking import mask  # noqa: PLC0415 - its rules are loaded at the first use

    return mask(words).text if words else ""


def _opened_for(work: Work, conversation: Conversation) -> MemorySession:
    session = open_session(work, Opening(conversation.project, client=conversation.client), attached=False)
    session.started_at = conversation.started_at
    conversation.session_id = key_of(session)
    work.session.add(conversation)
    return session


def _write_known(work: Work, session: MemorySession, last_words: str) -> None:
    moments = _moments(work, session)
    about = one_line(last_words) or (one_line(moments[0].content) if moments else WORDLESS)
    said = [OUTCOME]
    if last_words:
        said.append(f"The assistant's last words:\n\n{quoted(shortened(last_words, LONGEST_WORDS))}")
    if moments:
        lines = [f"- {shortened(one_line(each.content), LONGEST_MOMENT)}" for each in moments]
        said.append("Flagged in it:\n\n" + "\n".join(lines))
    ending = Ending(
        one_liner=shortened(f"{MARK} {about}", LONGEST_HEADLINE),
        topics=topics_of(work, session),
        outcome=OUTCOME,
        summary="\n\n".join(said),
        importance=IMPORTANCE,
    )
    end_session(work, session.uid, ending)


def _moments(work: Work, session: MemorySession) -> list[Chunk]:
    """The session's newest moments; what instructs its reader would keep the whole record out of the context."""
    newest = select(Chunk).where(Chunk.session_id == session.id).order_by(col(Chunk.seq).desc()).limit(MOST_MOMENTS)
    return [each for each in work.session.exec(newest) if not pending(each)]
