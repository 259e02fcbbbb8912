"""Decisions of memory that need no store."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, Protocol, TypeVar

from bigmind.core.client_names import agent_of
from bigmind.core.errors import BigMindError, Code, in_person
from bigmind.core.operation import Caller, Mode, Role
from bigmind.core.plain_text import one_line, shortened
from bigmind.operations.inputs import LONGEST_HEADLINE

AUTO_CLOSE_AFTER = timedelta(hours=24)
REPEATED_WITHIN = timedelta(hours=1)
"""A session of the same client and headline that ended so lately is meant again, not a new one."""

AUTO_CLOSED = "[auto-closed — session exceeded 24h]"
"""Begins the headline of a session that was open for more than a day."""

AUTO_CLOSED_IMPORTANCE = 2

NORMAL_IMPORTANCE = 5
"""Of a session that nobody weighed."""

WORDLESS = "A conversation without a summary"
"""The headline of a session of which nothing is known but that it was."""

NOT_ENDED = "[not ended by the assistant]"
"""Began the headline of a session that hooks closed in earlier versions, and still does in theirs."""

SAYING_NOTHING = (WORDLESS, f"{NOT_ENDED} {WORDLESS}")
"""Headlines that tell a reader nothing."""

CLOSED_FROM_KNOWN = "Closed by BigMind from what is known: the assistant did not end the session."
"""The outcome of a session that hooks closed: its importance says that, and not how important it was."""


class Origin(Protocol):
    """By what of a session it is known whose it is."""

    @property
    def client(self) -> str:
        """Who opened it."""
        ...

    @property
    def connection(self) -> str | None:
        """On which connection."""
        ...

    @property
    def token_id(self) -> int | None:
        """With which token."""
        ...


AnySession = TypeVar("AnySession", bound=Origin)


def is_forgotten(started_at: datetime, now: datetime) -> bool:
    """Whether an open session has been open for so long that nobody will close it."""
    return now - started_at > AUTO_CLOSE_AFTER


def telling(headline: str, outcome: str) -> int:
    """How much the line of a closed session tells: 2 something, 1 what was kept in it at most, 0 nothing."""
    if headline in SAYING_NOTHING or not (headline or outcome):
        return 0
    return 1 if headline.startswith(AUTO_CLOSED) else 2


def auto_closed_headline(moment: str) -> str:
    """The headline of a session that nobody ended: the mark, and what was kept last in it, if anything was."""
    return shortened(f"{AUTO_CLOSED} {one_line(moment)}".strip(), LONGEST_HEADLINE)


def nearness(session: Origin, caller: Caller) -> int:
    """How near a session is to the caller: opened on their connection, by their client, by their token, or by another.

    The token says whose it is where a client calls itself by another name.
    """
    if is_on_connection(session, caller):
        return 3
    if agent_of(session.client) == caller.agent:
        return 2
    return 1 if session.token_id == caller.token_id else 0


def is_on_connection(session: Origin, caller: Caller) -> bool:
    """Whether a session was opened on the caller's connection."""
    return caller.connection is not None and session.connection == caller.connection


def is_callers(session: Origin, caller: Caller) -> bool:
    """Whether a session was opened by the caller's own hand: on their connection, by their client or their token."""
    return nearness(session, caller) > 0


def first_of_caller(sessions: Sequence[AnySession], caller: Caller) -> AnySession | None:
    """The nearest of some sessions, the nearest first: of the caller's connection, else of their client.

    Without a connection, as in MCP 2026-07-28, their token's will do, whatever the client called itself.
    """
    enough = 1 if caller.connection is None else 2
    return next((each for each in sessions if nearness(each, caller) >= enough), None)


def session_for_write(open_sessions: Sequence[AnySession], caller: Caller) -> AnySession | None:
    """The session a write without a session id belongs to.

    Args:
        open_sessions: the user's open sessions, the nearest to the caller first, then the newest; two tell enough.
        caller: who writes, over which connection.

    Returns:
        The session opened on the same connection, else the most recent of the same client; to a person's own tool,
        which may write into what their assistant has begun, also the only open one. None when there is none to choose.
    """
    if caller.is_person and len(open_sessions) == 1:
        return open_sessions[0]
    return first_of_caller(open_sessions, caller)


def is_anothers(session: Origin, caller: Caller) -> bool:
    """Whether a session goes by another name than the caller's client, and was not opened on their connection."""
    return not is_on_connection(session, caller) and agent_of(session.client) != caller.agent


EntryStatus = Literal["pending", "approved", "deprecated"]
Review = Literal["approve", "deprecate"]

_REVIEWED: dict[tuple[EntryStatus, Review], EntryStatus] = {
    ("pending", "approve"): "approved",
    ("pending", "deprecate"): "deprecated",
    ("approved", "deprecate"): "deprecated",
    ("deprecated", "approve"): "approved",
}


