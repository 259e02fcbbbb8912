"""Conversations: by whom their sessions were started, and which of them no hook, question or run belongs to."""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import select as columns_of
from sqlmodel import col, or_, select

from bigmind.brain.query_log import STORED
from bigmind.brain.tables import BrainQuery
from bigmind.memory.sessions.conversations import BY_HOOK
from bigmind.memory.tables import Conversation, MemorySession
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.trust.count_sheet import CountSheet, client_of
from bigmind.usage.tables import UsageEvent
from bigmind.usage.usage_events import EventKind
from bigmind.workspace.tables import Workspace

FEWEST_TURNS = 2
"""Of a conversation that is more than a single prompt."""


@dataclass(frozen=True, slots=True)
class _Talk:
    """A conversation: when, whose, over which connection, and of which session; `by` says who opened that."""

    began: datetime
    ended: datetime
    client: str
    project: str | None
    connection: str | None = None
    session: str = ""
    by: str = ""


def count_conversations(work: Work, sheet: CountSheet) -> None:
    """Count the conversations that began on the days that are asked for."""
    hooked = _hooked(work, sheet)
    talks = [*_sessions(work, sheet), *_without_session(work, sheet)]
    questions = _Questions(work, sheet, talks)
    runs, opened = _runs(work, sheet), _opened(work)
    for each in talks:
        sheet.add(each.began, each.client, each.project, each.by)
        if each.by == "sessions_by_model" and each.session not in hooked:
            sheet.add(each.began, each.client, each.project, "without_hook")
        if not questions.were_asked(each):
            sheet.add(each.began, each.client, each.project, "without_question")
        if each.session and each.project in opened and each.session not in runs:
            sheet.add(each.began, each.client, each.project, "without_run")


def _sessions(work: Work, sheet: CountSheet) -> Iterator[_Talk]:
    """The sessions of agents; one that was imported has no token of this store, and is nobody's doing here."""
    query = (
        select(MemorySession, Token.kind)
        .join(Token, col(Token.id) == MemorySession.token_id)
        .where(MemorySession.user_id == work.caller.user_id, *_within(MemorySession.started_at, sheet))
        .where(col(Token.kind).not_in((TokenKind.CLI, TokenKind.UI)))
    )
    for row, kind in work.session.exec(query):
        is_hooks = row.connection == BY_HOOK or (row.connection is None and kind == TokenKind.BRIDGE)
        yield _Talk(
            row.started_at,
            row.ended_at or work.now,
            row.client,
            row.project,
            None if is_hooks else row.connection,
            row.uid,
            "sessions_by_hook" if is_hooks else "sessions_by_model",
        )


def _without_session(work: Work, sheet: CountSheet) -> Iterator[_Talk]:
    """The conversations that have no session: those that hooks know, and those that they knew."""
    known = select(Conversation).where(
        Conversation.user_id == work.caller.user_id,
        col(Conversation.session_id).is_(None),
        col(Conversation.noted_at).is_(None),
        *_within(Conversation.started_at, sheet),
    )
    for each in work.session.exec(known):
        yield _Talk(each.started_at, each.seen_at, each.client, each.project, by=_extent(each.turns))
    gone_ones = select(UsageEvent).where(*_gone(work), UsageEvent.entity == "", *_within(UsageEvent.at, sheet))
    for gone in work.session.exec(gone_ones):
        yield _Talk(gone.at, gone.at, gone.client, gone.project, by=_extent(gone.amount))


def _extent(turns: int) -> str:
    return "never_started" if turns >= FEWEST_TURNS else "single_prompts"


def _gone(work: Work) -> tuple[Any, ...]:
    """The conversations of which only a note is left."""
    return UsageEvent.user_id == work.caller.user_id, UsageEvent.kind == EventKind.CONVERSATION


def _hooked(work: Work, sheet: CountSheet) -> set[str]:
    """The sessions, among others, of which a hook told."""
    known = select(MemorySession.uid).join(Conversation, col(Conversation.session_id) == MemorySession.id)
    known = known.where(MemorySession.user_id == work.caller.user_id, *_within(MemorySession.started_at, sheet))
    gone = select(UsageEvent.entity).where(*_gone(work), UsageEvent.entity != "")
    return {*work.session.exec(known), *work.session.exec(gone)}


class _Questions:
    """What was asked of the brain around the time of some conversations."""

    def __init__(self, work: Work, sheet: CountSheet, talks: Iterable[_Talk]) -> None:
        end = max((each.ended for each in talks), default=sheet.query.end)
        log = table_of(BrainQuery).c
        found = columns_of(log.created_at, log.client, log.connection).where(
            log.user_id == work.caller.user_id,
            log.created_at >= sheet.query.start,
            log.created_at <= end,
            log.outcome != STORED,
        )
        self._cast = sheet.cast
        self._connections: dict[str, set[str]] = defaultdict(set)
        self._times: dict[str, list[datetime]] = defaultdict(list)
        self._loose: dict[str, list[datetime]] = defaultdict(list)
        for at, client, connection in work.session.connection().execute(found.order_by(log.created_at)):
            name = client_of(sheet.cast.agent(client))
            self._times[name].append(at)
            if connection:
                self._connections[name].add(connection)
            else:
                self._loose[name].append(at)

    def were_asked(self, talk: _Talk) -> bool:
        """Whether one belongs to a conversation: by its connection, where both have one; else by its time."""
        name = client_of(self._cast.agent(talk.client))
        if not talk.connection:
            return _has_one(self._times[name], talk)
        return talk.connection in self._connections[name] or _has_one(self._loose[name], talk)


def _has_one(times: list[datetime], talk: _Talk) -> bool:
    """Whether one of these moments, in their order, lies in a conversation."""
    place = bisect_left(times, talk.began)
    return place < len(times) and times[place] <= talk.ended


def _runs(work: Work, sheet: CountSheet) -> set[str]:
    """The memory sessions of protocol runs."""
    mine = (ProtocolRun.user_id == work.caller.user_id, ProtocolRun.memory_session != "")
    since = or_(col(ProtocolRun.ended_at).is_(None), col(ProtocolRun.ended_at) >= sheet.query.start)
    return set(work.session.exec(select(ProtocolRun.memory_session).where(*mine, since)))


def _opened(work: Work) -> set[str]:
    found = select(Workspace.project).where(
        Workspace.user_id == work.caller.user_id, col(Workspace.closed_at).is_(None)
    )
    return {each for each in work.session.exec(found) if each}


def _within(column: Any, sheet: CountSheet) -> tuple[Any, Any]:
    return col(column) >= sheet.query.start, col(column) < sheet.query.end
