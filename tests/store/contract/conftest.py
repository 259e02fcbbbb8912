"""Every test of this folder runs on each database of `BACKENDS`: they decide whether it is one."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from bigmind.people.service import NOBODY, ensure_user
from bigmind.store.store import Store
from tests.homes import begin
from tests.store.contract.backends import BACKENDS, TestedBackend


@pytest.fixture(params=BACKENDS, ids=lambda each: each.backend.name)
def database(request: pytest.FixtureRequest) -> TestedBackend:
    return request.param


def _made(home: Path, database: TestedBackend) -> None:
    store = Store(home, backend=database.backend)
    with store.write(NOBODY, "test") as work:
        ensure_user(work, "ada")
        ensure_user(work, "bob")
    store.close()


@pytest.fixture
def store(home: Path, database: TestedBackend) -> Iterator[Store]:
    """An empty store of two users."""
    begin(home, f"contract {database.backend.name}", lambda made: _made(made, database))
    store = Store(home, backend=database.backend)
    yield store
    store.close()
