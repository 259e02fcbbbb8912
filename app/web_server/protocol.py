"""HTTP/1.1 as uvicorn speaks it, with bounds on headers and on the time that a body takes, of which it has none."""

from asyncio import AbstractEventLoop, TimerHandle, Transport
from math import inf
from typing import Any, cast

from app.web_server.uvicorn_parts import HttpToolsProtocol, RequestResponseCycle
from bigmind.http.asgi import STOP

MOST_HEADER_BYTES = 512 * 1024
"""More than one read of a socket holds, so that a body that arrives with its headers is not counted as theirs."""


HEAD_SECONDS = 10.0
"""What sends nothing counts among the connections all the same, and with too many of them nobody is answered."""


BODY_SECONDS = 10.0
BODY_BYTES = 64 * 1024
"""So much of a body comes in each ten seconds, or the rest of it; whoever has a token can be stuck or spiteful too."""


TICK = 0.02
"""So much earlier than it was asked to a loop may look: a turn of the system's clock, which on Windows takes long."""


MOST_JOINED = 64 * 1024
"""Bytes that wait to be sent together. More go at once, so that who writes much is held up by who reads slowly."""


class JoinedWrites:
    """A transport that sends together what is written within one turn of the event loop.

    uvicorn writes the head of an answer, its body and the end of that each by itself; each would be a packet of its
    own, which costs this process a call of the system, and wakes the client once more.
    """

    def __init__(self, transport: Transport, loop: AbstractEventLoop) -> None:
        self._transport = transport
        self._loop = loop
        self._waiting: list[bytes] = []
        self._size = 0
        self._given = 0

    def __getattr__(self, name: str) -> Any:
        """All else is the transport's."""
        return getattr(self._transport, name)

    def write(self, data: bytes) -> None:
        """Have it sent when the loop goes on."""
        if not self._waiting:
            self._loop.call_soon(self.send)
        self._waiting.append(data)
        self._size += len(data)
        if self._size >= MOST_JOINED:
            self.send()

    def left(self) -> int:
        """Bytes that were given to the transport, and that the client has not taken yet."""
        return self._transport.get_write_buffer_size()

    def taken(self) -> int:
        """Bytes that the client, or the system on its behalf, has taken since the connection began."""
        return self._given - self.left()

    def close(self) -> None:
        """Send what waits, and end the connection."""
        self.send()
        self._transport.close()

    def send(self) -> None:
        """Send what waits."""
        waiting, self._waiting, self._given, self._size = self._waiting, [], self._given + self._size, 0
        if waiting and not self._transport.is_closing():
            self._transport.write(b"".join(waiting))


class BoundedRequests(HttpToolsProtocol):
    """Closes a connection whose headers do not end, or do not come, and one whose body stands still."""

    head_seconds = HEAD_SECONDS
    body_seconds = BODY_SECONDS

    _in_headers = True
    _header_bytes = 0
    _head_until = _body_until = inf
    _timer: TimerHandle | None = None
    """Until the first of both, or earlier: what is awaited changes with each request, so the timer stays, and looks."""
    _body_bytes = 0
    _is_our_delay = False

    def connection_made(self, transport: Transport) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The first request is awaited."""
        self.joined = JoinedWrites(transport, self.loop)
        super().connection_made(cast("Transport", self.joined))
        self._await_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Nothing is awaited any more."""
        self._head_until = self._body_until = inf
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        super().connection_lost(exc)

    def eof_received(self) -> bool:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The client sends no more, on which the connection ends; what is answered already goes to it before.

        Where something long is under way that stops on this, the client still hears what became of it.
        """
        self.joined.send()
        cycle = cast("RequestResponseCycle | None", self.cycle)
        if cycle is None or cycle.response_complete or (stop := cycle.scope.get("state", {}).get(STOP)) is None:
            return False
        cycle.keep_alive = False
        stop()
        return True

    def data_received(self, data: bytes) -> None:
        """Count what comes and is no body: headers, and what may follow a body's last part; refuse too much of it."""
        if self._in_headers:
            self._await_head()
        self._header_bytes += len(data)
        if self._header_bytes > MOST_HEADER_BYTES:
            self._refuse("The headers are too large.")
            return
        super().data_received(data)

    def on_message_begin(self) -> None:
        """The headers begin, perhaps in the middle of what was read."""
        self._await_head()
        super().on_message_begin()

    def on_headers_complete(self) -> Any:
        """The body begins."""
        self._in_headers = False
        self._head_until = inf
        self._await_body()
        super().on_headers_complete()  # pyright: ignore[reportUnknownMemberType]
        # The request has the list. What follows a chunked body (RFC 9110, 6.5) would join it, as a token or an Origin
        # that nobody in front of this server saw.
        self.headers: list[tuple[bytes, bytes]] = []

    def on_body(self, body: bytes) -> None:
        """Count what comes of the body, and note when it is we who do not read on."""
        self._header_bytes = 0
        self._body_bytes += len(body)
        super().on_body(body)
        self._is_our_delay = self._is_our_delay or self.flow.read_paused

    def on_message_complete(self) -> None:
        """The next request begins."""
        self._body_until = inf
        self._in_headers, self._header_bytes = True, 0
        super().on_message_complete()

    def _await_head(self) -> None:
        """From the first byte on: one that comes now and then gains no time."""
        if self._head_until == inf:
            self._head_until = self.loop.time() + self.head_seconds
            self._look_at(self._head_until)

    def _await_body(self) -> None:
        self._body_bytes, self._is_our_delay = 0, self.flow.read_paused
        self._body_until = self.loop.time() + self.body_seconds
        self._look_at(self._body_until)

    def _look_at(self, moment: float) -> None:
        """Look then whether what is awaited has come, or earlier."""
        if self._timer is not None:
            if self._timer.when() <= moment:
                return
            self._timer.cancel()
        self._timer = self.loop.call_at(moment, self._look)

    def _look(self) -> None:
        """Look whether what is awaited has come."""
        self._timer, now = None, self.loop.time()
        if self._head_until <= now + TICK:
            self._no_head()
        if self._body_until <= now + TICK:
            self._look_at_body()
        if (until := min(self._head_until, self._body_until)) < inf:
            self._look_at(until)

    def _no_head(self) -> None:
        self._head_until = inf
        if self.cycle and not self.cycle.response_complete:
            self._await_head()  # an answer is on its way; what came after its request may be the beginning of the next
        else:
            self.transport.close()

    def _look_at_body(self) -> None:
        self._body_until = inf
        if self._is_our_delay or self.flow.read_paused or self._body_bytes >= BODY_BYTES:
            self._await_body()
        else:
            self._refuse("The body of the request did not come.")

    def _refuse(self, why: str) -> None:
        if not self._in_headers and self.cycle.response_started:
            self.transport.close()
        else:
            self.send_400_response(why)
