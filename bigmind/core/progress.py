"""How far something long has come, told to whoever waits for it; and that it is to stop."""

import threading
from time import monotonic
from typing import Protocol

from bigmind.core.errors import BigMindError, Code

BYTES = "bytes"
"""The unit of what is counted in bytes; things are counted without one."""

APART_SECONDS = 0.05


class Progress(Protocol):
    """Takes what a long operation tells about itself. Called from its thread, often; returns at once.

    Raises:
        CancelledError: when the operation is to stop.
    """

    def __call__(self, done: int, total: int, what: str, unit: str = "") -> None:
        """So much is done.

        Args:
            done: of `total`, in the same unit (things, bytes).
            total: 0 when it is not known how much there is.
            what: what is being done now, in a few words: "Reading sessions".
            unit: `BYTES`, when bytes are counted.
        """
        ...


def nobody_waits(done: int, total: int, what: str, unit: str = "") -> None:
    """Tells nobody."""
    del done, total, what, unit


class CancelledError(BigMindError):
    """Ended before it was done, because it was told to."""

    def __init__(self, why: str, left: str = "Nothing was changed.") -> None:
        """`why` it was told to, as a sentence; `left` says what it leaves behind."""
        super().__init__(Code.CANCELLED, f"{why} {left}")
        self.why = why


class Cancellation:
    """Tells one long operation to stop. May be used from any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._why = ""
        self._is_too_late = False

    def cancel(self, why: str) -> bool:
        """Have it stop at its next step, and say `why`, as a sentence; False when it can no longer be stopped."""
        with self._lock:
            if not self._is_too_late:
                self._why = self._why or why
            return not self._is_too_late

    @property
    def is_too_late(self) -> bool:
        """Whether what is left is done whatever anybody says."""
        return self._is_too_late

    def check(self) -> None:
        """Go on. Raises CancelledError when it is to stop."""
        if self._why:
            raise CancelledError(self._why)

    def conclude(self) -> None:
        """Go on to where it is finished whatever anybody says: what follows is short, or done in any case.

        Raises:
            CancelledError: when it was told to stop before.
        """
        with self._lock:
            self.check()
            self._is_too_late = True

    def watching(self, progress: Progress) -> Progress:
        """The same progress, which ends the operation when it is to stop."""

        def told(done: int, total: int, what: str, unit: str = "") -> None:
            self.check()
            progress(done, total, what, unit)
            self.check()  # who was just told may have said so, and what is short tells nothing after it

        return told


class Phase:
    """One stretch of something long: told when it begins, when it is whole, and else at most twenty times a second.

    It never goes back, and never beyond its total.
    """

    def __init__(self, progress: Progress, what: str, total: int = 0, unit: str = "") -> None:
        self._progress = progress
        self._what = what
        self._total = total
        self._unit = unit
        self._done = 0
        self._told_at = monotonic()
        progress(0, total, what, unit)

    def add(self, amount: int = 1) -> None:
        """So much more is done."""
        self.reach(self._done + amount)

    def tell(self) -> None:
        """Tell again how far it is, where one thing of the phase takes long."""
        self._progress(self._done, self._total, self._what, self._unit)

    def reach(self, done: int) -> None:
        """So much is done in all."""
        done = min(done, self._total) if self._total else done
        if done <= self._done:
            return
        self._done = done
        now = monotonic()
        if done == self._total or now - self._told_at >= APART_SECONDS:
            self._told_at = now
            self._progress(done, self._total, self._what, self._unit)
