"""The event loop that the server runs on: asyncio's own, which on Windows goes on listening whoever hangs up."""

import asyncio
import logging
import sys
from collections.abc import Awaitable, Callable
from typing import TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")

FIRST_SECONDS, CROWDED_SECONDS = 0.001, 1.0
"""How long it is waited when the system has no socket to give: twice as long each time, up to what asyncio waits on
other systems. What was one connection's fault after all, by a number that is not known here, holds the next one up for
a moment only."""

HUNG_UP = frozenset({64, 1236, 10_053, 10_054, 10_057})
"""What Windows says when the one who connected is gone again: ERROR_NETNAME_DELETED, ERROR_CONNECTION_ABORTED,
WSAECONNABORTED, WSAECONNRESET, and WSAENOTCONN where asyncio then asks who it was."""


def loop_of(system: str = sys.platform) -> str:
    """The loop of a system (as `sys.platform` says it), by a name that uvicorn knows or can import."""
    return f"{__name__}:listening_loop" if system == "win32" else "auto"


async def next_connection(begin: Callable[[], Awaitable[T]], is_open: Callable[[], bool]) -> T:
    """The next connection that is whole when it is taken; one that broke before that is passed over.

    Args:
        begin: begins to wait for one; raises OSError when the system has no socket for it.
        is_open: whether it is still listened.

    Raises:
        OSError: it is listened no longer.
    """
    pause = FIRST_SECONDS
    while True:
        try:
            return await begin()
        except OSError as error:
            if not is_open():
                raise
            if getattr(error, "winerror", None) in HUNG_UP:
                log.debug("a connection broke before it was taken: %s", error)
                continue
            log.warning("no connection can be taken for a moment: %s", error)
            await asyncio.sleep(pause)
            pause = min(2 * pause, CROWDED_SECONDS)


if sys.platform == "win32":
    import socket
    from typing import Any, cast

    class ListeningProactor(asyncio.IocpProactor):
        """asyncio's, with which a connection that breaks before it is taken ends nothing but itself.

        Else asyncio closes the socket that listens (CPython's issue 93821): whichever program of the machine connects
        and resets at once would have the server answer nobody any more, until its end.
        """

        _next: socket.socket | None = None

        def accept(self, listener: socket.socket) -> Any:
            """Wait for the next connection."""
            waiting = next_connection(lambda: self._whole(listener), lambda: listener.fileno() != -1)
            return asyncio.get_running_loop().create_task(waiting)

        def _whole(self, listener: socket.socket) -> Awaitable[Any]:
            accepting = super().accept(listener)
            connection = self._next

            async def whole() -> Any:
                try:
                    return await accepting
                except OSError:
                    if connection is not None:
                        connection.close()  # asyncio leaves that to the collector of garbage
                    raise

            return whole()

        def _get_accept_socket(self, family: int) -> socket.socket:
            """A new socket for asyncio to accept into."""
            self._next = made = super()._get_accept_socket(family)
            return made

    class ListeningLoop(asyncio.ProactorEventLoop):
        """asyncio's, over that."""

        def __init__(self) -> None:
            super().__init__(ListeningProactor())

        def call_exception_handler(self, context: dict[str, Any]) -> None:
            """Log what nobody caught; not what `next_connection` told, which asyncio raises once more."""
            if not _is_of_accepting(context):
                super().call_exception_handler(context)

    def listening_loop() -> asyncio.AbstractEventLoop:
        """A new one."""
        return ListeningLoop()

    def _is_of_accepting(context: dict[str, Any]) -> bool:
        """Whether it is of the task that closes a socket when nothing is accepted, which waits for nothing else."""
        future, error = context.get("future"), context.get("exception")
        if not isinstance(future, asyncio.Task) or not isinstance(error, OSError):
            return False
        return getattr(cast("object", future.get_coro()), "__name__", "") == "accept_coro"
