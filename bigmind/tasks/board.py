"""The board: the items of one process by state, narrowed down, column by column. Nothing here writes."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple, cast

from sqlalchemy import bindparam, exists, func, select, tuple_, union_all

from bigmind.caution.detect import pending
from bigmind.flow.gates import Finding
from bigmind.flow.workflow import Item, Process, Transition
from bigmind.people.agent_names import shown_agent
from bigmind.store.driver_statements import all_rows, limit_of
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.tasks.next_steps import SHORT, missing, usual_rule
from bigmind.work.holding.lease import lease_end
from bigmind.work.in_person.confirmations import YES
from bigmind.work.items import fields_of, item_named, items_by_state
from bigmind.work.memory_gates import CONTRIBUTED, newest_contribution
from bigmind.work.processes import OF_TASKS_ONLY, process_of, processes
from bigmind.work.tables import WorkConfirmation, WorkDependency, WorkItem

MOST_NAMED = 3
"""Items that a card waits for and names."""
DEPENDENCIES = SHORT["dependencies_complete"]


class CardRow(NamedTuple):
    """What a card is made of; read from a tuple of our own, where it takes a tenth of the time.

    Attributes:
        is_confirmed: whether a person's yes to it holds.
        depends: whether it depends on other items, complete or not.
    """

    id: int
    uid: str
    slug: str
    title: str
    state: str
    role: str
    process: str
    version: int
    project: str | None
    updated_at: datetime
    dna: str
    holder: str
    holder_client: str
    holder_user_id: int | None
    claimed_after: int
    lease_until: datetime | None
    worked_as: str
    self_reviewed: bool
    caution: str
    accepted_at: datetime | None
    is_confirmed: bool
    depends: bool


_ITEM = table_of(WorkItem).c
_DEPENDENCY = table_of(WorkDependency).c
_CONFIRMATION = table_of(WorkConfirmation).c
_IS_CONFIRMED = (
    exists()
    .where(_CONFIRMATION.item_id == _ITEM.id, _CONFIRMATION.revision == _ITEM.revision)
    .where(_CONFIRMATION.withdrawn_at.is_(None))
    .label("is_confirmed")
)
_DEPENDS = exists().where(_DEPENDENCY.item_id == _ITEM.id).label("depends")
_PROJECTS = select(_ITEM.project).where(_ITEM.project.is_not(None)).distinct().order_by(_ITEM.project)


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """Which items are looked at: of a process; of a role and a project, each of them all when empty."""

    process: str
    role: str = ""
    project: str = ""


class Card(NamedTuple):
    """An item on the board; a tuple, for a page makes sixty, and they are looked up by all that they hold.

    Attributes:
        is_lapsed: whether the lease of its holder has run out.
        missing: what the usual way on still lacks, a word or two each.
        waits_for: what it depends on and is not complete, by slug; the first few.
        waits_more: how many more.
    """

    uid: str
    slug: str
    title: str
    state: str
    role: str
    project: str | None
    holder: str
    lease_until: datetime | None
    is_lapsed: bool
    missing: tuple[str, ...]
    waits_for: tuple[str, ...]
    waits_more: int
    self_reviewed: bool
    caution: str
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class BoardColumn:
    """A state: its items from some place on, the latest changed first, and how many there are in all."""

    name: str
    title: str
    is_final: bool
    cards: Sequence[Card]
    total: int
    has_more: bool


def board(work: Work, query: BoardQuery, limits: Mapping[str, int], otherwise: int) -> list[BoardColumn]:
    """The items of a process by state, in the process's order.

    Args:
        work: reads.
        query: which.
        limits: of a state, how many cards at most.
        otherwise: the same of a state that is not among them.

    Raises:
        BigMindError: `not_found` for a process that there is not.
    """
    process, counts = process_of(work, query.process), _counts(work, query)
    titles = {name: state.title for name, state in process.states.items()}
    titles |= {name: name.capitalize() for name in counts if name not in titles}  # of an older version
    wanted = {name: limits.get(name, otherwise) + 1 for name in titles if counts.get(name)}
    cards = _cards(work, query, wanted)
    return [
        _column(process, (name, title, counts.get(name, 0)), cards.get(name, []), limits.get(name, otherwise))
        for name, title in titles.items()
    ]


def more_of_column(work: Work, query: BoardQuery, state: str, limit: int, after: str) -> BoardColumn:
    """What follows in a column behind an item.

    Raises:
        BigMindError: `not_found`, when that one was forgotten meanwhile.
    """
    process, counts = process_of(work, query.process), _counts(work, query)
    known = process.states.get(state)
    cards = _cards(work, query, {state: limit + 1}, item_named(work, after))
    named = (state, known.title if known is not None else state, counts.get(state, 0))
    return _column(process, named, cards.get(state, []), limit)


def _column(process: Process, named: tuple[str, str, int], cards: Sequence[Card], limit: int) -> BoardColumn:
    name, title, total = named
    state = process.states.get(name)
    is_final = state is not None and state.is_final
    return BoardColumn(name, title, is_final, cards[:limit], total, len(cards) > limit)


@dataclass(frozen=True, slots=True)
class BoardChoices:
    """What the board can be narrowed to: processes with how many items each has, roles, projects."""

    processes: Sequence[tuple[Process, int]]
    projects: Sequence[str]

    @property
    def total(self) -> int:
        """How many items there are in all."""
        return sum(count for _, count in self.processes)

    @property
    def first(self) -> str:
        """The process with the most items; the first where there are none."""
        return max(self.processes, key=lambda each: each[1])[0].name


def choices(work: Work) -> BoardChoices:
    """What there is to choose from. Nodes of the mindspace have a page of their own."""
    counts: dict[str, int] = defaultdict(int)
    for (process, _), number in items_by_state(work).items():
        counts[process] += number
    known = [(each, counts[each.name]) for each in processes(work) if each.name != OF_TASKS_ONLY]
    return BoardChoices(known, [each.project for each in all_rows(work.session, _PROJECTS, {}) if each.project])


def _counts(work: Work, query: BoardQuery) -> dict[str, int]:
    if query.role or query.project:
        counted = all_rows(work.session, _counting(bool(query.role), bool(query.project)), _values(query))
        return {each.state: each.number for each in counted}
    return {state: number for (name, state), number in items_by_state(work).items() if name == query.process}


def _values(query: BoardQuery) -> dict[str, Any]:
    narrowed = {"role": query.role, "project": query.project}
    return {"process": query.process, **{name: value for name, value in narrowed.items() if value}}


def _conditions(by_role: bool, by_project: bool) -> list[Any]:
    found: list[Any] = [_ITEM.process == bindparam("process")]
    if by_role:
        found.append(_ITEM.role == bindparam("role"))
    if by_project:
        found.append(_ITEM.project == bindparam("project"))
    return found


@lru_cache
def _counting(by_role: bool, by_project: bool) -> Any:
    """How many of the items that are looked at stand in each state."""
    found = select(_ITEM.state, func.count().label("number")).where(*_conditions(by_role, by_project))
    return found.group_by(_ITEM.state)


@dataclass(frozen=True, slots=True)
class CardStatements:
    """What reads the cards of so many states; built once, for building them takes longer than reading.

    Attributes:
        rows: what cards are made of: columns, for a hundred whole items take ten times as long.
        waits: of the same items, the slugs of what they wait for.
    """

    rows: Any
    waits: Any


@lru_cache
def _statements(states: int, by_role: bool, by_project: bool, is_behind: bool) -> CardStatements:
    """For the items of so many states that were changed last; behind an item, where one is named."""
    places = (_ITEM.updated_at, _ITEM.id)

    def of_state(number: int) -> Any:
        found = select(_ITEM.id).where(*_conditions(by_role, by_project), _ITEM.state == bindparam(f"place_{number}"))
        if is_behind:
            found = found.where(tuple_(*places) < tuple_(*(bindparam(each.name, type_=each.type) for each in places)))
        latest = found.order_by(*(each.desc() for each in places)).limit(limit_of(f"most_{number}"))
        return select(latest.subquery().c.id)

    keys = union_all(*map(of_state, range(states)))
    read = [_ITEM[each] for each in CardRow._fields if each in _ITEM]
    waits = (
        select(_DEPENDENCY.item_id, _ITEM.slug)
        .join_from(table_of(WorkDependency), table_of(WorkItem), _ITEM.id == _DEPENDENCY.other_id)
        .where(_DEPENDENCY.item_id.in_(keys), _ITEM.state != "complete")
        .order_by(_ITEM.slug)
    )
    return CardStatements(select(*read, _IS_CONFIRMED, _DEPENDS).where(_ITEM.id.in_(keys)), waits)


def _cards(
    work: Work, query: BoardQuery, wanted: Mapping[str, int], after: WorkItem | None = None
) -> dict[str, list[Card]]:
    """Cards by state, of each so many at most, the latest changed first; behind an item, where one is given."""
    if not wanted:
        return {}
    values = _values(query)
    for number, (state, limit) in enumerate(wanted.items()):
        values |= {f"place_{number}": state, f"most_{number}": limit}
    if after is not None:
        values |= {"updated_at": after.updated_at, "id": after.id}
    statements = _statements(len(wanted), bool(query.role), bool(query.project), after is not None)
    found = [CardRow(*each) for each in all_rows(work.session, statements.rows, values)]
    found.sort(key=lambda each: (each.updated_at, each.id), reverse=True)
    waits: dict[int, list[str]] = {}
    if any(each.depends for each in found):
        for key, slug in all_rows(work.session, statements.waits, values):
            waits.setdefault(key, []).append(slug)
    return _drawn_up(work, found, waits)


def _drawn_up(work: Work, found: Sequence[CardRow], waits: Mapping[int, Sequence[str]]) -> dict[str, list[Card]]:
    """Cards by state. What is missing is looked for once for all items that stand alike."""
    cards: dict[str, list[Card]] = defaultdict(list)
    rules: dict[tuple[object, ...], tuple[Transition | None, bool]] = {}
    lacks: dict[tuple[object, ...], tuple[str, ...]] = {}
    contributed: dict[tuple[int, str], int] = {}
    for row in found:
        standing = (row.process, row.version, row.state, row.role, row.worked_as)
        if standing not in rules:
            rule = _rule(work, row)
            rules[standing] = (rule, _wants_fields(rule))
        rule, wants = rules[standing]
        findings = (row.id not in waits, row.is_confirmed, _has_contributed(work, row, rule, contributed))
        alike = (*standing, row.holder, row.dna if wants else "", *findings)
        if alike not in lacks:
            lacks[alike] = _missing(row, rule, *findings)
        cards[row.state].append(_card(work, row, lacks[alike], waits))
    return cards


def _rule(work: Work, row: CardRow) -> Transition | None:
    process = process_of(work, row.process, row.version)
    return usual_rule(process, _item(row)) if row.state in process.states else None


def _wants_fields(rule: Transition | None) -> bool:
    return rule is not None and any(part.kind == "field" for gate in rule.gates for part in gate.each())


def _item(row: CardRow, rule: Transition | None = None) -> Item:
    """An item, as far as a card reads it; its fields where the rule asks for one."""
    fields = fields_of(cast("Any", row)) if _wants_fields(rule) else {}
    return Item(row.state, row.role, holder=row.holder, fields=fields, worked_as=row.worked_as)


def _has_contributed(work: Work, row: CardRow, rule: Transition | None, newest: dict[tuple[int, str], int]) -> bool:
    """Whether the holder contributed since the claim, where the rule asks for it; no model is asked what it is about.

    `newest` is what is known by now of the holders.
    """
    if rule is None or not row.holder or all(part.kind != CONTRIBUTED for gate in rule.gates for part in gate.each()):
        return False
    agent = (row.holder_user_id or work.caller.user_id, row.holder_client)
    if agent not in newest:
        newest[agent] = newest_contribution(work, *agent)
    return newest[agent] > row.claimed_after


def _missing(
    row: CardRow, rule: Transition | None, is_free: bool, is_confirmed: bool, has_contributed: bool
) -> tuple[str, ...]:
    """What the usual way on lacks, what it depends on aside. Of questions nothing is looked up: they count once."""
    if rule is None:
        return ()
    findings = {
        "dependencies_complete": Finding(passed=is_free),
        YES: Finding(passed=is_confirmed),
        CONTRIBUTED: Finding(passed=has_contributed),
    }
    return tuple(each for each in missing(rule, _item(row, rule), findings) if each != DEPENDENCIES)


def _card(work: Work, row: CardRow, lacks: tuple[str, ...], waits: Mapping[int, Sequence[str]]) -> Card:
    others, until = waits.get(row.id, ()), lease_end(work, row)
    return Card(
        uid=row.uid,
        slug=row.slug,
        title=row.title,
        state=row.state,
        role=row.role,
        project=row.project,
        holder=row.holder and shown_agent(row.holder),
        lease_until=until,
        is_lapsed=until is not None and until <= work.now,
        missing=lacks,
        waits_for=tuple(others[:MOST_NAMED]),
        waits_more=max(0, len(others) - MOST_NAMED),
        self_reviewed=row.self_reviewed,
        caution=pending(cast("Any", row)),
        updated_at=row.updated_at,
    )
