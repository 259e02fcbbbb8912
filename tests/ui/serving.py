"""A server with the pages, and what a browser must not do on them."""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from bigmind.core.operation import Caller
from bigmind.people.sign_in import SignIn
from bigmind.wiring import Mind
from ui.app import UserInterface

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
    ui: UserInterface
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
        page.on("dialog", lambda dialog: self.console.append(f"dialog: {dialog.message}"))

    def _note(self, request: Any) -> None:
        if request.is_navigation_request():
            self.navigations.append(request.url)
        if not request.url.startswith((self.origin, "data:")):
            self.requests.append(request.url)
