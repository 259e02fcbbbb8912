"""A desktop without a screen: an X server, a message bus, and a panel of our own on it."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from bigmind.core.operation import Caller
from bigmind.people.service import NOBODY, ensure_user
from bigmind.wiring import open_mind
from tests.desktop.display import session_bus, window_manager, x_server
from tests.desktop.panel import Panel, panel_on
from tests.ui.data import fill


@pytest.fixture(scope="session")
def display() -> Iterator[str]:
    """The DISPLAY of an X server without window manager or panel; nothing of one test may stay on it."""
    with x_server() as name:
        yield name


@pytest.fixture
def bus(display: str) -> Iterator[str]:
    """The address of a message bus of the test's own."""
    with session_bus(display) as address:
        yield address


@pytest.fixture
def panel(bus: str) -> Iterator[Panel]:
    """A panel on that bus; it shows icons once it is told to `begin`."""
    with panel_on(bus) as opened:
        yield opened


@pytest.fixture(scope="session")
def managed_display() -> Iterator[str]:
    """The DISPLAY of an X server with a window manager."""
    with x_server() as name, window_manager(name):
        yield name


@pytest.fixture(scope="session")
def year(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder that holds a year of work, closed."""
    home = tmp_path_factory.mktemp("year") / "home"
    mind = open_mind(home, "ada")
    with mind.store.write(NOBODY, "test") as work:
        ada = ensure_user(work, "ada")
    fill(mind, Caller(ada.id or 0, "ada", NOBODY.role, "cursor", 0, is_person=True))
    mind.close()
    return home


@pytest.fixture
def filled_home(year: Path, tmp_path: Path) -> Path:
    """A copy of it, for one test."""
    return Path(shutil.copytree(year, tmp_path / "home"))
