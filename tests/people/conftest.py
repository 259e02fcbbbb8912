"""Servers within the process, whose clock and store the test can reach."""

from collections.abc import Iterator

import pytest

from bigmind.people import passphrases
from tests.http.inside import FakeClock, Inside, server_inside


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def inside(home, clock) -> Iterator[Inside]:
    """A server of the test's own, on a clock that stands."""
    with server_inside(home, clock) as started:
        yield started


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A hash of passphrases that costs next to nothing, where many are made; in full it is a quarter of a second."""
    monkeypatch.setattr(passphrases, "_COST", 4)
