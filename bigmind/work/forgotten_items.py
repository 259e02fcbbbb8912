"""Forgetting an item: its row and its words go, the ledger's chain stays, and one row of it says so."""

from bigmind.store.work import Work
from bigmind.work.ledger_rows import Entry, append
from bigmind.work.tables import WorkItem

FORGOTTEN = "forgotten"
"""What the newest row of an item says that is gone for good."""


def write_down(work: Work, row: WorkItem) -> None:
    """Say in the ledger that an item is forgotten, in the transaction that takes it; where it stood, and no words."""
    append(work, Entry(FORGOTTEN, row.uid, {"process": row.process, "state": row.state}))
