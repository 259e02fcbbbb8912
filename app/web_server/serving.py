"""Runs the assembled application on a socket, with uvicorn."""

import asyncio
import logging
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from time import monotonic
from typing import NamedTuple, cast

from app.assembly import Assembly
from app.web_server.protocol import BODY_BYTES, BoundedRequests
from app.web_server.upgrades import UpgradeIgnored
from app.web_server.uvicorn_parts import Config, Server
from bigmind.core.errors import BigMindError, Code
from bigmind.http.event_loop import loop_of

log = logging.getLogger(__name__)

SHUTDOWN_SECONDS = 2
KEEP_ALIVE_SECONDS = 300
MOST_CONNECTIONS = 1_000
CROWDED = MOST_CONNECTIONS // 2
"""So many are open when who has sent nothing yet is let go at once: with too many of them nobody is answered."""
CROWDED_KEEP_ALIVE_SECONDS = 2
"""How long one whose requests are answered is kept then, not `KEEP_ALIVE_SECONDS`; its client connects again."""
MANY = 32
"""With fewer connections nothing has to be looked at more often than the date of the answers changes: a server that
woke ten times a second, as uvicorn's does, took half a hundredth of a processor for nothing."""
FEW_SECONDS, MANY_SECONDS = 1.0, 0.1
CROWDED_UNREAD_SECONDS = 10.0
"""In so long as much of an answer is taken then as has to come of a body (`BODY_BYTES`), or all that is left of it."""
SWITCH_SECONDS = 0.0005
"""How long a thread may compute while another waits to. With Python's own 5 ms a page, which waits at each of its many
queries, takes up to twice as long while an import runs, and the import gains nothing by it."""


class Unread(NamedTuple):
    """How much of its answers a client had taken, and since when it took little more."""

    taken: int
    since: float


class UvicornServer(Server):
    """uvicorn's server, that says when it is ready and when it is about to end."""

    def __init__(self, config: Config, ready: Callable[[], None], ending: Callable[[], None]) -> None:
        super().__init__(config)
        self._ready = ready
        self._ending = ending
        self._silent = set[BoundedRequests]()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._told = asyncio.Event()
        self._unread = dict[BoundedRequests, Unread]()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start listening, then say so."""
        self._loop = asyncio.get_running_loop()
        await super().startup(sockets)
        if self.started:
            self._ready()

    async def main_loop(self) -> None:
        """Look after the connections until it is told to stop."""
        while not await self.on_tick(0):  # of the first count, at which uvicorn makes the date of the answers anew
            is_calm = len(self.server_state.connections) < MANY
            with suppress(TimeoutError):
                await asyncio.wait_for(self._told.wait(), FEW_SECONDS if is_calm else MANY_SECONDS)

    async def on_tick(self, counter: int) -> bool:
        """Now and then: where it is crowded, let go of who connected before the last time and asked for nothing.

        Any program of the machine can connect, without a token; whoever means to ask does so at once. One that asked
        goes soon after its answer: what needs no token is answered to any program, too.
        """
        connections, silent, idle = self.server_state.connections, set[BoundedRequests](), set[BoundedRequests]()
        bounded = list[BoundedRequests]()
        if len(connections) >= CROWDED:
            bounded = [each for each in connections if isinstance(each, BoundedRequests)]
            silent.update(each for each in bounded if _has_asked_nothing(each))
            idle.update(each for each in bounded if _idle_seconds(each) > CROWDED_KEEP_ALIVE_SECONDS)
        for each in idle | silent & self._silent:
            each.transport.close()
        self._silent = silent
        self._let_go_of_unread(bounded)
        return await super().on_tick(counter)

    def _let_go_of_unread(self, crowd: list[BoundedRequests]) -> None:
        """Of those that take no answer, also where the connection is to end: it ends once all of it is taken."""
        now, known = monotonic(), self._unread
        self._unread = dict[BoundedRequests, Unread]()
        for each in (each for each in crowd if each.joined.left()):
            taken = each.joined.taken()
            earlier = known.get(each)
            self._unread[each] = earlier if earlier and taken < earlier.taken + BODY_BYTES else Unread(taken, now)
            if now - self._unread[each].since > CROWDED_UNREAD_SECONDS:
                each.joined.abort()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End open event streams first: a browser would keep them open for ever."""
        self._ending()
        await super().shutdown(sockets)

    def stop(self) -> None:
        """Shut down after the requests that are being answered; told by another thread."""
        self.should_exit = True
        if self._loop is not None:
            with suppress(RuntimeError):  # it has ended by itself
                self._loop.call_soon_threadsafe(self._told.set)


def _has_asked_nothing(connection: BoundedRequests) -> bool:
    """Whether no request of it had a whole head."""
    return cast("object", connection.cycle) is None  # uvicorn declares it as what it is from then on


def _idle_seconds(connection: BoundedRequests) -> float:
    """How long its last request has been answered; 0 while one comes or is under way."""
    until_closed = connection.timeout_keep_alive_task
    return KEEP_ALIVE_SECONDS - (until_closed.when() - connection.loop.time()) if until_closed else 0.0


class ServerThread:
    """The HTTP server, in a thread of its own: the main thread is the tray's.

    Args:
        assembled: what is served.
        listener: where.
        ended: called when it ended without being told to.
    """

    def __init__(self, assembled: Assembly, listener: socket.socket, ended: Callable[[], None]) -> None:
        self._assembled = assembled
        self._ended = ended
        self._answers = threading.Event()
        self._is_told = False
        self._serving = _serving(assembled, self._answers.set)
        self._thread = threading.Thread(target=partial(self._run, listener), name="server")

    def start(self) -> None:
        """Start it, and wait until it answers.

        Raises:
            BigMindError: `internal`, when it could not start; the log says why.
        """
        sys.setswitchinterval(SWITCH_SECONDS)
        self._thread.start()
        self._answers.wait()
        if not self._serving.started:
            raise BigMindError(Code.INTERNAL, "The server could not start.", "See the log in the data folder's logs.")

    def allow_loading(self) -> None:
        """Let the first requests load from now on what they need."""
        self._assembled.allow_loading()

    def load_pages(self) -> None:
        """Load the pages now, before somebody asks for one; where they cannot be loaded, that one is told."""
        with suppress(BigMindError):
            self._assembled.pages.load()

    def begin_loading_pages(self) -> None:
        """Begin to load them, for somebody is about to ask for one."""
        self._assembled.pages.begin()

    def stop(self) -> None:
        """End it after the requests that are being answered, and wait for that."""
        self._is_told = True
        self._serving.stop()
        if self._thread.ident is not None:
            self._thread.join()

    def _run(self, listener: socket.socket) -> None:
        try:
            self._serving.run(sockets=[listener])
        finally:
            self._answers.set()
            if not self._is_told:
                self._ended()


def _serving(assembled: Assembly, ready: Callable[[], None]) -> UvicornServer:
    config = Config(
        assembled.app,  # pyright: ignore[reportArgumentType] - the same protocol, typed twice
        http=UpgradeIgnored,
        loop=loop_of(),
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
    return UvicornServer(config, ready, assembled.close)
