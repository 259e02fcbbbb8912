"""The MCP endpoint, loaded by the first request to it; the SDK it loads when one needs that (bigmind/mcp/endpoint.py).

Not before the first page of a window: a request that comes before waits. It is a part of the application's lifespan,
and ends with it.
"""

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
from anyio.from_thread import BlockingPortal

from bigmind.core.errors import BigMindError, Code
from bigmind.core.failed_parts import ENDPOINT
from bigmind.http.asgi import Receive, Scope, Send
from bigmind.http.lingering import lingering
from bigmind.http.problems import refuse
from bigmind.operations.dispatch import Dispatcher

if TYPE_CHECKING:
    from bigmind.mcp.endpoint import McpEndpoint

log = logging.getLogger(__name__)


class LazyEndpoint:
    """An ASGI application that becomes the endpoint once it is wanted. Runs once: build a new one for a new server."""

    def __init__(self, dispatcher: Dispatcher, *, is_told: bool = False) -> None:
        """Prepare it.

        Args:
            dispatcher: what it offers.
            is_told: the first request loads it, but not before `allow` was called; else, at once.
        """
        self._dispatcher = dispatcher
        self._is_told = is_told
        self._endpoint: McpEndpoint | None = None
        self._failure = ""
        self._wanted, self._allowed, self._ready, self._over = (anyio.Event() for _ in range(4))
        self._portal: BlockingPortal | None = None

    @asynccontextmanager
    async def run(self) -> AsyncGenerator[None]:
        """Keep the endpoint running, from when it is wanted to the end of the block."""
        async with BlockingPortal() as self._portal, anyio.create_task_group() as tasks:
            tasks.start_soon(self._serve)
            try:
                yield
            finally:
                self._over.set()
                self._wanted.set()
                self._allowed.set()

    def allow(self) -> None:
        """Let a request load it from now on; from any thread but the loop's, while the server runs."""
        if self._portal is not None:
            self._portal.call(self._allowed.set)

    def close(self) -> None:
        """End every open stream: the server is about to wait for its connections. On its event loop."""
        if self._endpoint is not None:
            self._endpoint.close()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request that the guard let in."""
        self._wanted.set()
        await self._ready.wait()
        if self._endpoint is None:
            await refuse(lingering(send, receive), self._refusal())
        else:
            await self._endpoint(scope, receive, send)

    async def _serve(self) -> None:
        await self._wanted.wait()
        if self._is_told:
            await self._allowed.wait()
        try:
            if not self._over.is_set():
                endpoint = await anyio.to_thread.run_sync(self._loaded)
                async with endpoint.run():
                    self._endpoint = endpoint
                    self._ready.set()
                    await self._over.wait()
        except Exception as error:  # whatever it is: who waits is told, and the pages go on
            log.exception("the MCP endpoint cannot be loaded")
            self._fail(error)
        self._ready.set()

    def _loaded(self) -> "McpEndpoint":
        from bigmind.mcp.endpoint import McpEndpoint  # noqa: PLC0415 - what this is for

        return McpEndpoint(self._dispatcher)

    def _fail(self, error: Exception) -> None:
        """Have requests refused with the reason, and Health tell it."""
        self._endpoint = None
        self._failure = f"{type(error).__name__}: {error}"
        self._dispatcher.store.host.failed.note(ENDPOINT, self._failure)

    def _refusal(self) -> BigMindError:
        """Made anew for each request: one that is raised keeps all that its request held."""
        if not self._failure:
            return BigMindError(Code.UNAVAILABLE, "BigMind is ending.", "Start it again.")
        return BigMindError(
            Code.INTERNAL,
            f"BigMind's MCP endpoint cannot be loaded ({self._failure}).",
            "Install BigMind again, and start it; its log says more.",
        )
