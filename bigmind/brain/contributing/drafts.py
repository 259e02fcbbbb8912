"""A contribution as it is given, what it rests on, and what it takes over from there."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from sqlmodel import select

from bigmind.brain.finding.pheromone import UNUSED, uses
from bigmind.brain.rules import LEAST_CONSOLIDATED, SNAPSHOT, inherited
from bigmind.brain.tables import Thought
from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Space
from bigmind.kinds import readable
from bigmind.memory.lookup import LookupSubject, find_among, key_of
from bigmind.store.work import Work

WHERE_IDS_ARE = "query_brain shows the ids of thoughts."


@dataclass(frozen=True, slots=True)
class Contribution:
    """What an agent contributes; empty is not given."""

    prompt: str
    context: str = ""
    category: str = ""
    topic: str = ""
    tags: tuple[str, ...] = ()
    temporal_scope: str = ""
    source_type: str = ""
    source_value: str = ""
    source_project: str = ""
    alternatives: str = ""
    refines: str = ""
    consolidates: tuple[str, ...] = ()
    corrected_fact: str = ""
    correct_fact: str = ""
    supersedes: tuple[str, ...] = ()
    related: tuple[str, ...] = ()
    space: str = ""


@dataclass(frozen=True, slots=True)
class Rests:
    """The thoughts that a contribution names, by relation.

    Attributes:
        rows: of each relation, in the order given.
        weight: what a refinement or a consolidation begins with; none of what rests on nothing.
    """

    rows: Mapping[str, Sequence[Thought]] = field(default_factory=dict[str, Sequence[Thought]])
    weight: float | None = None

    @property
    def always(self) -> bool:
        """Whether it is stored whatever its text looks like: it refines or consolidates."""
        return bool(self.rows.get("refines") or self.rows.get("consolidates"))

    @property
    def basis(self) -> Sequence[Thought]:
        """What it refines or consolidates."""
        return [*self.rows.get("refines", ()), *self.rows.get("consolidates", ())]

    @property
    def texts(self) -> list[str]:
        """The texts of that."""
        return [each.content for each in self.basis]

    @property
    def keys(self) -> set[int]:
        """The keys of all that it descends from."""
        return {key_of(each) for relation, rows in self.rows.items() if relation != "related" for each in rows}

    @property
    def ids(self) -> dict[str, list[str]]:
        """Their ids, by relation."""
        return {relation: [each.uid for each in rows] for relation, rows in self.rows.items() if relation != "related"}


def thought_named(work: Work, reference: str, field_name: str = "id") -> Thought:
    """The thought of that id or prefix that the caller may read.

    Raises:
        BigMindError: `not_found`, also for somebody else's private one; `ambiguous`; `invalid_input`.
    """
    kind = work.kinds["thought"]
    table: Any = Thought
    rows: Any = select(Thought).where(readable(work, kind))
    return find_among(work, table, rows, reference, LookupSubject("thought", WHERE_IDS_ARE, field_name))


def rests(work: Work, given: Contribution) -> Rests:
    """The thoughts that a contribution names.

    Raises:
        BigMindError: `mutual_exclusion`, `min_consolidation`; as `thought_named`.
    """
    if given.refines and given.consolidates:
        message = "refines and consolidates exclude each other: a thought refines one, or consolidates several."
        raise BigMindError(Code.MUTUAL_EXCLUSION, message, "Pass one of the two.")
    named = {
        "refines": [given.refines] if given.refines else [],
        "consolidates": given.consolidates,
        "supersedes": given.supersedes,
        "related": given.related,
    }
    rows = {
        relation: list(
            {key_of(row): row for row in (thought_named(work, each, relation) for each in references)}.values()
        )
        for relation, references in named.items()
        if references
    }
    if "consolidates" in rows and len(rows["consolidates"]) < LEAST_CONSOLIDATED:
        message = f"consolidates names {len(rows['consolidates'])} thought; a consolidation has at least two sources."
        raise BigMindError(Code.MIN_CONSOLIDATION, message, "To build on one thought, pass it as refines.")
    found = Rests(rows)
    if not found.always:
        return found
    used = uses(work, [key_of(each) for each in found.basis])
    return replace(found, weight=inherited([used.get(key_of(each), UNUSED).weight for each in found.basis]))


def completed(work: Work, given: Contribution, resting: Rests) -> Contribution:
    """A contribution with what it takes over where it does not say: of what it refines, and of the settings.

    What rests on a private thought is private, unless it says otherwise: its words may be that thought's.
    """
    source = next(iter(resting.rows.get("refines", ())), None)
    is_private = any(each.space == Space.PRIVATE for each in resting.basis)
    default = Space.PRIVATE if is_private else work.host.settings.now().brain_space
    category = given.category or _category(given, source)
    scope = given.temporal_scope
    if source is None:
        return replace(given, category=category, temporal_scope=scope, space=given.space or default)
    if not scope:
        scope = f"{work.now:%Y-%m-%d}" if category == SNAPSHOT else source.temporal_scope
    has_source = bool(given.source_type)
    return replace(
        given,
        category=category,
        topic=given.topic or source.topic,
        tags=given.tags or tuple(source.tags),
        temporal_scope=scope,
        source_type=given.source_type or source.source_type,
        source_value=given.source_value if has_source else source.source_value,
        source_project=given.source_project if has_source else source.source_project,
        space=given.space or default,
    )


def _category(given: Contribution, source: Thought | None) -> str:
    if given.corrected_fact and given.correct_fact:
        return "correction"
    return source.category if source is not None else "uncategorized"
