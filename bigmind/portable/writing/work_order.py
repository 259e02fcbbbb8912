"""In which order items of work are written: each behind those that it rests on."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from graphlib import TopologicalSorter


def in_order(rests_on: Mapping[str, Iterable[str]]) -> Iterator[Sequence[str]]:
    """Groups of ids, each behind those that it rests on; those that rest on one another are one group.

    Linear in what is given.
    """
    graph = {each: [other for other in others if other in rests_on] for each, others in rests_on.items()}
    group_of = _circles(graph)
    groups: dict[str, list[str]] = {}
    behind: dict[str, set[str]] = {}
    for each, others in graph.items():
        group = group_of[each]
        groups.setdefault(group, []).append(each)
        behind.setdefault(group, set()).update(group_of[other] for other in others if group_of[other] != group)
    yield from (groups[each] for each in TopologicalSorter(behind).static_order())


def _circles(graph: Mapping[str, Sequence[str]]) -> dict[str, str]:
    """For each node one that stands for all that lead to it and that it leads to (S. Rao Kosaraju's way)."""
    back: dict[str, list[str]] = {each: [] for each in graph}
    for each, others in graph.items():
        for other in others:
            back[other].append(each)
    found: dict[str, str] = {}
    for first in reversed(_as_left(graph)):
        waiting = [first]
        while waiting:
            each = waiting.pop()
            if each not in found:
                found[each] = first
                waiting += [other for other in back[each] if other not in found]
    return found


def _as_left(graph: Mapping[str, Sequence[str]]) -> list[str]:
    """The nodes in the order in which a walk into the depth leaves them."""
    left: dict[str, None] = {}
    entered = set[str]()
    for first in graph:
        waiting = [first]
        while waiting:
            each = waiting[-1]
            if each in entered:
                left.setdefault(waiting.pop())
            else:
                entered.add(each)
                waiting += [other for other in graph[each] if other not in entered]
    return [*left]
