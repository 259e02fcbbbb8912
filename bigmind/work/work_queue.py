"""Which item an agent takes up next: its own first, then reviews, lapsed claims, what can be claimed, the rest.

What a role can move is read from the process documents; for each state and role the item that waits longest is looked
up by an index, so that it takes as long with ten thousand items as with ten.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import and_, bindparam, exists, or_
from sqlalchemy import select as sql_select
from sqlmodel import col, select

from bigmind.core.client_names import BRIDGE, SLASH
from bigmind.flow.workflow import ANYONE, OWN, Process, State
from bigmind.store.prepared_statements import first
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.in_person.confirmations import needs_yes
from bigmind.work.moving import lease_has_run_out
from bigmind.work.processes import OF_TASKS_ONLY, known_state, processes
from bigmind.work.roles import actor_of, agent_of
from bigmind.work.tables import WorkConfirmation, WorkDependency, WorkItem

Turn = tuple[str, str, str]
"""Process, state and role."""
REVIEW, CLAIM, OTHER = 1, 3, 4
MOST_LAPSED = MOST_HELD = 20
DONE = "complete"
AFTER_SLASH = chr(ord(SLASH) + 1)


@dataclass(frozen=True, slots=True)
class QueueQuery:
    """For which item it is asked: of a role, of a project; each of them any when empty.

    `allows_no_project`: also what is of no project.
    """

    role: str = ""
    project: str | None = None
    allows_no_project: bool = False

    def conditions(self) -> list[Any]:
        """Of the items that may be answered."""
        chosen: list[Any] = [WorkItem.process != OF_TASKS_ONLY]
        if self.role:
            chosen.append(or_(col(WorkItem.role) == self.role, col(WorkItem.process) == "solo"))
        if self.project:
            is_here = col(WorkItem.project) == self.project
            chosen.append(or_(is_here, col(WorkItem.project).is_(None)) if self.allows_no_project else is_here)
        return chosen


def next_item(work: Work, query: QueueQuery) -> WorkItem | None:
    """The best task that the caller can move now; None where there is none. What waits for a yes is none of it."""
    turns, present = _turns(work, query.role), _present(work)
    return (
        _own(work, query)
        or _confirmed(work, query)
        or _longest(work, turns[REVIEW], present, query)
        or _lapsed(work, query)
        or _longest(work, turns[CLAIM], present, query)
        or _longest(work, turns[OTHER], present, query)
    )


def held_items(work: Work) -> Sequence[WorkItem]:
    """The items that the caller holds, the latest changed first; some twenty at most.

    Who says no name behind its token's, as hooks do, is asked about for every name behind it.
    """
    agent = agent_of(work)
    is_mine = col(WorkItem.holder) == agent
    if SLASH not in work.caller.client and work.caller.client != BRIDGE:
        is_mine |= (col(WorkItem.holder) > f"{agent}{SLASH}") & (col(WorkItem.holder) < f"{agent}{AFTER_SLASH}")
    newest = select(WorkItem).where(is_mine).order_by(col(WorkItem.updated_at).desc()).limit(MOST_HELD)
    return work.session.exec(newest).all()


def is_under_way(work: Work, row: WorkItem) -> bool:
    """Whether a held item stands in a state that an agent claims, and not in one that interrupts it."""
    known = known_state(work, row)
    return known is not None and known[1].is_claimed


def _own(work: Work, query: QueueQuery) -> WorkItem | None:
    """What the caller's agent holds already."""
    held = select(WorkItem).where(WorkItem.holder == agent_of(work), *query.conditions())
    rows = work.session.exec(held.order_by(col(WorkItem.entered_at), col(WorkItem.id)).limit(MOST_HELD))
    return next((each for each in rows if is_under_way(work, each)), None)


def _confirmed(work: Work, query: QueueQuery) -> WorkItem | None:
    """What a person said yes to, as it is: it can be moved on."""
    yes = select(WorkItem).join(WorkConfirmation, col(WorkConfirmation.item_id) == col(WorkItem.id))
    standing = (
        col(WorkConfirmation.withdrawn_at).is_(None),
        col(WorkConfirmation.revision) == col(WorkItem.revision),
        *query.conditions(),
    )
    rows = work.session.exec(yes.where(*standing).order_by(col(WorkItem.entered_at)).limit(MOST_HELD))
    return next((each for each in rows if _may_move_on(work, each, query.role)), None)


