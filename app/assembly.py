"""Puts the surfaces together: one ASGI application on one port, behind one guard."""

import gc
import logging
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from litestar import Litestar, asgi
from litestar.exceptions import HTTPException
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.routes import BaseRoute
from litestar.types import Receive, Scope, Send

from app.mcp_later import LazyEndpoint
from bigmind.core.errors import BigMindError
from bigmind.core.failed_parts import PAGES
from bigmind.http import asgi as plain
from bigmind.http.api import api_routes, bigmind_error, http_error, unexpected
from bigmind.http.brain_routes import brain_routes
from bigmind.http.guard import BEARER_PATHS, Door, Guard
from bigmind.http.probe import PATH as PROBE
from bigmind.http.probe import probe_route
from bigmind.http.problems import answered_or_told
from bigmind.mcp.addresses import PATH
from bigmind.paths import make_private_folder
from bigmind.people.sign_in_codes import SignIn
from bigmind.wiring import Mind
from ui.lazy_pages import LazyPages, LoadedPages
from ui.transfers import Transfers

if TYPE_CHECKING:
    from ui.page import Page

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Assembly:
    """The application, and the parts of it that its process talks to.

    Attributes:
        app: what uvicorn serves.
        router: of what clients ask for.
        pages: what people are shown, which is loaded when it is wanted.
        endpoint: MCP, which is loaded when it is wanted.
        transfers: files that pass through pages.
    """

    app: plain.App
    router: Litestar
    pages: LazyPages
    endpoint: LazyEndpoint
    transfers: Transfers

    def routes(self) -> list[BaseRoute]:
        """Every route, for tests that walk them; loads the pages."""
        return [*self.router.routes, *self.pages.load().router.routes]

    def allow_loading(self) -> None:
        """Let the first request to the MCP endpoint load it from now on, and the first one for a page the pages."""
        self.endpoint.allow()
        self.pages.allow()

    def close(self) -> None:
        """End every open event stream and remove all files that pass through; on the event loop.

        Call it when the shutdown begins, before the server waits for its connections: an open stream is one, and by
        itself it never ends.
        """
        self.pages.close()
        self.transfers.close()
        self.endpoint.close()


class _Router(Litestar):
    """Litestar without its plugins for models of pydantic and attrs, which none of our routes takes or gives.

    It has no setting for that. They load all of pydantic's first version: a twentieth of a start, and 3 MB for good.
    """

    @staticmethod
    def _get_default_plugins(plugins: list[PluginProtocol]) -> list[PluginProtocol]:
        return [*plugins, MsgspecDIPlugin()]


def assemble(
    mind: Mind,
    sign_in: SignIn,
    port: int,
    proof_key: str,
    *,
    is_told: bool = False,
    templates: Path | None = None,
    pages: "Sequence[Page] | None" = None,
) -> Assembly:
    """Build the application for a server that listens on `port`.

    Args:
        mind: what it offers.
        sign_in: signs browsers in.
        port: where it will listen.
        proof_key: by which it proves who it is.
        is_told: the first request loads the MCP endpoint or the pages, but not before it is allowed; else, at once.
        templates: where those are kept that were compiled; compiling them takes a good part of the first page.
        pages: what people are shown; None for all there are.
    """
    cookie = f"bigmind_{port}"
    mind.authenticator.is_window = sign_in.is_window
    endpoint, transfers = LazyEndpoint(mind.dispatcher, is_told=is_told), Transfers(mind.store)

    build = _pages_of(mind, sign_in, cookie, transfers, templates, pages)
    lazy_pages = LazyPages(build, lambda why: mind.store.host.failed.note(PAGES, why), is_told=is_told)
    router = _router(
        [
            _mcp_route(endpoint),
            probe_route(proof_key, port),
            *api_routes(mind.dispatcher),
            brain_routes(mind.dispatcher),
        ],
        lifespan=[_running(endpoint)],
    )
    door = _door(mind, sign_in, port, cookie, lazy_pages)
    app = Guard(_by_path(cast("plain.App", router), endpoint, lazy_pages), mind.authenticator, door)
    return Assembly(app, router, lazy_pages, endpoint, transfers)


def _pages_of(
    mind: Mind,
    sign_in: SignIn,
    cookie: str,
    transfers: Transfers,
    templates: Path | None,
    pages: "Sequence[Page] | None",
) -> Callable[[], LoadedPages]:
    """What loads the pages, and puts them together."""

    def build() -> LoadedPages:
        from ui.app import ui_routes  # noqa: PLC0415 - what this is for
        from ui.render import environment, keep_compiled  # noqa: PLC0415

        if templates is not None and _is_made(templates):
            keep_compiled(templates)
        environment()
        interface = ui_routes(mind, sign_in, cookie, transfers, pages)
        loaded = LoadedPages(_router(interface.handlers), interface.close)
        if gc.isenabled():  # after the start, which does the same: what is loaded stays, and is no garbage
            gc.collect()
            gc.freeze()
        return loaded

    return build


def _is_made(folder: Path) -> bool:
    """Make a folder that only saves time: pages are there without it."""
    try:
        make_private_folder(folder)
    except (BigMindError, OSError) as error:
        log.warning("compiled templates are not kept: %s", error)
        return False
    return True


def _router(handlers: list[Any], lifespan: Sequence[Any] = ()) -> Litestar:
    return _Router(
        handlers,
        exception_handlers={BigMindError: bigmind_error, HTTPException: http_error, Exception: unexpected},
        openapi_config=None,
        logging_config=None,
        # The guard has bounded every body already.
        request_max_body_size=None,
        lifespan=lifespan,
    )


def _mcp_route(endpoint: LazyEndpoint) -> Any:
    @asgi(PATH, copy_scope=True)
    async def mcp(scope: Scope, receive: Receive, send: Send) -> None:
        await endpoint(scope, receive, send)  # pyright: ignore[reportArgumentType] - the same protocol, typed twice

    return mcp


def _running(endpoint: LazyEndpoint) -> Any:
    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncGenerator[None]:
        async with endpoint.run():
            yield

    return lifespan


def _by_path(clients: plain.App, mcp: plain.App, pages: plain.App) -> plain.App:
    """Clients have addresses of their own; whatever else is asked for is a page, or leads nowhere.

    What is posted to the MCP endpoint goes past the router, whose way there takes half as long as the guard's checks.
    """

    async def app(scope: plain.Scope, receive: plain.Receive, send: plain.Send) -> None:
        if scope["type"] == "http" and scope["path"] == PATH and scope["method"] == "POST":
            await answered_or_told(mcp, scope, receive, send)
            return
        is_page = scope["type"] == "http" and not (scope["path"].startswith(BEARER_PATHS) or scope["path"] == PROBE)
        await (pages if is_page else clients)(scope, receive, send)

    return app


def _door(mind: Mind, sign_in: SignIn, port: int, cookie: str, pages: LazyPages) -> Door:
    def entrance(asked: str) -> tuple[bytes, list[tuple[bytes, bytes]]]:
        pages.load_when_allowed()  # in their order: what draws them is told first where compiled templates are
        from ui.shell import theme_of  # noqa: PLC0415 - they are loaded now
        from ui.sign_in import sign_in_page  # noqa: PLC0415

        theme = theme_of(mind.store.host.settings)
        shows_codes = sign_in.screen.is_offered()
        return sign_in_page(cookie=cookie, theme=theme, shows_codes=shows_codes, asked=asked)

    def origins() -> frozenset[str]:
        return mind.store.host.settings.now().origins

    return Door(port, cookie, entrance, lambda code: sign_in.holder(code) is not None, origins)
