"""Fixtures of the tests of the mindspace."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mindspace.grove import Grove, grove_in


@pytest.fixture
def grove(home: Path) -> Iterator[Grove]:
    with grove_in(home) as opened:
        yield opened
