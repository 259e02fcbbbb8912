"""What the query log proves: which questions an agent put, and which thoughts it contributed. Work's gates rest on it.

What was not logged was not asked; what no row of the log stored was not contributed, so that no import counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.brain.contribution import why_not
from bigmind.brain.query_log import ANSWERED, STORED
from bigmind.brain.rules import CORRECTION_CATEGORY
from bigmind.brain.tables import BrainQuery, BrainSession, Thought, ThoughtLink
from bigmind.core.client_names import token_name
from bigmind.store.work import Work

QUESTION = "query_brain"
MOST_LOOKED_AT = 20
"""Of an agent's newest questions, and of its newest contributions, so many may count."""
MOST_NAMES_LOOKED_AT = 200
"""Of a user's newest prompts, those among which another name of the same token is looked for."""


@dataclass(frozen=True, slots=True)
class LoggedQuestion:
    """A question that was answered.

    Attributes:
        key: its place in the log.
        uid: its id.
        session: the id of its brain session.
        at: when.
        connection: over which it came; empty where the client has none.
        text: its words, with what the asker worked on; empty where they were forgotten.
    """

    key: int
    uid: str
    session: str
    at: datetime
    connection: str
    text: str


@dataclass(frozen=True, slots=True)
class LoggedContribution:
    """A thought that an agent contributed, as it stands now.

    Attributes:
        key: the place of the row that stored it.
        uid: its id.
        text: its words; empty where it was forgotten.
        is_there: whether it still is.
        qualifies: whether it meets the contribution rule.
        flags: its quality flags.
        is_noise: whether a person keeps it out of answers.
        is_corrected: whether a correction took its place.
        is_shared: whether every user may read it.
    """

    key: int
    uid: str
    text: str
    is_there: bool
    qualifies: bool = False
    flags: frozenset[str] = frozenset()
    is_noise: bool = False
    is_corrected: bool = False
    is_shared: bool = False


def newest_entry(work: Work) -> int:
    """The place of the newest row of the log; what comes later has a higher one."""
    return work.session.exec(select(func.max(BrainQuery.id))).one() or 0


def newest_of(work: Work, user_id: int, client: str) -> datetime | None:
    """When an agent used the brain last."""
    mine = (BrainQuery.user_id == user_id, BrainQuery.client == client)
    newest = select(BrainQuery.created_at).where(*mine).order_by(col(BrainQuery.id).desc())
    return work.session.exec(newest.limit(1)).first()


def questions(work: Work, session: str = "") -> list[LoggedQuestion]:
    """The newest questions of the caller's agent, the newest first; with a session's id, those of that one."""
    asked = (
        select(BrainQuery, BrainSession.uid)
        .join(BrainSession, col(BrainSession.id) == col(BrainQuery.session_id))
        .where(*_mine(work), BrainQuery.operation == QUESTION, BrainQuery.outcome == ANSWERED)
        .order_by(col(BrainQuery.id).desc())
        .limit(MOST_LOOKED_AT)
    )
    if session:
        asked = asked.where(BrainSession.uid == session)
    return [
        LoggedQuestion(row.id or 0, row.uid, chain, row.created_at, row.connection or "", _words(row))
        for row, chain in work.session.exec(asked).all()
    ]


def contributions(work: Work, thought: str = "") -> Iterator[LoggedContribution]:
    """The newest thoughts that the caller's agent contributed, the newest first, each read when it is asked for.

    `thought` is an id, or the beginning of one: then only that.
    """
    stored = (
        select(BrainQuery.id, BrainQuery.thought_uid)
        .where(*_mine(work), BrainQuery.outcome == STORED)
        .order_by(col(BrainQuery.id).desc())
        .limit(MOST_LOOKED_AT)
    )
    if thought:
        stored = stored.where(col(BrainQuery.thought_uid).startswith(thought.lower(), autoescape=True))
    return (_contribution(work, key or 0, uid or "") for key, uid in work.session.exec(stored).all())


def other_names(work: Work, since: datetime) -> list[str]:
    """The other names behind the caller's token that asked since then: a new name is another agent."""
    own = token_name(work.caller.client)
    newest = select(BrainQuery.client, BrainQuery.created_at).where(BrainQuery.user_id == work.caller.user_id)
    rows = work.session.exec(newest.order_by(col(BrainQuery.id).desc()).limit(MOST_NAMES_LOOKED_AT)).all()
    names = {client for client, at in rows if at >= since}
    return sorted(each for each in names if token_name(each) == own and each != work.caller.client)


def rest_on(work: Work, thought: str) -> None:
    """A gate rests on a thought from now on: its flags are fixed."""
    row = work.session.exec(select(Thought).where(Thought.uid == thought)).first()
    if row is not None and row.gated_at is None:
        row.gated_at = work.now
        work.session.add(row)


def _mine(work: Work) -> tuple[bool, bool]:
    return BrainQuery.user_id == work.caller.user_id, BrainQuery.client == work.caller.client


def _words(row: BrainQuery) -> str:
    return "\n".join(each for each in (row.text, row.context) if each)


def _contribution(work: Work, key: int, uid: str) -> LoggedContribution:
    row = work.session.exec(select(Thought).where(Thought.uid == uid)).first()
    if row is None:
        return LoggedContribution(key, uid, "", is_there=False)
    corrected = (
        select(ThoughtLink.id)
        .join(Thought, col(Thought.id) == col(ThoughtLink.thought_id))
        .where(ThoughtLink.other_id == row.id, ThoughtLink.relation == "supersedes")
        .where(Thought.category == CORRECTION_CATEGORY)
    )
    return LoggedContribution(
        key,
        uid,
        row.content,
        is_there=True,
        qualifies=why_not(row.content) is None,
        flags=frozenset(row.flags),
        is_noise=row.noise_at is not None,
        is_corrected=work.session.exec(corrected.limit(1)).first() is not None,
        is_shared=row.space == "shared",
    )
