"""A real server with the pages, real data, and a real browser."""

import os
import shutil
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, Playwright, sync_playwright

from app.assembly import assemble
from bigmind.core.operation import Caller
from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.sign_in import SignIn
from bigmind.wiring import Mind, open_mind
from tests.ui.data import fill
from tests.ui.serving import CHROMIUM, Noise, Running


@pytest.fixture
def mind(tmp_path: Path) -> Iterator[Mind]:
    opened = open_mind(tmp_path / "home", "ada")
    yield opened
    opened.close()


@pytest.fixture
def caller(mind: Mind) -> Caller:
    with mind.store.write(NOBODY, "test") as work:
        user = ensure_user(work, "ada")
    return Caller(user.id or 0, "ada", NOBODY.role, "cursor", 0, is_person=True)


@pytest.fixture
def server(mind: Mind, caller: Caller) -> Iterator[Running]:
    """The pages over a memory that is still empty."""
    sign_in = SignIn(mind.store)
    # The port is known before the application is: the guard answers to no other name.
    listener = socket.create_server(("127.0.0.1", 0))
    port = listener.getsockname()[1]
    assembled = assemble(mind, sign_in, port, "proof")
    config = uvicorn.Config(
        assembled.app, log_config=None, access_log=False, ws="none", lifespan="on", timeout_graceful_shutdown=5
    )
    serving = uvicorn.Server(config)
    ready = threading.Event()
    startup = serving.startup

    async def startup_then_tell(sockets: Any = None) -> None:
        await startup(sockets)
        ready.set()

    serving.startup = startup_then_tell
    thread = threading.Thread(target=serving.run, kwargs={"sockets": [listener]})
    thread.start()
    assert ready.wait(20)
    yield Running(mind, caller, sign_in, assembled.user_interface, port)
    assembled.user_interface.close()
    serving.should_exit = True
    thread.join(20)
    assert not thread.is_alive()


@pytest.fixture
def filled(server: Running) -> Running:
    """The pages over a year of memory."""
    fill(server.mind, server.caller)
    return server


@pytest.fixture
def client(server: Running) -> Iterator[httpx.Client]:
    """An HTTP client that is signed in."""
    with httpx.Client(base_url=server.url) as opened:
        assert opened.get(server.link()).status_code == 303
        yield opened


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="session")
def chromium(playwright: Playwright) -> Iterator[Browser]:
    path = shutil.which("chromium")
    if path is None:
        pytest.skip("Chromium is not installed")
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
    """A page that is signed in."""
    opened = context.new_page()
    noise.watch(opened)
    opened.goto(server.link())
    return opened
