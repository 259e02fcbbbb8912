"""What the brain offers. The docstrings are read by models on every call: when to call comes first."""

import json
import unicodedata
from datetime import date
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from bigmind.brain.answers import BrainAnswer, DomainList, HighwayList, LineageAnswer, ThoughtAnswer, ThoughtList
from bigmind.brain.rules import LONGEST_CONTEXT, LONGEST_TAG, LONGEST_THOUGHT, MOST_TAGS
from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import FOR_PEOPLE, Effect
from bigmind.core.plain_text import one_line, seen
from bigmind.operations.catalogue import for_people, operation
from bigmind.operations.inputs import LeastUnsaid, Line, Reference, Text, split
from bigmind.store.work import Work

if TYPE_CHECKING:
    from bigmind.brain import service
else:
    service = LazyModule("bigmind.brain.service")

TOOLSET = "brain"

Category = Annotated[
    Literal[
        "state_snapshot",
        "decision_record",
        "operational_learning",
        "task_outcome",
        "correction",
        "domain_summary",
        "uncategorized",
    ],
    Field(description="Its kind."),
]
SpaceName = Annotated[Literal["shared", "private"], Field(description="private: your agents.")]


def _topic(value: object) -> object:
    if not isinstance(value, str):
        return value
    composed = unicodedata.normalize("NFC", value.lower())  # as file names of macOS are not
    return "/".join(part for each in composed.split("/") if (part := one_line(seen(each))))


def _day(value: str) -> str:
    try:
        return date.fromisoformat(value[:10]).isoformat()
    except ValueError:
        raise ValueError("a date like 2026-03-30") from None


Prompt = Annotated[
    str,
    BeforeValidator(lambda value: value.strip() if isinstance(value, str) else value),
    Text,
    Field(min_length=1, max_length=LONGEST_THOUGHT, description="Understood without this conversation."),
    LeastUnsaid(),
]
AskerContext = Annotated[Text, Field(max_length=LONGEST_CONTEXT, description="What you work on; steers the order.")]
Background = Annotated[Text, Field(max_length=LONGEST_CONTEXT, description="What you work on.")]
BrainSessionId = Annotated[Line, Field(min_length=1, max_length=100, description="From the last answer; q-….")]
Topic = Annotated[str, BeforeValidator(_topic), Field(min_length=1, max_length=200, description="As pay/refunds.")]
TopicOrNone = Annotated[str, BeforeValidator(_topic), Field(max_length=200, description="Empty for none.")]
Tag = Annotated[Line, StringConstraints(to_lower=True, min_length=1, max_length=2 * LONGEST_TAG)]
"""A longer one than is kept is cut; one that is no tag at all is refused."""
Tags = Annotated[list[Tag], Field(max_length=MOST_TAGS, description="Lower case."), BeforeValidator(split)]
Day = Annotated[Line, Field(min_length=1, max_length=40, description="Its day, as 2026-03-30."), AfterValidator(_day)]
ThoughtId = Annotated[Line, Field(min_length=8, max_length=36)]
Thoughts = Annotated[list[ThoughtId], Field(max_length=50, description="Ids."), BeforeValidator(split)]
Limit = Annotated[int, Field(ge=1, le=50, description="At most.")]


class SourceRef(BaseModel):
    """Where a thought comes from."""

    model_config = ConfigDict(extra="forbid", defer_build=True)

    type: Literal["task", "file", "commit", "url"]
    value: Annotated[Line, Field(min_length=1, max_length=1_000)]
    project: Annotated[Line, Field(max_length=200)] = ""


def _source(value: object) -> object:
    """A source as `task:PAY-12`, as commands give it, or as JSON in a text, as some models do."""
    if not isinstance(value, str):
        return value
    if value.lstrip().startswith("{"):
        try:
            return json.loads(value)
        except ValueError:
            raise ValueError('JSON like {"type": "task", "value": "PAY-12"}') from None
    kind, _, rest = value.partition(":")
    return {"type": kind.strip().lower(), "value": rest.strip()}


def _look_up(
    work: Work,
    prompt: str,
    context: str | None = None,
    session_id: str | None = None,
    topic: str | None = None,
    category: str | None = None,
    tags: list[str] | None = None,
    space: str | None = None,
    limit: int = 5,
    full_content: bool = False,
) -> Any:
    asked = service.Question(
        prompt, context or "", topic or "", category or "", tuple(tags or ()), space or "", limit, full_content
    )
    return service.look_up(work, asked, session_id)


