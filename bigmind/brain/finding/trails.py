"""Trails: thoughts that were returned to the same prompts, and how often; with the highways they make a map."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import combinations, groupby
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import select

from bigmind.brain.finding.highways import all_highways
from bigmind.brain.tables import BrainQuerySource
from bigmind.memory.lookup import key_of
from bigmind.store.tables import table_of
from bigmind.store.work import Work

MOST_LOOKED_AT = 20_000
"""Returned thoughts that are looked at, the latest: more change the picture little, and cost everybody a second."""
MOST_ON_MAP = 24
MOST_TRAILS = 60


class Trail(NamedTuple):
    """Two thoughts, the older one first, and to how many prompts both were returned."""

    one: int
    other: int
    times: int


def trails(work: Work, keys: Collection[int], most: int) -> list[Trail]:
    """The trails between these thoughts, the most trodden first; whoever asked, for only how often is told."""
    source = table_of(BrainQuerySource).c
    latest = select(source.query_id, source.thought_id).where(source.thought_id.in_(keys))
    latest = latest.order_by(source.query_id.desc()).limit(MOST_LOOKED_AT)
    found: Counter[tuple[int, int]] = Counter()
    for _, those in groupby(work.session.connection().execute(latest), itemgetter(0)):
        found.update(combinations(sorted({each[1] for each in those}), 2))
    ordered = sorted(found.items(), key=lambda each: (-each[1], each[0]))
    return [Trail(one, other, count) for (one, other), count in ordered[:most]]


class MapPlace(NamedTuple):
    """A highway on the map."""

    uid: str
    content: str
    topic: str
    reads: int
    readers: int
    weight: float


class MapTrail(NamedTuple):
    """Two highways, by their places in the list of them, and to how many prompts both were returned."""

    one: int
    other: int
    times: int


@dataclass(frozen=True, slots=True)
class HighwayMap:
    """The highways, best traffic first, and the trails between them, the most trodden first."""

    highways: Sequence[MapPlace]
    trails: Sequence[MapTrail]


def highway_map(work: Work, topic: str = "") -> HighwayMap:
    """The highways that the caller may read, and how they hang together."""
    found = all_highways(work, MOST_ON_MAP, topic)
    places = {key_of(each.row): place for place, each in enumerate(found)}
    told = [
        MapPlace(each.row.uid, each.row.content, each.row.topic, each.reads, each.readers, each.weight)
        for each in found
    ]
    between = trails(work, list(places), MOST_TRAILS)
    return HighwayMap(told, [_on_map(places[one], places[other], times) for one, other, times in between])


def _on_map(one: int, other: int, times: int) -> MapTrail:
    return MapTrail(min(one, other), max(one, other), times)
