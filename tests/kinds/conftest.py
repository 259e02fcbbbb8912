"""A memory that knows of notes."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kinds.note import WITH_NOTES, make_table
from tests.memory.living import Memory, living


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with living(home, is_copy=True) as opened:
        clock = opened.clock
    make_table(home, clock)
    with living(home, kinds=WITH_NOTES) as opened:
        yield opened
