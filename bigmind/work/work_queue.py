"""Which item an agent takes up next: its own first, then reviews, lapsed claims, what can be claimed, the rest.

What a person has to say yes to first comes early while something has to be written before that, and else last: the
agent could only send it back, and everything behind it would wait for the person too.

What a role can move is read from the process documents; for each state and role the item that waits longest is looked
up by an index, so that it takes as long with ten thousand items as with ten.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import and_, bindparam, exists, or_, select
from sqlmodel import col
from sqlmodel import select as entities

from bigmind.core.client_names import BRIDGE, SLASH
from bigmind.flow.gates import check
from bigmind.flow.workflow import ANYONE, OWN, Process, State, Transition
from bigmind.store.driver_statements import all_rows, first_row, limit_of
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.holding.lease import lease_has_run_out
from bigmind.work.in_person.confirmations import needs_yes
from bigmind.work.items import as_item
from bigmind.work.processes import OF_TASKS_ONLY, known_state, processes
from bigmind.work.roles import actor_of, agent_of
from bigmind.work.tables import WorkConfirmation, WorkDependency, WorkItem

Turn = tuple[str, str, str]
"""Process, state and role."""
REVIEW, CLAIM, OTHER, OF_OTHERS, AWAITS_YES = 1, 3, 4, 5, 6
MOST_LAPSED = MOST_HELD = 20
MOST_UNWRITTEN = 100
"""Items that wait for a yes, of a state and a role, that are looked through for one where a field is to be written."""
DONE, FIELD = "complete", "field"
AFTER_SLASH = chr(ord(SLASH) + 1)
_ITEM = table_of(WorkItem).c
_PRESENT = select(_ITEM.process, _ITEM.state, _ITEM.role).distinct()


@dataclass(frozen=True, slots=True)
class QueueQuery:
    """For which item it is asked: of a role, of a project; each of them any when empty.

    `allows_no_project`: also what is of no project. `tasks`, `nodes`: whether it is asked for those.
    """

    role: str = ""
    project: str | None = None
    allows_no_project: bool = False
    tasks: bool = True
    nodes: bool = False

    @property
    def shape(self) -> "QueueShape":
        """By what it is narrowed down."""
        return QueueShape(bool(self.role), bool(self.project), self.allows_no_project, self.tasks, self.nodes)

    def asks_for(self, process: str) -> bool:
        """Whether it is asked for the items of a process."""
        return self.nodes if process == OF_TASKS_ONLY else self.tasks

    def values(self, **more: Any) -> dict[str, Any]:
        """For the statements of that shape."""
        return {"wanted_role": self.role, "wanted_project": self.project, **more}


class QueueShape(NamedTuple):
    """What the text of a statement depends on; of a `QueueQuery`."""

    by_role: bool
    by_project: bool
    allows_no_project: bool
    tasks: bool
    nodes: bool

    def conditions(self) -> list[Any]:
        """Of the items that may be answered."""
        chosen: list[Any] = [] if self.nodes else [_ITEM.process != OF_TASKS_ONLY]
        chosen += [] if self.tasks else [_ITEM.process == OF_TASKS_ONLY]
        if self.by_role:
            chosen.append(or_(_ITEM.role == bindparam("wanted_role"), _ITEM.process == "solo"))
        return [*chosen, *self.of_project()]

    def of_project(self) -> list[Any]:
        """Of the items of the project, where one is named."""
        if not self.by_project:
            return []
        is_here = _ITEM.project == bindparam("wanted_project")
        return [or_(is_here, _ITEM.project.is_(None)) if self.allows_no_project else is_here]


def next_item(work: Work, query: QueueQuery, preferred: str | None = None) -> WorkItem | None:
    """The best item that the caller can move now; None where there is none. What waits for a yes is none of it.

    Args:
        work: reads only.
        query: what is asked for.
        preferred: where no project is asked for, what is of this one, or of none, comes before what is of others; what
            the caller holds comes first wherever it is.
    """
    queries = [query]
    if preferred and not query.project:
        queries = [replace(query, project=preferred, allows_no_project=True), query]
    held = next(filter(None, (_own(work, each) for each in queries)), None)
    if held is not None:
        return held
    turns, present = _turns(work, query), _present(work)
    return next(filter(None, (_free(work, each, turns, present) for each in queries)), None)


def _free(
    work: Work, query: QueueQuery, turns: Mapping[int, Sequence[Turn]], present: Collection[Turn]
) -> WorkItem | None:
    """The best item that the caller is not at work on yet."""
    return (
        _confirmed(work, query)
        or _longest(work, turns.get(REVIEW, ()), present, query)
        or _unwritten(work, turns.get(AWAITS_YES, ()), present, query)
        or _lapsed(work, query)
        or _longest(work, turns.get(CLAIM, ()), present, query)
        or _longest(work, turns.get(OTHER, ()), present, query)
        or _longest(work, turns.get(OF_OTHERS, ()), present, query, is_held=True)
        or _longest(work, turns.get(AWAITS_YES, ()), present, query)
    )


def held_items(work: Work) -> Sequence[WorkItem]:
    """The items that the caller holds, the latest changed first; some twenty at most.

    Who says no name behind its token's, as hooks do, is asked about for every name behind it.
    """
    agent = agent_of(work)
    is_mine = col(WorkItem.holder) == agent
    if SLASH not in work.caller.client and work.caller.client != BRIDGE:
        is_mine |= (col(WorkItem.holder) > f"{agent}{SLASH}") & (col(WorkItem.holder) < f"{agent}{AFTER_SLASH}")
    newest = entities(WorkItem).where(is_mine).order_by(col(WorkItem.updated_at).desc()).limit(MOST_HELD)
    return work.session.exec(newest).all()


def is_under_way(work: Work, row: WorkItem) -> bool:
    """Whether a held item stands in a state that an agent claims, and not in one that interrupts it."""
    known = known_state(work, row)
    return known is not None and known[1].is_claimed


def _own(work: Work, query: QueueQuery) -> WorkItem | None:
    """What the caller's agent holds already: what it is at work on, else what was sent back to it."""
    held = list(_found(work, _held(query.shape), query.values(agent=agent_of(work))))
    under_way = next((each for each in held if is_under_way(work, each)), None)
    return under_way or next((each for each in held if _is_claimed_anew(work, each, query.role)), None)


