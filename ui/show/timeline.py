"""A timeline as it stands on a page: stretches of sessions under the day they began on, or under what they weigh."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from itertools import groupby

from bigmind.core.clock import at_home
from bigmind.memory.answers import SessionRow
from bigmind.memory.sessions.listing import Order
from ui.show.date_format import day, weekday


@dataclass(frozen=True, slots=True)
class Stretch:
    """Sessions that stand under one heading.

    Attributes:
        key: tells this heading from the others; stands in addresses and ids.
        title: the heading.
        note: what stands below it, smaller.
        sessions: in their order.
        goes_on: whether the heading stands further up already, with the first of them.
    """

    key: str
    title: str
    note: str
    sessions: Sequence[SessionRow]
    goes_on: bool


def stretches(sessions: Sequence[SessionRow], order: Order, now: datetime, above: str = "") -> list[Stretch]:
    """The sessions under their headings; `above` is the key of the last heading that stands on the page already."""

    def key(session: SessionRow) -> str:
        return str(session.importance) if order == "important" else _began(session).isoformat()

    made: list[Stretch] = []
    for name, those in groupby(sessions, key):
        under = list(those)
        title, note = _weighed(under[0]) if order == "important" else _dated(under[0], now)
        made.append(Stretch(name, title, note, under, name == above))
    return made


def _began(session: SessionRow) -> date:
    return at_home(session.started_at).date()


def _weighed(session: SessionRow) -> tuple[str, str]:
    return f"{session.importance} of 10", "importance"


def _dated(session: SessionRow, now: datetime) -> tuple[str, str]:
    """The day as people say it, by the machine's own calendar."""
    began, today = _began(session), at_home(now).date()
    name, written = weekday(began), day(session.started_at, now)
    if began == today:
        return "Today", f"{name}, {written}"
    if began == today - timedelta(days=1):
        return "Yesterday", f"{name}, {written}"
    return written, name
