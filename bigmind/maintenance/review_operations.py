"""Operations that look back: what became of a fact, and what a person decides about what is recalled unasked."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect
from bigmind.maintenance import review
from bigmind.maintenance.review_answers import AcceptedItem, FlaggedList
from bigmind.memory.context.answers import PlacedItem
from bigmind.memory.context.placement import PlaceableKind, Placement, place
from bigmind.memory.facts import history
from bigmind.memory.facts.answers import FactHistory
from bigmind.operations.catalogue import for_people, operation
from bigmind.operations.inputs import Line, Reference, ReferenceOrProfile
from bigmind.store.work import Work


@operation("History of a fact", Effect.READ)
def memory_get_fact_history(work: Work, fact_id: Reference) -> FactHistory:
    """Call this when facts disagree or the user asks why: what happened to a fact, also to one that no longer holds."""
    return history.fact_history(work, fact_id)


@for_people("List what was flagged", Effect.READ)
def memory_list_flagged(
    work: Work, limit: Annotated[int, Field(ge=1, le=500, description="How many, at most.")] = 50
) -> FlaggedList:
    """What was stored that instructs its reader, and waits for a person before it is recalled unasked."""
    return review.list_flagged(work, limit)


@for_people("Accept what was flagged", Effect.WRITE, in_person=True)
def memory_accept(
    work: Work,
    id: ReferenceOrProfile,  # noqa: A002 - as the hypothesis's: whatever kind it is of
    shown: Annotated[Line, Field(max_length=review.REVISION, description="The revision that the page showed.")] = "",
) -> AcceptedItem:
    """Let something that was flagged into the automatic context, in person. It holds for the words it has now."""
    return review.accept(work, id, shown)


@for_people("Pin or hide in the context", Effect.WRITE, idempotent=True)
def memory_place(
    work: Work,
    kind: Annotated[PlaceableKind, Field(description="What it is.")],
    id: Reference,  # noqa: A002 - of whatever kind, as in memory_accept
    placement: Annotated[
        Placement,
        Field(description="pinned: it comes first; hidden: it is left out; automatic: when it fits."),
    ],
) -> PlacedItem:
    """Pin a thing to the context that conversations start with, hide it there, or undo that."""
    return place(work, kind, id, placement)


OPERATIONS = (memory_get_fact_history, memory_list_flagged, memory_accept, memory_place)
"""After the operations of memory proper."""
