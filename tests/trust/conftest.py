"""The month that the tests of usage count."""

import random
from collections.abc import Iterator

import pytest

from tests.protocol.workshop import workshop_in
from tests.trust.month import Month, record


@pytest.fixture(scope="module")
def month(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Month]:
    base = tmp_path_factory.mktemp("month")
    with workshop_in(base / "home", base / "projects") as workshop:
        record(workshop, random.Random(7))
        yield Month(workshop, base / "home")
