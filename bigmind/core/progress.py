"""How far something long has come, told to whoever waits for it."""

from time import monotonic
from typing import Protocol

BYTES = "bytes"
"""The unit of what is counted in bytes; things are counted without one."""

APART_SECONDS = 0.05


class Progress(Protocol):
    """Takes what a long operation tells about itself. Called from its thread, often; returns at once, never raises."""

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
