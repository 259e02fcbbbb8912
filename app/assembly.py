"""Puts the surfaces together: one ASGI application on one port, behind one guard."""

import logging
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import cast

from litestar import Litestar, asgi
from litestar.exceptions import HTTPException
from litestar.plugins import PluginProtocol
from litestar.plugins.core import MsgspecDIPlugin
from litestar.types import Receive, Scope, Send

from app.mcp_later import LazyEndpoint
from bigmind.core.errors import BigMindError
from bigmind.http.api import api_routes, bigmind_error, http_error, unexpected
from bigmind.http.asgi import App
from bigmind.http.brain_routes import brain_routes
from bigmind.http.guard import Door, Guard
from bigmind.http.probe import probe_route
from bigmind.mcp.addresses import PATH
from bigmind.people.sign_in_codes import SignIn
from bigmind.wiring import Mind
from ui.app import UserInterface, ui_routes
from ui.page import Page
from ui.pages import PAGES
from ui.shell import theme_of
from ui.sign_in import sign_in_page

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Assembly:
    """The application, and the parts of it that its process talks to.

    Attributes:
        app: what uvicorn serves.
        routes: the router inside, for tests that walk every route.
        user_interface: the pages.
        endpoint: MCP, which is loaded when it is wanted.
    """

    app: App
    routes: Litestar
    user_interface: UserInterface
    endpoint: LazyEndpoint

    def close(self) -> None:
        """End every open event stream; call it when the shutdown begins, on the event loop."""
        self.user_interface.close()
        self.endpoint.close()


class _Routes(Litestar):
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
    mcp_is_told: bool = False,
    pages: Sequence[Page] = PAGES,
) -> Assembly:
    """Build the application for a server that listens on `port`.

    Args:
        mind: what it offers.
        sign_in: signs browsers in.
        port: where it will listen.
        proof_key: by which it proves who it is.
        mcp_is_told: the first request loads the MCP endpoint, but not before it is allowed; else, at once.
        pages: what people are shown.
    """
    cookie = f"bigmind_{port}"
    mind.authenticator.is_window = sign_in.is_window
    endpoint = LazyEndpoint(mind.dispatcher, is_told=mcp_is_told)
    interface = ui_routes(mind, sign_in, cookie, pages)

    @asgi(PATH, copy_scope=True)
    async def mcp(scope: Scope, receive: Receive, send: Send) -> None:
        await endpoint(scope, receive, send)  # pyright: ignore[reportArgumentType] - the same protocol, typed twice

    @asynccontextmanager
    async def lifespan(_: Litestar) -> AsyncGenerator[None]:
        async with endpoint.run():
            yield

    router = _Routes(
        [
            mcp,
            probe_route(proof_key, port),
            *api_routes(mind.dispatcher),
            brain_routes(mind.dispatcher),
            *interface.handlers,
        ],
        lifespan=[lifespan],
        exception_handlers={BigMindError: bigmind_error, HTTPException: http_error, Exception: unexpected},
        openapi_config=None,
        logging_config=None,
        # The guard has bounded every body already.
        request_max_body_size=None,
    )

    def entrance() -> tuple[bytes, list[tuple[bytes, bytes]]]:
        theme = theme_of(mind.store.host.settings)
        return sign_in_page(cookie=cookie, theme=theme, shows_codes=sign_in.screen.is_offered())

    def origins() -> frozenset[str]:
        return mind.store.host.settings.now().origins

    door = Door(port, cookie, entrance, lambda code: sign_in.holder(code) is not None, origins)
    return Assembly(Guard(cast("App", router), mind.authenticator, door), router, interface, endpoint)
