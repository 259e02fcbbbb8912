"""Thoughts as people look through them: the list, what it is filtered by, the queue. Nothing here writes."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, Literal, cast, get_args

from sqlalchemy import and_, func, not_, tuple_
from sqlmodel import col, select

from bigmind.brain.contributing.drafts import thought_named
from bigmind.brain.finding.factors import flags_on
from bigmind.brain.finding.lineage import is_living, living_of, succession
from bigmind.brain.finding.pheromone import readers
from bigmind.brain.finding.places import places
from bigmind.brain.finding.retrieval import Question, Retrieval, predicates, retrieve
from bigmind.brain.gardening import queue_conditions
from bigmind.brain.rendering import contributor
from bigmind.brain.tables import BrainQuery, Thought, ThoughtUse
from bigmind.brain.thoughts import may_judge
from bigmind.caution.detect import pending
from bigmind.kinds import of_caller
from bigmind.memory.lookup import count, key_of
from bigmind.search.model_state import active_model
from bigmind.store.work import Work

State = Literal["current", "superseded"]
Order = Literal["newest", "read"]
STATES: tuple[State, ...] = get_args(State)
ORDERS: tuple[Order, ...] = get_args(Order)
LOOKED_BACK = 100
"""Rows of the log among which the same words are told once."""


@dataclass(frozen=True, slots=True)
class ThoughtQuery:
    """Which thoughts are looked at; empty does not restrict. `read` puts those first that were read most."""

    topic: str = ""
    category: str = ""
    space: str = ""
    tag: str = ""
    state: State = "current"
    order: Order = "newest"


@dataclass(frozen=True, slots=True)
class ListedThought:
    """A thought as a row.

    Attributes:
        uid, content, category, topic, tags, space, contributor, created_at: as they are stored.
        flags: its quality flags now.
        caution: what in it instructs its reader, until a person accepts it; empty for nothing.
        weight: its pheromone weight now.
        reads: how often it was given to somebody.
        readers: to how many agents.
        superseded_by: the id of the newest thought that corrected it, else refined it; empty where none did.
        is_noise: whether a person keeps it out of every answer.
        may_judge: whether the caller may describe it anew and keep it out of answers.
        reason: why it answers a question, in words; empty in a list.
        excerpt: the stretch of it that answers, with what was looked for between `**`.
    """

    uid: str
    content: str
    category: str
    topic: str
    tags: Sequence[str]
    space: str
    contributor: str
    created_at: datetime
    flags: Sequence[str]
    caution: str
    weight: float
    reads: int
    readers: int
    superseded_by: str
    is_noise: bool
    may_judge: bool
    reason: str = ""
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class ThoughtStretch:
    """A stretch of the list, and how many there are in all. `last` is where the next one begins, if there is one."""

    thoughts: Sequence[ListedThought]
    total: int
    last: str


@dataclass(frozen=True, slots=True)
class ThoughtFilters:
    """What there is to filter by, each with how many current thoughts have it; a topic with what lies below it."""

    topics: Sequence[tuple[str, int]]
    categories: Mapping[str, int]
    spaces: Mapping[str, int]
    total: int


@dataclass(frozen=True, slots=True)
class ThoughtsFound:
    """What would answer a question, best first, and what is said beside it.

    Attributes:
        thoughts: with why each answers.
        found: how many answer in all.
        dropped: the filters without which it was found.
        clusters: tags with how many of the found have each, where there is so much that one has to choose.
        words_only: why meaning had no part; empty where it had.
        answers_well: whether the best is near enough to be an answer.
    """

    thoughts: Sequence[ListedThought]
    found: int = 0
    dropped: Sequence[str] = ()
    clusters: Sequence[tuple[str, int]] = ()
    words_only: str = ""
    answers_well: bool = True


@dataclass(frozen=True, slots=True)
class ListedQuestion:
    """What was asked, as the log has it last, and how often of late."""

    uid: str
    text: str
    created_at: datetime
    client: str
    outcome: str
    returned: int
    times: int = 1


def make_ready(work: Work) -> None:
    """Have the model loaded while a person still thinks what to ask; nobody waits for it."""
    work.host.meaning.ask(active_model(work), "Ask the brain")


def thoughts_found(work: Work, asked: ThoughtQuery, text: str, limit: int) -> ThoughtsFound:
    """What would answer a question; nothing is noted, and nothing weighs more by it."""
    tags = (asked.tag,) if asked.tag else ()
    question = Question(text, topic=asked.topic, category=asked.category, tags=tags, space=asked.space, limit=limit)
    found = retrieve(work, question)
    return ThoughtsFound(
        thoughts=_answering(work, found),
        found=found.found,
        dropped=found.dropped,
        clusters=[(each.tag, len(each.keys)) for each in found.clusters],
        words_only=found.words_only,
        answers_well=found.answers_well,
    )


def _answering(work: Work, found: Retrieval) -> list[ListedThought]:
    why = {key_of(each.row): (each.reason, each.excerpt) for each in found.sources}
    return listed(work, [each.row for each in found.sources], why)


def thought_stretch(work: Work, asked: ThoughtQuery, limit: int, after: str = "") -> ThoughtStretch:
    """Thoughts that are asked for: at most `limit`, behind the one whose id is `after`.

    Raises:
        BigMindError: `not_found`, `invalid_input`, when `after` names none.
    """
    return _stretch(work, _conditions(work, asked), asked.order, limit, after)


def _conditions(work: Work, asked: ThoughtQuery) -> list[Any]:
    living = is_living(work)
    of_state = living if asked.state == "current" else [*living_of(work), not_(and_(*living))]
    tags = (asked.tag,) if asked.tag else ()
    narrowed = predicates(Question("", topic=asked.topic, category=asked.category, tags=tags, space=asked.space))
    return [*of_state, *(each.over(Thought) for each in narrowed)]


def _stretch(work: Work, conditions: Sequence[Any], order: Order, limit: int, after: str = "") -> ThoughtStretch:
    total = count(work, Thought, *conditions)
    reads = func.coalesce(ThoughtUse.reads, 0)
    ordered = (reads, col(Thought.id)) if order == "read" else (col(Thought.created_at), col(Thought.id))
    keys: Any = select(Thought.id).where(*conditions)
    if order == "read":
        keys = keys.join(ThoughtUse, col(ThoughtUse.thought_id) == Thought.id, isouter=True)
    if after:
        last = thought_named(work, after)
        use = work.session.get(ThoughtUse, key_of(last))
        first = (use.reads if use else 0) if order == "read" else last.created_at
        keys = keys.where(tuple_(*ordered) < tuple_(first, last.id))
    # The keys are ordered by themselves: a thought may be 10,000 characters long.
    keys = keys.order_by(*(each.desc() for each in ordered)).limit(limit + 1)
    chosen = cast("Sequence[int]", work.session.connection().execute(keys).scalars().all())
    told = select(Thought).where(col(Thought.id).in_(chosen[:limit]))
    rows = {key_of(each): each for each in work.session.exec(told)}
    found = [rows[key] for key in chosen[:limit]]
    return ThoughtStretch(listed(work, found), total, found[-1].uid if len(chosen) > limit else "")


def queue_stretch(work: Work, limit: int, after: str = "") -> ThoughtStretch:
    """What wants a person's look, newest first: without a category, or flagged."""
    return _stretch(work, queue_conditions(work), "newest", limit, after)


