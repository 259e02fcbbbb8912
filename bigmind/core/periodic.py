"""A thread that does something now and then."""

import threading
from collections.abc import Callable


class PeriodicThread:
    """Does the same thing a while after the start, and then at equal distances, until it is stopped."""

    def __init__(self, name: str, job: Callable[[], object], *, first: float, apart: float) -> None:
        """Prepare it; nothing runs yet.

        Args:
            name: of the thread.
            job: raises nothing that it expects: what it raises ends the thread.
            first: seconds from the start to the first time.
            apart: seconds from the end of one time to the next.
        """
        self._job = job
        self._first = first
        self._apart = apart
        self._ending = threading.Event()
        # A daemon, because a process that has to end does not wait for what takes long.
        self._thread = threading.Thread(target=self._run, name=name, daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def stop(self, seconds: float) -> None:
        """End; waits so many seconds for what is being done."""
        self._ending.set()
        if self._thread.is_alive():
            self._thread.join(seconds)

    def _run(self) -> None:
        wait = self._first
        while not self._ending.wait(wait):
            self._job()
            wait = self._apart
