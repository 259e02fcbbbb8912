"""What happens beside the memory and no other row tells: kept in one thin table, for the page Usage."""

from collections.abc import Iterable
from datetime import datetime
from enum import StrEnum

from sqlmodel import col, select

from bigmind.store.work import Work
from bigmind.usage.tables import UsageEvent


class EventKind(StrEnum):
    """What happened."""

    STARTED = "started"
    """The server started."""
    STOPPED = "stopped"
    """It ended by itself: a start that follows another start says that it was killed, or crashed, in between."""
    PAUSED = "paused"
    RESUMED = "resumed"
    HOOKS_ALTERED = "hooks_altered"
    """A connected client's files no longer hold the hooks that BigMind wrote."""
    HOOKS_WHOLE = "hooks_whole"
    """They do again."""
    CONVERSATION = "conversation"
    """A conversation that hooks told of, whose own row was removed since; `entity` is its session, if it had one."""


OF_THE_SERVER = (EventKind.STARTED, EventKind.STOPPED, EventKind.PAUSED, EventKind.RESUMED)


def note_event(
    work: Work,
    kind: EventKind,
    *,
    at: datetime | None = None,
    client: str = "",
    project: str | None = None,
    entity: str = "",
    amount: int = 0,
) -> None:
    """Write down what happened, of the caller; what concerns the server has no user. `at`: now, where left out."""
    work.session.add(
        UsageEvent(
            at=at or work.now,
            user_id=None if kind in OF_THE_SERVER else work.caller.user_id,
            kind=kind.value,
            client=client,
            project=project,
            entity=entity,
            amount=amount,
        )
    )


def newest_event(work: Work, kinds: Iterable[EventKind], client: str) -> EventKind | None:
    """What happened last of these, to a client of the caller."""
    mine = (
        UsageEvent.user_id == work.caller.user_id,
        UsageEvent.client == client,
        col(UsageEvent.kind).in_(list(kinds)),
    )
    found = select(UsageEvent.kind).where(*mine).order_by(col(UsageEvent.id).desc()).limit(1)
    kind = work.session.exec(found).first()
    return EventKind(kind) if kind is not None else None
