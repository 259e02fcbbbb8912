"""How many requests each user has open at once: a server has so many connections, and they are there for all."""

from collections import Counter
from collections.abc import Generator
from contextlib import contextmanager

from bigmind.core.operation import Caller

MOST_OPEN = 250
"""Of one user's assistants together, and as many of their pages and commands: half of the connections that a server
takes are left to others, whatever one user does, and no assistant keeps its person from a page."""


class OpenRequests:
    """The requests that are under way, event streams among them. For one event loop only."""

    def __init__(self) -> None:
        self._open = Counter[tuple[int, bool]]()

    def has_room(self, caller: Caller) -> bool:
        """Whether one more request of the caller may begin."""
        return self._open[_whose(caller)] < MOST_OPEN

    @contextmanager
    def one_more(self, caller: Caller) -> Generator[None]:
        """Count a request for the length of a block."""
        whose = _whose(caller)
        self._open[whose] += 1
        try:
            yield
        finally:
            self._open[whose] -= 1
            if not self._open[whose]:
                del self._open[whose]


def _whose(caller: Caller) -> tuple[int, bool]:
    return caller.user_id, caller.is_person
