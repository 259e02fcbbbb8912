"""A memory whose backups are looked at."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.backup.keeping import remember
from tests.memory.living import Memory, living


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """Ada, by her own hand, with something of every kind in her memory."""
    with living(home, is_copy=True) as alive:
        person = alive.as_person()
        remember(person)
        yield person
