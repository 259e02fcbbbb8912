"""Fixtures of the brain's tests: one server per module, emptied before each test.

`brain` is asked by both surfaces in a thorough run; in the gate each test has one of them, half of the tests the other.
"""

from collections.abc import Iterator
from pathlib import Path
from zlib import crc32

import pytest

from tests.brain.agents import HTTP, MCP, Agent, Brain, brain_of
from tests.http.inside import Inside, server_inside
from tests.memory.living import Memory, living
from tests.patience import patient
from tests.thorough import turn


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    if "brain" in metafunc.fixturenames:
        surfaces = turn([MCP, HTTP], crc32(metafunc.function.__name__.encode()))
        metafunc.parametrize("brain", surfaces, indirect=True)


@pytest.fixture(scope="module", autouse=True)
def patience() -> Iterator[None]:
    """What the real model says is waited for."""
    with patient():
        yield


@pytest.fixture(scope="module")
def one_brain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Brain]:
    """The server of a module."""
    with brain_of(tmp_path_factory.mktemp("brain") / "home") as made:
        yield made


@pytest.fixture
def brain(one_brain: Brain, request: pytest.FixtureRequest) -> Brain:
    """An empty brain, whose agents call by one surface after the other."""
    one_brain.begin_anew(request.param)
    return one_brain


@pytest.fixture
def agent(brain: Brain) -> Agent:
    """Ada's agent."""
    return brain.agent()


@pytest.fixture
def memory(home: Path) -> Iterator[Memory]:
    """A memory in this process, for what is looked at from within."""
    with living(home, is_copy=True) as opened:
        yield opened


@pytest.fixture
def inside(home: Path) -> Iterator[Inside]:
    """A server of the test's own."""
    with server_inside(home) as started:
        yield started
