"""The weight of a thought over time as a line: it jumps with each use, and decays between."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import pairwise
from math import log10

from bigmind.brain.finding.weight_course import WeightChange
from bigmind.brain.rules import FIRST_WEIGHT, LEAST_WEIGHT, MOST_WEIGHT, bounded, weight_now

WIDTH, HEIGHT = 340, 124
LEFT, RIGHT, TOP, BOTTOM = 26, 14, 12, 22
BETWEEN = 10
"""Points of a decay that is drawn."""


@dataclass(frozen=True, slots=True)
class WeightLine:
    """The line and the area below it, where it stands now, and the heights of 0, 1 and the scale's end."""

    line: str
    area: str
    x: float
    y: float
    weight: float
    first: float
    floor: float
    highest: float
    began: datetime
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT
    top: int = TOP
    right: int = WIDTH - RIGHT


def weight_line(course: Sequence[WeightChange], now: datetime) -> WeightLine:
    """The line from when the thought was stored until now. Its end is what the thought weighs at this moment."""
    points = _points(course, now)
    began, span = points[0][0], max(1.0, (now - points[0][0]).total_seconds())
    highest = max(FIRST_WEIGHT * 1.25, *(weight * 1.1 for _, weight in points))

    def x(at: datetime) -> float:
        return LEFT + (WIDTH - LEFT - RIGHT) * max(0.0, (at - began).total_seconds()) / span

    def y(weight: float) -> float:
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - weight / highest)

    told = "L".join(f"{x(at):.1f} {y(weight):.1f}" for at, weight in points)
    end = points[-1]
    return WeightLine(
        line=f"M{told}",
        area=f"M{x(began):.1f} {y(0):.1f}L{told}L{x(end[0]):.1f} {y(0):.1f}Z",
        x=x(end[0]),
        y=y(end[1]),
        weight=end[1],
        first=y(FIRST_WEIGHT),
        floor=y(0),
        highest=highest,
        began=began,
    )


def share(weight: float) -> float:
    """How far a weight has come, in percent, on the way from the least over 1, the middle, to the most."""
    return round(max(2.0, 100 * log10(bounded(weight) / LEAST_WEIGHT) / log10(MOST_WEIGHT / LEAST_WEIGHT)), 1)


def _points(course: Sequence[WeightChange], now: datetime) -> list[tuple[datetime, float]]:
    """Moments with weights: each change, and the decay that leads to the next one."""
    last = course[-1]
    found: list[tuple[datetime, float]] = []
    for each, after in pairwise([*course, WeightChange(max(now, last.at), 0.0)]):
        step = (after.at - each.at) / BETWEEN
        moments = [each.at + step * number for number in range(BETWEEN + 1)]
        found += [(at, weight_now(each.weight, each.at, at)) for at in moments]
    return found
