"""What the brain answers: data as documented for programs, and the same in words."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Literal

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.ids import short
from bigmind.core.operation import Offer, offered_only
from bigmind.core.plain_text import one_line, quoted, shortened
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import ACCEPTED_WHERE, RECALLED, counted, held_in_words, noted, part, plain, why_flagged

PREVIEW = 120
"""Characters of a thought that stand in `content_preview`."""
SHOWN_WHOLE = 600
"""Characters up to which an answer's words hold all of a thought; of a longer one the stretch that answers."""

CAUTION = "What in its text instructs a later reader; its text is left out until a person accepts it."


def _is_none(value: object) -> bool:
    return value is None


def _is_empty(value: Any) -> bool:
    return not value


class SourceReference(Part):
    """Where a thought comes from."""

    type: Literal["task", "file", "commit", "url", "memory"] = Field(
        description="memory: a person's fact or moment that was made a thought."
    )
    value: str
    project: str = ""


class ThoughtSource(Part):
    """A thought that answers."""

    thought_id: str
    contributor: str
    score: float = Field(description="Its place among the sources, and how near the nearest of all is; at most 1.")
    similarity: float
    content_preview: str
    content: str | None = Field(default=None, exclude_if=_is_none)
    thought_category: str
    topic: str
    temporal_scope: str
    quality_flags: list[str]
    refined_by: str | None
    superseded: bool
    matching_reason: str
    matching_fields: list[str]
    caution: str = Field(default="", exclude_if=_is_empty, description=CAUTION)
    told: str = Field(default="", exclude=True)
    origin: str = Field(default="", exclude=True)
    source: str = Field(default="", exclude=True)
    at: datetime | None = Field(default=None, exclude=True)
    whole: int = Field(default=0, exclude=True)

    def as_text(self) -> str:
        """The source for a model: a label of ours, and behind it the thought, quoted."""
        if self.caution:
            return held_in_words("", self.thought_id, self.thought_category, self.caution)
        marks = [part(self.thought_category)] if self.thought_category != "uncategorized" else []
        if self.topic:
            marks.append(f"topic {part(self.topic)}")
        if self.temporal_scope:
            marks.append(f"as of {self.temporal_scope}")
        when = f", {local(self.at, '%Y-%m-%d')}" if self.at is not None else ""
        marks += [f"by {part(self.contributor)}{when}", *([self.origin] if self.origin else [])]
        if self.source:
            marks.append(f"source {part(self.source, 120)}")
        marks += [f"score {self.score:.2f}", part(self.matching_reason, 120)]
        if self.superseded:
            marks.append(f"superseded by {short(self.refined_by or '')}")
        if self.quality_flags:
            marks.append(f"flags: {', '.join(self.quality_flags)}")
        return f"- `{short(self.thought_id)}` · {' · '.join(marks)}\n  > {plain(self.told)}"


class NearbyHighway(Part):
    """A well-travelled thought near the question."""

    thought_id: str
    content_preview: str
    topic: str
    reads: int
    readers: int
    weight: float


class TagCluster(Part):
    """Thoughts that answer and share a tag."""

    tag: str
    count: int


class Disambiguation(Part):
    """Where much was found: the clusters; the sources come from the first."""

    message: str
    clusters: list[TagCluster]


class CountedWork(Part):
    """For which of the caller's work items an entry counts; where for none, the guidance says why."""

    counts_for: list[str]


class BrainResult(Part):
    """What is known."""

    response: str
    sources: list[ThoughtSource]
    highways_nearby: list[NearbyHighway]
    disambiguation: Disambiguation | None
    guidance: list[str]
    work: CountedWork | None = Field(default=None, exclude_if=_is_none)


class LineageSummary(Part):
    """What a stored thought rests on."""

    refines: list[str] = Field(default_factory=list[str])
    consolidates: list[str] = Field(default_factory=list[str])
    supersedes: list[str] = Field(default_factory=list[str])


class BrainTrace(Part):
    """How the answer came about."""

    session_id: str
    thought_id: str | None = Field(default=None, exclude_if=_is_none)
    operations: list[str]
    thoughts_retrieved: int
    thoughts_contributed: int
    contribution_threshold_met: bool
    context_used: bool
    retrieval_method: Literal["hybrid", "words"]
    quality_flags: list[str] | None = Field(default=None, exclude_if=_is_none)
    lineage_summary: LineageSummary | None = Field(default=None, exclude_if=_is_none)


class BrainAnswer(Answer):
    """An answer of the brain."""

    result: BrainResult
    trace: BrainTrace
    refusal: str = Field(default="", exclude=True, description="Why a contribution was not stored; a form stays open.")

    @property
    def drawn_from(self) -> int:
        """Characters of the sources, whole."""
        return sum(each.whole for each in self.result.sources)

    def as_text(self) -> str:
        return f"{self.result.response}\n\nBrain session {self.trace.session_id}.".strip()

    def hints(self, offer: Offer) -> Sequence[str]:
        advice = " ".join(offered_only(offer, self.result.guidance))
        return (advice,) if advice else ()


