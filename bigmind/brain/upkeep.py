"""What those who look after the memory ask of the brain: how much it holds, and what no use of it leaves behind."""

from collections.abc import Iterable
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

from sqlalchemy import func, update
from sqlmodel import col, or_, select

from bigmind.brain.finding.lineage import RELATED, is_living
from bigmind.brain.rules import LEAST_WEIGHT, MOST_WEIGHT
from bigmind.brain.tables import BrainQuery, Thought, ThoughtLink, ThoughtUse
from bigmind.core.operation import Space
from bigmind.kinds import readable
from bigmind.memory.lookup import count
from bigmind.store.work import Work


class Holdings(NamedTuple):
    """How much of the brain the caller may read: living thoughts, of these the shared, noise; and own questions."""

    living: int
    shared: int
    noise: int
    questions: int


def holdings(work: Work) -> Holdings:
    """How much the brain holds for the caller. It looks at every thought: not for what is shown all the time."""
    is_shared = func.count().filter(col(Thought.space) == Space.SHARED.value)
    living, shared = work.session.exec(select(func.count(), is_shared).where(*is_living(work))).one()
    aside = (readable(work, work.kinds["thought"]), col(Thought.noise_at).is_not(None))
    asked = count(work, BrainQuery, BrainQuery.user_id == work.caller.user_id)
    return Holdings(living, shared, count(work, Thought, *aside), asked)


def closed_lineage(work: Work) -> list[str]:
    """The ids of the caller's readable thoughts that rest on themselves, by way of others.

    Nothing that BigMind does closes a chain: somebody wrote into the file.
    """
    links = select(ThoughtLink.thought_id, ThoughtLink.other_id).where(ThoughtLink.relation != RELATED)
    closed = on_circles(work.session.exec(links))
    which = (readable(work, work.kinds["thought"]), col(Thought.id).in_(sorted(closed)))
    return list(work.session.exec(select(Thought.uid).where(*which).order_by(Thought.uid))) if closed else []


def on_circles(links: Iterable[tuple[int, int]]) -> set[int]:
    """The nodes of a graph that lie on a circle, or between two."""
    edges = list(links)
    forwards = _behind_circles(edges)
    return forwards & _behind_circles([(other, one) for one, other in edges]) if forwards else set()


def _behind_circles(edges: Iterable[tuple[int, int]]) -> set[int]:
    """The nodes from which a circle is reached."""
    sorter = TopologicalSorter[int]()
    nodes: set[int] = set()
    for one, other in edges:
        sorter.add(one, other)
        nodes |= {one, other}
    try:
        sorter.prepare()
    except CycleError:
        while ready := sorter.get_ready():
            sorter.done(*ready)
            nodes.difference_update(ready)
        return nodes
    return set()


def bring_weights_back(work: Work) -> None:
    """Set each stored weight beyond its bounds, everybody's, to the nearer bound."""
    weight = col(ThoughtUse.weight)
    for beyond, bound in ((weight < LEAST_WEIGHT, LEAST_WEIGHT), (weight > MOST_WEIGHT, MOST_WEIGHT)):
        work.session.connection().execute(update(ThoughtUse).where(beyond).values(weight=bound))


def weights_beyond(work: Work) -> list[str]:
    """The ids of the caller's readable thoughts whose stored weight lies beyond its bounds."""
    beyond = or_(col(ThoughtUse.weight) < LEAST_WEIGHT, col(ThoughtUse.weight) > MOST_WEIGHT)
    query = select(Thought.uid).join(ThoughtUse, col(ThoughtUse.thought_id) == Thought.id)
    return list(work.session.exec(query.where(beyond, readable(work, work.kinds["thought"])).order_by(Thought.uid)))
