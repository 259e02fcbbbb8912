"""Writes down when the server started and ended: a start that follows another start says that it was killed between."""

import logging

from sqlalchemy.exc import DBAPIError

from bigmind.core.errors import BigMindError
from bigmind.people.service import NOBODY
from bigmind.store.store import Store
from bigmind.usage.usage_events import EventKind, note_event

log = logging.getLogger(__name__)


class ServerRun:
    """A run of the server on a store. A failure is logged, and holds up nothing."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._is_noted = False

    def start(self) -> None:
        """Write down that it started."""
        self._is_noted = self._note(EventKind.STARTED)

    def stop(self) -> None:
        """Write down that it ended by itself, where its start is written down; before the store is closed."""
        if self._is_noted:
            self._note(EventKind.STOPPED)

    def _note(self, kind: EventKind) -> bool:
        try:
            with self._store.write(NOBODY, "note_server", beside=True) as work:
                note_event(work, kind)
        except (BigMindError, DBAPIError, *self._store.backend.faults.errors) as error:
            log.warning("it is not written down that the server %s: %s", kind.value, error)
            return False
        return True
