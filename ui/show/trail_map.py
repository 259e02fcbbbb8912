"""The map of highways: each topic a hill with its contour lines, each highway a place on it, trails between them.

Drawn on the server, the same way each time: what is trodden most stands in the middle. No browser moves anything.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import cos, hypot, pi, sin, sqrt
from zlib import crc32

from bigmind.brain.finding.trails import HighwayMap, MapPlace, MapTrail
from bigmind.brain.rules import domain_of
from ui.show.drawn_text import drawn_lines

GOLDEN = pi * (3 - sqrt(5))
"""The angle at which places follow each other around the middle of a hill, so that none hides another."""
RINGS = (1.0, 0.76, 0.52)
AROUND = 36
"""Points of a contour line."""
SEARCHED = 4_000
APART = 26
LABEL = 20
MARGIN = 18
LONGEST_NAME = 22
WITHOUT = "no topic"


@dataclass(frozen=True, slots=True)
class MapSize:
    """How the map is drawn for a kind of window: its width, how far apart places are, how large, how it stretches."""

    kind: str
    width: int
    spacing: float
    least: float
    most: float
    stretch: float


SIZES = (MapSize("wide", 960, 42, 13, 25, 1.9), MapSize("narrow", 330, 32, 11, 18, 0.5))


@dataclass(frozen=True, slots=True)
class Hill:
    """A topic: its name, and its contour lines from the outside in. `link` narrows the map to it; empty for none."""

    name: str
    topic: str
    rings: Sequence[str]
    x: float
    y: float
    top: float
    radius: float


@dataclass(frozen=True, slots=True)
class Spot:
    """A highway: `number` is its place in the table, from 1."""

    place: MapPlace
    number: int
    x: float
    y: float
    radius: float


@dataclass(frozen=True, slots=True)
class Track:
    """A trail between two highways, as wide as it is trodden; the numbers are those of the table."""

    path: str
    width: float
    one: int
    other: int
    times: int


@dataclass(frozen=True, slots=True)
class TrailMap:
    """The map for a kind of window; `left` and `top` are the corner of what is seen."""

    kind: str
    left: float
    top: float
    width: float
    height: float
    hills: Sequence[Hill]
    spots: Sequence[Spot]
    tracks: Sequence[Track]


def trail_maps(found: HighwayMap) -> list[TrailMap]:
    """The map for a wide window, and that for a narrow one."""
    return [_drawn(found, size) for size in SIZES] if found.highways else []


def _drawn(found: HighwayMap, size: MapSize) -> TrailMap:
    groups: dict[str, list[int]] = {}
    for number, each in enumerate(found.highways):
        groups.setdefault(domain_of(each.topic), []).append(number)
    radii = {topic: _radius(len(those), size) for topic, those in groups.items()}
    centers = _centers(radii, size)
    spots: dict[int, Spot] = {}
    busiest = max(each.reads * each.readers for each in found.highways)
    for topic, those in groups.items():
        for place, number in enumerate(those):
            one = found.highways[number]
            share = sqrt(one.reads * one.readers / busiest)
            away = size.spacing * sqrt(place + 0.5) if len(those) > 1 else 0.0
            x, y = centers[topic]
            x, y = x + away * cos(place * GOLDEN), y + away * sin(place * GOLDEN)
            spots[number] = Spot(one, number + 1, x, y, size.least + (size.most - size.least) * share)
    hills = [_hill(topic, *centers[topic], radii[topic]) for topic in groups]
    ordered = [spots[number] for number in sorted(spots)]
    return _seen(size, hills, ordered, _tracks(found.trails, ordered))


def _seen(size: MapSize, hills: Sequence[Hill], spots: Sequence[Spot], tracks: Sequence[Track]) -> TrailMap:
    """With the corner and the size of what is seen: all of it, and never so little that it would be drawn huge."""
    left, right = min(each.x - each.radius for each in hills), max(each.x + each.radius for each in hills)
    top, bottom = min(each.top - LABEL for each in hills), max(each.y + each.radius for each in hills)
    width = max(float(size.width), right - left + 2 * MARGIN)
    middle = (left + right) / 2
    return TrailMap(size.kind, middle - width / 2, top - MARGIN, width, bottom - top + 2 * MARGIN, hills, spots, tracks)


def _radius(places: int, size: MapSize) -> float:
    away = size.spacing * sqrt(places - 0.5) if places > 1 else 0.0
    return away + size.most + size.spacing * 0.8


def _centers(radii: dict[str, float], size: MapSize) -> dict[str, tuple[float, float]]:
    """Where the hills stand: one after the other, each as near to the middle as there is room, along a spiral."""
    found: dict[str, tuple[float, float]] = {}
    for topic, radius in radii.items():
        reach = max(0.0, size.width / 2 - MARGIN - radius)
        for step in range(SEARCHED):
            away, angle = step * 2.0, step * 0.4
            x, y = away * size.stretch * cos(angle), away * sin(angle)
            x = max(-reach, min(reach, x))
            if all(
                hypot(x - other_x, y - other_y) >= radius + radii[other] + APART
                for other, (other_x, other_y) in found.items()
            ):
                found[topic] = (x, y)
                break
        else:
            found[topic] = (0.0, max(y + radii[other] for other, (_, y) in found.items()) + radius + APART)
    return found


def _hill(topic: str, x: float, y: float, radius: float) -> Hill:
    [name] = drawn_lines(topic or WITHOUT, LONGEST_NAME, 1)
    rings = [_contour(topic, x, y, radius * share) for share in RINGS]
    return Hill(name, topic, rings, x, y, y - radius, radius)


def _contour(topic: str, x: float, y: float, radius: float) -> str:
    """A closed line around a hill, uneven as the land is, and the same for a topic each time."""
    seed = crc32(topic.encode())
    first, second = seed % 628 / 100, seed // 628 % 628 / 100
    points: list[str] = []
    for step in range(AROUND):
        angle = 2 * pi * step / AROUND
        reach = radius * (0.96 + 0.03 * sin(3 * angle + first) + 0.02 * sin(5 * angle + second))
        points.append(f"{x + reach * cos(angle):.1f} {y + reach * sin(angle):.1f}")
    return f"M{'L'.join(points)}Z"


def _tracks(trails: Sequence[MapTrail], spots: Sequence[Spot]) -> list[Track]:
    busiest = max((each.times for each in trails), default=1)
    return [_track(each, spots[each.one], spots[each.other], busiest) for each in trails]


def _track(each: MapTrail, one: Spot, other: Spot, busiest: int) -> Track:
    """A trail as a curve: a straight line would run through what lies between."""
    across, down = other.x - one.x, other.y - one.y
    bend = 0.16 if (each.one + each.other) % 2 else -0.16
    by_x, by_y = (one.x + other.x) / 2 - down * bend, (one.y + other.y) / 2 + across * bend
    path = f"M{one.x:.1f} {one.y:.1f}Q{by_x:.1f} {by_y:.1f} {other.x:.1f} {other.y:.1f}"
    return Track(path, round(1.5 + 5 * sqrt(each.times / busiest), 1), one.number, other.number, each.times)
