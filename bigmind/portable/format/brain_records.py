"""What an export holds of the brain: thoughts with all that hangs on them, and the log of what was asked."""

from datetime import date
from typing import Annotated, ClassVar, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from bigmind.brain.rules import LEAST_WEIGHT, MOST_WEIGHT
from bigmind.portable.format.records import (
    OF_DAY_OR_NONE,
    AcceptableRecord,
    Long,
    Name,
    OwnedRecord,
    Record,
    Short,
    Time,
    Uid,
    Words,
)

ThoughtCategory = Literal[
    "state_snapshot",
    "decision_record",
    "operational_learning",
    "task_outcome",
    "correction",
    "domain_summary",
    "uncategorized",
]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]


def _day(value: str) -> str:
    if value:
        try:
            date.fromisoformat(value)
        except ValueError:
            raise ValueError("a date like 2026-03-30, or nothing") from None
    return value


Day = Annotated[str, Field(pattern=OF_DAY_OR_NONE), AfterValidator(_day)]
Flag = Literal[
    "keyword_echo",
    "orphaned_reference",
    "naked_statement",
    "near_duplicate",
    "missing_fields",
    "contradicts_correction",
    "kept",
]
"""Words of ours, which answers tell as ours: no file adds one."""


class ThoughtLinkRecord(BaseModel):
    """What a thought rests on, or is related to."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)

    relation: Literal["refines", "consolidates", "supersedes", "related"]
    id: Uid
    elsewhere: Literal[True] | None = Field(
        default=None,
        exclude_if=lambda value: value is None,
        description="It leads to what another user shared and this file does not hold: left out where that is not.",
    )


class ThoughtReaderRecord(BaseModel):
    """An agent of the owner that was given a thought."""

    model_config = ConfigDict(extra="forbid", strict=True, defer_build=True)
    texts: ClassVar[tuple[str, ...]] = ("client",)

    client: Short
    reads: Count
    last_read_at: Time


class ThoughtRecord(AcceptableRecord):
    """A thought. Its weight is that at `weighed_at`; from there on it decays by what is no part of an export."""

    section = "thoughts"
    texts = (
        *("project", "client", "agent_name", "topic", "source_value", "source_project", "tags"),
        *("corrected_fact", "correct_fact", "alternatives", "context", "content", "readers"),
    )

    id: Uid
    project: Short | None
    client: Short
    agent_name: Short
    space: Literal["private", "shared"]
    thought_type: Literal["original", "refinement", "consolidation"]
    category: ThoughtCategory
    topic: Short
    temporal_scope: Day
    source_type: Literal["", "task", "file", "commit", "url", "memory"]
    source_value: Short
    source_project: Short
    flags: Annotated[list[Flag], Field(max_length=20)]
    tags: Annotated[list[Annotated[Name, Field(max_length=80)]], Field(max_length=20)]
    corrected_fact: Long
    correct_fact: Long
    alternatives: Long
    context: Long
    content: Words
    links: Annotated[list[ThoughtLinkRecord], Field(max_length=1_000)]
    weight: Annotated[float, Field(ge=LEAST_WEIGHT, le=MOST_WEIGHT, allow_inf_nan=False)]
    weighed_at: Time
    reads: Count
    last_read_at: Time | None
    readers: Annotated[list[ThoughtReaderRecord], Field(max_length=10_000)]
    noise_at: Time | None
    gated_at: Time | None
    created_at: Time
    updated_at: Time


class QuestionRecord(OwnedRecord):
    """A row of the brain's log. Exports have it; no import writes it, for what it proves would be proved by nobody."""

    section = "questions"
    texts = ("project", "client", "text", "context")

    id: Uid
    brain_session: Annotated[Name, Field(max_length=20)]
    project: Short | None
    client: Short
    operation: Annotated[Name, Field(max_length=80)]
    outcome: Annotated[Name, Field(max_length=20)]
    thought: Uid | None
    returned: Count
    sources: Annotated[list[Uid], Field(max_length=1_000)]
    text: Long
    context: Long
    created_at: Time


BRAIN_RECORDS: tuple[type[Record], ...] = (ThoughtRecord, QuestionRecord)
"""Behind those of the memory."""
