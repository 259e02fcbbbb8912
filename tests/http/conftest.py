"""Servers within the process, one per module: starting one costs more than most tests."""

from collections.abc import Iterator

import pytest

from tests.http.inside import Inside, server_inside
from tests.http.world import World, build_world


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """A server whose store no test of the module may change."""
    with server_inside(tmp_path_factory.mktemp("world") / "home") as inside:
        yield build_world(inside)


@pytest.fixture
def inside(home) -> Iterator[Inside]:
    """A server of the test's own."""
    with server_inside(home) as started:
        yield started
