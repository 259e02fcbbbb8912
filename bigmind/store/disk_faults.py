"""What a database's driver says is wrong; and what the disk refuses, in the log: a line, and not for each write.

A log that grows with them fills a full disk.
"""

import logging
from collections.abc import Callable
from math import inf
from threading import Lock
from time import monotonic
from typing import Protocol

from bigmind.core.errors import BigMindError
from bigmind.text.phrasing import counted

log = logging.getLogger(__name__)

TOLD_APART_SECONDS = 600.0
"""How far apart the same fault is told while it lasts."""


class Faults(Protocol):
    """What the driver's errors mean; told by their codes, never by the text of a message."""

    @property
    def errors(self) -> tuple[type[Exception], ...]:
        """What the driver raises; SQLAlchemy wraps it in `DBAPIError`, whose `orig` it is then."""
        ...

    def meaning(self, error: BaseException | None) -> BigMindError | None:
        """The fault in BigMind's words, or None for a fault of ours.

        `storage_full` of a disk that is full or does not take a write, `store_in_use` while another program holds the
        store, `store_unusable` where it may not be written to, cannot be opened or is damaged.
        """
        ...

    def is_damage(self, error: BaseException | None) -> bool:
        """Whether it says that the store is damaged. A busy, full or failing disk does not."""
        ...

    def is_of_disk(self, error: BaseException | None, *, of_reader: bool) -> bool:
        """Whether the disk refused something, whatever the code did.

        That another program holds the store is none of its doing, nor that it is no reader's to write: what tries that
        is our mistake.
        """
        ...


class DiskFaults:
    """Tells the log what the disk refuses: the first time, and how often since then when it has lasted.

    No traceback: the disk's refusals come of nothing in the code.
    """

    def __init__(self, seconds: Callable[[], float] = monotonic) -> None:
        """`seconds` tells how much time has gone by."""
        self._seconds, self._lock = seconds, Lock()
        self._told: dict[tuple[str, str], tuple[float, int]] = {}

    def tell(self, fault: BigMindError, cause: BaseException | None) -> None:
        """Tell a fault with the driver's own words, or only count it where it was told lately."""
        now, told = self._seconds(), (fault.message, str(cause).partition("\n")[0])
        with self._lock:
            at, untold = self._told.get(told, (-inf, 0))
            is_due = now - at >= TOLD_APART_SECONDS
            self._told[told] = (now, 0) if is_due else (at, untold + 1)
        if is_due:
            since = f" It was so {counted(untold, 'more time')} since it was logged last." if untold else ""
            log.error("%s (%s)%s", *told, since)
