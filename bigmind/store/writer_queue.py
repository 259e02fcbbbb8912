"""Who writes next: whoever waits longest. What takes long writes in short units, and waits its turn between them."""

import threading
from collections import deque
from types import TracebackType


class WriterQueue:
    """A lock that is handed on in the order in which it was asked for.

    An ordinary one is mostly taken again by the thread that just gave it back, while the others sleep.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._is_taken = False
        self._waiting: deque[threading.Lock] = deque()

    @property
    def waiting(self) -> int:
        """How many wait."""
        return len(self._waiting)

    def take(self, seconds: float | None = None) -> bool:
        """Wait for it, at most for so long; whether it is the caller's now, who gives it back."""
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return True
            place = threading.Lock()
            place.acquire()
            self._waiting.append(place)
        if place.acquire(timeout=-1 if seconds is None else seconds):
            return True
        with self._guard:
            if place in self._waiting:
                self._waiting.remove(place)
                return False
        return True  # it was handed over in that very moment

    def give_back(self) -> None:
        """Hand it to whoever has waited longest."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False

    def __enter__(self) -> None:
        self.take()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.give_back()
