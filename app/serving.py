"""Runs the assembled application on a socket, with uvicorn."""

import socket
from collections.abc import Callable

import uvicorn

from app.assembly import assemble
from app.protocol import BoundedHeaders
from app.surroundings import ServerSurroundings
from bigmind.local.runfile import RunningServer
from bigmind.wiring import Mind

SHUTDOWN_SECONDS = 2
KEEP_ALIVE_SECONDS = 300
MOST_CONNECTIONS = 1_000


class Serving(uvicorn.Server):
    """uvicorn's server, that says when it is ready and when it is about to end."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End open event streams first: a browser would keep them open for ever."""
        self._ending()
        await super().shutdown(sockets)

    def stop(self) -> None:
        """Shut down after the requests that are being answered."""
        self.should_exit = True


def run(
    mind: Mind,
    surroundings: ServerSurroundings,
    server: RunningServer,
    listener: socket.socket,
    ready: Callable[[], None],
) -> None:
    """Serve until told to stop; `ready` is called when requests are answered."""
    assembled = assemble(mind, surroundings.sign_in, server.port, server.key)
    config = uvicorn.Config(
        assembled.app,  # pyright: ignore[reportArgumentType] - the same protocol, typed twice
        http=BoundedHeaders,
        log_config=None,
        access_log=False,  # addresses carry sign-in codes
        server_header=False,
        proxy_headers=False,
        ws="none",
        lifespan="on",
        limit_concurrency=MOST_CONNECTIONS,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    serving = Serving(config, ready, assembled.close)
    surroundings.on_stop = serving.stop
    serving.run(sockets=[listener])
