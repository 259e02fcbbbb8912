"""Connections that say nothing, or never end what they begin: they make no room scarce for long."""

import asyncio
import json
import random
import re
import select
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import httpx
import pytest

from app.web_server import serving
from app.web_server.protocol import BODY_BYTES, BODY_SECONDS, HEAD_SECONDS, MOST_JOINED, BoundedRequests, JoinedWrites
from bigmind.http import lingering, open_requests
from bigmind.people.token_format import TokenKind
from tests.http.inside import Inside, server_inside
from tests.thorough import crossed, often

SOON = 1.0
HEAD = b"POST /api/v1/server_status HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nContent-Type: application/json\r\n"


@pytest.fixture(scope="module")
def impatient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server that waits a second for the head of a request."""
    with pytest.MonkeyPatch.context() as patch, server_inside(tmp_path_factory.mktemp("impatient") / "home") as inside:
        patch.setattr(BoundedRequests, "head_seconds", SOON)
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
    assert BoundedRequests.head_seconds == HEAD_SECONDS == 10
    assert BoundedRequests.body_seconds == BODY_SECONDS == 10


class Sent(asyncio.Transport):
    """A transport that keeps what is sent."""

    def __init__(self) -> None:
        super().__init__()
        self.sent: list[bytes] = []
        self.is_closed = False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.sent.append(bytes(data))

    def close(self) -> None:
        self.is_closed = True

    def is_closing(self) -> bool:
        return self.is_closed


def test_what_is_written_in_one_turn_is_sent_together_and_before_the_end() -> None:
    async def written() -> Sent:
        joined = JoinedWrites(sent := Sent(), asyncio.get_running_loop())
        joined.write(b"head ")
        joined.write(b"body")
        assert sent.sent == []
        await asyncio.sleep(0)
        joined.write(b"x" * MOST_JOINED)  # at once
        joined.write(b"the end")
        assert len(sent.sent) == 2
        joined.close()
        joined.write(b"what nobody reads")
        await asyncio.sleep(0)
        return sent

    sent = asyncio.run(written())
    assert sent.sent == [b"head body", b"x" * MOST_JOINED, b"the end"]
    assert sent.is_closed


def test_an_answer_is_one_packet(impatient: Inside) -> None:
    head = HEAD % impatient.port + f"Authorization: Bearer {impatient.token()}\r\n".encode()
    with connected(impatient) as connection:
        for _ in range(3):
            connection.sendall(head + b"Content-Length: 2\r\n\r\n{}")
            answered = connection.recv(65_536)
            length = re.search(rb"content-length: (\d+)", answered)
            assert length is not None
            assert len(answered.partition(b"\r\n\r\n")[2]) == int(length[1])


@pytest.mark.parametrize("size", [5, 30])
def test_who_sends_all_of_what_is_too_large_before_it_reads_still_reads_why(impatient: Inside, size: int) -> None:
    """As most libraries do; a connection that is closed with bytes unread would be reset under them."""
    headers = {"Authorization": f"Bearer {impatient.token()}", "Content-Type": "application/json"}
    with closing(HTTPConnection("127.0.0.1", impatient.port, timeout=60)) as connection:
        connection.request("POST", "/mcp", b" " * size * 1024 * 1024, headers)
        answered = connection.getresponse()
        assert answered.status == 413
        assert json.loads(answered.read())["title"] == "The request is larger than 4,096 KiB."


def test_who_sends_a_body_after_it_was_refused_still_reads_why(impatient: Inside) -> None:
    """Windows tells of a broken connection before it tells what came over it."""
    size = 1_000_000
    with connected(impatient) as connection:
        head = HEAD % impatient.port + b"Authorization: Bearer nothing\r\nContent-Length: %d\r\n\r\n" % size
        connection.sendall(head)
        assert connection.recv(1, socket.MSG_PEEK) == b"H", "the answer did not wait for the body"
        for _ in range(10):
            connection.sendall(b" " * (size // 10))
        assert until_closed(connection).startswith(b"HTTP/1.1 401 ")


def test_what_is_too_large_is_read_no_further_than_a_bound(impatient: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lingering, "MOST_BYTES", 100_000)
    sent, part = 0, b" " * 65_536
    with connected(impatient) as connection, suppress(ConnectionError):
        connection.sendall(HEAD % impatient.port + b"Content-Length: 999999999\r\n\r\n")
        while sent < 999_999_999:
            sent += connection.send(part)
    assert sent < 50_000_000, "no more than what the system holds ready besides"


def test_who_sends_nothing_of_what_is_too_large_is_let_go(impatient: Inside) -> None:
    with connected(impatient) as connection:
        connection.sendall(HEAD % impatient.port + b"Content-Length: 999999999\r\n\r\n")
        assert until_closed(connection).startswith(b"HTTP/1.1 413 ")


@pytest.mark.parametrize("begun", [b"", b"GET /prof", b"GET /profile HTTP/1.1\r\nHost: x\r\n", b"\r\n"])
def test_a_connection_without_a_whole_head_is_closed(impatient: Inside, begun: bytes) -> None:
    with connected(impatient) as connection:
        connection.sendall(begun)
        assert until_closed(connection) == b""


def test_where_it_is_crowded_who_asks_nothing_is_let_go_at_once(
    impatient: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(BoundedRequests, "head_seconds", 600.0)
    with ExitStack() as open_ones:
        asked = open_ones.enter_context(connected(impatient))
        asked.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % impatient.port)
        assert asked.recv(65_536).startswith(b"HTTP/1.1 200 ")
        silent = [open_ones.enter_context(connected(impatient)) for _ in range(8)]
        monkeypatch.setattr(serving, "CROWDED", 5)
        monkeypatch.setattr(serving, "MANY", 5)
        assert [until_closed(each) for each in silent] == [b""] * 8
        asked.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % impatient.port)
        assert asked.recv(65_536).startswith(b"HTTP/1.1 200 ")


def test_where_it_is_crowded_who_was_answered_is_let_go_soon(
    impatient: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    with ExitStack() as open_ones:
        answered = [open_ones.enter_context(connected(impatient)) for _ in range(8)]
        for each in answered:
            each.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % impatient.port)
            assert each.recv(65_536).startswith(b"HTTP/1.1 200 ")
        monkeypatch.setattr(serving, "CROWDED", 5)
        monkeypatch.setattr(serving, "MANY", 5)
        assert [until_closed(each) for each in answered[:4]] == [b""] * 4


def test_a_server_that_few_are_connected_to_wakes_seldom_and_ends_when_it_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It woke ten times a second: half a hundredth of a processor for nothing, all day."""
    looks, look = list[int](), serving.UvicornServer.on_tick

    async def counted(self: serving.UvicornServer, counter: int) -> bool:
        looks.append(self.servers[0].sockets[0].getsockname()[1])
        return await look(self, counter)

    monkeypatch.setattr(serving.UvicornServer, "on_tick", counted)
    monkeypatch.setattr(serving, "FEW_SECONDS", 3_600.0)
    with server_inside(tmp_path / "home") as inside, connected(inside) as connection:
        for _ in range(20):
            connection.sendall(b"GET /livez HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n\r\n" % inside.port)
            assert b"\r\ndate: " in connection.recv(65_536)
        assert looks.count(inside.port) == 1
    assert looks.count(inside.port) == 2, "once more when it was told to end"


