"""One HTTP/1.1 connection to a server of this machine. httptools reads what comes; here it is sent and waited for.

To import the standard library's client takes 10 of the 60 ms of the processor that a bridge or a hook takes to start,
and each request with it three times as long.
"""

import socket
from collections.abc import Iterator, Mapping
from contextlib import suppress

from httptools import HttpParserError, HttpParserUpgrade, HttpResponseParser

HERE = "127.0.0.1"
MOST_HEAD_BYTES = 64 * 1024
_AT_ONCE = 64 * 1024
_FINAL = 200
_LENGTHS = (b"content-length", b"transfer-encoding")
_NEVER_IN_HEADERS = frozenset("\r\n\0")


class ResponseReader:
    """A response whose head has come; its body is read as it comes."""

    def __init__(self, connection: socket.socket) -> None:
        """Wait for the head.

        Raises:
            OSError: when the connection ends or breaks, is silent for too long, or something else than HTTP comes.
        """
        self._socket = connection
        self._parser = HttpResponseParser(self)
        self._headers: dict[bytes, bytes] = {}
        self._parts: list[bytes] = []
        self._has_head = False
        self.status = 0
        self.is_over = False
        self.can_go_on = False
        """Whether the connection serves another request behind this one."""
        received = 0
        while not self._has_head:
            received += self._receive()
            if received > MOST_HEAD_BYTES and not self._has_head:
                raise ConnectionAbortedError("the head of the response is too large")

    @property
    def content_type(self) -> str:
        """What kind of body it has; empty where it does not say so."""
        return self._headers.get(b"content-type", b"").decode("latin-1")

    def read(self, most: int | None = None) -> bytes:
        """What of the body was not read yet, to its end.

        Raises:
            OSError: as the constructor does, or when more than `most` bytes come, with all that frames them.
        """
        came = sum(map(len, self._parts))
        while not self.is_over and (most is None or came <= most):
            came += self._receive()
        if most is not None and came > most:
            raise ConnectionAbortedError(f"the response is larger than {most:,} bytes")
        return self._taken()

    def lines(self) -> Iterator[bytes]:
        """The lines of the body as they come, without their ends.

        Raises:
            OSError: as the constructor does.
        """
        begun: list[bytes] = []
        while True:
            first, *others = self._taken().split(b"\n")
            begun.append(first)
            for each in others:
                yield b"".join(begun)
                begun = [each]
            if self.is_over:
                break
            self._receive()
        if rest := b"".join(begun):
            yield rest

    def _taken(self) -> bytes:
        parts, self._parts = self._parts, []
        return b"".join(parts)

    def _receive(self) -> int:
        """Take in what comes next; how many bytes that were."""
        data = self._socket.recv(_AT_ONCE)
        if not data:
            if not self._ends_with_connection():
                raise ConnectionResetError("the server closed the connection")
            self.is_over = True
        else:
            try:
                self._parser.feed_data(data)
            except (HttpParserError, HttpParserUpgrade) as error:
                raise ConnectionAbortedError(f"what came is no response: {error!r}") from error
        if self.is_over:
            del self._parser  # both know each other
        return len(data)

    def _ends_with_connection(self) -> bool:
        return self._has_head and not any(name in self._headers for name in _LENGTHS)

    def on_message_begin(self) -> None:
        """For the parser: a response begins."""
        if self.is_over:
            raise ValueError("a response that nobody asked for")

    def on_header(self, name: bytes, value: bytes) -> None:
        """For the parser: a header; what comes behind a body is none."""
        if not self._has_head:
            self._headers[name.lower()] = value

    def on_headers_complete(self) -> None:
        """For the parser: the head is whole."""
        self.status = self._parser.get_status_code()
        self._has_head = self.status >= _FINAL
        self.can_go_on = self._parser.should_keep_alive()

    def on_body(self, part: bytes) -> None:
        """For the parser: a part of the body."""
        self._parts.append(part)

    def on_message_complete(self) -> None:
        """For the parser: the response is whole; one that only says that another follows is none."""
        self.is_over = self._has_head
        if not self._has_head:
            self._headers.clear()


class HttpConnection:
    """A connection that is kept alive. Not for use by two threads at once, but for `abort`."""

    def __init__(self, port: int, seconds: float) -> None:
        """Connect to a port of this machine, and wait `seconds` each time for what is there to say something.

        Raises:
            OSError: when nothing takes the connection.
        """
        self._port = port
        self._response: ResponseReader | None = None
        self._is_free = True
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        try:
            self._socket.settimeout(seconds)
            self._socket.connect((HERE, port))
            self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError:
            self._socket.close()
            raise

    def wait(self, seconds: float) -> None:
        """Wait so long from now on."""
        self._socket.settimeout(seconds)

    def send(self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]) -> ResponseReader:
        """Send one request; its response, whose body has to be read before the next request.

        Raises:
            OSError: when the connection was or is closed, is silent for too long, or answers something else than HTTP.
            ValueError: when something cannot stand in a request's head.
        """
        is_answered = self._response is not None and self._response.is_over and self._response.can_go_on
        if not self._is_free and not is_answered:
            # Never connected again by itself: who is there now has proved nothing.
            self.close()
            raise ConnectionResetError("the connection was closed")
        self._is_free, self._response = False, None
        self._socket.sendall(_head(method, path, self._port, body, headers) + (body or b""))
        self._response = ResponseReader(self._socket)
        return self._response

    def end_requests(self) -> None:
        """Send nothing any more, from any thread; what is answered is still read."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_WR)

    def abort(self) -> None:
        """Break the connection off, from any thread: who is reading from it gets to its end at once."""
        with suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Close it."""
        self._socket.close()


def _head(method: str, path: str, port: int, body: bytes | None, headers: Mapping[str, str]) -> bytes:
    fields = {"Host": f"{HERE}:{port}", **headers}
    if body is not None or method != "GET":
        fields["Content-Length"] = str(len(body or b""))
    lines = [f"{method} {path} HTTP/1.1", *(f"{name}: {value}" for name, value in fields.items())]
    if any(not _NEVER_IN_HEADERS.isdisjoint(line) for line in lines) or " " in path:
        raise ValueError("a request's head cannot hold that")
    return "\r\n".join([*lines, "\r\n"]).encode("latin-1")
