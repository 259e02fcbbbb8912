"""Fixtures of the store tests."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bigmind.core.operation import Caller
from bigmind.wiring import Mind
from tests.store.using import Run, raw_connection, runner


@pytest.fixture
def run(mind: Mind, caller: Caller) -> Run:
    """Run an operation in this process, on one connection that has a session."""
    return runner(mind, caller)


@pytest.fixture
def raw(home: Path) -> Callable[[], Any]:
    """Opens a connection of another program to the store's file."""
    return partial(raw_connection, home)
