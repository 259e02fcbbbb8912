"""Closes what nobody closed: a conversation's session from what is known of it, and what was left open for a day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import takewhile

from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.events import Action, Kind
from bigmind.core.plain_text import one_line, quoted, shortened
from bigmind.kinds import write
from bigmind.memory.context.selection import topics_of
from bigmind.memory.lookup import key_of
from bigmind.memory.rules import CLOSED_FROM_KNOWN, NORMAL_IMPORTANCE, WORDLESS
from bigmind.memory.sessions import conversations
from bigmind.memory.sessions.learned import ACTIVE, born_in
from bigmind.memory.sessions.service import Ending, Opening, close_forgotten_sessions, end_session, open_session
from bigmind.memory.tables import Chunk, Conversation, MemorySession, SessionSummary
from bigmind.operations.inputs import LONGEST_HEADLINE
from bigmind.store.work import Work
from bigmind.text.headline import headline

WRITTEN = "Written by BigMind from what is known, for want of the assistant's own summary."
LAST_WORDS = "The assistant's last words:"

STANDING = (ACTIVE, "open", "confirmed")
"""States of what was learned that is not known to be wrong."""

IMPORTANCE = 2
LONGEST_WORDS = 1_500
LONGEST_MOMENT = 200
MOST_MOMENTS = 8

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
    return closed + close_forgotten_sessions(work)


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

    The turn in which it was ended, or corrected, is no such work; nor is one of which nobody told a word.
    """
    session, began = conversations.session_of(work, conversation), conversation.busy_since
    if session is None or not is_ended(conversation, session) or not last_words.strip():
        return
    is_work = conversation.prompts >= FEWEST_TURNS or (_is_long(work, conversation) and attended is not False)
    if began is not None and began > session.updated_at and is_work:
        conversations.note(work, conversation)
        _open_for(work, conversation, conversation.project or session.project, began)


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


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a session that its assistant did not end; of each kind the newest first.

    Attributes:
        words: the assistant's last ones that were told, now or at an earlier stop.
        moments: what was flagged in it.
        learned: the facts that were stored in it and still stand, and behind them the hypotheses.
    """

    words: str
    moments: Sequence[str]
    learned: Sequence[str]

    @property
    def subject(self) -> str:
        """What the headline is made of."""
        return next(filter(None, (*self.moments[:1], self.words, *self.learned[:1])), "")

    def as_detail(self) -> str:
        """All of it, as the session's summary."""
        said = [WRITTEN]
        if self.words:
            said.append(f"{LAST_WORDS}\n\n{quoted(shortened(self.words, LONGEST_WORDS))}")
        for heading, texts in (("Flagged in it:", self.moments), ("Learned in it:", self.learned)):
            if texts:
                lines = [f"- {shortened(one_line(each), LONGEST_MOMENT)}" for each in texts]
                said.append(f"{heading}\n\n" + "\n".join(lines))
        return "\n\n".join(said)


def _write_known(work: Work, session: MemorySession, last_words: str) -> None:
    written = work.session.get(SessionSummary, session.id)
    is_ours = written is None or written.summary.startswith(WRITTEN)
    before = _words_in(written.summary) if written is not None and is_ours else ""
    known = _Known(last_words or before, _moments(work, session), _learned(work, session))
    ending = Ending(
        one_liner=headline(known.subject, LONGEST_HEADLINE) or session.one_liner or WORDLESS,
        topics=topics_of(work, session),
        outcome=CLOSED_FROM_KNOWN,
        summary=known.as_detail() if last_words or is_ours else None,
        importance=IMPORTANCE,
        is_callers=bool(last_words),
    )
    end_session(work, session.uid, ending)


def _words_in(detail: str) -> str:
    """The assistant's last words in a detail that was written before."""
    _, _, behind = detail.partition(f"{LAST_WORDS}\n\n")
    lines = takewhile(lambda line: line.startswith(">"), behind.splitlines())
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines)


def _moments(work: Work, session: MemorySession) -> list[str]:
    """The session's newest moments; what instructs its reader would keep the whole record out of the context."""
    newest = select(Chunk).where(Chunk.session_id == session.id, Chunk.user_id == session.user_id)
    some = work.session.exec(newest.order_by(col(Chunk.seq).desc()).limit(MOST_MOMENTS))
    return [each.content for each in some if not pending(each)]


def _learned(work: Work, session: MemorySession) -> list[str]:
    """The session's newest facts, and behind them its hypotheses, that still stand and do not instruct their reader."""
    born = born_in(work, session.uid, MOST_MOMENTS)
    return [each.text for each in (*born.facts, *born.hypotheses) if each.state in STANDING and not each.caution]
