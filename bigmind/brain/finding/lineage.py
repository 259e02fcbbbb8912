"""What rests on what: links between thoughts, as far as their reader may read both ends."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from sqlalchemy import bindparam, or_
from sqlmodel import col, select

from bigmind.brain.rules import LINEAGE_DEPTH
from bigmind.brain.tables import Thought, ThoughtLink
from bigmind.core.operation import Space
from bigmind.kinds import readable
from bigmind.store.prepared_statements import rows
from bigmind.store.tables import table_of
from bigmind.store.work import Work

SUPERSEDES = "supersedes"
DESCENT = ("refines", "consolidates", SUPERSEDES)
RELATED = "related"


@dataclass(slots=True)
class Succession:
    """What superseded thoughts: of each its successors with the relation, the oldest first."""

    successors: dict[int, list[tuple[int, str]]] = field(default_factory=dict[int, list[tuple[int, str]]])

    def of(self, key: int) -> list[tuple[int, str]]:
        """The successors of a thought."""
        return self.successors.get(key, [])

    def corrections_of(self, key: int) -> list[int]:
        """Those of its successors that supersede it and do not only refine it or put it together with others."""
        return [later for later, relation in self.of(key) if relation == SUPERSEDES]

    def foremost(self, key: int) -> int | None:
        """The successor that is named where one is: the newest that corrects it, else the newest; None without any."""
        named = self.corrections_of(key) or [later for later, _ in self.of(key)]
        return named[-1] if named else None

    def beyond(self, keys: Collection[int]) -> set[int]:
        """These thoughts, and all that superseded them."""
        found, waiting = set(keys), list(keys)
        while waiting:
            later = {key for key, _ in self.of(waiting.pop())} - found
            found |= later
            waiting += later
        return found

    def keys(self) -> dict[int, list[int]]:
        """The same without the relations."""
        return {key: [each for each, _ in those] for key, those in self.successors.items()}


def is_accepted(thought: Any) -> Any:
    """The condition of a thought whose words answers tell: one that does not wait for a person."""
    return or_(thought.caution == "", thought.accepted_at.is_not(None))


def living_of(work: Work) -> list[Any]:
    """The conditions of a thought that the caller may read and that no person keeps out of answers."""
    return [readable(work, work.kinds["thought"]), col(Thought.noise_at).is_(None)]


def succession(work: Work, keys: Collection[int], space: str = "") -> Succession:
    """What superseded these thoughts, and what superseded that, as far as the caller may read it.

    What waits for a person supersedes nothing as yet.

    `space` is the one that the successors must be in; empty for both.
    """
    found = Succession()
    waiting, seen = set(keys), set(keys)
    named = {"user": work.caller.user_id, **({"space": space} if space else {})}
    statement = _successors(is_narrowed=bool(space))
    while waiting:
        more: set[int] = set()
        for before, after, relation in rows(work, statement, keys=list(waiting), **named):
            found.successors.setdefault(before, []).append((after, relation))
            more.add(after)
        waiting = more - seen
        seen |= more
    return found


def superseded(work: Work, thoughts: Sequence[Any]) -> dict[str, str]:
    """The ids of those of these thoughts that others superseded, each with the id of the one that is named then."""
    after = succession(work, [each.id for each in thoughts])
    named = {each.uid: key for each in thoughts if (key := after.foremost(each.id)) is not None}
    if not named:
        return {}
    ids = select(Thought.id, Thought.uid).where(col(Thought.id).in_({*named.values()}))
    told = dict(work.session.exec(ids).all())
    return {before: told[key] for before, key in named.items()}


@cache
def _successors(*, is_narrowed: bool) -> Any:
    link, after = table_of(ThoughtLink).c, table_of(Thought).c
    both = table_of(ThoughtLink).join(table_of(Thought), after.id == link.thought_id)
    statement = (
        select(link.other_id, link.thought_id, link.relation)
        .select_from(both)
        .where(link.other_id.in_(bindparam("keys", expanding=True)), link.relation.in_(DESCENT))
        .where(after.noise_at.is_(None), or_(after.space == Space.SHARED.value, after.user_id == bindparam("user")))
        .where(is_accepted(after))
        .order_by(link.id)
    )
    return statement.where(after.space == bindparam("space")) if is_narrowed else statement


def is_living(work: Work) -> list[Any]:
    """The conditions of a thought that lives for the caller: readable, no noise, and nothing readable rests on it.

    What waits for a person supersedes nothing as yet.
    """
    after = table_of(Thought).alias("successor")
    may_read = (after.c.space == "shared") | (after.c.user_id == work.caller.user_id)
    resting = (
        select(ThoughtLink.id)
        .join(after, after.c.id == ThoughtLink.thought_id)
        .where(ThoughtLink.other_id == Thought.id, col(ThoughtLink.relation).in_(DESCENT))
        .where(after.c.noise_at.is_(None), may_read, is_accepted(after.c))
    )
    return [*living_of(work), ~resting.exists()]


@dataclass(frozen=True, slots=True)
class Relative:
    """A thought in the lineage of another: how many steps away, and by which relation it hangs on the one before."""

    key: int
    depth: int
    relation: str
    through: int


def relatives(work: Work, key: int, *, up: bool, depth: int = LINEAGE_DEPTH) -> list[Relative]:
    """The ancestors of a thought (`up`), or its descendants, nearest first, at most so many steps away.

    Each stands once, by its shortest way; what the caller may not read is left out, and what hangs on it alone.
    """
    here, there = (
        (ThoughtLink.thought_id, ThoughtLink.other_id) if up else (ThoughtLink.other_id, ThoughtLink.thought_id)
    )
    found: list[Relative] = []
    seen, waiting = {key}, [key]
    for step in range(1, depth + 1):
        links = (
            select(here, there, ThoughtLink.relation)
            .join(Thought, col(Thought.id) == there)
            .where(col(here).in_(waiting), col(ThoughtLink.relation).in_(DESCENT))
            .where(readable(work, work.kinds["thought"]))
            .order_by(col(ThoughtLink.id))
        )
        level = [Relative(other, step, relation, one) for one, other, relation in work.session.exec(links)]
        new = {each.key: each for each in reversed(level) if each.key not in seen}
        found += [new[each] for each in sorted(new)]
        seen |= new.keys()
        waiting = list(new)
        if not waiting:
            break
    return found


def links_of(work: Work, keys: Iterable[int]) -> dict[int, dict[str, list[str]]]:
    """Of each thought the ids of what it is linked to, by relation; `related` from both sides."""
    keys = list(keys)
    found: defaultdict[int, dict[str, list[str]]] = defaultdict(dict)
    both = (
        (ThoughtLink.thought_id, ThoughtLink.other_id, (*DESCENT, RELATED)),
        (ThoughtLink.other_id, ThoughtLink.thought_id, (RELATED,)),
    )
    for here, there, relations in both:
        links = (
            select(here, ThoughtLink.relation, Thought.uid)
            .join(Thought, col(Thought.id) == there)
            .where(col(here).in_(keys), col(ThoughtLink.relation).in_(relations))
            .where(readable(work, work.kinds["thought"]))
            .order_by(col(ThoughtLink.id))
        )
        for key, relation, uid in work.session.exec(links):
            found[key].setdefault(relation, []).append(uid)
    return dict(found)
