"""A server with the pages, and what a browser must not do on them."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from app.assembly import assemble
from app.web_server.serving import UvicornServer
from app.web_server.uvicorn_parts import Config
from bigmind.core.operation import Caller, Presence
from bigmind.local.ports import listen
from bigmind.people.service import NOBODY, ensure_user
from bigmind.people.sign_in_codes import SignIn
from bigmind.wiring import Mind, open_mind
from tests.ticking import tick_fast
from ui.page import Page as Record
from ui.pages import PAGES

ARTEFACTS = Path(__file__).parents[1] / "artefacts" / "ui"
CHROMIUM = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


@dataclass
class Running:
    """A server with the pages."""

    mind: Mind
    caller: Caller
    sign_in: SignIn
    close: Callable[[], None]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def cookie(self) -> str:
        return f"bigmind_{self.port}"

    def link(self) -> str:
        """A link that signs a browser in."""
        return f"{self.url}/sign-in?code={self.sign_in.new_code(self.caller)}"

    def window_link(self) -> str:
        """The link that the app's window gets over its pipe."""
        return f"{self.url}/sign-in?code={self.sign_in.new_window_code(self.caller)}"

    def call(self, operation: str, **arguments: Any) -> Any:
        """Write as an IDE does."""
        found = self.mind.dispatcher.catalogue.get(operation)
        assert found is not None
        return self.mind.dispatcher.run(found, self.caller, arguments)


@dataclass
class Noise:
    """What a page must not cause."""

    origin: str
    console: list[str] = field(default_factory=list)
    requests: list[str] = field(default_factory=list)
    navigations: list[str] = field(default_factory=list)

    def watch(self, page: Page) -> None:
        page.on("console", lambda message: self.console.append(message.text) if message.type == "error" else None)
        page.on("pageerror", lambda error: self.console.append(str(error)))
        page.on("request", self._note)
        page.on("dialog", self._note_dialog)

    def _note_dialog(self, dialog: Any) -> None:
        if dialog.type == "beforeunload":  # a test that leaves what it typed
            dialog.accept()
        else:
            self.console.append(f"dialog: {dialog.message}")

    def _note(self, request: Any) -> None:
        if request.is_navigation_request():
            self.navigations.append(request.url)
        if not request.url.startswith((self.origin, "data:")):
            self.requests.append(request.url)


@contextmanager
def opened(home: Path) -> Iterator[tuple[Mind, Caller]]:
    """A memory in this process, and its owner."""
    with closing(open_mind(home, "ada")) as mind:
        with mind.store.write(NOBODY, "test") as work:
            user = ensure_user(work, "ada")
        yield mind, Caller(user.id or 0, "ada", NOBODY.role, "cursor", 0, is_person=True, presence=Presence.WINDOW)


@contextmanager
def serving(mind: Mind, caller: Caller, pages: Sequence[Record] = PAGES) -> Iterator[Running]:
    """The pages over that memory, served in this process."""
    tick_fast()
    sign_in = SignIn(mind.store)
    # The port is known before the application is: the guard answers to no other name.
    listener = listen(0)
    port = listener.getsockname()[1]
    assembled = assemble(mind, sign_in, port, "proof", pages=pages)
    config = Config(
        assembled.app, log_config=None, access_log=False, ws="none", lifespan="on", timeout_graceful_shutdown=5
    )
    ready = threading.Event()
    server = UvicornServer(config, ready.set, lambda: None)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()

    def close() -> None:
        assembled.pages.close()
        assembled.transfers.close()

    try:
        assert ready.wait(20)
        yield Running(mind, caller, sign_in, close, port)
    finally:
        close()
        server.stop()
        thread.join(20)
    assert not thread.is_alive()
