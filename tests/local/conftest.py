"""Fixtures of the tests of bridges and their server."""

from collections.abc import Generator
from pathlib import Path

import psutil
import pytest

from tests.local.wire import SECONDS, servers_of


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def home(tmp_path: Path) -> Generator[Path]:
    """A home of our own; the servers that bridges started for it are ended afterwards."""
    folder = tmp_path / "home"
    yield folder
    left = servers_of(folder)
    for server in left:
        server.terminate()
    gone, alive = psutil.wait_procs(left, SECONDS)
    assert not alive, gone
