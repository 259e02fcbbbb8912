"""Which item is the best for an agent now: its own first, then reviews, lapsed claims, what can be claimed, the rest.

What a role can move is read from the process documents; for each state and role the item that waits longest is looked
up by an index, so that it takes as long with ten thousand items as with ten.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from datetime import datetime
from functools import cache
from typing import Any

from sqlalchemy import and_, bindparam, exists
from sqlalchemy import select as sql_select
from sqlmodel import col, select

from bigmind.brain.prepared_statements import first
from bigmind.flow.workflow import ANYONE, OWN, Process, State
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.moving import lease_has_run_out
from bigmind.work.processes import OF_TASKS_ONLY, process_of, processes
from bigmind.work.roles import actor_of, agent_of
from bigmind.work.tables import WorkDependency, WorkItem

Turn = tuple[str, str, str]
"""Process, state and role."""
REVIEW, CLAIM, OTHER = 1, 3, 4
MOST_LAPSED = 20
DONE = "complete"


def next_item(work: Work, role: str, project: str | None) -> WorkItem | None:
    """The best item that the caller's agent can move now, in that role or any that it may take; None without one."""
    turns, present = _turns(work, role), _present(work)
    return (
        _own(work, role, project)
        or _longest(work, turns[REVIEW], present, project)
        or _lapsed(work, role, project)
        or _longest(work, turns[CLAIM], present, project)
        or _longest(work, turns[OTHER], present, project)
    )


def _own(work: Work, role: str, project: str | None) -> WorkItem | None:
    """What the caller's agent holds already."""
    held = select(WorkItem).where(WorkItem.holder == agent_of(work), *_narrowed(role, project))
    return work.session.exec(held.order_by(col(WorkItem.entered_at), col(WorkItem.id)).limit(1)).first()


def _lapsed(work: Work, role: str, project: str | None) -> WorkItem | None:
    """What another holds whose lease has run out."""
    held = select(WorkItem).where(col(WorkItem.holder) != "", col(WorkItem.lease_until) <= work.now)
    oldest = held.where(*_narrowed(role, project)).order_by(col(WorkItem.lease_until)).limit(MOST_LAPSED)
    rows = (each for each in work.session.exec(oldest) if _may_take_over(work, each))
    return next((each for each in rows if lease_has_run_out(work, each)), None)


def _may_take_over(work: Work, row: WorkItem) -> bool:
    process = process_of(work, row.process, row.version)
    roles = actor_of(work, process).roles
    return process.states[row.state].is_claimed and (row.role in roles or row.process == "solo")


def _narrowed(role: str, project: str | None) -> list[Any]:
    chosen: list[Any] = [WorkItem.process != OF_TASKS_ONLY]
    if role:
        chosen.append((WorkItem.role == role) | (WorkItem.process == "solo"))
    if project:
        chosen.append(WorkItem.project == project)
    return chosen


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
    taken = [role] if role in roles else [] if role else list(roles)
    for state in process.states.values():
        if state.is_final or state.saves or state.is_claimed:
            continue
        for whose in process.roles:
            rank = _rank(process, state, whose, taken)
            if rank is not None:
                yield rank, state.name, whose


def _rank(process: Process, state: State, whose: str, taken: Sequence[str]) -> int | None:
    """Where the items of a state and a role stand for an agent that may act in these roles; None: it moves none."""
    rules = [
        rule
        for rule in process.leaving(state.name)
        if rule.source == state.name and rule.role in {None, whose}
        if (rule.is_open and rule.actors & {*taken, ANYONE}) or (whose in taken and rule.actors & {whose, OWN, ANYONE})
    ]
    if not rules:
        return None
    if state.is_review:
        return REVIEW
    claims = (process.states[each.target].is_claimed for each in rules if each.target in process.states)
    return CLAIM if any(claims) else OTHER


def _longest(work: Work, turns: Sequence[Turn], present: Collection[Turn], project: str | None) -> WorkItem | None:
    """The item that waits longest of those whose turn it is, held by nobody, and for nothing else."""
    heads: list[tuple[datetime, int]] = []
    for process, state, role in (each for each in turns if each in present):
        found = first(work, _head(project is not None), process=process, state=state, role=role, project=project)
        if found is not None:
            heads.append((found.entered_at, found.id))
    return work.session.get(WorkItem, min(heads)[1]) if heads else None


def _present(work: Work) -> set[Turn]:
    """The processes, states and roles of which there are items."""
    items = table_of(WorkItem).c
    found = work.session.connection().execute(sql_select(items.process, items.state, items.role).distinct())
    return {(process, state, role) for process, state, role in found}


@cache
def _head(narrowed: bool) -> Any:
    """The statement that finds the item of a state and a role that waits longest."""
    items, needs, others = table_of(WorkItem).c, table_of(WorkDependency).c, table_of(WorkItem).alias("other").c
    waits = and_(needs.item_id == items.id, others.id == needs.other_id, others.state != DONE)
    whose = [getattr(items, name) == bindparam(name) for name in ("process", "state", "role")]
    found = sql_select(items.id, items.entered_at).where(*whose, items.holder == "", ~exists().where(waits))
    if narrowed:
        found = found.where(items.project == bindparam("project"))
    return found.order_by(items.entered_at, items.id).limit(1)
