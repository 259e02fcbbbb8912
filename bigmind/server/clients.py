"""Which clients used the memory lately: those that called since the start, and those that wrote before it."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func
from sqlmodel import col, select

from bigmind.people.tables import Token
from bigmind.people.tokens import TokenKind
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work

LOOKED_AT = 2_000
"""Of the newest changes: the log itself may be very long."""
MOST_CLIENTS = 50


@dataclass(frozen=True, slots=True)
class ClientSeen:
    """A client.

    Attributes:
        name: as it calls itself, or its token is called.
        last_at: when it called last, as far as is known.
        calls: since BigMind started.
        changes: it made in the last 24 hours, of the newest ones.
    """

    name: str
    last_at: datetime
    calls: int
    changes: int


def clients_lately(work: Work) -> list[ClientSeen]:
    """The caller's clients, the latest first; people's own tools are none."""
    called = {each.client: each for each in work.surroundings.activity().called(work.caller.user_id)}
    wrote = _writers(work)
    found = [
        ClientSeen(
            name,
            max(_moments(work, called[name].seconds_ago if name in called else None, wrote.get(name))),
            called[name].calls if name in called else 0,
            wrote[name][1] if name in wrote else 0,
        )
        for name in {**called, **wrote}
    ]
    return sorted(found, key=lambda each: each.last_at, reverse=True)[:MOST_CLIENTS]


def _moments(work: Work, seconds_ago: float | None, wrote: tuple[datetime, int] | None) -> list[datetime]:
    called = [work.now - timedelta(seconds=seconds_ago)] if seconds_ago is not None else []
    return [*called, *([wrote[0]] if wrote else [])]


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
    return {name: (at, int(count)) for name, at, count in rows if name not in people and name != "bigmind"}
