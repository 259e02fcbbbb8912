"""What the examples of a finding are, in words: an id alone tells a person nothing."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlmodel import col, select

from bigmind.core.plain_text import shortened
from bigmind.memory.tables import Fact, MemorySession
from bigmind.store.work import Work

LONGEST = 300


@dataclass(frozen=True, slots=True)
class Example:
    """A fact or a session that a finding names.

    Attributes:
        uid: its id.
        text: the fact's words, or the session's line.
        at: when it was confirmed last, or begun.
        category: of a fact; empty for a session.
        project: of a fact.
    """

    uid: str
    text: str
    at: datetime
    category: str = ""
    project: str | None = None


def examples(work: Work, uids: Iterable[str], since: datetime) -> list[Example]:
    """The caller's facts and sessions of those ids, in their order, without what was dealt with `since` then."""
    wanted = list(uids)
    mine = work.caller.user_id
    facts = work.session.exec(
        select(Fact).where(
            Fact.user_id == mine,
            col(Fact.uid).in_(wanted),
            col(Fact.deprecated_at).is_(None),
            Fact.updated_at < since,
        )
    )
    sessions = work.session.exec(
        select(MemorySession).where(
            MemorySession.user_id == mine, col(MemorySession.uid).in_(wanted), MemorySession.updated_at < since
        )
    )
    found = {each.uid: Example(each.uid, each.text, each.updated_at, each.category, each.project) for each in facts}
    found |= {
        each.uid: Example(each.uid, shortened(each.one_liner or "", LONGEST), each.started_at) for each in sessions
    }
    return [found[uid] for uid in wanted if uid in found]