@dataclass(frozen=True, slots=True)
class EntryState:
    """What decides about an entry of company knowledge.

    Attributes:
        status: as it is now.
        is_cautioned: its text instructs its reader, and no person has accepted that.
    """

    status: EntryStatus
    is_cautioned: bool = False


@dataclass(frozen=True, slots=True)
class Reviewer:
    """Who lays hands on an entry, and where.

    Attributes:
        mode: whether the store is one person's or a team's.
        role: what they may do.
        is_promoter: they promoted it.
        is_author: they promoted it, or wrote something of it since it was approved last.
        in_person: it is the person, in the window or with the passphrase.
        is_only_curator: nobody else may review here.
    """

    mode: Mode
    role: Role
    is_promoter: bool = False
    is_author: bool = False
    in_person: bool = False
    is_only_curator: bool = False


def first_status(mode: Mode, *, is_cautioned: bool) -> EntryStatus:
    """What becomes of words that are new: in personal mode they need nobody else, unless they instruct their reader."""
    return "approved" if mode is Mode.PERSONAL and not is_cautioned else "pending"


def may_see(entry: EntryState, hand: Reviewer) -> bool:
    """Whether an entry exists for them."""
    return entry.status == "approved" or hand.is_promoter or hand.role.includes(Role.CURATOR)


def reviewed(entry: EntryState, hand: Reviewer, action: Review, *, has_notes: bool) -> EntryStatus:
    """What a review makes of an entry.

    Raises:
        BigMindError: `forbidden`, when they may not do it; `in_person`, when it instructs its reader; `conflict`, when
            there is nothing to do; `invalid_input`, when a deprecated entry is approved without saying why.
    """
    if not hand.role.includes(Role.CURATOR):
        raise BigMindError(Code.FORBIDDEN, "Only curators and admins review company knowledge.", "Ask one of them.")
    after = _REVIEWED.get((entry.status, action))
    if after is None:
        raise BigMindError(Code.CONFLICT, f"The entry is {entry.status} already.", "Nothing was changed.")
    if action == "deprecate":
        return after
    if hand.mode is Mode.TEAM and hand.is_author:
        raise BigMindError(
            Code.FORBIDDEN,
            "Nobody approves their own words in a team.",
            "There is no other curator or admin here. An admin makes one: `bigmind user role NAME curator`. "
            "After a restart in personal mode (Settings) you can approve it."
            if hand.is_only_curator
            else "Ask another curator or an admin to review it.",
        )
    if entry.is_cautioned and not hand.in_person:
        raise in_person("The entry reads like an instruction to whoever reads it: approving it")
    if entry.status == "deprecated" and not has_notes:
        raise BigMindError(
            Code.INVALID_INPUT, "The entry was deprecated before.", "Say in notes why it is approved again."
        )
    return after


def edited(entry: EntryState, hand: Reviewer, *, is_cautioned: bool, has_new_words: bool) -> EntryStatus:
    """What an edit makes of an entry, which whoever edits it may see.

    Args:
        entry: as it is now.
        hand: who edits.
        is_cautioned: the text as it would be instructs its reader.
        has_new_words: something but the review notes changes.

    Raises:
        BigMindError: `forbidden`, when they may not do it; `conflict` for the text of a deprecated entry.
    """
    if not hand.role.includes(Role.CURATOR) and not (hand.is_promoter and entry.status == "pending"):
        raise BigMindError(
            Code.FORBIDDEN,
            "Only curators and admins edit company knowledge; who promoted it does while it is pending.",
            "Ask one of them.",
        )
    if not has_new_words:
        return entry.status
    if entry.status == "deprecated":
        raise BigMindError(Code.CONFLICT, "The entry is deprecated.", "Approve it again before editing its text.")
    return first_status(hand.mode, is_cautioned=is_cautioned)


REPEATED_TITLE = 0.75
REPEATED_CONTENT = 0.6
"""Parts of all words that two titles, or two contents, have in common when one nearly repeats the other."""

_WORD = re.compile(r"[^\W_]{2,}")
_MOST_WORDS = 2_000


def nearly_repeats(title: str, content: str, other_title: str, other_content: str) -> bool:
    """Whether an entry says about the same as another: by its title, or by most of its words."""
    if title.casefold() == other_title.casefold():
        return True
    return _in_common(title, other_title) >= REPEATED_TITLE or _in_common(content, other_content) >= REPEATED_CONTENT


def _in_common(first: str, second: str) -> float:
    one, other = (set(_WORD.findall(text.casefold())[:_MOST_WORDS]) for text in (first, second))
    return len(one & other) / len(one | other) if min(len(one), len(other)) > 1 else 0.0


MANY = 100
LARGE_PART = 0.2


def is_much(rows: int, total: int, few: int = 0) -> bool:
    """Whether removing so many rows at once is a mass deletion.

    So it is for more than 100, and for more than a fifth of all when they are more than `few`.
    """
    return rows > MANY or (rows > few and rows > total * LARGE_PART)
