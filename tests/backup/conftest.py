"""A memory whose backups are looked at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backup.keeping import remember
from tests.homes import begin
from tests.memory.living import Memory, living


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """Ada, by her own hand, with something of every kind in her memory."""
    begin(home, "remembered", remembering)
    with living(home) as alive:
        yield alive.as_person()


def remembering(home: Path) -> None:
    """Make the home that each of them is a copy of."""
    with living(home) as alive:
        remember(alive.as_person())
