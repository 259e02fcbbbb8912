"""Forgetting a run: its row and its words go, the ledger's chain stays, and one row of it says so."""

from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.work.ledger.forgotten_items import FORGOTTEN
from bigmind.work.ledger.ledger_rows import Entry, append


def write_down(work: Work, row: ProtocolRun) -> None:
    """Say in the ledger that a run is forgotten, in the transaction that takes it; how it stood, and no words."""
    append(work, Entry(FORGOTTEN, row.uid, {"run": row.name, "state": row.state}))
