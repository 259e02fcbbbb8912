"""A session and its own moments are one hit. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from bigmind.search.cutoff import GroupKey, group_of
from bigmind.search.engine import Hit

MOST_MOMENTS = 5
"""Moments that are shown below one session's line, the best ones; who wants all of them asks for the session's."""


@dataclass(slots=True)
class Group:
    """What is one hit: a thing that was found, or a session of which something was.

    Attributes:
        kind: of the thing.
        key: its key.
        hit: the thing itself, if it was found itself.
        moments: of a session, the best of those that were found, best first.
        others: how many more of them were.
        score: of the best in it.
        similarity: of the nearest in it.
    """

    kind: str
    key: int
    hit: Hit | None = None
    moments: list[Hit] = field(default_factory=list[Hit])
    others: int = 0
    score: float = 0.0
    similarity: float = 0.0

    def add(self, hit: Hit) -> None:
        """Put in what comes next in the order."""
        self.score, self.similarity = max(self.score, hit.score), max(self.similarity, hit.similarity)
        if hit.kind != "chunk":
            self.hit = hit
        elif len(self.moments) < MOST_MOMENTS:
            self.moments.append(hit)
        else:
            self.others += 1


def grouped(hits: Iterable[Hit], limit: int) -> list[Group]:
    """The hits, a session with its moments as one that stands where the best in it does; at most `limit`."""
    groups: dict[tuple[str, int], Group] = {}
    for hit in hits:
        key = _key(hit)
        if key not in groups:
            if len(groups) == limit:
                continue
            groups[key] = Group(*key)
        groups[key].add(hit)
    return list(groups.values())


def of_first_groups(hits: Sequence[Hit], most: int) -> list[Hit]:
    """The hits of at most so many first groups, in their order, and the first hit that answers well."""
    first = set(islice(dict.fromkeys(map(_key, hits)), most))
    good = next((each for each in hits if each.is_good), None)
    return [each for each in hits if each is good or _key(each) in first]


def _key(hit: Hit) -> GroupKey:
    return group_of(hit.kind, hit.key, hit.session)


def of_kind(groups: Sequence[Group], kind: str) -> list[int]:
    """The keys of all things of a kind that stand in the groups, and of the sessions whose line is shown."""
    if kind == "chunk":
        return [hit.key for each in groups for hit in each.moments]
    return [each.key for each in groups if each.kind == kind]
