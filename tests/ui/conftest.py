"""A real server with the pages, real data, and a real browser."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Playwright

from bigmind.core.operation import Caller
from bigmind.wiring import Mind
from tests.clients.learnt import OF_WORKSPACE, OWN, write
from tests.homes import begin
from tests.support import own_environment
from tests.thorough import THOROUGH
from tests.ui.serving import CHROMIUM, Noise, Running, opened, serving
from tests.ui.years import begin_a_year

SEE_OTHER = 303


@pytest.fixture(scope="session", autouse=True)
def home_of_the_person(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A home of their own: the pages read what clients keep in it. In a workspace there is something to learn from."""
    home = tmp_path_factory.mktemp("person")
    write(home, {"apollo/CLAUDE.md": OF_WORKSPACE, "apollo/.cursor/rules/notes.mdc": OWN})
    with pytest.MonkeyPatch.context() as patched:
        for name, value in own_environment(home).items():
            patched.setenv(name, value)
        yield home


def make(home: Path) -> None:
    with opened(home):
        pass


@pytest.fixture
def memory(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[tuple[Mind, Caller]]:
    """A memory: of a year where the test asks for `filled`, else an empty one."""
    home = tmp_path / "home"
    if "filled" in request.fixturenames:
        begin_a_year(home)
    else:
        begin(home, "pages", make)
    with opened(home) as memory:
        yield memory


@pytest.fixture
def mind(memory: tuple[Mind, Caller]) -> Mind:
    return memory[0]


@pytest.fixture
def caller(memory: tuple[Mind, Caller]) -> Caller:
    return memory[1]


@pytest.fixture
def new_server(mind: Mind, caller: Caller) -> Iterator[Running]:
    """The pages over a memory that is still empty, also where a module has one `server` for all of its tests."""
    with serving(mind, caller) as running:
        yield running


@pytest.fixture
def server(new_server: Running) -> Running:
    """The pages that a test looks at."""
    return new_server


@pytest.fixture
def filled(server: Running) -> Running:
    """The pages over a year of memory, which `memory` copied."""
    return server


@pytest.fixture
def client(server: Running) -> Iterator[httpx.Client]:
    """An HTTP client that is signed in."""
    with httpx.Client(base_url=server.url) as opened:
        assert opened.get(server.link()).status_code == SEE_OTHER
        yield opened


@pytest.fixture
def window(server: Running) -> Iterator[httpx.Client]:
    """An HTTP client that is signed in as the app's own window: what it does, the person does."""
    with httpx.Client(base_url=server.url) as opened:
        assert opened.get(server.window_link()).status_code == SEE_OTHER
        yield opened


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    """Chromium without what only a window needs: a third faster."""
    with _launched(playwright, "chromium-headless-shell") as browser:
        yield browser


@pytest.fixture(scope="session")
def whole_chromium(playwright: Playwright, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """The browser that people have, for what walks every page; in the gate the same engine without its window."""
    if not THOROUGH:
        yield request.getfixturevalue("chromium")
        return
    with _launched(playwright, "chromium") as browser:
        yield browser


@contextmanager
def _launched(playwright: Playwright, program: str) -> Iterator[Browser]:
    path = shutil.which(program)
    assert path is not None, f"{program} is not installed"
    # Chromium asks its own services at start; with no proxy to answer, nothing leaves the machine.
    environment = {**os.environ, "NO_PROXY": "127.0.0.1"}
    launched = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM), env=environment)
    yield launched
    launched.close()


@pytest.fixture
def noise(server: Running) -> Iterator[Noise]:
    """Fails the test when a page logs an error or asks another server."""
    heard = Noise(server.url)
    yield heard
    assert heard.console == []
    assert heard.requests == []


@pytest.fixture
def context(chromium: Browser, server: Running) -> Iterator[BrowserContext]:
    opened = chromium.new_context(base_url=server.url, viewport={"width": 1360, "height": 900})
    yield opened
    opened.close()


@pytest.fixture
def page(context: BrowserContext, server: Running, noise: Noise) -> Page:
    """A page that is signed in, and shows nothing yet."""
    signed_in = context.request.get(server.link(), max_redirects=0)
    assert signed_in.status == SEE_OTHER
    opened = context.new_page()
    noise.watch(opened)
    return opened
