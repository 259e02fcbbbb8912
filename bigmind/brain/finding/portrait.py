"""One thought as its page shows it: all that is stored of it, who used it, what it hangs together with."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from sqlmodel import col, select

from bigmind.brain.contributing.drafts import WHERE_IDS_ARE, thought_named
from bigmind.brain.finding.lineage import DESCENT, RELATED, relatives
from bigmind.brain.finding.weight_course import WeightChange, weight_course
from bigmind.brain.gardening import PROMOTED
from bigmind.brain.listing import ListedQuestion, ListedThought, each_once, listed, may_judge
from bigmind.brain.tables import BrainQuery, BrainQuerySource, Thought, ThoughtLink, ThoughtReader, ThoughtUse
from bigmind.brain.thoughts import lacks
from bigmind.core.errors import unknown
from bigmind.core.operation import Space
from bigmind.kinds import readable
from bigmind.memory.lookup import key_of
from bigmind.memory.tables import Chunk, Fact, MemorySession
from bigmind.people.agent_names import AgentNames
from bigmind.store.work import Work

MOST_RELATIVES = 40
"""Thoughts that a drawing of a lineage holds, the nearest first."""
MOST_QUESTIONS = 6


class Origin(NamedTuple):
    """Where a thought comes from: the kind of source, what it names, in which project, and the page of it, if any."""

    type: str
    value: str
    project: str
    link: str


class ThoughtUser(NamedTuple):
    """An agent that was given a thought, how often, and when last."""

    client: str
    reads: int
    last_read_at: datetime


class Kin(NamedTuple):
    """A thought around another one: so many steps after it, or before it (below 0); 0 is itself, or related to it."""

    thought: ListedThought
    step: int


class KinLink(NamedTuple):
    """A thought that rests on an older one, or is related to one; both by their ids."""

    uid: str
    other: str
    relation: str


@dataclass(frozen=True, slots=True)
class Family:
    """What a thought hangs together with: itself first, then the nearest. `more` is how many are left out."""

    members: Sequence[Kin]
    links: Sequence[KinLink]
    more: int


@dataclass(frozen=True, slots=True)
class Portrait:
    """One thought, whole.

    Attributes:
        thought: as a list has it.
        thought_type, temporal_scope, alternatives, corrected_fact, correct_fact, context, project: as stored.
        origin: its source; None where none is named.
        lacks: what its category requires and it does not hold.
        users: who was given it, the most frequent first.
        course: how its weight came about.
        family: what it hangs together with.
        questions: which of the caller's own questions it answered, the newest first.
        is_own: whether the caller contributed it.
        is_fixed: whether a gate rests on it, so that its flags stay.
    """

    thought: ListedThought
    thought_type: str
    temporal_scope: str
    alternatives: str
    corrected_fact: str
    correct_fact: str
    context: str
    project: str | None
    origin: Origin | None
    lacks: Sequence[str]
    users: Sequence[ThoughtUser]
    last_read_at: datetime | None
    course: Sequence[WeightChange]
    family: Family
    questions: Sequence[ListedQuestion]
    is_own: bool
    is_fixed: bool

    @property
    def may_share(self) -> bool:
        """Whether the caller can let everybody find it."""
        return self.is_own and self.thought.space == Space.PRIVATE


def portrait(work: Work, reference: str) -> Portrait:
    """One thought that the caller may read; one that is noise, whoever may judge it.

    Raises:
        BigMindError: `not_found`, `ambiguous`, `invalid_input`.
    """
    row = thought_named(work, reference)
    if row.noise_at is not None and not may_judge(work, row):
        raise unknown("thought", reference, WHERE_IDS_ARE)
    key = key_of(row)
    use = work.session.get(ThoughtUse, key)
    return Portrait(
        thought=listed(work, [row])[0],
        thought_type=row.thought_type,
        temporal_scope=row.temporal_scope,
        alternatives=row.alternatives,
        corrected_fact=row.corrected_fact,
        correct_fact=row.correct_fact,
        context=row.context,
        project=row.project,
        origin=_origin(work, row) if row.source_type else None,
        lacks=lacks(work, row),
        users=_users(work, key),
        last_read_at=use.last_read_at if use else None,
        course=weight_course(work, row),
        family=family(work, row),
        questions=_questions(work, key),
        is_own=row.user_id == work.caller.user_id,
        is_fixed=row.gated_at is not None,
    )


def _users(work: Work, key: int) -> list[ThoughtUser]:
    names = AgentNames(work)
    found = [
        ThoughtUser(names.agent(each.user_id, each.client), each.reads, each.last_read_at)
        for each in work.session.exec(select(ThoughtReader).where(ThoughtReader.thought_id == key))
    ]
    return sorted(found, key=lambda each: (-each.reads, each.client))


def _questions(work: Work, key: int) -> list[ListedQuestion]:
    mine = select(BrainQuery).join(BrainQuerySource, col(BrainQuerySource.query_id) == BrainQuery.id)
    mine = mine.where(BrainQuerySource.thought_id == key, BrainQuery.user_id == work.caller.user_id)
    return each_once(work, mine.where(col(BrainQuery.thought_uid).is_(None)), MOST_QUESTIONS)


def _origin(work: Work, row: Thought) -> Origin:
    """The source, with the page of the caller's own fact or moment that it was made of."""
    link, kind, uid = "", *row.source_value.partition(" ")[::2]
    if row.source_type == PROMOTED and row.user_id == work.caller.user_id:
        link = _page(work, kind, uid)
    return Origin(row.source_type, row.source_value, row.source_project, link)


