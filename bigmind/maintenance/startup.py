"""What is done for a store each time it is opened: finish what a process that ended too early left, derive, tidy."""

import logging

from bigmind.core.errors import BigMindError
from bigmind.maintenance.forgetting import finish_forgetting
from bigmind.maintenance.pruning import prune_changes
from bigmind.maintenance.reindexing import bring_up_to_date, finish_reindexing
from bigmind.memory.facts.recovery import give_back
from bigmind.people.service import NOBODY
from bigmind.portable.transfer_paths import remove_old_exports
from bigmind.store.store import Store
from bigmind.store.tables import IMPORTING, StoreProperty

log = logging.getLogger(__name__)


def finish_import(store: Store) -> None:
    """Finish, or take back, an import whose process ended; what does that is loaded only where one is left."""
    with store.read(NOBODY, "memory_import") as work:
        is_left = work.session.get(StoreProperty, IMPORTING) is not None
    if is_left:
        from bigmind.portable.writing import finishing  # noqa: PLC0415 - 3 MB

        finishing.finish_import(store)


def keep_up(store: Store) -> None:
    """Bring a store that was just opened to where it should be; next to nothing to do on most starts."""
    finishing = finish_import, finish_reindexing, finish_forgetting
    for step in (*finishing, remove_old_exports, bring_up_to_date, give_back, prune_changes, Store.measure_tables):
        try:
            step(store)
        except BigMindError as error:
            # A full disk or a damaged file must not keep anybody from reading, or from restoring a backup.
            log.warning("%s is left to the next start: %s", step.__name__, error)