def noise_stretch(work: Work, limit: int, after: str = "") -> ThoughtStretch:
    """What is kept out of answers, newest first: the caller's own, and what they may judge."""
    kept_out = [*of_caller(work, work.kinds["thought"]), col(Thought.noise_at).is_not(None)]
    return _stretch(work, kept_out, "newest", limit, after)


def thoughts_named(work: Work, references: Sequence[str]) -> list[ListedThought]:
    """These thoughts, in their order, each once.

    Raises:
        BigMindError: `not_found`, `ambiguous`, `invalid_input`.
    """
    rows = {key_of(row): row for row in (thought_named(work, each) for each in references)}
    return listed(work, list(rows.values()))


def thoughts_near(work: Work, one: ListedThought, limit: int) -> list[ListedThought]:
    """Current thoughts that say something alike."""
    found = thoughts_found(work, ThoughtQuery(), one.content, limit + 1)
    return [each for each in found.thoughts if each.uid != one.uid and not each.superseded_by][:limit]


def filters(work: Work) -> ThoughtFilters:
    """What the current thoughts can be filtered by. Reads each once, without its text."""
    choose: Any = select  # the stubs of `select` end at four columns
    fields = (Thought.category, Thought.topic, Thought.space)
    counted = choose(*fields, func.count()).where(*is_living(work)).group_by(*fields)
    topics: Counter[str] = Counter()
    categories: Counter[str] = Counter()
    spaces: Counter[str] = Counter()
    groups = cast("Iterable[tuple[str, str, str, int]]", work.session.exec(counted))
    for category, topic, space, amount in groups:
        categories[category] += amount
        spaces[space] += amount
        parts = topic.split("/") if topic else []
        topics.update({"/".join(parts[: place + 1]): amount for place in range(len(parts))})
    ordered = sorted(topics.items(), key=lambda each: (-each[1], each[0]))
    return ThoughtFilters(ordered, categories, spaces, categories.total())


