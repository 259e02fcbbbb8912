"""Pictures drawn on the server: where each mark stands and how strong it is. The templates turn them into SVG."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from ui.show.date_format import month

WEEKS = 53
STEP = 14
LEFT = 28
TOP = 16
STRONGEST = 4


@dataclass(frozen=True, slots=True)
class Day:
    """One day of the heatmap. `level` runs from 0 (nothing) to 4 (as much as on the busiest days)."""

    date: date
    count: int
    level: int
    x: int
    y: int


@dataclass(frozen=True, slots=True)
class Label:
    """A month's name over its first full week."""

    text: str
    x: int


@dataclass(frozen=True, slots=True)
class Year:
    """A year of activity, as weeks that begin on Monday; the last week ends today."""

    weeks: Sequence[Sequence[Day]]
    months: Sequence[Label]
    total: int
    active_days: int
    width: int = LEFT + WEEKS * STEP
    height: int = TOP + 7 * STEP


def first_day(today: date) -> date:
    """The Monday on which the heatmap of the year until `today` begins."""
    return today - timedelta(days=today.weekday(), weeks=WEEKS - 1)


def year_of(days: Iterable[date], today: date) -> Year:
    """The heatmap of the year until today, from the day of each session."""
    start = first_day(today)
    counts = Counter(days)
    dates = [start + timedelta(days=offset) for offset in range((today - start).days + 1)]
    steps = _quartiles([counts[each] for each in dates if counts[each]])
    drawn = [_day(each, counts[each], steps, (each - start).days) for each in dates]
    weeks = [drawn[begin : begin + 7] for begin in range(0, len(drawn), 7)]
    return Year(weeks, _months(weeks), sum(each.count for each in drawn), sum(1 for each in drawn if each.count))


def _day(each: date, count: int, steps: Sequence[int], offset: int) -> Day:
    level = 1 + bisect_left(steps, count) if count else 0
    return Day(each, count, level, LEFT + offset // 7 * STEP, TOP + offset % 7 * STEP)


def _quartiles(counts: list[int]) -> list[int]:
    """The three counts that part the active days in four: a busy person's picture is as legible as a quiet one's."""
    ordered = sorted(counts)
    ends = [max(0, len(ordered) * part // STRONGEST - 1) for part in range(1, STRONGEST)]
    return [ordered[end] for end in ends] if ordered else []


def _months(weeks: Sequence[Sequence[Day]]) -> list[Label]:
    labels = [
        Label(month(week[0].date.month), week[0].x)
        for before, week in pairwise(weeks)
        if week[0].date.month != before[0].date.month
    ]
    # A name in the last column would be cut off by the picture's edge.
    return [label for label in labels if label.x < LEFT + (WEEKS - 1) * STEP]
