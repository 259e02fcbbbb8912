"""A year of memory behind the pages, once for all tests of a module that leave it as it is."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.homes import begin
from tests.ui.data import fill
from tests.ui.serving import Running, opened, serving


def begin_a_year(home: Path) -> None:
    """Put a memory of a year there."""
    begin(home, "a-year-of-pages", _made)


def _made(home: Path) -> None:
    with opened(home) as (mind, caller):
        fill(mind, caller)


@pytest.fixture(scope="module")
def year(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """The pages over a year of memory that nobody changes; who changes it asks for `filled`."""
    home = tmp_path_factory.mktemp("year") / "home"
    begin_a_year(home)
    with opened(home) as memory, serving(*memory) as running:
        yield running


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Running:
    """The pages that a test looks at: those over the year where it asks for them, else its own."""
    return request.getfixturevalue("year" if "year" in request.fixturenames else "new_server")
