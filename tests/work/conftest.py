"""Fixtures of the tests of work."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.work.office import Office, office_in


@pytest.fixture
def office(home: Path) -> Iterator[Office]:
    with office_in(home) as opened:
        yield opened
