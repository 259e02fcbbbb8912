"""Looks now and then whether the hooks of connected clients stand as BigMind wrote them, and writes down when not."""

import logging
from typing import TYPE_CHECKING

from sqlalchemy.exc import DBAPIError

from bigmind.clients.files.ledger import Ledger
from bigmind.core.errors import BigMindError
from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import Caller
from bigmind.core.periodic import PeriodicThread
from bigmind.store.store import Store

if TYPE_CHECKING:
    from bigmind.clients import hook_state
else:
    hook_state = LazyModule("bigmind.clients.hook_state")

log = logging.getLogger(__name__)

FIRST_SECONDS = 30.0
APART_SECONDS = 600.0
ENDING_SECONDS = 8.0


class HookWatch:
    """A thread that looks soon after the start and every ten minutes. A failure is logged, and tried again."""

    def __init__(self, store: Store, owner: Caller, first: float = FIRST_SECONDS, apart: float = APART_SECONDS) -> None:
        """Prepare it; nothing runs yet.

        Args:
            store: in which it is written down.
            owner: whose clients.
            first: seconds until the first look.
            apart: seconds between two looks.
        """
        self._store = store
        self._owner = owner
        self._thread = PeriodicThread("hooks", self._look, first=first, apart=apart)

    def start(self) -> None:
        """Begin to look."""
        self._thread.start()

    def stop(self) -> None:
        """End; before the store is closed."""
        self._thread.stop(ENDING_SECONDS)

    def _look(self) -> None:
        try:
            if self._is_any_connected():  # else nothing of the clients is loaded
                hook_state.note_hooks(self._store, self._owner)
        except (BigMindError, DBAPIError, OSError, *self._store.backend.faults.errors) as error:
            log.warning("whether hooks were altered is looked at later: %s", error)

    def _is_any_connected(self) -> bool:
        with self._store.read(self._owner, "note_hooks") as work:
            return bool(Ledger(work, self._store.home).owners())