class ThoughtAnswer(Answer):
    """One thought, whole."""

    thought_id: str
    content: str
    contributor: str
    agent: str = Field(description="The token's name; what the agent calls itself stands behind a slash.")
    thought_type: str
    thought_category: str
    topic: str
    temporal_scope: str
    source_ref: SourceReference | None
    alternatives_considered: str
    corrected_fact: str
    correct_fact: str
    context: str
    tags: list[str]
    quality_flags: list[str]
    space: Literal["private", "shared"]
    project: str | None
    created_at: datetime
    access_count: int
    accessed_by: list[str]
    last_accessed_at: datetime | None
    pheromone_weight: float
    superseded: bool
    refined_by: str | None
    refines: list[str]
    consolidates: list[str]
    supersedes: list[str]
    related: list[str]
    caution: str = Field(default="", description=CAUTION)
    note: str = ""

    def as_text(self) -> str:
        head = f"Thought {self.thought_id} · {part(self.thought_category)}"
        if self.caution:
            left_out = f"⚠ Its text is left out: it {why_flagged(self.caution)}. {ACCEPTED_WHERE}"
            return noted(f"{head}. {RECALLED}\n\n{left_out}", self.note)
        lines = [f"{head} · {local(self.created_at)} · by {part(self.contributor)} · {self.space}. {RECALLED}"]
        told = {
            "Topic": self.topic,
            "As of": self.temporal_scope,
            "Corrected": self.corrected_fact,
            "Correct": self.correct_fact,
            "Alternatives": self.alternatives_considered,
            "Source": f"{self.source_ref.type} {self.source_ref.value}" if self.source_ref else "",
            "Tags": ", ".join(self.tags),
            "Flags": ", ".join(self.quality_flags),
            "Refines": ", ".join(map(short, self.refines)),
            "Consolidates": ", ".join(map(short, self.consolidates)),
            "Supersedes": ", ".join(map(short, self.supersedes)),
            "Related": ", ".join(map(short, self.related)),
            "Superseded by": short(self.refined_by or ""),
        }
        lines.append(quoted(self.content))
        lines.append("\n".join(f"- {name}: {plain(text)}" for name, text in told.items() if text))
        use = (
            f"Read {counted(self.access_count, 'time')} by {counted(len(self.accessed_by), 'agent')} "
            f"· weight {self.pheromone_weight:.2f}."
        )
        return noted("\n\n".join(filter(None, lines)) + f"\n\n{use}", self.note)


class LineageEntry(Part):
    """A thought in a lineage: how many steps away, by which relation, and which thought it hangs on."""

    thought_id: str
    depth: int
    relation: str
    through: str
    content_preview: str
    thought_category: str
    created_at: datetime


class LineageAnswer(Answer):
    """What a thought rests on, and what rests on it, at most ten steps each way."""

    thought_id: str
    ancestors: list[LineageEntry]
    descendants: list[LineageEntry]

    def as_text(self) -> str:
        def told(entries: list[LineageEntry]) -> str:
            return "\n".join(
                f"{'  ' * (each.depth - 1)}- `{short(each.thought_id)}` {each.relation} · "
                f"{plain(each.content_preview) or 'kept out of answers'}"
                for each in entries
            )

        before = told(self.ancestors) or "It rests on nothing."
        after = told(self.descendants) or "Nothing rests on it."
        return f"Lineage of {short(self.thought_id)}. {RECALLED}\n\nRests on:\n{before}\n\nSuperseded by:\n{after}"


class Domain(Part):
    """A first part of topics with at least three living thoughts."""

    domain: str
    thoughts: int
    summary_id: str | None
    summary: str


class DomainList(Answer):
    """The domains, the largest first."""

    domains: list[Domain]

    def as_text(self) -> str:
        if not self.domains:
            return "No domain yet: a first part of topics becomes one with three living thoughts."
        lines = (
            f"- {part(each.domain)}: {counted(each.thoughts, 'thought')}"
            f"{f' — {plain(each.summary)}' if each.summary else ''}"
            for each in self.domains
        )
        return f"{counted(len(self.domains), 'domain')}. {RECALLED}\n\n" + "\n".join(lines)


class HighwayList(Answer):
    """Well-travelled thoughts, best traffic first."""

    highways: list[NearbyHighway]
    topic: str = Field(default="", exclude_if=_is_empty, description="That alone was asked for.")

    def as_text(self) -> str:
        if not self.highways and self.topic:
            return f"No highway has the topic {part(self.topic)!r}; without a topic all are listed."
        if not self.highways:
            return "No highway yet: a thought is one once two agents read it, three times together."
        lines = (
            f"- `{short(each.thought_id)}` · {counted(each.reads, 'read')} by {counted(each.readers, 'agent')}"
            f"{f' · topic {part(each.topic)}' if each.topic else ''}\n  > {plain(each.content_preview)}"
            for each in self.highways
        )
        return f"Highways. {RECALLED}\n\n" + "\n".join(lines)


class ThoughtRow(Part):
    """A thought of a list."""

    thought_id: str
    content_preview: str
    contributor: str
    thought_category: str
    topic: str
    quality_flags: list[str]
    created_at: datetime
    caution: str = ""


class ThoughtList(Answer):
    """Thoughts, newest first."""

    thoughts: list[ThoughtRow]
    total: int

    def as_text(self) -> str:
        lines = (
            f"- `{short(each.thought_id)}` · {part(each.thought_category)} · {plain(each.content_preview)}"
            for each in self.thoughts
        )
        return f"{counted(self.total, 'thought')}. {RECALLED}\n\n" + "\n".join(lines) if self.thoughts else "None."


def preview(text: str) -> str:
    """The beginning of a text, on one line."""
    return shortened(one_line(text), PREVIEW)
