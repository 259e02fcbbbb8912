"""Which thoughts want a person's look; counted on every page of theirs."""

from typing import Any

from sqlalchemy import String, cast, func, text
from sqlmodel import col, select

from bigmind.brain.finding.lineage import is_living
from bigmind.brain.tables import KEPT, WANTS_A_LOOK, Thought
from bigmind.store.driver_statements import limit_of
from bigmind.store.work import Work

MOST_COUNTED = 1_000


def queue_conditions(work: Work) -> list[Any]:
    """The conditions of a thought that wants a look: it lives, has no category or some flag, and nobody kept it so."""
    return [text(WANTS_A_LOOK), cast(col(Thought.flags), String).not_like(f'%"{KEPT}"%'), *is_living(work)]


def queue_length(work: Work) -> Any:
    """A statement that counts them for the caller, up to `MOST_COUNTED`."""
    some = select(Thought.id).where(*queue_conditions(work)).limit(limit_of(MOST_COUNTED)).subquery()
    return select(func.count()).select_from(some)
