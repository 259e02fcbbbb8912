"""The ledger of work, verified against itself, the items, what gates rested on, and its heads elsewhere."""

from collections.abc import Iterable

from bigmind.backup.service import own_id, verified
from bigmind.backup.system_log import logged_heads
from bigmind.core.clock import local
from bigmind.core.errors import BigMindError
from bigmind.maintenance.ledger_answers import MOST_TOLD, LedgerFault, LedgerVerification
from bigmind.store.access import Access
from bigmind.store.store import Store
from bigmind.work.ledger.heads import KnownHead
from bigmind.work.ledger.ledger_rows import newest_link
from bigmind.work.ledger.ledger_verification import verify

MOST_BESIDE = 50_000


def verified_ledger(access: Access) -> LedgerVerification:
    """All that does not agree, in the order of what was looked at."""
    backups, log = known_heads(access.store), logged_heads(own_id(access.store))
    with access.read() as work:
        found = verify(work, [*backups, *log.heads])
    agreed = set(found.agreed)
    return LedgerVerification(
        rows=found.newest.number,
        head=found.newest.digest,
        covered=_newest(agreed.intersection(backups)),
        logged=_newest(agreed.intersection(log.heads)),
        log_unread=log.unread,
        total=len(found.faults),
        faults=[
            LedgerFault(number=each.number, item=each.item, message=each.message) for each in found.faults[:MOST_TOLD]
        ],
    )


def _newest(heads: Iterable[KnownHead]) -> int:
    return max((each.number for each in heads), default=0)


def is_large(access: Access) -> bool:
    """Whether the ledger has more rows than are looked through beside other checks."""
    with access.read() as work:
        return newest_link(work).number > MOST_BESIDE


def known_heads(store: Store) -> list[KnownHead]:
    """The heads that the manifests of this store's backups say; none where their folder cannot be read."""
    try:
        known = verified(store)
    except BigMindError:
        return []
    return [
        KnownHead(each.ledger.number, each.ledger.digest, f"the backup {each.name} of {local(each.taken_at)}")
        for each in known
        if each.ledger is not None
    ]
