"""Groups what was found by its tags, where it is so much that the asker has to choose. Pure."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from bigmind.brain.finding.factors import Standing
from bigmind.brain.rules import LEAST_HITS, LEAST_TAGS


class Cluster(NamedTuple):
    """Thoughts with one tag in common: the tag, and their keys."""

    tag: str
    keys: frozenset[int]


def clusters(order: Sequence[Standing], tags: Mapping[int, Sequence[str]]) -> list[Cluster]:
    """The groups, largest first; of equal ones that with the best thought. None where little was found, or of few tags.

    Each thought stands in one: that of its most frequent tag, and the first of those.

    Args:
        order: what was found, best first.
        tags: of each thought that answers well.
    """
    hits = [each.key for each in order if each.key in tags]
    counts = Counter(tag for key in hits for tag in tags[key])
    if len(hits) < LEAST_HITS or len(counts) < LEAST_TAGS:
        return []
    members: dict[str, list[int]] = {}
    for key in hits:
        if tags[key]:
            members.setdefault(max(tags[key], key=lambda tag: counts[tag]), []).append(key)
    found = [Cluster(tag, frozenset(those)) for tag, those in members.items()]
    return sorted(found, key=lambda each: len(each.keys), reverse=True) if len(found) > 1 else []
