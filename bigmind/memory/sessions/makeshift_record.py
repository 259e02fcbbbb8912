"""The record that BigMind itself writes of a session which nobody told, and how it loses what is forgotten.

It repeats words of moments, facts and hypotheses that came of the session. What hooks wrote begins with `WRITTEN`.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, NamedTuple

from sqlmodel import col, select, update

from bigmind.caution.detect import pending
from bigmind.core.events import Action
from bigmind.core.plain_text import one_line, quoted, shortened
from bigmind.kinds import save, terms_of_texts, texts_of
from bigmind.memory.rules import AUTO_CLOSED, CLOSED_FROM_KNOWN, WORDLESS, auto_closed_headline
from bigmind.memory.sessions.learned import ACTIVE, born_in
from bigmind.memory.tables import Chunk, Conversation, Fact, Hypothesis, MemorySession, SessionSummary
from bigmind.operations.inputs import LONGEST_HEADLINE
from bigmind.store.work import Work
from bigmind.text.headline import headline, says_something

WRITTEN = "Written by BigMind from what is known, for want of the assistant's own summary."
LAST_WORDS = "The assistant's last words:"

STANDING = (ACTIVE, "open", "confirmed")
"""States of what was learned that is not known to be wrong."""

LONGEST_WORDS = 1_500
LONGEST_MOMENT = 200
MOST_MOMENTS = 8

_OF_SOURCE = """
SELECT session.id, one_liner, outcome, coalesce(summary, ''), {told} FROM {kind} AS source
JOIN session ON session.id = source.session_id LEFT JOIN session_summary AS detail ON detail.session_id = session.id
WHERE source.uid = ?
"""


@dataclass(frozen=True, slots=True)
class _Known:
    """What is known of a session that its assistant did not end; of each kind the newest first.

    Attributes:
        words: the assistant's last ones that were told, now or at an earlier stop.
        moments: what was flagged in it.
        learned: the facts that were stored in it and still stand, and behind them the hypotheses.
    """

    words: str
    moments: Sequence[str] = ()
    learned: Sequence[str] = ()

    @property
    def headline(self) -> str:
        """The session in a line; empty where nothing is known."""
        words = self.words if says_something(self.words) else ""
        subject = next(filter(None, (*self.moments[:1], words, *self.learned[:1], self.words)), "")
        return headline(subject, LONGEST_HEADLINE)

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


class MakeshiftRecord(NamedTuple):
    """A headline, and a detail; None where the assistant's own stays."""

    headline: str
    detail: str | None


def record_of(work: Work, session: MemorySession, last_words: str = "", without: str = "") -> MakeshiftRecord:
    """What is known of a session that its assistant did not end.

    Args:
        work: reads.
        session: which is told.
        last_words: the assistant's, without any secrets; those that were told before stay where these say nothing.
        without: the id of what is not to be told.
    """
    written = work.session.get(SessionSummary, session.id)
    summary = written.summary if written is not None else ""
    is_ours = written is None or summary.startswith(WRITTEN)
    before = _words_in(summary) if is_ours else ""
    words = last_words if says_something(last_words) or not before else before
    known = _Known(words, _moments(work, session, without), _learned(work, session, without))
    own = "" if _is_headline_ours(session.outcome, summary) else session.one_liner
    return MakeshiftRecord(known.headline or own or WORDLESS, known.as_detail() if last_words or is_ours else None)


def _is_headline_ours(outcome: str, summary: str) -> bool:
    """Whether hooks wrote a session's headline: the outcome is empty while the session is open again."""
    return outcome == CLOSED_FROM_KNOWN or (not outcome and summary.startswith(WRITTEN))


def _words_in(detail: str) -> str:
    """The assistant's last words in a detail that was written before."""
    _, _, behind = detail.partition(f"{LAST_WORDS}\n\n")
    lines = takewhile(lambda line: line.startswith(">"), behind.splitlines())
    return "\n".join(line.removeprefix(">").removeprefix(" ") for line in lines)


