"""Requests byte for byte, because a polite client would mend or refuse what an attacker sends."""

import json
import socket
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Self

Header = tuple[str, bytes]


@dataclass(frozen=True)
class Raw:
    """One request as it goes over the wire."""

    method: str
    target: str
    headers: tuple[Header, ...] = ()
    body: bytes = b""
    # Sent instead of the Content-Length that fits the body; None leaves the header out.
    length: bytes | None = b""

    def to_bytes(self) -> bytes:
        length = str(len(self.body)).encode() if self.length == b"" else self.length
        lines = [f"{self.method} {self.target} HTTP/1.1".encode()]
        lines += [name.encode() + b": " + value for name, value in self.headers]
        if length is not None and (self.body or self.length or self.method == "POST"):
            lines.append(b"Content-Length: " + length)
        return b"\r\n".join(lines) + b"\r\n\r\n" + self.body

    def without(self, name: str) -> Self:
        return replace(self, headers=tuple(each for each in self.headers if each[0].lower() != name.lower()))

    def adding(self, name: str, *values: str | bytes) -> Self:
        more = tuple((name, value.encode() if isinstance(value, str) else value) for value in values)
        return replace(self, headers=(*self.headers, *more))

    def having(self, name: str, *values: str | bytes) -> Self:
        """With these values of the header and no others."""
        return self.without(name).adding(name, *values)


@dataclass(frozen=True)
class Answered:
    """A response read until the server closed the connection, or whole."""

    status: int
    head: bytes
    body: bytes
    rest: bytes = b""

    def json(self) -> Any:
        return json.loads(self.body)

    def header(self, name: str) -> bytes | None:
        for line in self.head.split(b"\r\n")[1:]:
            key, _, value = line.partition(b":")
            if key.strip().lower() == name.lower().encode():
                return value.strip()
        return None


def exchange(port: int, request: Raw | bytes, *, to_the_end: bool = False) -> Answered:
    """Send a request, read its response. `to_the_end` reads whatever follows until the server closes."""
    data = request.to_bytes() if isinstance(request, Raw) else request
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        with suppress(OSError):  # refused before it was read to its end: the answer is there all the same
            connection.sendall(data)
        return _read(connection, to_the_end=to_the_end, has_body=not data.startswith(b"HEAD "))


def _read(connection: socket.socket, *, to_the_end: bool, has_body: bool) -> Answered:
    received = b""
    while b"\r\n\r\n" not in received:
        part = _part(connection)
        assert part, f"no response, only {received!r}"
        received += part
    head, _, body = received.partition(b"\r\n\r\n")
    answered = Answered(int(head.split(b" ", 2)[1]), head, b"")
    wanted = answered.header("content-length")
    if not has_body or answered.status == 204:
        end = 0
    elif wanted is not None:
        while len(body) < int(wanted) and (part := _part(connection)):
            body += part
        end = int(wanted)
    elif answered.header("transfer-encoding") == b"chunked" and not to_the_end:
        end = len(body)  # a stream: its first bytes are enough
    else:
        to_the_end, end = True, None
    while to_the_end and (part := _part(connection)):
        body += part
    end = len(body) if end is None else end
    return Answered(answered.status, head, body[:end], body[end:])


def _part(connection: socket.socket) -> bytes:
    try:
        return connection.recv(65_536)
    except ConnectionResetError:
        return b""  # closed with our bytes unread


def chunked(body: bytes, size: int = 65_536) -> bytes:
    """A body in chunks, without a length declared ahead."""
    parts = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(f"{len(part):x}".encode() + b"\r\n" + part + b"\r\n" for part in parts) + b"0\r\n\r\n"