PAGES = b"GET /profile HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAccept: text/html\r\n\r\n"


def never_reads(inside: Inside) -> socket.socket:
    """A connection that asks for much more than the system holds ready for it."""
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    connection.connect(("127.0.0.1", inside.port))
    connection.sendall(PAGES % inside.port * 2_000)
    connection.settimeout(0.05)
    return connection


def ends(connection: socket.socket) -> bool:
    """Whether the server ends it within twenty seconds, though it reads nothing of what came."""
    until = time.monotonic() + 20
    while time.monotonic() < until:
        try:
            connection.send(b"\r\n")
        except TimeoutError:
            continue
        except ConnectionError:
            return True
        select.select([], [], [connection], 0.05)  # what is sent says nothing before the system knows of the end
    return False


def test_where_it_is_crowded_who_reads_no_answer_is_let_go(impatient: Inside, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand of them, none with a token, kept everybody else from an answer for as long as they liked."""
    monkeypatch.setattr(serving, "CROWDED_UNREAD_SECONDS", 0.5)
    with ExitStack() as open_ones:
        unread = [open_ones.enter_context(never_reads(impatient)) for _ in range(3)]
        reads = open_ones.enter_context(connected(impatient))
        reads.sendall(PAGES % impatient.port * 200)
        monkeypatch.setattr(serving, "CROWDED", 1)
        monkeypatch.setattr(serving, "MANY", 1)
        answered = b""
        while answered.count(b"HTTP/1.1 401 ") < 200:
            more = reads.recv(65_536)
            assert more, "who reads is let go, too"
            answered += more
        assert all(ends(each) for each in unread)


LIST = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}


def is_let_in_soon(http: httpx.Client) -> bool:
    """Whether it is answered within ten seconds: streams that were left end a moment later."""
    until = time.monotonic() + 10
    while time.monotonic() < until:
        if http.post("/mcp", json=LIST).status_code == 200:
            return True
    return False


def test_who_holds_many_streams_open_keeps_nobody_else_from_an_answer(
    impatient: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With 999 of them, which one token was enough for, everybody else was answered 503."""
    monkeypatch.setattr(open_requests, "MOST_OPEN", 2)
    mallory, ada = (impatient.token(name, TokenKind.CLIENT) for name in ("mallory", "ada"))
    page = impatient.token("mallory", TokenKind.UI)
    about = {"protocolVersion": "2026-07-28", "clientInfo": {"name": "x", "version": "1"}, "clientCapabilities": {}}
    meta = {f"io.modelcontextprotocol/{name}": value for name, value in about.items()}
    listening = {"notifications": {"toolsListChanged": True}, "_meta": meta}
    message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": listening}
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "subscriptions/listen",
    }
    with ExitStack() as open_ones:
        for _ in range(2):
            http = open_ones.enter_context(impatient.http(mallory, headers=headers))
            stream = open_ones.enter_context(http.stream("POST", "/mcp", json=message))
            assert stream.status_code == 200
        with impatient.http(mallory) as more, impatient.http(ada) as other, impatient.browser(page) as browser:
            refused = more.post("/mcp", json=LIST)
            assert (refused.status_code, refused.json()["code"]) == (503, "unavailable")
            assert "requests of yours are open already" in refused.text
            assert other.post("/mcp", json=LIST).status_code == 200
            assert browser.get("/events-of-nobody").status_code != 503
    with impatient.http(mallory) as more:
        assert is_let_in_soon(more)


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


