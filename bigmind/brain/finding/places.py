"""What decides about a thought's place in an answer, read at once for all that are looked at, without their texts."""

from collections.abc import Collection
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import bindparam, select

from bigmind.brain.rules import FIRST_WEIGHT, weight_now
from bigmind.brain.tables import Thought, ThoughtUse
from bigmind.store.prepared_statements import kept_rows
from bigmind.store.tables import table_of
from bigmind.store.work import Work


class Place(NamedTuple):
    """A thought as far as it decides about its place: what it is, how much it weighs now, how often it was read."""

    key: int
    uid: str
    category: str
    topic: str
    temporal_scope: str
    flags: list[str]
    tags: list[str]
    weight: float
    reads: int


def places(work: Work, keys: Collection[int]) -> dict[int, Place]:
    """The places of these thoughts, in the order of the keys; of those that are there no more, none."""
    told = {row[0]: _place(row, work.now) for row in kept_rows(work, _places(), keys=list(keys))}
    return {key: told[key] for key in keys if key in told}


def _place(row: Any, now: datetime) -> Place:
    weight = FIRST_WEIGHT if row.weighed_at is None else weight_now(row.weight, row.weighed_at, now)
    return Place(
        key=row.id,
        uid=row.uid,
        category=row.category,
        topic=row.topic,
        temporal_scope=row.temporal_scope,
        flags=row.flags,
        tags=row.tags,
        weight=weight,
        reads=row.reads or 0,
    )


@cache
def _places() -> Any:
    thought, use = table_of(Thought).c, table_of(ThoughtUse).c
    columns = (
        *(
            thought.id,
            thought.uid,
            thought.category,
            thought.topic,
            thought.temporal_scope,
            thought.flags,
            thought.tags,
        ),
        *(use.weight, use.weighed_at, use.reads),
    )
    both = table_of(Thought).outerjoin(table_of(ThoughtUse), use.thought_id == thought.id)
    return select(*columns).select_from(both).where(thought.id.in_(bindparam("keys", expanding=True)))
