"""Use cases of the brain: ask and contribute.

Both have two halves: `look_up` and `look_around` find out everything in a unit of work that only reads, `answer_query`
and `store_contribution` write down what came of it. The answer goes out after that is on disk.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from bigmind.brain import guidance
from bigmind.brain.answers import BrainAnswer, BrainResult, BrainTrace, CountedWork, LineageSummary
from bigmind.brain.categories import Draft, missing
from bigmind.brain.contributing.drafts import Contribution, Rests, completed, rests
from bigmind.brain.contributing.likeness import CONTRADICTION, Likeness, OwnVectors, embed, likeness
from bigmind.brain.contributing.storing import store
from bigmind.brain.contribution import NotStored, not_stored, only_asks, why_not
from bigmind.brain.finding.lineage import Succession, succession
from bigmind.brain.finding.pheromone import Use, contributed, retrieved, still_there
from bigmind.brain.finding.retrieval import Question, Retrieval, newest_snapshot, retrieve
from bigmind.brain.gardening import PROMOTED, as_contribution, keep_thought, list_queue, mark_noise, remembered
from bigmind.brain.quality import adds_little, text_flags
from bigmind.brain.query_log import (
    ANSWERED,
    STORED,
    LoggedQuery,
    Prompt,
    Returned,
    SessionChoice,
    choose_session,
    is_first_contact,
    last_prompts,
    record,
)
from bigmind.brain.rendering import result_of
from bigmind.brain.tables import Thought
from bigmind.brain.thoughts import (
    Description,
    get_lineage,
    get_thought,
    list_domains,
    list_highways,
    list_uncategorized,
    share_thought,
    update_thought,
)
from bigmind.core.kind import BrainEntry, BrainNote
from bigmind.memory.lookup import key_of
from bigmind.store.work import Work

__all__ = [
    "Contribution",
    "Description",
    "Question",
    "answer_query",
    "get_lineage",
    "get_thought",
    "keep_thought",
    "list_domains",
    "list_highways",
    "list_queue",
    "list_uncategorized",
    "look_around",
    "look_up",
    "mark_noise",
    "promote",
    "share_thought",
    "store_contribution",
    "update_thought",
]
"""All that the operations do; they load this module alone."""

QUERY, CONTRIBUTE = "query_brain", "contribute_to_brain"
RELATED_SHOWN = 5


@dataclass(frozen=True, slots=True)
class Lookup:
    """What was found out before anything is written.

    Attributes:
        question: what was asked.
        session: the brain session that goes on, if one does.
        found: the thoughts that answer.
        is_first: whether the agent never asked before.
        beside: for which work of the caller's it counts, where anybody asks.
    """

    question: Question
    session: SessionChoice
    found: Retrieval
    is_first: bool
    beside: BrainNote | None = None


class Logged(NamedTuple):
    """What was written down: what was found out and is still there, and the row of the log."""

    lookup: Lookup
    query: LoggedQuery


@dataclass(frozen=True, slots=True)
class Judged:
    """A contribution that was looked at: what it rests on, what it is like, the flags it gets, what it lacks.

    `why_not` says why it is not stored; nothing else is known of it then. `corrected`: of a thought that it builds on
    and one that corrects that, the ids.
    """

    lookup: Lookup
    contribution: Contribution
    why_not: NotStored | None
    rests: Rests
    like: Likeness = field(default_factory=Likeness)
    own: OwnVectors = field(default_factory=OwnVectors)
    flags: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()
    snapshot: str = ""
    corrected: tuple[str, ...] = ()


def look_up(work: Work, question: Question, session_id: str | None) -> Lookup:
    """Find out what answers a question.

    Raises:
        BigMindError: `session_not_found`.
    """
    entry = BrainEntry(f"{question.prompt}\n{question.context}", is_question=True)
    return replace(_found(work, question, session_id), beside=guidance.beside(work, entry))


def _found(work: Work, question: Question, session_id: str | None) -> Lookup:
    session = choose_session(work, session_id)
    is_first = session.key is None and is_first_contact(work)
    return Lookup(question, session, retrieve(work, question), is_first)


def answer_query(work: Work, found: Lookup) -> BrainAnswer:
    """Write down that a question was answered, let what it was answered with weigh more, and answer it."""
    found, logged = _logged(work, QUERY, found, ANSWERED)
    told = [*_opening(found), *guidance.of_sources(found.found)]
    result = _beside(found, result_of(work, found.found, found.question, told))
    return BrainAnswer(result=result, trace=_trace(found, logged))


def _opening(found: Lookup) -> list[str]:
    """What is advised first: at the first contact, of the session, and of the work that it counts for."""
    beside = found.beside.told if found.beside is not None else ()
    return [*guidance.welcome(found.is_first), *guidance.note(found.session.note), *beside]


def _beside(found: Lookup, result: BrainResult) -> BrainResult:
    if found.beside is not None:
        result.work = CountedWork(counts_for=list(found.beside.counts_for))
    return result


def look_around(work: Work, given: Contribution, session_id: str | None) -> Judged:
    """Find out whether a contribution is stored, what it is like, and what is related to it.

    Raises:
        BigMindError: `session_not_found`; `not_found` for a thought that it names; `mutual_exclusion`,
            `min_consolidation`.
    """
    resting = rests(work, given)
    draft = completed(work, given, resting)
    is_kept = resting.always or given.source_type == PROMOTED
    reason = None if is_kept else why_not(given.prompt)
    own = embed(work, given.prompt) if reason is None else OwnVectors()
    lookup = _found(work, _question(given, is_stored=reason is None), session_id)
    if reason is not None:
        return Judged(lookup, draft, reason, resting)
    like = likeness(work, given.prompt, own, resting.keys)
    snapshot = _snapshot(work, draft)
    lacks = missing(_draft(draft), has_older_snapshot=bool(snapshot) and not resting.always)
    flags = _flags(draft, last_prompts(work), like, resting, lacks)
    entry = BrainEntry(given.prompt, is_question=False, flags=flags, is_shared=draft.space != "private")
    lookup = replace(lookup, beside=guidance.beside(work, entry))
    return Judged(lookup, draft, None, resting, like, own, flags, tuple(lacks), snapshot, _corrected(work, resting))


def _question(given: Contribution, *, is_stored: bool) -> Question:
    """What is looked for beside a contribution; where it is not stored, what would describe it narrows that."""
    related = Question(given.prompt, given.context, limit=RELATED_SHOWN)
    if is_stored:
        return related
    return related._replace(topic=given.topic, category=given.category, tags=given.tags, space=given.space)


def promote(work: Work, reference: str, category: str, topic: str, space: str) -> Judged:
    """Find out what becomes of a fact or a moment of the caller's that is made a thought.

    Raises:
        BigMindError: as `gardening.remembered`.
    """
    return look_around(work, as_contribution(remembered(work, reference), category, topic, space), None)


def store_contribution(work: Work, found: Judged) -> BrainAnswer:
    """Store a contribution that qualifies, and answer with what is related; else answer it, and say why."""
    lookup = found.lookup
    if found.why_not is not None:
        lookup, logged = _logged(work, CONTRIBUTE, lookup, found.why_not.value)
        is_statement = not only_asks(found.contribution.prompt)
        advised = guidance.of_unstored() if is_statement else ()
        told = [*_opening(lookup), *advised, *guidance.of_sources(lookup.found, is_statement=is_statement)]
        first = not_stored(found.why_not)
        result = result_of(work, lookup.found, lookup.question, told, first)
        return BrainAnswer(result=result, trace=_trace(lookup, logged), refusal=first)
    row = store(work, found.contribution, found.rests, found.flags, found.own)
    lookup, logged = _logged(work, CONTRIBUTE, lookup, STORED, row.uid)
    contributed(work, logged.session, logged.key)
    told = [
        *_opening(lookup),
        *guidance.of_corrected(*found.corrected),
        *guidance.of_contribution(row, found.like, found.lacks, found.snapshot),
        *guidance.of_sources(lookup.found, is_statement=True, superseded=found.rests.keys),
    ]
    first = f"Stored as thought {row.uid} ({row.space})." + (
        f" Flags: {', '.join(found.flags)}." if found.flags else ""
    )
    result = _beside(lookup, result_of(work, lookup.found, lookup.question, told, first, caution=row.caution))
    trace = _trace(lookup, logged)
    lineage = LineageSummary(**found.rests.ids) if found.rests.keys else None
    more = {"thought_id": row.uid, "thoughts_contributed": 1, "contribution_threshold_met": True}
    return BrainAnswer(
        result=result,
        trace=trace.model_copy(update={**more, "quality_flags": list(found.flags), "lineage_summary": lineage}),
    )


def _corrected(work: Work, resting: Rests) -> tuple[str, ...]:
    """The ids of a thought that a contribution builds on, and of the newest that corrects it; empty where none does."""
    later = succession(work, [key_of(each) for each in resting.basis]) if resting.basis else Succession()
    for source in resting.basis:
        corrections = [each for each in later.corrections_of(key_of(source)) if each not in resting.keys]
        newest = work.session.get(Thought, corrections[-1]) if corrections else None
        if newest is not None:
            return source.uid, newest.uid
    return ()


def _snapshot(work: Work, draft: Contribution) -> str:
    """The id of the newest living snapshot of a contribution's topic; empty where there is none."""
    if not draft.topic:
        return ""
    key = newest_snapshot(work, draft.topic)
    row = work.session.get(Thought, key) if key is not None else None
    return row.uid if row is not None else ""