def _moments(work: Work, session: MemorySession, without: str) -> list[str]:
    """The session's newest moments; what instructs its reader would keep the whole record out of the context."""
    newest = select(Chunk).where(Chunk.session_id == session.id, Chunk.user_id == session.user_id, Chunk.uid != without)
    some = work.session.exec(newest.order_by(col(Chunk.seq).desc()).limit(MOST_MOMENTS))
    return [each.content for each in some if not pending(each)]


def _learned(work: Work, session: MemorySession, without: str) -> list[str]:
    """The session's newest facts, and behind them its hypotheses, that still stand and do not instruct their reader."""
    born = born_in(work, session.uid, MOST_MOMENTS)
    some = [each for each in (*born.facts, *born.hypotheses) if each.state in STANDING and not each.caution]
    return [each.text for each in some if each.uid != without]


def auto_closed_line(work: Work, session: MemorySession, without: str = "") -> str:
    """The headline of a session that was left open for a day: the mark, and what was flagged last in it, else learned.

    What instructs its reader would keep the line out of the context.

    Args:
        work: reads.
        session: which is told.
        without: the id of what is not to be told.
    """
    of_session = Chunk.session_id == session.id, Chunk.user_id == session.user_id, Chunk.uid != without
    harmless = select(Chunk.content).where(*of_session, Chunk.caution == "")
    moment = work.session.exec(harmless.order_by(col(Chunk.seq).desc()).limit(1)).first()
    return auto_closed_headline(moment or next(iter(_learned(work, session, without)), ""))


def leave_out(work: Work, source: Chunk | Fact | Hypothesis) -> None:
    """Tell the session anew of which something is forgotten now, or holds no more, where BigMind repeated it.

    The words of others stay.
    """
    session = work.session.get(MemorySession, source.session_id) if source.session_id is not None else None
    if session is None:
        return
    written = work.session.get(SessionSummary, session.id)
    summary = written.summary if written is not None else ""
    is_headline_ours = _is_headline_ours(session.outcome, summary)
    is_auto_closed = session.one_liner.startswith(AUTO_CLOSED)
    if not (is_headline_ours or is_auto_closed or summary.startswith(WRITTEN)):
        return
    record, before = record_of(work, session, without=source.uid), texts_of(work, session)
    if is_headline_ours:
        session.one_liner = record.headline
    elif is_auto_closed:
        session.one_liner = auto_closed_line(work, session, source.uid)
    if written is not None and record.detail is not None:
        written.summary = record.detail
        work.session.add(written)
    if texts_of(work, session) != before:
        save(work, session, Action.UPDATED, before)


def leave_out_of(connection: Any, kind: str, uid: str) -> None:
    """The same in a database of any revision that is only cleaned: what was told there of any source is left out.

    Args:
        connection: the driver's own.
        kind: of what is forgotten, a table there.
        uid: its id.
    """
    has_told = any(name == "told" for _, name, *_ in connection.execute("PRAGMA table_info(session)"))
    query = _OF_SOURCE.format(told="told" if has_told else "''", kind=kind)
    for key, one_liner, outcome, summary, told in connection.execute(query, (uid,)).fetchall():
        known = _Known(_words_in(summary)) if summary.startswith(WRITTEN) else _Known("")
        line, detail = one_liner, known.as_detail() if summary.startswith(WRITTEN) else summary
        if _is_headline_ours(outcome, summary):
            line = known.headline or WORDLESS
        elif one_liner.startswith(AUTO_CLOSED):
            line = AUTO_CLOSED
        if (line, detail) == (one_liner, summary):
            continue
        connection.execute("UPDATE session_summary SET summary = ? WHERE session_id = ?", (detail, key))
        connection.execute("UPDATE session SET one_liner = ? WHERE id = ?", (line, key))
        if has_told:
            again = told.replace(summary, detail) if summary else told
            terms = terms_of_texts((line, again))
            connection.execute("UPDATE session SET told = ?, terms = ? WHERE id = ?", (again, terms, key))


def note_forgotten(work: Work, session: MemorySession) -> None:
    """Note of the conversation that its session is forgotten, whoever ended that: no hook writes it again."""
    ours = update(Conversation).where(col(Conversation.session_id) == session.id)
    work.session.exec(ours.values(noted_at=work.now))
