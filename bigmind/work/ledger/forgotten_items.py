"""Forgetting an item: its row and its words go, the ledger's chain stays, and one row of it says so."""

from sqlmodel import select

from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.moving import move_by_system
from bigmind.work.node_tables import WorkNode, WorkNodeInput
from bigmind.work.processes import OF_TASKS_ONLY
from bigmind.work.tables import WorkItem

FORGOTTEN = "forgotten"
"""What the newest row of an item says that is gone for good."""


def write_down(work: Work, row: WorkItem) -> None:
    """Say in the ledger that an item is forgotten, in the transaction that takes it; where it stood, and no words."""
    append(work, Entry(FORGOTTEN, row.uid, {"process": row.process, "state": row.state, "holder": row.holder}))
    if row.process == OF_TASKS_ONLY:
        _let_go(work, row)


def _let_go(work: Work, row: WorkItem) -> None:
    """Take a node out of what waits for it: what was ready by it waits again, what was paused for it goes on."""
    given = work.session.exec(select(WorkNodeInput).where(WorkNodeInput.source_id == row.id)).all()
    own = work.session.get(WorkNode, row.id)
    waiting = {each.item_id for each in given} | {own.interrupts if own is not None and own.interrupts else 0}
    for each in given:
        each.source_id = None
    if own is not None:
        own.interrupts = None
    work.session.flush()
    for key in sorted(waiting):
        other = work.session.get(WorkItem, key)
        if other is not None and other.state == "paused":
            move_by_system(work, other, "restore", "What was opened on the way is forgotten.")
        if other is not None and other.state == "ready":
            move_by_system(work, other, "pending", "An input was forgotten.")
