"""The board: the items of one process by state, narrowed down, column by column. Nothing here writes."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, cast

from sqlalchemy import func, tuple_, union_all
from sqlalchemy import select as sql_select
from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.flow.gates import Finding
from bigmind.flow.workflow import Item, Process, Transition
from bigmind.store.work import Work
from bigmind.tasks.next_steps import SHORT, missing, usual_rule
from bigmind.work.in_person.confirmations import YES
from bigmind.work.items import fields_of, item_named
from bigmind.work.moving import lease_has_run_out
from bigmind.work.processes import OF_TASKS_ONLY, process_of, processes
from bigmind.work.roles import shown_agent
from bigmind.work.tables import WorkConfirmation, WorkDependency, WorkItem

MOST_NAMED = 3
"""Items that a card waits for and names."""
DEPENDENCIES = SHORT["dependencies_complete"]
READ = (
    *("id", "uid", "slug", "title", "state", "role", "process", "version", "project", "updated_at", "dna"),
    *(
        "holder",
        "holder_client",
        "holder_user_id",
        "lease_until",
        "worked_as",
        "self_reviewed",
        "caution",
        "accepted_at",
    ),
)
"""The columns that cards are made of."""


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """Which items are looked at: of a process; of a role and a project, each of them all when empty."""

    process: str
    role: str = ""
    project: str = ""


@dataclass(frozen=True, slots=True)
class Card:
    """An item on the board.

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
    missing: Sequence[str]
    waits_for: Sequence[str]
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
    newest = [_newest(query, name, limits.get(name, otherwise) + 1) for name in titles if counts.get(name)]
    cards = _cards(work, _rows(work, newest))
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
    cards = _cards(work, _rows(work, [_newest(query, state, limit + 1, item_named(work, after))]))
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
    counted = select(WorkItem.process, func.count()).group_by(col(WorkItem.process))
    counts: dict[str, int] = dict(work.session.exec(counted).all())
    known = [(each, counts.get(each.name, 0)) for each in processes(work) if each.name != OF_TASKS_ONLY]
    named = select(WorkItem.project).where(col(WorkItem.project).is_not(None)).distinct()
    return BoardChoices(known, [each for each in work.session.exec(named.order_by(col(WorkItem.project))) if each])


def _conditions(query: BoardQuery) -> list[Any]:
    found: list[Any] = [col(WorkItem.process) == query.process]
    if query.role:
        found.append(col(WorkItem.role) == query.role)
    if query.project:
        found.append(col(WorkItem.project) == query.project)
    return found


def _counts(work: Work, query: BoardQuery) -> dict[str, int]:
    counted = select(WorkItem.state, func.count()).where(*_conditions(query)).group_by(col(WorkItem.state))
    return dict(work.session.exec(counted).all())


def _newest(query: BoardQuery, state: str, limit: int, after: WorkItem | None = None) -> Any:
    """The keys of the items of a state that were changed last; behind an item, where one is named."""
    places = (col(WorkItem.updated_at), col(WorkItem.id))
    found = select(WorkItem.id).where(*_conditions(query), col(WorkItem.state) == state)
    if after is not None:
        found = found.where(tuple_(*places) < tuple_(after.updated_at, after.id))
    return found.order_by(*(each.desc() for each in places)).limit(limit)


def _rows(work: Work, newest: Sequence[Any]) -> list[WorkItem]:
    """The rows of those keys, as far as cards read them: columns, for a hundred whole rows take ten times as long."""
    if not newest:
        return []
    keys = union_all(*(select(each.subquery().c.id) for each in newest))
    order = (col(WorkItem.updated_at).desc(), col(WorkItem.id).desc())
    found = sql_select(*(getattr(WorkItem, each) for each in READ)).where(col(WorkItem.id).in_(keys)).order_by(*order)
    return [cast("WorkItem", each) for each in work.session.connection().execute(found)]


def _cards(work: Work, rows: Sequence[WorkItem]) -> dict[str, list[Card]]:
    """Cards by state. Rules are looked for once for all items that stand alike."""
    keys = [each.id or 0 for each in rows]
    waits, confirmed = _waits(work, keys), _confirmed(work, keys)
    found: dict[str, list[Card]] = defaultdict(list)
    rules: dict[tuple[object, ...], Transition | None] = {}
    for row in rows:
        standing = (row.process, row.version, row.state, row.role, row.worked_as)
        if standing not in rules:
            rules[standing] = _rule(work, row)
        rule = rules[standing]
        lacks = missing(rule, _item(row, rule), _findings(row, waits, confirmed)) if rule is not None else []
        found[row.state].append(_card(work, row, [each for each in lacks if each != DEPENDENCIES], waits))
    return found


def _rule(work: Work, row: WorkItem) -> Transition | None:
    process = process_of(work, row.process, row.version)
    return usual_rule(process, _item(row)) if row.state in process.states else None


def _item(row: WorkItem, rule: Transition | None = None) -> Item:
    """An item, as far as a card reads it; its fields where the rule asks for one."""
    wants = rule is not None and any(part.kind == "field" for gate in rule.gates for part in gate.each())
    return Item(row.state, row.role, holder=row.holder, fields=fields_of(row) if wants else {}, worked_as=row.worked_as)


def _findings(row: WorkItem, waits: Collection[int], confirmed: Collection[int]) -> dict[str, Finding]:
    """What is looked up for a card. Of the memory gates nothing is: what an agent asked counts for that agent alone."""
    return {
        "dependencies_complete": Finding(passed=row.id not in waits),
        YES: Finding(passed=row.id in confirmed),
    }


def _card(work: Work, row: WorkItem, lacks: Sequence[str], waits: Mapping[int, Sequence[str]]) -> Card:
    others = waits.get(row.id or 0, ())
    return Card(
        uid=row.uid,
        slug=row.slug,
        title=row.title,
        state=row.state,
        role=row.role,
        project=row.project,
        holder=shown_agent(row.holder),
        lease_until=row.lease_until,
        is_lapsed=bool(row.holder) and lease_has_run_out(work, row),
        missing=lacks,
        waits_for=others[:MOST_NAMED],
        waits_more=max(0, len(others) - MOST_NAMED),
        self_reviewed=row.self_reviewed,
        caution=pending(row),
        updated_at=row.updated_at,
    )


def _waits(work: Work, keys: Sequence[int]) -> dict[int, list[str]]:
    """Of each item that waits for others, the slugs of those that are not complete."""
    joined = (
        sql_select(col(WorkDependency.item_id), col(WorkItem.slug))
        .join(WorkItem, col(WorkItem.id) == col(WorkDependency.other_id))
        .where(col(WorkDependency.item_id).in_(keys), col(WorkItem.state) != "complete")
        .order_by(col(WorkItem.slug))
    )
    found: dict[int, list[str]] = {}
    for key, slug in work.session.connection().execute(joined):
        found.setdefault(key, []).append(slug)
    return found


def _confirmed(work: Work, keys: Sequence[int]) -> set[int]:
    given = (
        select(WorkConfirmation.item_id)
        .join(WorkItem, col(WorkItem.id) == col(WorkConfirmation.item_id))
        .where(col(WorkConfirmation.item_id).in_(keys), col(WorkConfirmation.withdrawn_at).is_(None))
        .where(col(WorkConfirmation.revision) == col(WorkItem.revision))
    )
    return set(work.session.exec(given).all())