ROUTES = {
    "/api/v1/server_status": b"application/json",
    "/mcp": b"application/json",
    "/sign-in": b"application/x-www-form-urlencoded",
    "/actions/memory_store_fact": b"application/x-www-form-urlencoded",
    "/uploads": b"application/octet-stream",
}
KINDS = [*TokenKind, None]


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    """A server that expects a part of a body every quarter of a second."""
    with pytest.MonkeyPatch.context() as patch, server_inside(tmp_path_factory.mktemp("strict") / "home") as inside:
        patch.setattr(BoundedRequests, "body_seconds", SOON / 4)
        yield inside


def head_of(inside: Inside, path: str, kind: TokenKind | None, length: bytes) -> bytes:
    secret = inside.token(kind=kind) if kind is not None else ""
    lines = [
        f"POST {path} HTTP/1.1",
        f"Host: 127.0.0.1:{inside.port}",
        f"Content-Type: {ROUTES[path].decode()}",
        f"Authorization: Bearer {secret}",
        f"Cookie: {inside.cookie}={secret}",
    ]
    return "\r\n".join(lines).encode() + b"\r\n" + length + b"\r\n\r\n"


def trickles(connection: socket.socket, piece: bytes) -> None:
    """Send a piece ten times a second until the server ends the connection."""
    with suppress(ConnectionError):
        while True:
            readable, _, _ = select.select([connection], [], [], 0.1)
            if readable and not connection.recv(65_536):
                return
            connection.sendall(piece)


