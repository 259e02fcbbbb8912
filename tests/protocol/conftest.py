"""Fixtures of the tests of the session protocol."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.protocol.workshop import Workshop, workshop_in


@pytest.fixture
def workshop(home: Path, tmp_path: Path) -> Iterator[Workshop]:
    with workshop_in(home, tmp_path / "projects") as opened:
        yield opened