def _is_claimed_anew(work: Work, row: WorkItem, role: str) -> bool:
    """Whether a held item stands where its holder claims it once more."""
    known = known_state(work, row)
    return known is not None and not known[1].is_claimed and _rank_for(work, row, known, role) == CLAIM


def _found(work: Work, statement: Any, values: Mapping[str, Any]) -> Iterator[WorkItem]:
    """The items whose keys a statement reads, one after the other."""
    return (work.session.get_one(WorkItem, each.id) for each in all_rows(work.session, statement, values))


@cache
def _held(shape: QueueShape) -> Any:
    held = select(_ITEM.id).where(_ITEM.holder == bindparam("agent"), *shape.conditions())
    return held.order_by(_ITEM.entered_at, _ITEM.id).limit(limit_of(MOST_HELD))


def _confirmed(work: Work, query: QueueQuery) -> WorkItem | None:
    """What a person said yes to, as it is: it can be moved on."""
    said = _found(work, _with_yes(query.shape), query.values())
    return next((each for each in said if _may_move_on(work, each, query.role)), None)


@cache
def _with_yes(shape: QueueShape) -> Any:
    yes = table_of(WorkConfirmation).c
    holds = and_(yes.item_id == _ITEM.id, yes.withdrawn_at.is_(None), yes.revision == _ITEM.revision)
    said = select(_ITEM.id).join_from(table_of(WorkItem), table_of(WorkConfirmation), holds)
    return said.where(*shape.conditions()).order_by(_ITEM.entered_at).limit(limit_of(MOST_HELD))


def _may_move_on(work: Work, row: WorkItem, role: str) -> bool:
    known = known_state(work, row)
    return known is not None and _rank_for(work, row, known, role, is_confirmed=True) is not None


def _rank_for(
    work: Work, row: WorkItem, known: tuple[Process, State], role: str, *, is_confirmed: bool = False
) -> int | None:
    """Where an item stands for the caller's agent; None: it does not move it."""
    taken = _taken(actor_of(work, known[0], role).roles, role)
    return _rank(*known, row.role, taken, is_confirmed=is_confirmed)


def _lapsed(work: Work, query: QueueQuery) -> WorkItem | None:
    """What another holds whose lease has run out."""
    oldest = _found(work, _run_out(query.shape), query.values(now=work.now))
    rows = (each for each in oldest if _may_take_over(work, each))
    return next((each for each in rows if lease_has_run_out(work, each)), None)


@cache
def _run_out(shape: QueueShape) -> Any:
    """Of the held items those whose lease has run out; `>` where `!=` would look through all that there are."""
    until = _ITEM.lease_until
    held = select(_ITEM.id).where(_ITEM.holder > "", until <= bindparam("now", type_=until.type))
    return held.where(*shape.conditions()).order_by(until).limit(limit_of(MOST_LAPSED))


def _may_take_over(work: Work, row: WorkItem) -> bool:
    known = known_state(work, row)
    if known is None or not known[1].is_claimed:
        return False
    return row.role in actor_of(work, known[0]).roles or row.process == "solo"


def _turns(work: Work, query: QueueQuery) -> dict[int, list[Turn]]:
    """The states and roles whose items the caller's agent can move, by their rank."""
    found: defaultdict[int, list[Turn]] = defaultdict(list)
    role = query.role
    for process in processes(work):
        if query.asks_for(process.name):
            key = (process.digest, tuple(actor_of(work, process, role).roles), role)
            if key not in _KNOWN:
                _KNOWN[key] = tuple(_of_process(process, key[1], role))
            for rank, state, whose in _KNOWN[key]:
                found[rank].append((process.name, state, whose))
    return found


