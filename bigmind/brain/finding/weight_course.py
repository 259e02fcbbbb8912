"""How the weight of a thought came about, told from the log: its row keeps only what it was when it changed last."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import select

from bigmind.brain.finding.pheromone import UNUSED
from bigmind.brain.query_log import STORED
from bigmind.brain.rules import CONTRIBUTED, FIRST_WEIGHT, RETRIEVED, bounded, weight_now
from bigmind.brain.tables import BrainQuery, BrainQuerySource, Thought, ThoughtUse
from bigmind.memory.lookup import key_of
from bigmind.store.tables import table_of
from bigmind.store.work import Work

MOST_CHANGES = 400
"""Changes that are told, the latest."""


class WeightChange(NamedTuple):
    """A moment at which a thought began to weigh so much; from there on it decays."""

    at: datetime
    weight: float


def weight_course(work: Work, row: Thought) -> list[WeightChange]:
    """The changes of a thought's weight, the first when it was stored.

    The last one is what is stored, and so is what it weighs now. What lies before is computed anew by the rules from
    what was asked: a thought that inherited weight is drawn as if it had begun with 1, and of a long course the
    beginning is left out.
    """
    use = work.session.get(ThoughtUse, key_of(row))
    if use is None:
        return [WeightChange(row.created_at, UNUSED.weight)]
    found = course(row.created_at, _reinforced(work, key_of(row)))
    return [*(each for each in found if each.at < use.weighed_at), WeightChange(use.weighed_at, use.weight)]


def course(began: datetime, reinforced: Sequence[tuple[datetime, float]]) -> list[WeightChange]:
    """What a weight was after each change, decayed between; `reinforced` tells when how much was added. Pure."""
    found = [WeightChange(began, FIRST_WEIGHT)]
    for at, more in reinforced:
        last = found[-1]
        found.append(WeightChange(at, bounded(weight_now(last.weight, last.at, at) + more)))
    return found


def _reinforced(work: Work, key: int) -> list[tuple[datetime, float]]:
    """When the thought was returned, and when something came of a session that it had been returned in."""
    source, query, later = table_of(BrainQuerySource), table_of(BrainQuery), table_of(BrainQuery).alias("later")
    returned = select(query.c.created_at).join(source, source.c.query_id == query.c.id)
    returned = returned.where(source.c.thought_id == key)
    shown = select(query.c.id).join(source, source.c.query_id == query.c.id)
    shown = shown.where(source.c.thought_id == key, query.c.session_id == later.c.session_id, query.c.id < later.c.id)
    sessions = select(query.c.session_id).join(source, source.c.query_id == query.c.id)
    sessions = sessions.where(source.c.thought_id == key).distinct()
    given = select(later.c.created_at).where(
        later.c.session_id.in_(sessions), later.c.outcome == STORED, shown.exists()
    )
    connection = work.session.connection()
    found = [
        (at, more)
        for asked, moment, more in (
            (returned, query.c.created_at, RETRIEVED),
            (given, later.c.created_at, CONTRIBUTED),
        )
        for at in connection.execute(asked.order_by(moment.desc()).limit(MOST_CHANGES)).scalars()
    ]
    return sorted(found)[-MOST_CHANGES:]
