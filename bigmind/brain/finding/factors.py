"""The order of thoughts: the search's score times what is known of each. Pure; the numbers stand in rules.py."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from bigmind.brain.rules import (
    CONTEXT_STEERS,
    CORRECTION,
    CORRECTION_CATEGORY,
    FLAGGED,
    REFINEMENT_OF_HIT,
    STALE_BESIDE_NEWER,
    STALE_NEWEST,
    SUPERSEDED,
    is_stale,
    weight_factor,
)
from bigmind.brain.tables import KEPT

STALE = "stale"
"""A flag that is stored with no thought: whether it is, the day decides."""


def flags_on(today: date, flags: Iterable[str], category: str, temporal_scope: str) -> list[str]:
    """The flags of a thought on that day: those that it was stored with, and `STALE`."""
    return [*(each for each in flags if each != KEPT), *([STALE] if is_stale(category, temporal_scope, today) else [])]


@dataclass(frozen=True, slots=True)
class Standing:
    """What is known of a thought that answers, beside its text.

    Attributes:
        key: of the thought.
        score: the search's, a share of the best hit's.
        category: of the thought.
        flags: its quality flags, `stale` among them.
        has_newer: whether a newer snapshot of its topic lives.
        superseded_by: the relations by which others, that the reader may read, rest on it.
        refines: the thoughts that it refines.
        weight: its pheromone weight now.
        context: how much of the asker's context it is about, from 0 to 1.
    """

    key: int
    score: float
    category: str = ""
    flags: frozenset[str] = frozenset()
    has_newer: bool = False
    superseded_by: frozenset[str] = frozenset()
    refines: frozenset[int] = frozenset()
    weight: float = 1.0
    context: float = 0.0


def factor(one: Standing, hits: frozenset[int]) -> float:
    """What the score of a thought is multiplied by; `hits` are the keys of all that answer."""
    found = weight_factor(one.weight) * (1.0 + CONTEXT_STEERS * one.context)
    for flag, counts in FLAGGED.items():
        found *= counts if flag in one.flags else 1.0
    if STALE in one.flags:
        found *= STALE_BESIDE_NEWER if one.has_newer else STALE_NEWEST
    if one.superseded_by:
        found *= min(SUPERSEDED[each] for each in one.superseded_by)
    if one.category == CORRECTION_CATEGORY:
        found *= CORRECTION
    if one.refines & hits:
        found *= REFINEMENT_OF_HIT
    return found


def ordered(found: Iterable[Standing], successors: Mapping[int, Sequence[int]]) -> list[Standing]:
    """The thoughts, best first, each with its score; what superseded another stands above it, however little it fits.

    Args:
        found: each once.
        successors: of a thought, those that supersede it; what is not among the found is passed over.

    Returns:
        Them with their scores after all factors.
    """
    known = {each.key: each for each in found}
    hits = frozenset(known)
    scores = {key: each.score * factor(each, hits) for key, each in known.items()}
    depths = dict.fromkeys(known, 0)
    steps = [(key, later) for key in sorted(known) for later in successors.get(key, ()) if later in known]
    for _ in known:  # as long as the longest chain, which is one or two steps mostly
        raised = [each for each in steps if depths[each[1]] <= depths[each[0]] or scores[each[1]] < scores[each[0]]]
        for key, later in raised:
            scores[later] = max(scores[later], scores[key])
            depths[later] = max(depths[later], depths[key] + 1)
        if not raised:
            break
    order = sorted(known, key=lambda key: (scores[key], depths[key], key), reverse=True)
    return [replace(known[key], score=scores[key]) for key in order]
