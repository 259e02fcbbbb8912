"""Backups by themselves: looks now and then whether one is due."""

import logging
from datetime import timedelta

from bigmind.backup.files import BackupInfo, LedgerHead, Reason
from bigmind.backup.service import backup_now, is_due, ledger_head, log_head
from bigmind.core.errors import BigMindError
from bigmind.core.periodic import PeriodicThread
from bigmind.store.store import Store

log = logging.getLogger(__name__)

FIRST_LOOK_SECONDS = 60.0
"""Not at once: whoever started BigMind waits for an answer."""
LOOKS_APART_SECONDS = 3_600.0
ENDING_SECONDS = 8.0


class Schedule:
    """A thread that makes a scheduled backup when one is due. A failure is logged and noted, and tried again."""

    def __init__(
        self,
        store: Store,
        every: timedelta,
        first_look: float = FIRST_LOOK_SECONDS,
        looks_apart: float = LOOKS_APART_SECONDS,
    ) -> None:
        """Prepare it; nothing runs yet.

        Args:
            store: to back up.
            every: how far apart backups are; nothing is ever due when it is zero.
            first_look: seconds from the start to the first look.
            looks_apart: seconds between looks.
        """
        self._store = store
        self._every = every
        self._looks_apart = looks_apart
        self._logged: LedgerHead | None = None
        self._thread = PeriodicThread("backups", self._turn, first=first_look, apart=looks_apart)

    def start(self) -> None:
        """Begin to look."""
        self._store.safekeeping.every = self._every
        if self._every:
            self._thread.start()

    def stop(self) -> None:
        """End; a backup that is being made is finished, if that takes no longer than a few seconds."""
        self._thread.stop(ENDING_SECONDS)

    def _turn(self) -> None:
        self.look()
        self._log_head()

    def look(self) -> BackupInfo | None:
        """Make a backup if one is due; None when none was, or when it failed; while something long runs, later."""
        if self._store.host.activity.is_busy:
            return None  # a copy of an import in the middle would hold what nobody sees yet
        try:
            if is_due(self._store, self._every):
                return backup_now(self._store, Reason.SCHEDULED)
        except BigMindError:
            log.warning("the scheduled backup is tried again in %.0f minutes", self._looks_apart / 60)
        except self._store.backend.faults.errors:
            log.exception("whether a backup is due cannot be read")
        return None

    def _log_head(self) -> None:
        """Note in the system's log where the ledger stands, when it went on since the last look."""
        try:
            head = ledger_head(self._store, self._store.path)
        except self._store.backend.faults.errors:
            log.exception("where the ledger stands cannot be read")
            return
        if head != self._logged:
            log_head(self._store, head)
            self._logged = head
