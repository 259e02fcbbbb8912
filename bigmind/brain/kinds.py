"""The kinds of things that the brain holds."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from bigmind.brain.finding.lineage import superseded
from bigmind.brain.finding.travelled import travelled
from bigmind.brain.tables import BrainQuery, Thought
from bigmind.core.kind import ORIGIN, Echo, Kind, Text, Where, Words
from bigmind.core.lazy_module import LazyModule

if TYPE_CHECKING:
    from bigmind.brain import guide_sections
else:
    guide_sections = LazyModule("bigmind.brain.guide_sections")


def about(work: Any, row: Thought) -> str:
    """Topic and tags of a thought as words to be found by."""
    del work
    return about_of(row.topic, row.tags)


def about_of(topic: str, tags: Sequence[str]) -> str:
    """The same of topic and tags."""
    return " ".join(each for each in (topic, *tags) if each)


THOUGHT = Kind(
    "thought",
    "thoughts",
    Words("thought", "thoughts"),
    Thought,
    (
        Text("thought", "content", 1.0),
        # Derived after the row is judged: as its parts it is looked through and masked, below.
        Text("topic and tags", "about", 1.0, is_shown=False, is_cautioned=False, is_masked=False, is_embedded=False),
        # Whoever asks by what is wrong, or states it again, finds what corrects it.
        Text("corrected fact", "corrected_fact", 0.5, is_embedded=False),
        Text("correct fact", "correct_fact", 0.5, is_embedded=False),
        Text("alternatives", "alternatives"),
        Text("context", "context"),
        Text("topic", "topic"),
        Text("tags", "tags"),
        Text("source", "source_value"),
        Text("project of the source", "source_project"),
        Text("name of the agent", "agent_name"),
        *ORIGIN,
    ),
    shared_when=Where("space", "shared"),
    found_when=(Where("noise_at", None, "IS"),),
    waits_when=(Where("noise_at", None, "IS"),),
    told_held="category",
    derived=("about", about),
    echoes=(Echo("brain_query", "thought_uid", ("text", "context", "caution")),),
    in_context=travelled,
    superseded=superseded,
    guide=lambda: guide_sections.SECTIONS,
    summary=("content",),
    page="/brain",
    toolsets=frozenset({"brain"}),
    review=6,
)
QUESTION = Kind(
    "brain_query",
    "questions",
    Words("question to the brain", "questions to the brain"),
    BrainQuery,
    # Nobody but a person reads it, so that it waits for nobody.
    (Text("question", "text", is_cautioned=False), Text("context", "context", is_cautioned=False), *ORIGIN),
    changed="",
    leaves_row=True,
    label="question",
    review=7,
    left_out=(
        ("search", "it is no knowledge: what it led to is found"),
        ("page", "it is shown on the brain's pages and on its thought's"),
    ),
)
KINDS = (THOUGHT, QUESTION)