def _may_move_on(work: Work, row: WorkItem, role: str) -> bool:
    known = known_state(work, row)
    if known is None:
        return False
    taken = _taken(actor_of(work, known[0], role).roles, role)
    return _rank(*known, row.role, taken, is_confirmed=True) is not None


def _lapsed(work: Work, query: QueueQuery) -> WorkItem | None:
    """What another holds whose lease has run out."""
    held = select(WorkItem).where(col(WorkItem.holder) != "", col(WorkItem.lease_until) <= work.now)
    oldest = held.where(*query.conditions()).order_by(col(WorkItem.lease_until)).limit(MOST_LAPSED)
    rows = (each for each in work.session.exec(oldest) if _may_take_over(work, each))
    return next((each for each in rows if lease_has_run_out(work, each)), None)


def _may_take_over(work: Work, row: WorkItem) -> bool:
    known = known_state(work, row)
    if known is None or not known[1].is_claimed:
        return False
    return row.role in actor_of(work, known[0]).roles or row.process == "solo"


def _turns(work: Work, role: str) -> dict[int, list[Turn]]:
    """The states and roles whose items the caller's agent can move, by their rank."""
    found: defaultdict[int, list[Turn]] = defaultdict(list)
    for process in processes(work):
        if process.name != OF_TASKS_ONLY:
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


def _taken(roles: Sequence[str], role: str) -> Sequence[str]:
    """The roles that an agent acts in: the one that it asks for, where it may take it."""
    return [each for each in roles if role in {"", each}]


def _rank(
    process: Process, state: State, whose: str, taken: Sequence[str], *, is_confirmed: bool = False
) -> int | None:
    """Where the items of a state and a role stand for an agent that may act in these roles; None: it moves none."""
    rules = [
        rule
        for rule in process.leaving(state.name)
        if rule.source == state.name and rule.role in {None, whose} and (is_confirmed or not needs_yes(rule))
        if (rule.is_open and rule.actors & {*taken, ANYONE}) or (whose in taken and rule.actors & {whose, OWN, ANYONE})
    ]
    if not rules:
        return None
    if state.is_review:
        return REVIEW
    claims = (process.states[each.target].is_claimed for each in rules if each.target in process.states)
    return CLAIM if any(claims) else OTHER


def _longest(work: Work, turns: Sequence[Turn], present: Collection[Turn], query: QueueQuery) -> WorkItem | None:
    """The item that waits longest of those whose turn it is, held by nobody, and for nothing else."""
    heads: list[tuple[datetime, int]] = []
    head = _head(bool(query.project), query.allows_no_project)
    for process, state, role in (each for each in turns if each in present):
        found = first(work, head, process=process, state=state, role=role, project=query.project)
        if found is not None:
            heads.append((found.entered_at, found.id))
    return work.session.get(WorkItem, min(heads)[1]) if heads else None


def _present(work: Work) -> set[Turn]:
    """The processes, states and roles of which there are items."""
    items = table_of(WorkItem).c
    found = work.session.connection().execute(sql_select(items.process, items.state, items.role).distinct())
    return {(process, state, role) for process, state, role in found}


@cache
def _head(narrowed: bool, allows_no_project: bool) -> Any:
    """The statement that finds the item of a state and a role that waits longest."""
    items, needs, others = table_of(WorkItem).c, table_of(WorkDependency).c, table_of(WorkItem).alias("other").c
    waits = and_(needs.item_id == items.id, others.id == needs.other_id, others.state != DONE)
    whose = [getattr(items, name) == bindparam(name) for name in ("process", "state", "role")]
    found = sql_select(items.id, items.entered_at).where(*whose, items.holder == "", ~exists().where(waits))
    if narrowed:
        is_here = items.project == bindparam("project")
        found = found.where(or_(is_here, items.project.is_(None)) if allows_no_project else is_here)
    return found.order_by(items.entered_at, items.id).limit(1)
