"""A test process in which no question is answered by words because the machine is busy."""

from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from bigmind.embedding import meaning

SECONDS = 120
BOUNDS = ("PATIENCE_SECONDS", "START_PATIENCE_SECONDS", "LITTLE_PATIENCE_SECONDS")


@contextmanager
def patient() -> Iterator[None]:
    """For the length of a block."""
    with patch.multiple(meaning, **dict.fromkeys(BOUNDS, SECONDS)):
        yield
