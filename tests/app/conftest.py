"""Fixtures of the tests of the command."""

from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.local.wire import home_in
from tests.nursery import Done
from tests.support import completed

Bigmind = Callable[..., Done]


@pytest.fixture
def home(tmp_path: Path) -> Generator[Path]:
    with home_in(tmp_path) as folder:
        yield folder


@pytest.fixture
def bigmind(home: Path) -> Bigmind:
    """Runs the `bigmind` command to its end."""

    def run(*arguments: str, **more: str) -> Done:
        return completed(home, *arguments, **{"COLUMNS": "200", **more})

    return run
