"""The processes that items stand in: those that BigMind ships, and what a team took in person beside them."""

from collections.abc import Iterator
from functools import cache

from sqlalchemy import select as columns
from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.flow.process_document import read_process
from bigmind.flow.workflow import Process, State
from bigmind.paths import asset
from bigmind.store.prepared_statements import rows_once
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.tables import WorkItem, WorkProcess

SHIPPED = ("task", "bug", "solo", "node")
FOR_AGENTS = frozenset({"task", "bug", "solo"})
"""In which agents may make items, unless a person says otherwise."""
OF_TASKS_ONLY = "node"
"""Its items are nodes of the mindspace: made and moved by its own tools."""
SESSION = "session"
"""Shipped too, and of no items: protocol runs go through it (bigmind/protocol)."""
OWN_NAMES = frozenset({*SHIPPED, SESSION})
"""Of processes that BigMind ships, and that no team's document takes."""
MADE_BY = {OF_TASKS_ONLY: "mindspace_create_node makes nodes.", SESSION: "session_start begins a run."}
_PROCESS = table_of(WorkProcess).c
_TAKEN = columns(_PROCESS.name, _PROCESS.text).order_by(_PROCESS.name, _PROCESS.version)


@cache
def shipped(name: str) -> Process:
    """A process that BigMind ships."""
    file = asset(f"processes/{name}.yaml")
    return read_process(file.read_text(encoding="utf-8"), file.name)


@cache
def _read(text: str, name: str) -> Process:
    return read_process(text, name)


def process_of(work: Work, name: str, version: int | None = None) -> Process:
    """A process by its name, in that version or the newest.

    Raises:
        BigMindError: `not_found`, naming those that there are.
    """
    if name in OWN_NAMES:
        known = shipped(name)
        if version in {None, known.version}:
            return known
    taken = select(WorkProcess).where(WorkProcess.name == name).order_by(col(WorkProcess.version).desc())
    if version is not None:
        taken = taken.where(WorkProcess.version == version)
    row = work.session.exec(taken.limit(1)).first()
    if row is None:
        raise BigMindError(
            Code.NOT_FOUND,
            f"There is no process {name[:40]!r}{f' in version {version}' if version is not None else ''}.",
            f"There are {', '.join([*(each.name for each in processes(work)), SESSION])}."
            " A person takes another one, as the example content, on the page Work → Processes.",
        )
    return _read(row.text, f"{row.name}.yaml")


def known_state(work: Work, row: WorkItem) -> tuple[Process, State] | None:
    """The process and state of an item; None where this store does not know them, as after the restore of another's."""
    try:
        process = process_of(work, row.process, row.version)
    except BigMindError:
        return None
    state = process.states.get(row.state)
    return (process, state) if state is not None else None


def processes(work: Work) -> Iterator[Process]:
    """All of them, each in its newest version."""
    taken = (each.name for each in rows_once(work, _TAKEN))
    return (process_of(work, name) for name in dict.fromkeys((*SHIPPED, *taken)))


def known_processes(work: Work) -> Iterator[Process]:
    """All of them in every version that there is: items finish under the one that they entered with."""
    yield from map(shipped, SHIPPED)
    for row in rows_once(work, _TAKEN):
        yield _read(row.text, f"{row.name}.yaml")


def known_roles(work: Work) -> list[str]:
    """The work roles of all of them, in their order."""
    return list(dict.fromkeys(role for process in known_processes(work) for role in process.roles))


def may_agents_create(work: Work, process: Process) -> bool:
    """Whether agents may make items in a process: a person says so of a team's own."""
    if process.name in OWN_NAMES:
        return process.name in FOR_AGENTS
    row = work.session.get(WorkProcess, (process.name, process.version))
    return row is not None and row.agents_may_create


def how_made(process: Process) -> str:
    """What makes items of a process in which `work_create_task` makes none."""
    return MADE_BY.get(process.name, "A person allows it in BigMind.")


def refuse_unknown(work: Work, *, role: str = "", state: str = "") -> None:
    """Refuse a role or a state that no process has and no item is in: to say that nothing waits in it misleads.

    Raises:
        BigMindError: `invalid_input`, naming those that there are.
    """
    for field, given, column in (("role", role, WorkItem.role), ("state", state, WorkItem.state)):
        if not given:
            continue
        names = [name for each in known_processes(work) for name in getattr(each, f"{field}s")]
        of_items = select(WorkItem.id).where(column == given).limit(1)
        if given not in names and work.session.exec(of_items).first() is None:
            raise invalid(field, given, f"one of {', '.join(dict.fromkeys(names))}")
