"""Forgetting a run: its row and its words go, the ledger's chain stays, and one row of it says so."""

from pathlib import Path

from bigmind.protocol.receipts import remove_receipt
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.work.ledger.forgotten_items import FORGOTTEN
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.workspace.tables import Workspace


def write_down(work: Work, row: ProtocolRun) -> None:
    """Say in the ledger that a run is forgotten, in the transaction that takes it; how it stood, and no words.

    Its receipt goes too: what that has besides the files and git is of the store.
    """
    workspace = work.session.get(Workspace, row.workspace_id) if row.workspace_id is not None else None
    if workspace is not None:
        remove_receipt(work.host.settings.home, Path(workspace.path), row.name)
    append(work, Entry(FORGOTTEN, row.uid, {"run": row.name, "state": row.state}))