_KNOWN: dict[tuple[str, tuple[str, ...], str], tuple[tuple[int, str, str], ...]] = {}
"""What follows from a document, by its digest, the roles of an agent, and the one that it asks for."""


def _of_process(process: Process, roles: Sequence[str], role: str) -> Iterator[tuple[int, str, str]]:
    taken = _taken(roles, role)
    for state in process.states.values():
        if state.is_final or state.saves or state.is_claimed:
            continue
        for whose in process.roles:
            rank = _rank(process, state, whose, taken)
            if rank is not None:
                yield rank, state.name, whose
            if state.keeps_holder and _rank(process, state, whose, taken, by_others=True) == CLAIM:
                yield OF_OTHERS, state.name, whose


def _taken(roles: Sequence[str], role: str) -> Sequence[str]:
    """The roles that an agent acts in: the one that it asks for, where it may take it."""
    return [each for each in roles if role in {"", each}]


def _rank(
    process: Process,
    state: State,
    whose: str,
    taken: Sequence[str],
    *,
    is_confirmed: bool = False,
    by_others: bool = False,
) -> int | None:
    """Where the items of a state and a role stand for an agent that may act in these roles; None: it moves none.

    `by_others`: of items that another agent holds.
    """
    made = [rule for rule in _made(process, state, whose, taken) if rule.by_others or not by_others]
    rules = [rule for rule in made if is_confirmed or not needs_yes(rule)]
    if not rules:
        return None
    claims = (process.states[each.target].is_claimed for each in rules if each.target in process.states)
    rank = REVIEW if state.is_review else CLAIM if any(claims) else OTHER
    return rank if rank == CLAIM or len(rules) == len(made) else AWAITS_YES


def _made(process: Process, state: State, whose: str, taken: Sequence[str]) -> Iterator[Transition]:
    """The moves from a state that an agent in these roles makes of an item of that role."""
    for rule in process.leaving(state.name):
        if rule.source != state.name or rule.role not in {None, whose}:
            continue
        is_of_its_role = whose in taken and rule.actors & {whose, OWN, ANYONE}
        if is_of_its_role or (rule.is_open and rule.actors & {*taken, ANYONE}):
            yield rule


def _unwritten(work: Work, turns: Sequence[Turn], present: Collection[Turn], query: QueueQuery) -> WorkItem | None:
    """Of what waits for a yes, the first that a yes alone would not move: what is written after it takes it back."""
    heads = _head(query.shape, is_held=False, most=MOST_UNWRITTEN)
    for process, state, role in (each for each in turns if each in present):
        found = _found(work, heads, query.values(process=process, state=state, role=role))
        row = next((each for each in found if not _is_written(work, each, query.role)), None)
        if row is not None:
            return row
    return None


def _is_written(work: Work, row: WorkItem, role: str) -> bool:
    """Whether for one of the moves that need a yes every field is there."""
    known = known_state(work, row)
    if known is None:
        return True
    item, actor = as_item(row), actor_of(work, known[0], role)
    moves = (each for each in _made(*known, row.role, _taken(actor.roles, role)) if needs_yes(each))
    fields = ([gate for gate in each.gates if gate.kind == FIELD] for each in moves)
    return any(all(check(gate, item, actor, {}).passed for gate in gates) for gates in fields)


def _longest(
    work: Work, turns: Sequence[Turn], present: Collection[Turn], query: QueueQuery, *, is_held: bool = False
) -> WorkItem | None:
    """The item that waits longest of those whose turn it is, and for nothing else; held by nobody unless `is_held`."""
    heads: list[tuple[datetime, int]] = []
    head = _head(query.shape, is_held)
    for process, state, role in (each for each in turns if each in present):
        found = first_row(work.session, head, query.values(process=process, state=state, role=role))
        if found is not None:
            heads.append((found.entered_at, found.id))
    return work.session.get(WorkItem, min(heads)[1]) if heads else None


def _present(work: Work) -> set[Turn]:
    """The processes, states and roles of which there are items."""
    return {(process, state, role) for process, state, role in all_rows(work.session, _PRESENT, {})}


@cache
def _head(shape: QueueShape, is_held: bool, most: int = 1) -> Any:
    """The statement that finds the items of a state and a role that wait longest."""
    needs, others = table_of(WorkDependency).c, table_of(WorkItem).alias("other").c
    waits = and_(needs.item_id == _ITEM.id, others.id == needs.other_id, others.state != DONE)
    whose = [_ITEM[name] == bindparam(name) for name in ("process", "state", "role")]
    held = _ITEM.holder > "" if is_held else _ITEM.holder == ""
    found = select(_ITEM.id, _ITEM.entered_at).where(*whose, held, ~exists().where(waits))
    return found.where(*shape.of_project()).order_by(_ITEM.entered_at, _ITEM.id).limit(limit_of(most))
