"""Highways: thoughts that several agents read again and again."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from sqlmodel import col, select

from bigmind.brain.finding.lineage import is_living
from bigmind.brain.finding.pheromone import readers, uses
from bigmind.brain.rules import HIGHWAY_AGENTS, HIGHWAY_NEAR, HIGHWAY_READS, MOST_HIGHWAYS, ONE_HIGHWAY
from bigmind.brain.tables import Thought, ThoughtUse
from bigmind.embedding.models import model_named
from bigmind.search.model_state import active_model
from bigmind.store.descriptions import PathCondition
from bigmind.store.tables import Embedding
from bigmind.store.work import Work

MOST_WEIGHED = 500
"""The most read thoughts, of which highways are told."""


class Highway(NamedTuple):
    """A thought that at least two agents read, at least three times together."""

    row: Thought
    weight: float
    reads: int
    readers: int

    @property
    def traffic(self) -> int:
        """By which they are ordered."""
        return self.reads * self.readers


def near_highways(work: Work, near: Sequence[tuple[int, float]], without: Collection[int]) -> list[Highway]:
    """The highways among what is near a question, best traffic first.

    Args:
        work: reads.
        near: keys of thoughts, and how near each is; only those that were read often enough need to be among them.
        without: the keys of those that are shown anyway.
    """
    keys = [key for key, similarity in near if similarity >= HIGHWAY_NEAR and key not in without]
    return _told(work, keys, MOST_HIGHWAYS)


def all_highways(work: Work, most: int, topic: str = "") -> list[Highway]:
    """The highways that the caller may read, best traffic first; of a topic and what lies below it, if one is named."""
    read = select(ThoughtUse.thought_id).join(Thought, col(Thought.id) == ThoughtUse.thought_id)
    read = read.where(col(ThoughtUse.reads) >= HIGHWAY_READS, *is_living(work))
    if topic:
        read = read.where(PathCondition("topic", topic).over(Thought))
    return _told(work, work.session.exec(read.order_by(col(ThoughtUse.reads).desc()).limit(MOST_WEIGHED)).all(), most)


def _told(work: Work, keys: Sequence[int], most: int) -> list[Highway]:
    used = {key: each for key, each in uses(work, keys).items() if each.reads >= HIGHWAY_READS} if keys else {}
    agents = {key: count for key, count in readers(work, list(used)).items() if count >= HIGHWAY_AGENTS} if used else {}
    if not agents:
        return []
    living = select(Thought).where(col(Thought.id).in_(agents), *is_living(work))
    rows = [row for row in work.session.exec(living) if not row.caution or row.accepted_at is not None]
    found = [Highway(row, used[row.id or 0].weight, used[row.id or 0].reads, agents[row.id or 0]) for row in rows]
    found.sort(key=lambda each: (each.traffic, each.row.id), reverse=True)
    return _distinct(work, found, most)


def _distinct(work: Work, found: Sequence[Highway], most: int) -> list[Highway]:
    """Without those that nearly say what one with more traffic says."""
    kept: list[Highway] = []
    for each in found:
        if len(kept) == most:
            break
        if not _says_again(work, each, kept):
            kept.append(each)
    return kept


def _says_again(work: Work, one: Highway, kept: Sequence[Highway]) -> bool:
    if any(one.row.content.casefold() == other.row.content.casefold() for other in kept):
        return True
    index, model = work.host.meaning.vectors, model_named(active_model(work))
    if not kept or index is None or index.why_not(work.session):
        return False
    own = select(Embedding.vector).where(
        Embedding.kind == "thought", Embedding.item == one.row.id, Embedding.model == model.name, Embedding.piece == 0
    )
    vector = work.session.exec(own).first()
    if vector is None:
        return False
    near = index.similar(work.session, model.name, vector, "thought", [each.row.id or 0 for each in kept])
    return any(model.similarity(each.similarity) > ONE_HIGHWAY for each in near)
