"""An item that does not stand as the ledger left it: a person looks at it, and says that it counts as it stands."""

from bigmind.core.errors import BigMindError, Code
from bigmind.store.work import Work
from bigmind.work.items import item_named, tell
from bigmind.work.ledger.ledger_rows import Entry, agrees, append
from bigmind.work.processes import process_of
from bigmind.work.tables import WorkItem

REVIEWED = "reviewed"


def accept_standing(work: Work, slug: str, revision: int, note: str) -> WorkItem:
    """Write down, in person, that an item counts as it stands; it moves again from here.

    Raises:
        BigMindError: `not_found`, `ambiguous`; `conflict`, where it agrees with the ledger, was changed since it was
            shown, or stands in a state or role that its process does not have.
    """
    row = item_named(work, slug)
    if row.revision != revision:
        raise BigMindError(
            Code.CONFLICT, f"{row.slug} is at revision {row.revision}, not {revision}.", "Look at it again."
        )
    if agrees(work, row):
        raise BigMindError(Code.CONFLICT, f"{row.slug} stands as the ledger left it.", "There is nothing to accept.")
    process = process_of(work, row.process, row.version)
    if row.state not in process.states or row.role not in process.roles:
        raise BigMindError(
            Code.CONFLICT,
            f"{process.name} has no state {row.state[:40]!r}, or no role {row.role[:40]!r}.",
            "Restore a backup of before, or forget the item.",
        )
    before = row.ledger_number
    row.revision += 1  # what a person confirmed was another standing
    append(work, Entry(REVIEWED, row.uid, {"before": before, "revision": row.revision}, {"note": note}), row)
    tell(work, row)
    return row
