"""What an answer advises: sentences for the agent that reads it. Each names a tool in a sentence of its own."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence

from bigmind.brain.contributing.likeness import Likeness
from bigmind.brain.finding.retrieval import Retrieval
from bigmind.brain.rules import LEAST_TO_CONSOLIDATE, PROPOSES_CONSOLIDATING, SHORT_THOUGHT, SNAPSHOT
from bigmind.brain.tables import Thought
from bigmind.caution.detect import pending
from bigmind.core.ids import short
from bigmind.core.kind import BrainEntry, BrainNote
from bigmind.operations.token_scope import kinds_within
from bigmind.store.work import Work

WELCOME = (
    "Welcome to the brain: what agents learned at work stands here for all of them.",
    "Ask with query_brain before you decide or repeat something, and pass this brain session as session_id.",
    "State what you learned with contribute_to_brain: one insight, in words that make sense without this conversation.",
)


def welcome(is_first: bool) -> Sequence[str]:
    """What an agent is told at its first contact."""
    return WELCOME if is_first else ()


def beside(work: Work, entry: BrainEntry) -> BrainNote | None:
    """What a kind has to say beside an answer: for which things of the caller's an entry counts."""
    kinds = kinds_within(work.caller.scope, work.kinds)
    found = (each.beside_brain(work, entry) for each in kinds if each.beside_brain is not None)
    return next(filter(None, found), None)


def note(text: str) -> Sequence[str]:
    """A note, if there is one."""
    return (text,) if text else ()


def of_sources(found: Retrieval, *, is_statement: bool = False, superseded: Collection[int] = ()) -> Iterator[str]:
    """What to do about what came back; beside what somebody states nothing need be known.

    `superseded`: keys of what no longer holds since, for it was just refined, merged or corrected.
    """
    if found.words_only:
        yield f"Found by words alone, not by meaning: {found.words_only}."
    if found.is_snapshot_alone:
        yield "Nothing else answers: this is the newest snapshot of the topic."
    elif found.sources and not found.answers_well and not is_statement:
        yield "Nothing answers well: these are only the nearest there is."
    if not found.sources and not is_statement:
        yield "Nothing is known of this yet."
        yield "When you find it out, state it with contribute_to_brain."
    by_topic: defaultdict[str, list[Thought]] = defaultdict(list)
    for each in found.sources:
        if not each.refined_by and each.row.id not in superseded and each.row.topic and not pending(each.row):
            by_topic[each.row.topic].append(each.row)
    for topic, rows in by_topic.items():
        scattered = [row for row in rows if len(row.content) <= SHORT_THOUGHT]
        if len(scattered) >= LEAST_TO_CONSOLIDATE and not any(row.category == SNAPSHOT for row in rows):
            ids = ", ".join(short(row.uid) for row in scattered)
            yield f"Several short thoughts of one topic came back ({len(scattered)} of {topic!r}) and no snapshot does."
            yield f"Consider consolidating them with contribute_to_brain(consolidates=[{ids}])."


def of_unstored() -> Iterator[str]:
    """What to do about a statement that was not stored."""
    yield "State it anew with contribute_to_brain: what it is about, what holds of it, and why."


def of_corrected(source: str = "", correction: str = "") -> Iterator[str]:
    """What to do where a contribution builds on a thought that another one corrects."""
    if source:
        yield f"It builds on {short(source)}, which {short(correction)} corrects: check which of the two holds."


def _completing(row: Thought, older: str) -> Iterator[str]:
    """How to complete what was stored; `older` is the snapshot of its topic that it should have named."""
    if not older:
        yield "Refine it with contribute_to_brain to complete it."
        return
    yield f"The older snapshot of its topic is {short(older)}."
    yield f"Call contribute_to_brain(refines={short(row.uid)}, supersedes=[{short(older)}]) to complete it."


def of_contribution(row: Thought, like: Likeness, lacks: Sequence[str], snapshot: str) -> Iterator[str]:
    """What to do about what was stored, and what belongs beside it."""
    if lacks:
        yield f"Not found in this {row.category}: {', '.join(lacks)}."
        yield from _completing(row, snapshot if "supersedes" in lacks else "")
    denied = [each for each in like.similar if each.is_denied]
    for each in denied[:1]:
        yield f"Thought {short(each.uid)} says nearly the same and contradicts a correction: do not build on it."
    for each in [each for each in like.similar if not each.is_denied][:1]:
        same = each.similarity >= PROPOSES_CONSOLIDATING
        says = "the same" if same else "nearly the same"
        yield f"Thought {short(each.uid)} says {says} (similarity {each.similarity:.2f})."
        call = f"consolidates=[{short(each.uid)}, {short(row.uid)}]" if same else f"refines={short(each.uid)}"
        yield f"If they belong together, call contribute_to_brain({call})."
    if like.contradicted:
        yield f"It contradicts the correction {short(like.contradicted)}: check which of the two holds."
    if row.category in {"decision_record", "task_outcome"} and snapshot:
        yield f"The topic has a snapshot, {short(snapshot)}: bring it up to date."
        yield f"Call contribute_to_brain(refines={short(snapshot)}) for that."
