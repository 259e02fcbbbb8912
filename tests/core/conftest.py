"""Fixtures of the core tests."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.memory.living import Memory, living


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with living(home, is_copy=True) as opened:
        yield opened
