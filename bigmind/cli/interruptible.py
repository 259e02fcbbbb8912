"""Waiting for what a call of the system may not let go of, in a way that Ctrl-C is heard meanwhile."""

import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Generic, TypeVar

Result = TypeVar("Result")

LOOKS_APART = 0.2
"""Seconds between two looks of who waits."""


class Interruptible(Generic[Result]):
    """Some work, waited for. On Windows it is done on a thread of its own: there Ctrl-C ends no call of the system.

    It is heard with the next look. What is sent before is not waited for so: on this machine that is a moment's work.
    """

    def __init__(self, work: Callable[[], Result], system: str = sys.platform) -> None:
        """`system` is as `sys.platform` says it."""
        self._work, self._system = work, system
        self._over = threading.Event()
        self._done: list[Result] = []
        self._failed: list[Exception] = []

    def give_up(self) -> None:
        """Wait no more, from any thread; where it is not on a thread of its own, somebody has to end the work."""
        self._over.set()

    def result(self) -> Result:
        """What the work returns; raises what it raises, and ConnectionResetError where it was given up."""
        if self._system != "win32":
            return self._work()
        threading.Thread(target=self._run, daemon=True).start()
        while not self._over.wait(LOOKS_APART):
            pass
        if self._failed:
            raise self._failed[0]
        with suppress(IndexError):
            return self._done[0]
        raise ConnectionResetError("nobody waits for it any more")

    def _run(self) -> None:
        try:
            self._done.append(self._work())
        except Exception as error:  # noqa: BLE001 - it is raised where it is waited for
            self._failed.append(error)
        self._over.set()
