"""What the query log proves: which questions an agent put, and which thoughts it contributed. Work's gates rest on it.

What was not logged was not asked; what no row of the log stored was not contributed, so that no import counts.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any, cast

from sqlalchemy import bindparam, func
from sqlalchemy import select as columns
from sqlmodel import col, select

from bigmind.brain.contribution import why_not
from bigmind.brain.query_log import ANSWERED, STORED
from bigmind.brain.rules import CORRECTION_CATEGORY
from bigmind.brain.tables import BrainQuery, BrainSession, Thought, ThoughtLink
from bigmind.core.client_names import token_name
from bigmind.store.driver_statements import first_row
from bigmind.store.prepared_statements import first, rows
from bigmind.store.tables import table_of
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
        connection: over which it came; empty where the client has none.
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
    connection: str
    text: str
    is_there: bool
    qualifies: bool = False
    flags: frozenset[str] = frozenset()
    is_noise: bool = False
    is_corrected: bool = False
    is_shared: bool = False


def newest_entry(work: Work) -> int:
    """The place of the newest row of the log; what comes later has a higher one."""
    return first_row(work.session, _newest_entry(), {})[0] or 0


@cache
def _newest_entry() -> Any:
    return columns(func.max(table_of(BrainQuery).c.id))


def newest_of(work: Work, user_id: int, client: str) -> datetime | None:
    """When an agent used the brain last."""
    mine = (BrainQuery.user_id == user_id, BrainQuery.client == client)
    newest = select(BrainQuery.created_at).where(*mine).order_by(col(BrainQuery.id).desc())
    return work.session.exec(newest.limit(1)).first()


def questions(work: Work, session: str = "") -> list[LoggedQuestion]:
    """The newest questions of the caller's agent, the newest first; with a session's id, those of that one."""
    return [
        LoggedQuestion(key, uid, chain, at, connection or "", "\n".join(filter(None, (words, context))))
        for key, uid, chain, at, connection, words, context in rows(
            work, _questions(is_of_session=bool(session)), **_mine(work), session=session
        )
    ]


@cache
def _questions(*, is_of_session: bool) -> Any:
    log, chain = table_of(BrainQuery).c, table_of(BrainSession).c
    asked = (
        columns(log.id, log.uid, chain.uid, log.created_at, log.connection, log.text, log.context)
        .join_from(table_of(BrainQuery), table_of(BrainSession), chain.id == log.session_id)
        .where(*_of_agent(), log.operation == QUESTION, log.outcome == ANSWERED)
        .order_by(log.id.desc())
        .limit(MOST_LOOKED_AT)
    )
    return asked.where(chain.uid == bindparam("session")) if is_of_session else asked


def contributions(work: Work, thought: str = "") -> Iterator[LoggedContribution]:
    """The newest thoughts that the caller's agent contributed, the newest first, each read when it is asked for.

    `thought` is an id, or the beginning of one: then only that.
    """
    stored = rows(work, _stored(is_named=bool(thought)), **_mine(work), thought=thought.lower())
    return (_contribution(work, key, uid or "", connection or "") for key, uid, connection in stored)


@cache
def _stored(*, is_named: bool) -> Any:
    log = table_of(BrainQuery).c
    stored = columns(log.id, log.thought_uid, log.connection).where(*_of_agent(), log.outcome == STORED)
    if is_named:
        named = cast("Any", bindparam("thought"))
        stored = stored.where(func.substr(log.thought_uid, 1, func.length(named)) == named)  # no wildcards in it
    return stored.order_by(log.id.desc()).limit(MOST_LOOKED_AT)


def stored_by(work: Work, user_id: int, client: str) -> list[tuple[int, str]]:
    """The newest thoughts that an agent contributed, the newest first: the place of the row that stored it, its id."""
    found = rows(work, _stored(is_named=False), user=user_id, client=client)
    return [(key, uid or "") for key, uid, _ in found]


def other_names(work: Work, since: datetime) -> list[str]:
    """The other names behind the caller's token that asked since then: a new name is another agent."""
    own = token_name(work.caller.client)
    newest = select(BrainQuery.client, BrainQuery.created_at).where(BrainQuery.user_id == work.caller.user_id)
    found = work.session.exec(newest.order_by(col(BrainQuery.id).desc()).limit(MOST_NAMES_LOOKED_AT)).all()
    names = {client for client, at in found if at >= since}
    return sorted(each for each in names if token_name(each) == own and each != work.caller.client)


def rest_on(work: Work, thought: str) -> None:
    """A gate rests on a thought from now on: its flags are fixed."""
    row = work.session.exec(select(Thought).where(Thought.uid == thought)).first()
    if row is not None and row.gated_at is None:
        row.gated_at = work.now
        work.session.add(row)


def _mine(work: Work) -> dict[str, Any]:
    return {"user": work.caller.user_id, "client": work.caller.client}


def _of_agent() -> tuple[Any, Any]:
    log = table_of(BrainQuery).c
    return log.user_id == bindparam("user"), log.client == bindparam("client")


def _contribution(work: Work, key: int, uid: str, connection: str) -> LoggedContribution:
    row = first(work, _thought(), uid=uid)
    if row is None:
        return LoggedContribution(key, uid, connection, "", is_there=False)
    return LoggedContribution(
        key,
        uid,
        connection,
        row.content,
        is_there=True,
        qualifies=why_not(row.content) is None,
        flags=frozenset(row.flags),
        is_noise=row.noise_at is not None,
        is_corrected=first(work, _correcting(), thought=row.id) is not None,
        is_shared=row.space == "shared",
    )


@cache
def _thought() -> Any:
    told = table_of(Thought).c
    return columns(told.id, told.content, told.flags, told.noise_at, told.space).where(told.uid == bindparam("uid"))


@cache
def _correcting() -> Any:
    link, by = table_of(ThoughtLink), table_of(Thought)
    is_correction = (link.c.relation == "supersedes", by.c.category == CORRECTION_CATEGORY)
    named = columns(link.c.id).join_from(link, by, by.c.id == link.c.thought_id)
    return named.where(link.c.other_id == bindparam("thought"), *is_correction).limit(1)