def _page(work: Work, kind: str, uid: str) -> str:
    mine = work.caller.user_id
    if kind == work.kinds["fact"].called:
        fact = select(Fact.uid).where(Fact.uid == uid, Fact.user_id == mine)
        return f"/facts/{found}" if (found := work.session.exec(fact).first()) else ""
    place = select(MemorySession.uid, Chunk.seq).join(Chunk, col(Chunk.session_id) == MemorySession.id)
    moment = work.session.exec(place.where(Chunk.uid == uid, Chunk.user_id == mine)).first()
    return f"/sessions/{moment[0]}?after={max(0, moment[1] - 1)}#moment-{moment[1]}" if moment else ""


def family(work: Work, row: Thought) -> Family:
    """What a thought rests on, what rests on it, ten steps each way, and what is related to it; without noise."""
    key = key_of(row)
    steps = {key: 0}
    for up in (True, False):
        steps |= {each.key: -each.depth if up else each.depth for each in relatives(work, key, up=up)}
    for link in _links(work, [key], (RELATED,)):
        steps.setdefault(link.other_id if link.thought_id == key else link.thought_id, 0)
    nearest = sorted(steps, key=lambda each: (each != key, abs(steps[each]), each))
    is_shown = col(Thought.noise_at).is_(None) | (col(Thought.id) == key)
    told = select(Thought).where(col(Thought.id).in_(nearest), is_shown, readable(work, work.kinds["thought"]))
    rows = {key_of(each): each for each in work.session.exec(told)}
    shown = [each for each in nearest if each in rows]
    drawn = shown[: MOST_RELATIVES + 1]
    members = [
        Kin(each, steps[drawn[place]]) for place, each in enumerate(listed(work, [rows[each] for each in drawn]))
    ]
    between = [*_links(work, drawn, DESCENT), *_links(work, [key], (RELATED,))]
    links = [
        KinLink(rows[each.thought_id].uid, rows[each.other_id].uid, each.relation)
        for each in between
        if each.thought_id in drawn and each.other_id in drawn
    ]
    return Family(members, links, len(shown) - len(drawn))


def _links(work: Work, keys: Sequence[int], relations: Sequence[str]) -> Sequence[ThoughtLink]:
    ends = col(ThoughtLink.thought_id).in_(keys) | col(ThoughtLink.other_id).in_(keys)
    those = select(ThoughtLink).where(ends, col(ThoughtLink.relation).in_(relations)).order_by(col(ThoughtLink.id))
    return work.session.exec(those).all()
