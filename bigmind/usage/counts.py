"""How clients use the memory: when they called, what they were served and offered, as kept and as counted since."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.core.client_names import agent_of
from bigmind.core.toolsets import Toolset, Toolsets
from bigmind.people.tables import Token
from bigmind.people.token_format import TokenKind
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work
from bigmind.usage.tables import ClientState

LOOKED_AT = 2_000
"""Of the newest changes: the log itself may be very long."""
MOST_CLIENTS = 50


@dataclass(frozen=True, slots=True)
class ClientUse:
    """How a client uses the memory.

    Attributes:
        last_at: when it was served last; None where it never was.
        calls: of operations, ever.
        tokens: of definitions and answers that it was served, ever, about.
        toolsets: those that a person chose for it; empty where nobody did.
    """

    last_at: datetime | None = None
    calls: int = 0
    tokens: int = 0
    toolsets: Toolsets = ()


@dataclass(frozen=True, slots=True)
class ClientSeen:
    """A client.

    Attributes:
        name: as it calls itself, or its token is called.
        last_at: when it called last, as far as is known.
        calls: of operations, ever.
        tokens: that it was served, ever, about.
        changes: it made in the last 24 hours, of the newest ones.
    """

    name: str
    last_at: datetime
    calls: int
    tokens: int
    changes: int


def client_use(work: Work) -> dict[str, ClientUse]:
    """How each of the caller's clients uses the memory, by its name: those that called, or have a choice of toolsets.

    While what was counted is being kept, for a moment, it may be told twice.
    """
    counted = [each for each in work.host.activity.uses() if each.user_id == work.caller.user_id]
    rows = work.session.exec(select(ClientState).where(ClientState.user_id == work.caller.user_id))
    found = {each.client: ClientUse(each.last_at, each.calls, each.tokens, kept_toolsets(each)) for each in rows}
    for more in counted:
        name = more.client
        kept, at = found.get(name, ClientUse()), work.now - timedelta(seconds=more.seconds_ago)
        found[name] = ClientUse(
            max(at, kept.last_at or at), kept.calls + more.calls, kept.tokens + more.tokens, kept.toolsets
        )
    return found


def chosen_toolsets(work: Work, client: str) -> Toolsets:
    """The toolsets that a person chose for a client of theirs; empty where they did not."""
    row = work.session.get(ClientState, (work.caller.user_id, client))
    return kept_toolsets(row) if row is not None else ()


def kept_toolsets(row: ClientState) -> Toolsets:
    """Those of a row; a newer BigMind may have kept some that this one does not know."""
    known = list(Toolset)
    return tuple(Toolset(name) for name in row.toolsets.split(",") if name in known)


def clients_lately(work: Work) -> list[ClientSeen]:
    """The caller's clients, the latest first; people's own tools are none."""
    wrote = _writers(work)
    use = {name: each for name, each in client_use(work).items() if each.last_at is not None}
    found: list[ClientSeen] = []
    for name in {**use, **wrote}:
        used, (wrote_at, changes) = use.get(name, ClientUse()), wrote.get(name, (None, 0))
        found.append(ClientSeen(name, _latest([used.last_at, wrote_at]), used.calls, used.tokens, changes))
    return sorted(found, key=lambda each: each.last_at, reverse=True)[:MOST_CLIENTS]


def _latest(moments: Sequence[datetime | None]) -> datetime:
    return max(each for each in moments if each is not None)


def _writers(work: Work) -> dict[str, tuple[datetime, int]]:
    """When each client wrote last, and how often within a day."""
    newest = (
        select(ChangeRow.client, ChangeRow.at)
        .where(ChangeRow.user_id == work.caller.user_id)
        .order_by(col(ChangeRow.id).desc())
        .limit(LOOKED_AT)
        .subquery()
    )
    today = func.sum(newest.c.at >= work.now - timedelta(days=1))
    people = set(
        work.session.exec(
            select(Token.client)
            .where(Token.user_id == work.caller.user_id, col(Token.kind).in_([TokenKind.CLI, TokenKind.UI]))
            .distinct()
        )
    )
    rows = work.session.exec(select(newest.c.client, func.max(newest.c.at), today).group_by(newest.c.client))
    found: dict[str, tuple[datetime, int]] = {}
    for client, at, count in rows:
        name = agent_of(client)
        if name not in people and name != "bigmind":
            last, changes = found.get(name, (at, 0))
            found[name] = max(at, last), changes + int(count)
    return found
