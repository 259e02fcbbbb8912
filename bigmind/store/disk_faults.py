"""What the disk refuses, in the log: a line, and not for each write. A log that grows with them fills a full disk."""

import logging
from collections.abc import Callable
from math import inf
from threading import Lock
from time import monotonic

from bigmind.core.errors import BigMindError
from bigmind.text.phrasing import counted

log = logging.getLogger(__name__)

TOLD_APART_SECONDS = 600.0
"""How far apart the same fault is told while it lasts."""


class DiskFaults:
    """Tells the log what the disk refuses: the first time, and how often since then when it has lasted.

    No traceback: the disk's refusals come of nothing in the code.
    """

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        """`seconds` tells how much time has gone by."""
        self._seconds, self._lock = seconds, Lock()
        self._told: dict[str, tuple[float, int]] = {}

    def tell(self, fault: BigMindError, cause: BaseException | None) -> None:
        """Tell a fault with the driver's own words, or only count it where it was told lately."""
        now = self._seconds()
        with self._lock:
            at, untold = self._told.get(fault.message, (-inf, 0))
            is_due = now - at >= TOLD_APART_SECONDS
            self._told[fault.message] = (now, 0) if is_due else (at, untold + 1)
        if is_due:
            since = f" It was so {counted(untold, 'more time')} since it was logged last." if untold else ""
            log.error("%s (%s)%s", fault.message, str(cause).partition("\n")[0], since)
