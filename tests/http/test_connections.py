"""Connections that say nothing, or never end what they begin: they make no room scarce for long."""

import socket
from collections.abc import Iterator

import pytest

from app.protocol import HEAD_SECONDS, BoundedHeaders
from tests.http.inside import Inside, server_inside

SOON = 1.0
HEAD = b"POST /api/v1/server_status HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server that waits a second for the head of a request."""
    with pytest.MonkeyPatch.context() as patch, server_inside(tmp_path_factory.mktemp("impatient") / "home") as inside:
        patch.setattr(BoundedHeaders, "head_seconds", SOON)
        yield inside


def connected(inside: Inside) -> socket.socket:
    return socket.create_connection(("127.0.0.1", inside.port), timeout=60)


def until_closed(connection: socket.socket) -> bytes:
    """What still comes; the server ends it, or the socket's own limit of a minute fails the test."""
    parts = []
    while part := connection.recv(65_536):
        parts.append(part)
    return b"".join(parts)


def test_it_waits_ten_seconds_unless_a_test_says_otherwise() -> None:
    assert BoundedHeaders.head_seconds == HEAD_SECONDS == 10


@pytest.mark.parametrize("begun", [b"", b"GET /prof", b"GET /profile HTTP/1.1\r\nHost: x\r\n", b"\r\n"])
def test_a_connection_without_a_whole_head_is_closed(impatient: Inside, begun: bytes) -> None:
    with connected(impatient) as connection:
        connection.sendall(begun)
        assert until_closed(connection) == b""


def test_a_request_whose_body_takes_longer_is_answered_and_the_next_head_is_awaited_no_longer(
    impatient: Inside,
) -> None:
    token, head = impatient.token(), HEAD % impatient.port
    with connected(impatient) as slow, connected(impatient) as silent:
        slow.sendall(head + f"Authorization: Bearer {token}\r\nContent-Length: 2\r\n\r\n".encode())
        assert until_closed(silent) == b""  # so that more than a second has passed
        slow.sendall(b"{}" + head)
        answered = until_closed(slow)
    assert answered.startswith(b"HTTP/1.1 200 ")
    assert b'"pid"' in answered
