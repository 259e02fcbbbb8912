"""Small multiples: for each client a row of bars, one per day, all to one scale."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import TYPE_CHECKING

from ui.show.date_format import plural

if TYPE_CHECKING:
    from bigmind.trust.usage_report import DayUse

WIDTH, HEIGHT = 360, 60
GAP = 1.0


@dataclass(frozen=True, slots=True)
class Bar:
    """A day: where its bar stands and how high it is, in pixels of the picture."""

    x: float
    y: float
    width: float
    height: float
    told: str


@dataclass(frozen=True, slots=True)
class ClientBars:
    """The days of one client, and their sums."""

    client: str
    bars: Sequence[Bar]
    sessions: int
    questions: int
    contributions: int
    moves: int
    width: int = WIDTH
    height: int = HEIGHT


def bars_of(days: Sequence["DayUse"], first: date, count: int) -> list[ClientBars]:
    """The pictures of all clients, by name; the tallest bar of all of them is as high as the picture.

    Args:
        days: what was counted.
        first: the first day that is shown.
        count: how many days are.
    """
    most = max((each.total for each in days), default=0)
    step = WIDTH / max(1, count)
    found: list[ClientBars] = []
    for client in sorted({each.client for each in days}):
        mine = [each for each in days if each.client == client]
        by_day = {each.day: each for each in mine}
        bars: list[Bar] = []
        for place in range(count):
            use = by_day.get((first + timedelta(days=place)).isoformat())
            if use is not None and use.total:
                height = max(2.0, use.total / most * HEIGHT)
                named = ((use.sessions, "session"), (use.questions, "question"), (use.moves, "move"))
                told = f"{use.day}: {', '.join(plural(count, name) for count, name in named)}"
                bars.append(Bar(place * step, HEIGHT - height, max(1.0, step - GAP), height, told))
        sums = [
            sum(getattr(each, name) for each in mine) for name in ("sessions", "questions", "contributions", "moves")
        ]
        found.append(ClientBars(client, bars, *sums))
    return found
