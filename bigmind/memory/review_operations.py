"""Operations that look back: what became of a fact, and what a person must judge before it is recalled unasked."""

from typing import Annotated

from pydantic import Field

from bigmind.catalog import operation
from bigmind.core.operation import FOR_PEOPLE, Effect
from bigmind.fields import Line, Reference
from bigmind.memory import acceptance, facts_history
from bigmind.memory.fact_answers import FactHistory
from bigmind.memory.review_answers import AcceptedItem, FlaggedList
from bigmind.store.work import Work

FlaggedReference = Annotated[
    Line, Field(min_length=7, max_length=36, description="Id, its first 8 or more characters, or `profile`.")
]


@operation("History of a fact", Effect.READ)
def memory_get_fact_history(work: Work, fact_id: Reference) -> FactHistory:
    """Call this when facts disagree or the user asks why: what happened to a fact, also to one that no longer holds."""
    return facts_history.fact_history(work, fact_id)


@operation("List what was flagged", Effect.READ, people_only=True, surfaces=FOR_PEOPLE)
def memory_list_flagged(
    work: Work, limit: Annotated[int, Field(ge=1, le=500, description="How many, at most.")] = 50
) -> FlaggedList:
    """What was stored that instructs its reader, and waits for a person before it is recalled unasked."""
    return acceptance.list_flagged(work, limit)


@operation("Accept what was flagged", Effect.WRITE, people_only=True, surfaces=FOR_PEOPLE)
def memory_accept(
    work: Work,
    id: FlaggedReference,  # noqa: A002 - as the hypothesis's: whatever kind it is of
) -> AcceptedItem:
    """Let something that was flagged into the automatic context. It holds for the words it has now."""
    return acceptance.accept(work, id)


OPERATIONS = (memory_get_fact_history, memory_list_flagged, memory_accept)
"""After the operations of memory proper."""