@operation("Ask the brain", Effect.WRITE, toolset=TOOLSET, looks=_look_up, is_harmless=True)
def query_brain(
    work: Work,
    prompt: Prompt,
    context: AskerContext | None = None,
    session_id: BrainSessionId | None = None,
    topic: Topic | None = None,
    category: Category | None = None,
    tags: Tags | None = None,
    space: SpaceName | None = None,
    limit: Limit = 5,
    full_content: Annotated[bool, Field(description="Whole texts.")] = False,
    found: Any = None,
) -> BrainAnswer:
    """CALL THIS BEFORE you start a task, decide something or repeat work: it returns what other agents know of it.

    Pass the session_id of the last answer again.
    """
    del prompt, context, session_id, topic, category, tags, space, limit, full_content
    return service.answer_query(work, found)


def _look_around(work: Work, prompt: str, session_id: str | None = None, **given: Any) -> Any:
    return service.look_around(work, _contribution(prompt, **given), session_id)


def _contribution(
    prompt: str,
    context: str | None,
    category: str | None,
    topic: str | None,
    tags: list[str] | None,
    temporal_scope: str | None,
    source_ref: SourceRef | None,
    alternatives_considered: str | None,
    refines: str | None,
    consolidates: list[str] | None,
    corrected_fact: str | None,
    correct_fact: str | None,
    supersedes: list[str] | None,
    related: list[str] | None,
    space: str | None,
) -> Any:
    return service.Contribution(
        prompt=prompt,
        context=context or "",
        category=category or "",
        topic=topic or "",
        tags=tuple(tags or ()),
        temporal_scope=temporal_scope or "",
        source_type=source_ref.type if source_ref else "",
        source_value=source_ref.value if source_ref else "",
        source_project=source_ref.project if source_ref else "",
        alternatives=alternatives_considered or "",
        refines=refines or "",
        consolidates=tuple(consolidates or ()),
        corrected_fact=corrected_fact or "",
        correct_fact=correct_fact or "",
        supersedes=tuple(supersedes or ()),
        related=tuple(related or ()),
        space=space or "",
    )


@operation("Contribute to the brain", Effect.WRITE, toolset=TOOLSET, looks=_look_around)
def contribute_to_brain(
    work: Work,
    prompt: Prompt,
    context: Background | None = None,
    session_id: BrainSessionId | None = None,
    category: Category | None = None,
    topic: Topic | None = None,
    tags: Tags | None = None,
    temporal_scope: Day | None = None,
    source_ref: Annotated[SourceRef, BeforeValidator(_source), Field(description="Where it comes from.")] | None = None,
    alternatives_considered: Annotated[Text, Field(max_length=LONGEST_THOUGHT, description="What lost, and why.")]
    | None = None,
    refines: Reference | None = None,
    consolidates: Thoughts | None = None,
    corrected_fact: Annotated[Text, Field(max_length=2_000, description="What turned out wrong.")] | None = None,
    correct_fact: Annotated[Text, Field(max_length=2_000, description="What is right.")] | None = None,
    supersedes: Thoughts | None = None,
    related: Thoughts | None = None,
    space: SpaceName | None = None,
    found: Any = None,
) -> BrainAnswer:
    """CALL THIS when you decided, learned or finished what other agents can use: a statement over 50 characters.

    state_snapshot: topic, temporal_scope, source_ref. decision_record: topic, source_ref, what, why now, what
    lost and why. operational_learning: topic, insight, when, what to do. task_outcome: what was done, the
    task as source_ref.
    """
    del prompt, context, session_id, category, topic, tags, temporal_scope, source_ref, alternatives_considered
    del refines, consolidates, corrected_fact, correct_fact, supersedes, related, space
    return service.store_contribution(work, found)


@operation("Thought", Effect.READ, toolset=TOOLSET)
def brain_get_thought(work: Work, id: Reference) -> ThoughtAnswer:  # noqa: A002 - as the tool has it
    """Call this for one thought whole: text, source, readers, what superseded it."""
    return service.get_thought(work, id)


