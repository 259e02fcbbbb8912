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

    def __enter__(self) -> None:
        with self._guard:
            if not self._is_taken:
                self._is_taken = True
                return
            place = threading.Lock()
            place.acquire()
            self._waiting.append(place)
        place.acquire()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._is_taken = False
