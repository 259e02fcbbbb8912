"""What follows a chunked body (trailers; RFC 9110, 6.5): none of it counts as sent with the head, and it is bounded."""

import socket
from collections.abc import Iterator
from contextlib import suppress

import pytest

from tests.http.inside import Inside, server_inside
from tests.http.raw import exchange


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with server_inside(tmp_path_factory.mktemp("trailers") / "home") as inside:
        yield inside


def asked(inside: Inside, told: bytes, trailers: bytes) -> bytes:
    """A request with a chunked body and what follows it, without its end."""
    head = (
        b"POST /api/v1/server_status HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n" % inside.port
    )
    return head + told + b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n" + trailers


def token_of(inside: Inside) -> bytes:
    return f"Authorization: Bearer {inside.token()}\r\n".encode()


def test_it_is_none_of_the_headers(served: Inside) -> None:
    """What stands in front of a server, as a proxy that takes headers away, looks at the head alone."""
    assert exchange(served.port, asked(served, b"", token_of(served) + b"\r\n")).status == 401
    others = b"Origin: http://elsewhere.example\r\nHost: elsewhere.example\r\nX: y\r\n\r\n"
    assert exchange(served.port, asked(served, token_of(served), others)).status == 200


@pytest.mark.parametrize("line", [b"X: y\r\n" * 10_000, b"x" * 65_536])
@pytest.mark.parametrize("is_known", [True, False])
def test_it_is_bounded(served: Inside, line: bytes, *, is_known: bool) -> None:
    """Sixty megabytes of it took six hundred of the server's memory, and needed no token."""
    sent = 0
    with socket.create_connection(("127.0.0.1", served.port), timeout=60) as connection, suppress(ConnectionError):
        connection.sendall(asked(served, token_of(served) if is_known else b"", b"X: y"))
        while sent < 50_000_000:
            sent += connection.send(line)
    assert sent < 20_000_000, "no more than what the system holds ready besides"