@operation("Lineage of a thought", Effect.READ, toolset=TOOLSET)
def brain_get_lineage(work: Work, id: Reference) -> LineageAnswer:  # noqa: A002
    """Call this to see what a thought rests on, and what rests on it."""
    return service.get_lineage(work, id)


@operation("Domains of the brain", Effect.READ, toolset=TOOLSET)
def brain_list_domains(work: Work) -> DomainList:
    """Call this to see what the brain knows about: domains, each with a summary."""
    return service.list_domains(work)


@operation("Describe a thought anew", Effect.WRITE, toolset=TOOLSET, idempotent=True)
def brain_update_thought(
    work: Work,
    id: Reference,  # noqa: A002
    category: Category | None = None,
    topic: TopicOrNone | None = None,
    tags: Tags | None = None,
    related: Thoughts | None = None,
) -> ThoughtAnswer:
    """Call this to mend category, topic, tags or related thoughts of a thought of yours; its text stays."""
    return service.update_thought(work, id, service.Description(category, topic, tags, related))


@operation("Share a thought", Effect.WRITE, toolset=TOOLSET)
def brain_share_thought(work: Work, id: Reference) -> ThoughtAnswer:  # noqa: A002
    """Call this when everybody should know a private thought of yours; it cannot be taken back."""
    return service.share_thought(work, id)


@operation("Highways of the brain", Effect.READ, toolset=TOOLSET, surfaces=FOR_PEOPLE)
def brain_list_highways(work: Work, topic: Topic | None = None, limit: Limit = 20) -> HighwayList:
    """The thoughts that several agents read again and again, best traffic first."""
    return service.list_highways(work, limit, topic or "")


@operation("Thoughts without a category", Effect.READ, toolset=TOOLSET, surfaces=FOR_PEOPLE)
def brain_list_uncategorized(work: Work, limit: Limit = 50) -> ThoughtList:
    """Thoughts that wait to be categorized, newest first."""
    return service.list_uncategorized(work, limit)


def _promote(
    work: Work,
    id: str,  # noqa: A002
    category: str | None = None,
    topic: str | None = None,
    space: str | None = None,
) -> Any:
    return service.promote(work, id, category or "", topic or "", space or "")


@operation("Make a thought of something remembered", Effect.WRITE, toolset=TOOLSET, looks=_promote)
def brain_promote(
    work: Work,
    id: Reference,  # noqa: A002
    category: Category | None = None,
    topic: Topic | None = None,
    space: SpaceName | None = None,
    found: Any = None,
) -> BrainAnswer:
    """Call this to make a thought of a fact or a moment that can help other agents."""
    del id, category, topic, space
    return service.store_contribution(work, found)


@for_people("The gardening queue", Effect.READ, toolset=TOOLSET)
def brain_list_queue(work: Work, limit: Limit = 50) -> ThoughtList:
    """Thoughts that want a person's look: without a category, or flagged."""
    return service.list_queue(work, limit)


@for_people("Keep a thought as it is", Effect.WRITE, toolset=TOOLSET, idempotent=True)
def brain_keep_thought(work: Work, id: Reference, keep: bool = True) -> ThoughtAnswer:  # noqa: A002
    """Keep a thought of the queue as it is, flags and all; `keep` false has it wait there again."""
    return service.keep_thought(work, id, is_kept=keep)


@for_people("Keep a thought out of answers", Effect.WRITE, toolset=TOOLSET)
def brain_mark_noise(work: Work, id: Reference) -> ThoughtAnswer:  # noqa: A002
    """Mark a thought as noise: it is kept, and in no answer."""
    return service.mark_noise(work, id, is_noise=True)


@for_people("Let a thought into answers again", Effect.WRITE, toolset=TOOLSET)
def brain_unmark_noise(work: Work, id: Reference) -> ThoughtAnswer:  # noqa: A002
    """Take back that a thought is noise."""
    return service.mark_noise(work, id, is_noise=False)


OPERATIONS = (
    query_brain,
    contribute_to_brain,
    brain_get_thought,
    brain_get_lineage,
    brain_list_domains,
    brain_update_thought,
    brain_share_thought,
    brain_promote,
    brain_list_queue,
    brain_keep_thought,
    brain_mark_noise,
    brain_unmark_noise,
    brain_list_highways,
    brain_list_uncategorized,
)
