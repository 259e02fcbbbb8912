"""What a start does for a store that grows old, done again and again while BigMind runs: for months, maybe."""

import logging

from sqlalchemy.exc import DBAPIError

from bigmind.core.errors import BigMindError
from bigmind.core.periodic import PeriodicThread
from bigmind.maintenance.pruning import CHANGES_KEPT, prune_changes
from bigmind.portable.transfer_paths import remove_old_exports
from bigmind.store.store import Store

log = logging.getLogger(__name__)

APART_SECONDS = 21_600.0
"""Of the time that the machine is awake: a notebook that sleeps at night comes to it every day all the same."""
ENDING_SECONDS = 8.0

AT_ONCE = 1_000
"""Audit rows that are removed in one unit of work: others write between."""
MOST_TURNS = 50


class AgingWatch:
    """A thread that looks now and then what has had its time. A failure is logged, and tried again."""

    def __init__(self, store: Store, kept: int = CHANGES_KEPT, apart: float = APART_SECONDS) -> None:
        """Prepare it; nothing runs yet, and at first nothing is due: the start did it.

        Args:
            store: that is looked after.
            kept: audit rows that stay, however old they are.
            apart: seconds between two looks.
        """
        self._store = store
        self._kept = kept
        self._thread = PeriodicThread("aging", self.look, first=apart, apart=apart)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """End; what is being removed is."""
        self._thread.stop(ENDING_SECONDS)

    def look(self) -> None:
        """Remove what has had its time; while something long runs, later."""
        if self._store.host.activity.is_busy:
            return
        try:
            remove_old_exports(self._store)
            for _ in range(MOST_TURNS):
                if not prune_changes(self._store, self._kept, AT_ONCE):
                    break
        except (BigMindError, DBAPIError, OSError, *self._store.backend.faults.errors) as error:
            log.warning("what has had its time is removed later: %s", error)
