"""Brain sessions and the query log: what was asked and given. The one place that writes it; the gates rest on it."""

import re
import secrets
from collections.abc import Sequence
from datetime import timedelta
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, insert, update
from sqlmodel import col, select

from bigmind.brain.rules import ECHO_PROMPTS, SESSION_LASTS
from bigmind.brain.tables import BrainQuery, BrainQuerySource, BrainSession
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.store.prepared_statements import first
from bigmind.store.restore_time import was_restored_after
from bigmind.store.tables import table_of
from bigmind.store.work import Work

ANSWERED, STORED = "answered", "stored"
BEGINNING = "q-"
_LETTERS = "abcdefghijkmnpqrstuvwxyz23456789"
"""Without those that people take for each other."""
_RANDOM = 12
_UUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{8,}", re.IGNORECASE)
RESTORED_LATELY = timedelta(days=30)


class Prompt(NamedTuple):
    """What was asked: by which tool, in which words, about what."""

    operation: str
    text: str
    context: str


class Returned(NamedTuple):
    """A source of an answer, and how near it was."""

    thought: int
    similarity: float


class SessionChoice(NamedTuple):
    """The session that a prompt belongs to: the key of one that goes on, or none and what to say of that."""

    key: int | None
    note: str


def choose_session(work: Work, reference: str | None) -> SessionChoice:
    """The brain session of the caller's agent with that id; none where none was named, or it was not used for a day.

    Raises:
        BigMindError: `session_not_found` for an id that the brain did not issue to this agent.
    """
    if reference is None:
        return SessionChoice(None, "")
    named = reference.strip()
    known = first(work, _session_named(), named=named)
    if known is None or (known.user_id, known.client) != (work.caller.user_id, work.caller.client):
        raise _unknown(work, named)
    if work.now - known.last_used_at > SESSION_LASTS:
        return SessionChoice(None, f"Session {named} was not used for 24 hours: a new one began.")
    return SessionChoice(known.id, "")


@cache
def _session_named() -> Any:
    chain = table_of(BrainSession).c
    return select(chain.id, chain.user_id, chain.client, chain.last_used_at).where(chain.uid == bindparam("named"))


def _unknown(work: Work, named: str) -> BigMindError:
    message = f"There is no brain session {named[:60]!r} of {work.caller.client[:60]!r}."
    if not named.startswith(BEGINNING) and _UUID.fullmatch(named):
        hint = (
            "It looks like a memory session's id; a brain session's begins with q-. Leave session_id out to begin one."
        )
    elif was_restored_after(work, work.now - RESTORED_LATELY):
        hint = "A backup was restored since: sessions begun after it are gone. Leave session_id out to begin a new one."
    else:
        hint = "Pass a session_id that the brain gave to this agent, or leave it out to begin a new session."
    return BigMindError(Code.SESSION_NOT_FOUND, message, hint)


def is_first_contact(work: Work) -> bool:
    """Whether the caller's agent never asked before."""
    return work.session.exec(select(BrainQuery.id).where(*_of_agent(work)).limit(1)).first() is None


def last_prompts(work: Work) -> Sequence[str]:
    """The agent's last prompts that were not stored, the newest last."""
    mine = select(BrainQuery.text).where(*_of_agent(work), col(BrainQuery.thought_uid).is_(None))
    return work.session.exec(mine.order_by(col(BrainQuery.id).desc()).limit(ECHO_PROMPTS)).all()[::-1]


def _of_agent(work: Work) -> tuple[bool, bool]:
    return BrainQuery.user_id == work.caller.user_id, BrainQuery.client == work.caller.client


class LoggedQuery(NamedTuple):
    """A row of the log: its key, its session's key and id."""

    key: int
    session: int
    session_uid: str


def record(
    work: Work,
    prompt: Prompt,
    session: int | None,
    returned: Sequence[Returned],
    outcome: str,
    thought: str | None = None,
) -> LoggedQuery:
    """Write down a prompt that is answered in this transaction, with what comes back.

    Args:
        work: writes.
        prompt: what was asked.
        session: the key of its brain session; none begins one.
        returned: the sources, in their order.
        outcome: `ANSWERED`, `STORED`, or why a contribution was not stored.
        thought: the id of what was stored.
    """
    (chain, uid), query = _session(work, session), new_id()
    row: dict[str, Any] = {
        "uid": query,
        "user_id": work.caller.user_id,
        "session_id": chain,
        "created_at": work.now,
        "project": work.caller.project,
        "client": work.caller.client,
        "connection": work.caller.connection,
        "operation": prompt.operation,
        "outcome": outcome,
        "thought_uid": thought,
        "returned": len(returned),
        "text": prompt.text,
        "context": prompt.context,
    }
    key: int = first(work, _inserting("brain_query"), **row)[0]
    if returned:
        sources = [
            {"query_id": key, "thought_id": each.thought, "place": place, "similarity": each.similarity}
            for place, each in enumerate(returned, 1)
        ]
        work.session.connection().execute(table_of(BrainQuerySource).insert(), sources)
    work.changed("brain_query", query, Action.CREATED)
    return LoggedQuery(key, chain, uid)


def _session(work: Work, key: int | None) -> tuple[int, str]:
    """The key and id of a session that is used now; a new one where none goes on."""
    if key is not None and (known := first(work, _using(), key=key, now=work.now)) is not None:
        return key, known.uid
    uid, caller = BEGINNING + "".join(secrets.choice(_LETTERS) for _ in range(_RANDOM)), work.caller
    whose: dict[str, Any] = {"uid": uid, "user_id": caller.user_id, "client": caller.client}
    return first(work, _inserting("brain_session"), **whose, started_at=work.now, last_used_at=work.now)[0], uid


@cache
def _using() -> Any:
    chain = table_of(BrainSession)
    return (
        update(chain).where(chain.c.id == bindparam("key")).values(last_used_at=bindparam("now")).returning(chain.c.uid)
    )


@cache
def _inserting(name: str) -> Any:
    """The statement that adds a row to one of the two tables, and tells its key."""
    table = table_of({"brain_query": BrainQuery, "brain_session": BrainSession}[name])
    return insert(table).returning(table.c.id)