def _draft(given: Contribution) -> Draft:
    return Draft(
        content=given.prompt,
        category=given.category,
        topic=given.topic,
        temporal_scope=given.temporal_scope,
        source_type=given.source_type,
        source_value=given.source_value,
        alternatives=given.alternatives,
        corrected_fact=given.corrected_fact,
        correct_fact=given.correct_fact,
        supersedes=tuple(given.supersedes),
    )


def _flags(
    draft: Contribution, prompts: Sequence[str], like: Likeness, resting: Rests, lacks: Sequence[str]
) -> tuple[str, ...]:
    found = list(text_flags(_draft(draft), prompts))
    if like.repeats or (resting.texts and adds_little(draft.prompt, resting.texts)):
        found.append("near_duplicate")
    if lacks:
        found.append("missing_fields")
    if like.contradicted:
        found.append(CONTRADICTION)
    return tuple(found)


def _still(work: Work, found: Lookup) -> tuple[Lookup, dict[int, Use]]:
    """What was found out, without the sources that were forgotten since; and the use of the others."""
    sources = found.found.sources
    still = still_there(work, [key_of(each.row) for each in sources])
    if len(still) < len(sources):
        left = [each for each in sources if key_of(each.row) in still]
        found = replace(found, found=replace(found.found, sources=left))
    return found, still


def _logged(work: Work, operation: str, found: Lookup, outcome: str, thought: str | None = None) -> Logged:
    """Write the log and its bookkeeping: what came back is read once more; what was forgotten since did not."""
    lookup, still = _still(work, found)
    returned = [Returned(key_of(each.row), each.similarity) for each in lookup.found.sources]
    prompt = Prompt(operation, lookup.question.prompt, lookup.question.context)
    query = record(work, prompt, lookup.session.key, returned, outcome, thought)
    retrieved(work, still)
    return Logged(lookup, query)


def _trace(found: Lookup, logged: LoggedQuery) -> BrainTrace:
    relaxed = [f"relaxed:{name}" for name in found.found.dropped]
    return BrainTrace(
        session_id=logged.session_uid,
        operations=["search", *relaxed, *(["disambiguate"] if found.found.clusters else [])],
        thoughts_retrieved=len(found.found.sources),
        thoughts_contributed=0,
        contribution_threshold_met=False,
        context_used=found.found.is_steered,
        retrieval_method="words" if found.found.words_only else "hybrid",
    )