@pytest.mark.parametrize(("path", "kind"), crossed(ROUTES, KINDS), ids=str)
def test_a_body_that_does_not_come_ends_the_connection_whoever_sends_it(
    strict: Inside, path: str, kind: TokenKind | None
) -> None:
    draw = random.Random(f"{path} {kind}")
    for _ in range(often(10, 1)):
        begun = draw.choice([b"", b"{", b'{"a": "' + b"x" * draw.randrange(30_000)])
        chunked = draw.random() < 0.5
        length = b"Transfer-Encoding: chunked" if chunked else b"Content-Length: %d" % draw.randrange(100_000, 900_000)
        with connected(strict) as connection:
            connection.sendall(head_of(strict, path, kind, length))
            if draw.random() < 0.5:
                trickles(connection, b"1\r\nx\r\n" if chunked else b"x")
                continue
            with suppress(ConnectionError):  # of what was refused at once, the rest is not taken
                connection.sendall(b"%x\r\n%s\r\n" % (len(begun), begun) if chunked and begun else begun)
                until_closed(connection)


def test_it_says_why(strict: Inside) -> None:
    with connected(strict) as connection:
        connection.sendall(head_of(strict, "/api/v1/server_status", TokenKind.CLI, b"Content-Length: 20") + b"{")
        answered = until_closed(connection)
    assert answered.startswith(b"HTTP/1.1 400 ")
    assert b"The body of the request did not come." in answered


def test_a_body_that_takes_several_times_as_long_and_goes_on_is_taken(
    strict: Inside, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked, look = threading.Event(), BoundedRequests._look_at_body
    monkeypatch.setattr(BoundedRequests, "body_seconds", SOON)
    monkeypatch.setattr(BoundedRequests, "_look_at_body", lambda self: (looked.set(), look(self)))
    part = b'"' + b"x" * (BODY_BYTES - 4) + b'",\n'
    parts = [b"[", part, part, part, b"1]"]
    with connected(strict) as connection:
        length = b"Content-Length: %d" % sum(map(len, parts))
        connection.sendall(head_of(strict, "/api/v1/server_status", TokenKind.CLI, length) + parts[0])
        for each in parts[1:]:
            connection.sendall(each)
            if each is part:
                assert looked.wait(60)
                looked.clear()
        answered = b""
        while b"The body is ['xxx" not in answered:  # shut down, the connection would end, perhaps before the answer
            more = connection.recv(65_536)
            assert more, answered
            answered += more


@pytest.mark.parametrize("pieces", [1, 3])
def test_who_asks_for_another_protocol_is_answered_in_this_one_with_what_its_body_says(
    impatient: Inside, pieces: int
) -> None:
    """As `curl --http2` and Java's client do: the body was lost, or read as a request where it came later."""
    wish = b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n"
    head = HEAD % impatient.port + f"Authorization: Bearer {impatient.token()}\r\n".encode() + wish
    body = b'{"GET":"/ HTTP/1.1"}'
    chunked = b"Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)
    counted = b"Content-Length: %d\r\n\r\n%s" % (len(body), body)
    for end in (counted, chunked, counted + head + counted):
        with connected(impatient) as connection:
            whole = head + end
            step = -(-len(whole) // pieces)
            for start in range(0, len(whole), step):
                connection.sendall(whole[start : start + step])
                select.select([connection], [], [], 0)
            connection.sendall(HEAD % impatient.port + b"Connection: close\r\nContent-Length: 2\r\n\r\n{}")
            answered = until_closed(connection)
        asked = whole.count(b"POST ")
        assert answered.count(b"HTTP/1.1 422 ") == asked, "the body was not read as one"
        assert answered.count(b"GET") >= asked, answered
        assert answered.count(b"HTTP/1.1 401 ") == 1
