"""Operations of the thought journal that are for people: what a belief says, and taking back how it turned out."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect
from bigmind.memory.answers import HypothesisAnswer
from bigmind.memory.hypotheses import service as journal
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import Confidence, Reference, Text, UnchangedSince
from bigmind.store.work import Work


@for_people("Edit a hypothesis", Effect.WRITE)
def memory_edit_hypothesis(
    work: Work,
    id: Reference,  # noqa: A002 - as memory_resolve_hypothesis has it
    hypothesis: Annotated[Text, Field(min_length=1, max_length=2_000, description="I believe X because Y.")]
    | None = None,
    confidence: Confidence | None = None,
    unchanged_since: UnchangedSince | None = None,
) -> HypothesisAnswer:
    """Write an open hypothesis anew, or say how sure it is now. What is not given stays as it is."""
    return journal.edit_hypothesis(work, id, hypothesis, confidence, unchanged_since)


@for_people("Reopen a hypothesis", Effect.WRITE, idempotent=True)
def memory_reopen_hypothesis(
    work: Work,
    id: Reference,  # noqa: A002 - as above
) -> HypothesisAnswer:
    """Take back how a hypothesis turned out: it is open again, and what was said to have shown it is removed."""
    return journal.reopen_hypothesis(work, id)


OPERATIONS = (memory_edit_hypothesis, memory_reopen_hypothesis)
"""After the operations of memory proper."""
