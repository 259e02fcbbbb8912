"""What company knowledge (Tier G) offers to the outside."""

from typing import Annotated, Literal

from pydantic import BeforeValidator, Field

from bigmind.core.operation import Effect, Role
from bigmind.memory.knowledge import service as knowledge
from bigmind.memory.knowledge.answers import EntryHits, EntryList, PromotedEntry, ReviewedEntry
from bigmind.memory.rules import EntryStatus, Review
from bigmind.operations.catalogue import for_people, operation
from bigmind.operations.inputs import Importance, Line, Query, Reference, Text, UnchangedSince
from bigmind.store.work import Work

LONGEST_CONTENT = 20_000


def _lower(value: object) -> object:
    return value.strip().lower() if isinstance(value, str) else value


Category = Annotated[
    Literal["architecture", "standard", "decision", "pattern", "glossary"],
    BeforeValidator(_lower),
    Field(description="What kind of knowledge."),
]
Title = Annotated[Line, Field(min_length=1, max_length=80, description="What it is about, at most 80 characters.")]
Content = Annotated[
    Text, Field(min_length=1, max_length=LONGEST_CONTENT, description="What holds, and why; best under 500 tokens.")
]
Status = Annotated[
    EntryStatus, Field(description="Pending and deprecated ones are for curators; others see their own.")
]
Notes = Annotated[Line, Field(min_length=1, max_length=1_000, description="Why, for whoever reads it later.")]


@operation("Promote to company knowledge", Effect.WRITE)
def memory_promote_to_global(
    work: Work,
    category: Category,
    title: Title,
    content: Content,
    importance: Importance = 5,
    source_session: Reference | None = None,
) -> PromotedEntry:
    """Call this when something should hold for every project or colleague: an architecture, standard, decision.

    In a team it waits for a curator.
    """
    return knowledge.promote(work, knowledge.Draft(category, title, content, importance, source_session))


@operation("List company knowledge", Effect.READ)
def memory_list_global(
    work: Work,
    category: Category | None = None,
    status: Status = "approved",
    limit: Annotated[int, Field(ge=1, le=50, description="How many at most.")] = 10,
) -> EntryList:
    """Call this to read company knowledge, the most important first, when the context left some of it out."""
    return knowledge.list_entries(work, category, status, limit)


@operation("Search company knowledge", Effect.READ)
def memory_search_global(
    work: Work, query: Query, limit: Annotated[int, Field(ge=1, le=50, description="How many at most.")] = 5
) -> EntryHits:
    """Call this before you decide on architecture, naming or process: finds approved company knowledge by words."""
    return knowledge.search_entries(work, query, limit)


@operation("Review company knowledge", Effect.DESTRUCTIVE, permission=Role.CURATOR)
def memory_approve_global(
    work: Work,
    entry_id: Reference,
    action: Annotated[Review, Field(description="To deprecate a pending one rejects it.")],
    notes: Notes | None = None,
) -> ReviewedEntry:
    """Call this when a curator tells you to approve or to deprecate an entry of company knowledge."""
    return knowledge.review(work, entry_id, action, notes)


@for_people("Edit company knowledge", Effect.WRITE)
def memory_edit_global(
    work: Work,
    entry_id: Reference,
    title: Title | None = None,
    content: Content | None = None,
    category: Category | None = None,
    importance: Importance | None = None,
    notes: Notes | None = None,
    unchanged_since: UnchangedSince | None = None,
) -> ReviewedEntry:
    """Write an entry of company knowledge anew. In a team it is approved again after that, by somebody else."""
    wanted = knowledge.Edit(title, content, category, importance)
    return knowledge.edit(work, entry_id, wanted, notes, unchanged_since)


OPERATIONS = (
    memory_promote_to_global,
    memory_list_global,
    memory_search_global,
    memory_approve_global,
    memory_edit_global,
)
