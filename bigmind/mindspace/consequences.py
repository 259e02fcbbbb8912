"""The moves that are BigMind's own: ready by itself and back, complete, sent back, going on after a child."""

from collections import deque
from collections.abc import Iterable

from sqlmodel import col, select

from bigmind.store.work import Work
from bigmind.work.moving import move_by_system, ready_dependents
from bigmind.work.node_gates import COMPLETE
from bigmind.work.node_tables import WorkNode, WorkNodeInput
from bigmind.work.processes import process_of
from bigmind.work.tables import WorkItem

TRIED = {"pending": ("ready",), "ready": ("pending",), "paused": ("restore",), "review": ("rework", "complete")}
"""What BigMind tries from each state: the first that its gates let pass is made."""
WHY = {
    "ready": "Every input is there.",
    "pending": "An input was withdrawn.",
    "restore": "What was opened on the way is done.",
    "rework": "A quality gate failed.",
    "complete": "The last quality gate passed.",
}


def settle(work: Work, rows: Iterable[WorkItem]) -> list[WorkItem]:
    """Make every move of BigMind's own that is due, from these nodes on, up and down the tree; returns what moved."""
    waiting = deque(rows)
    moved: list[WorkItem] = []
    while waiting:
        row = waiting.popleft()
        if not any(_tries(work, row, target) for target in TRIED.get(row.state, ())):
            continue
        moved.append(row)
        waiting.append(row)  # what went on may be ready, or no more
        if row.state == COMPLETE:
            waiting.extend(_waiting_for(work, row))
            ready_dependents(work, row, process_of(work, row.process, row.version))
    return moved


def _tries(work: Work, row: WorkItem, target: str) -> bool:
    return move_by_system(work, row, target, WHY[target])


def _waiting_for(work: Work, row: WorkItem) -> list[WorkItem]:
    """The nodes with an input from this one, and the one that it was opened for."""
    given = select(WorkItem).join(WorkNodeInput, col(WorkNodeInput.item_id) == col(WorkItem.id))
    found = list(work.session.exec(given.where(WorkNodeInput.source_id == row.id).distinct()).all())
    own = work.session.get(WorkNode, row.id)
    interrupted = work.session.get(WorkItem, own.interrupts) if own is not None and own.interrupts else None
    return [*found, *([interrupted] if interrupted is not None else [])]


def waiting_for_any(work: Work, keys: list[int]) -> list[WorkItem]:
    """The nodes that wait for any of these, those themselves aside."""
    rows = [row for key in keys if (row := work.session.get(WorkItem, key)) is not None]
    found = {each.id: each for row in rows for each in _waiting_for(work, row)}
    return [each for key, each in found.items() if key not in keys]
