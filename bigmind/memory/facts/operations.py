"""What people do with facts, beside what memory offers to everybody."""

from typing import Annotated

from pydantic import Field

from bigmind.core.operation import Effect
from bigmind.memory.facts import service as facts
from bigmind.memory.facts.answers import EditedFact, KeptFacts, ReinstatedFact
from bigmind.memory.facts.editing import FactEdit, reinstate_fact
from bigmind.memory.facts.editing import edit_fact as edited
from bigmind.memory.facts.editing import keep_both_facts as both_kept
from bigmind.memory.operations import Category
from bigmind.memory.profile.answers import ProfileAnswer
from bigmind.operations.catalogue import for_people
from bigmind.operations.inputs import Bullets, Confidence, ProjectOrNone, Reference, Text, UnchangedSince
from bigmind.store.work import Work


@for_people("Edit a fact", Effect.WRITE, idempotent=True)
def memory_edit_fact(
    work: Work,
    fact_id: Reference,
    fact: Annotated[Text, Field(min_length=1, max_length=2_000, description="What it says from now on.")] | None = None,
    category: Category | None = None,
    confidence: Confidence | None = None,
    project: ProjectOrNone | None = None,
    unchanged_since: UnchangedSince | None = None,
) -> EditedFact:
    """Put a fact right. What is not given stays as it is, and what stood there before stays in its history."""
    edit = FactEdit(fact, category.lower() if category else None, confidence, project)
    return edited(work, fact_id, edit, unchanged_since)


@for_people("Reinstate a fact", Effect.WRITE, idempotent=True)
def memory_reinstate_fact(work: Work, fact_id: Reference) -> ReinstatedFact:
    """Take back that a fact no longer holds: it is told and found again, and its history keeps both."""
    return reinstate_fact(work, fact_id)


@for_people("Keep both facts", Effect.WRITE, idempotent=True)
def memory_keep_both_facts(
    work: Work, fact_id: Reference, other_id: Annotated[Reference, Field(description="The one that holds beside it.")]
) -> KeptFacts:
    """Say that two facts hold beside each other: they are not asked about again, and nothing else is confirmed."""
    return both_kept(work, fact_id, other_id)


@for_people("Edit the profile", Effect.WRITE, idempotent=True)
def memory_edit_profile(
    work: Work,
    role: Annotated[Text, Field(max_length=500, description="Job and field.")] | None = None,
    preferences: Annotated[Text, Field(max_length=4_000, description="How you like to work.")] | None = None,
    pinned_facts: Annotated[Bullets, Field(description="Replaces the whole list.")] | None = None,
    unchanged_since: UnchangedSince | None = None,
) -> ProfileAnswer:
    """Write the profile anew. What is not given stays as it is, and what was changed meanwhile is not overwritten."""
    return facts.update_profile(work, role, preferences, pinned_facts, unchanged_since, is_by_hand=True)


OPERATIONS = (memory_edit_fact, memory_reinstate_fact, memory_keep_both_facts, memory_edit_profile)
"""After the operations of review."""
