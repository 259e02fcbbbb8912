"""Fixtures of the memory tests."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.memory.living import Memory, living


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with living(home) as opened:
        yield opened


@pytest.fixture
def person(memory: Memory) -> Memory:
    """The same memory, in the hands of a person and not of an agent."""
    return replace(memory, caller=replace(memory.caller, is_person=True))
