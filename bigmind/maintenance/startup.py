"""What is done for a store each time it is opened: finish what a process that ended too early left, derive, tidy."""

import logging

from bigmind.core.errors import BigMindError
from bigmind.maintenance.forgetting import finish_forgetting
from bigmind.maintenance.pruning import prune_changes
from bigmind.maintenance.reindexing import bring_up_to_date, finish_reindexing
from bigmind.memory.facts.recovery import give_back
from bigmind.portable.transfer_paths import remove_old_exports
from bigmind.portable.writing.finishing import finish_import
from bigmind.store.store import Store

log = logging.getLogger(__name__)


def keep_up(store: Store) -> None:
    """Bring a store that was just opened to where it should be; next to nothing to do on most starts."""
    finishing = finish_import, finish_reindexing, finish_forgetting
    for step in (*finishing, remove_old_exports, bring_up_to_date, give_back, prune_changes, Store.measure_tables):
        try:
            step(store)
        except BigMindError as error:
            # A full disk or a damaged file must not keep anybody from reading, or from restoring a backup.
            log.warning("%s is left to the next start: %s", step.__name__, error)
