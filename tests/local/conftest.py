"""Fixtures of the tests of bridges and their server."""

from collections.abc import Generator
from pathlib import Path

import pytest

from tests.local.wire import home_in


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def home(tmp_path: Path) -> Generator[Path]:
    with home_in(tmp_path) as folder:
        yield folder
