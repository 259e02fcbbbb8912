"""How much of something long is done in one unit of work, so that others need not wait for long."""

from collections.abc import Generator
from contextlib import contextmanager
from time import monotonic

UNIT_SECONDS = 0.05
"""What a unit is to take: a slow disk, or a busy machine, does less in it."""
LEAST_SHARE = 16
"""The smallest unit is such a part of the largest: each has to bring something to the disk, however small it is."""


class Pace:
    """The size of the next unit of something that is done in many: by how long the one before took.

    Attributes:
        size: of the next one, at most as large as the first.
    """

    def __init__(self, most: int) -> None:
        """One whose first unit, and largest, is of that size."""
        self._most, self._least = most, max(1, most // LEAST_SHARE)
        self.size = most

    @contextmanager
    def measured(self) -> Generator[int]:
        """A unit of that size, which takes as long as the block does; one that raises measures nothing."""
        begin = monotonic()
        yield self.size
        seconds = monotonic() - begin
        # Twice as much at most: one that was quick by chance is no reason to keep others waiting.
        fits = int(self.size * min(2.0, UNIT_SECONDS / seconds)) if seconds > 0 else self._most
        self.size = max(self._least, min(self._most, fits))