def listed(
    work: Work, rows: Sequence[Thought], why: Mapping[int, tuple[str, str]] | None = None
) -> list[ListedThought]:
    """Rows that the caller may read, as a page shows them; `why` tells of each why it answers, and the excerpt."""
    keys = [key_of(each) for each in rows]
    stood, read_by, later = places(work, keys), readers(work, keys), succession(work, keys)
    newest = {key: one for key in keys if (one := later.foremost(key)) is not None}
    named = _uids(work, newest.values())
    return [
        _listed(
            work,
            row,
            stood[key].weight,
            stood[key].reads,
            _Beside(read_by.get(key, 0), named.get(newest.get(key, 0), ""), *(why or {}).get(key, ("", ""))),
        )
        for key, row in zip(keys, rows, strict=True)
    ]


@dataclass(frozen=True, slots=True)
class _Beside:
    """What is known of a row beside its columns and its weight."""

    readers: int
    superseded_by: str
    reason: str = ""
    excerpt: str = ""


def _listed(work: Work, row: Thought, weight: float, reads: int, beside: _Beside) -> ListedThought:
    return ListedThought(
        uid=row.uid,
        content=row.content,
        category=row.category,
        topic=row.topic,
        tags=row.tags,
        space=row.space,
        contributor=contributor(row),
        created_at=row.created_at,
        flags=flags_on(work.now.date(), row.flags, row.category, row.temporal_scope),
        caution=pending(row),
        weight=weight,
        reads=reads,
        readers=beside.readers,
        superseded_by=beside.superseded_by,
        is_noise=row.noise_at is not None,
        may_judge=may_judge(work, row),
        reason=beside.reason,
        excerpt=beside.excerpt,
    )


def _uids(work: Work, keys: Any) -> dict[int, str]:
    named = select(Thought.id, Thought.uid).where(col(Thought.id).in_([*keys]))
    return {key or 0: uid for key, uid in work.session.exec(named)}


def questions(work: Work, limit: int) -> list[ListedQuestion]:
    """What the caller and their agents asked last; what was contributed and stored is a thought, and no question."""
    mine = select(BrainQuery).where(BrainQuery.user_id == work.caller.user_id, col(BrainQuery.thought_uid).is_(None))
    return each_once(work, mine, limit)


def each_once(work: Work, rows: Any, limit: int) -> list[ListedQuestion]:
    """The newest of these rows of the log, those with the same words once; what was forgotten has none."""
    newest = rows.where(BrainQuery.text != "").order_by(col(BrainQuery.id).desc()).limit(LOOKED_BACK)
    found: dict[str, ListedQuestion] = {}
    for row in cast("Iterable[BrainQuery]", work.session.exec(newest)):
        known = found.get(row.text)
        if known is None:
            known = ListedQuestion(row.uid, row.text, row.created_at, row.client, row.outcome, row.returned, 0)
        found[row.text] = replace(known, times=known.times + 1)
    return list(found.values())[:limit]
