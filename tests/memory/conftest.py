"""Fixtures of the memory tests."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from bigmind.core.operation import Presence
from tests.memory.living import Memory, living
from tests.memory.queueing import Queue
from tests.memory.tiny_embedder import tiny


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    with living(home, is_copy=True) as opened:
        yield opened


@pytest.fixture
def person(memory: Memory) -> Memory:
    """The same memory, in the hands of a person and not of an agent."""
    return replace(memory, caller=replace(memory.caller, is_person=True, presence=Presence.WINDOW))


@pytest.fixture
def queue(memory: Memory, tmp_path: Path) -> Iterator[Queue]:
    with tiny(tmp_path) as tiny_embedder:
        yield Queue(memory, tiny_embedder)
