"""A connection to a server of this machine: what comes is read as HTTP has it, and nothing else is taken for it."""

import socket
import threading
from collections.abc import Callable, Generator
from contextlib import suppress

import pytest

from bigmind.local.http_client import MOST_HEAD_BYTES, HttpConnection, ResponseReader

SECONDS = 10.0


class Peer:
    """Takes one connection, and answers what it is told to."""

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.http = HttpConnection(self._listener.getsockname()[1], SECONDS)
        self.socket, _ = self._listener.accept()
        self.socket.settimeout(SECONDS)

    def say(self, *parts: bytes, ends: bool = False) -> threading.Thread:
        """Send the parts one after another, each as a packet of its own, on another thread."""

        def said() -> None:
            for part in parts:
                self.socket.sendall(part)
            if ends:
                self.socket.shutdown(socket.SHUT_WR)

        saying = threading.Thread(target=said)
        saying.start()
        return saying

    def answered(self, *parts: bytes, ends: bool = False) -> ResponseReader:
        """The response to a request that is answered so."""
        saying = self.say(*parts, ends=ends)
        try:
            return self.http.send("GET", "/", None, {})
        finally:
            saying.join(SECONDS)

    def close(self) -> None:
        self.http.close()
        self.socket.close()
        self._listener.close()


@pytest.fixture
def peer() -> Generator[Peer]:
    there = Peer()
    yield there
    there.close()


OK = b"HTTP/1.1 200 OK\r\n"
WHOLE = OK + b"Content-Type: application/json\r\nContent-Length: 2\r\n\r\n{}"
BODIES = {
    "its length": ([WHOLE], False),
    "byte by byte": ([bytes([each]) for each in WHOLE], False),
    "chunks": ([OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n", b"1\r\n}\r\n0\r\n\r\n"], False),
    "the connection's end": ([OK + b"Connection: close\r\n\r\n", b"{}"], True),
    "another head before": ([b"HTTP/1.1 100 Continue\r\nA: b\r\n\r\n", WHOLE], False),
}


@pytest.mark.parametrize("ended_by", BODIES)
def test_a_body_is_read_to_its_end(peer: Peer, ended_by: str) -> None:
    parts, ends = BODIES[ended_by]
    response = peer.answered(*parts, ends=ends)
    assert (response.status, response.read(), response.read()) == (200, b"{}", b"")


def test_a_request_says_what_it_has_to_in_one_packet_and_the_connection_is_kept(peer: Peer) -> None:
    port = peer.socket.getsockname()[1]
    for body, length in ((None, ""), (b"{}", "Content-Length: 2\r\n"), (b"", "Content-Length: 0\r\n")):
        saying = peer.say(WHOLE)
        response = peer.http.send("GET", "/livez?a=b", body, {"A-Name": "a value"})
        saying.join(SECONDS)
        assert response.content_type == "application/json"
        assert response.read() == b"{}"
        head = f"GET /livez?a=b HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nA-Name: a value\r\n{length}\r\n"
        assert peer.socket.recv(65_536) == head.encode() + (body or b"")


def test_lines_are_told_as_they_come(peer: Peer) -> None:
    response = peer.answered(OK + b"Transfer-Encoding: chunked\r\n\r\n5\r\none\nt\r\n")
    lines = response.lines()
    assert next(lines) == b"one"
    peer.say(b"4\r\nwo\n\n\r\n5\r\nthree\r\n0\r\n\r\n").join(SECONDS)
    assert list(lines) == [b"two", b"", b"three"]


NONSENSE: dict[str, tuple[list[bytes], bool]] = {
    "no HTTP": ([b"SSH-2.0-OpenSSH_9.2\r\n"], False),
    "nothing": ([], True),
    "half a head": ([OK + b"Content-Le"], True),
    "a head without end": ([OK + b"A: " + b"b" * MOST_HEAD_BYTES, b"b" * 70_000], True),
    "another protocol": ([b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n"], True),
    "two lengths": ([OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}"], True),
    "two responses": ([WHOLE + WHOLE], True),
}


@pytest.mark.parametrize("kind", NONSENSE)
def test_what_is_no_response_breaks_the_connection_off(peer: Peer, kind: str) -> None:
    parts, ends = NONSENSE[kind]
    with pytest.raises(ConnectionError):
        peer.answered(*parts, ends=ends)


HALVES = {
    "of a length": OK + b"Content-Length: 3\r\n\r\n{",
    "of chunks": OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
}


@pytest.mark.parametrize("read", [ResponseReader.read, lambda response: list(response.lines())])
@pytest.mark.parametrize("half", HALVES)
def test_half_a_body_is_none(peer: Peer, half: str, read: Callable[[ResponseReader], object]) -> None:
    response = peer.answered(HALVES[half], ends=True)
    with pytest.raises(ConnectionResetError):
        read(response)


def test_no_more_is_read_than_was_asked_for(peer: Peer) -> None:
    response = peer.answered(OK + b"Content-Length: 500\r\n\r\n" + b" " * 200, b" " * 300)
    with pytest.raises(ConnectionAbortedError, match="larger than 100 bytes"):
        response.read(100)


def test_a_body_without_end_is_no_longer_read_than_was_asked_for(peer: Peer) -> None:
    """Also where what comes behind the chunks is no body."""
    trailers = b"X: " + b"y" * 1_000 + b"\r\n"
    head = OK + b"Content-Type: a/b\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\nContent-Type: c/d\r\n"
    saying = threading.Thread(target=lambda: said_for_ever(peer, head, trailers))
    saying.start()
    response = peer.http.send("GET", "/", None, {})
    with pytest.raises(ConnectionAbortedError, match="larger than 100,000 bytes"):
        response.read(100_000)
    assert response.content_type == "a/b"
    peer.http.close()
    saying.join(SECONDS)
    assert not saying.is_alive()


def said_for_ever(peer: Peer, *parts: bytes) -> None:
    peer.socket.sendall(parts[0])
    with suppress(OSError):
        while True:
            peer.socket.sendall(parts[1])


def test_a_long_line_is_read_in_time(peer: Peer) -> None:
    line = b"x" * 16_000_000
    saying = peer.say(OK + b"Connection: close\r\n\r\n", line, b"\nend", ends=True)
    assert list(peer.http.send("GET", "/", None, {}).lines()) == [line, b"end"]
    saying.join(SECONDS)


def test_an_answer_that_came_too_late_is_given_to_nobody(peer: Peer) -> None:
    peer.http.wait(0.01)
    with pytest.raises(TimeoutError):
        peer.http.send("GET", "/one", None, {})
    peer.say(WHOLE).join(SECONDS)
    with pytest.raises(ConnectionResetError):
        peer.http.send("GET", "/two", None, {})


@pytest.mark.parametrize("answer", [OK + b"Connection: close\r\nContent-Length: 0\r\n\r\n", HALVES["of a length"]])
def test_a_connection_that_is_over_or_still_answers_serves_nothing_else(peer: Peer, answer: bytes) -> None:
    peer.answered(answer)
    for _ in range(2):
        with pytest.raises(OSError, match=r"closed|Bad file descriptor"):
            peer.http.send("GET", "/", None, {})


def test_a_server_that_is_silent_is_not_waited_for_longer_than_said(peer: Peer) -> None:
    peer.http.wait(0.01)
    with pytest.raises(TimeoutError):
        peer.http.send("GET", "/", None, {})


def test_who_reads_is_broken_off_from_another_thread(peer: Peer) -> None:
    response = peer.answered(OK + b"Transfer-Encoding: chunked\r\n\r\n")
    ending = threading.Thread(target=peer.http.abort)
    ending.start()
    with pytest.raises(ConnectionResetError):
        response.read()
    ending.join(SECONDS)


@pytest.mark.parametrize(
    ("path", "headers"),
    [("/ HTTP/1.1\r\nA: b", {}), ("/a b", {}), ("/", {"A": "b\r\nC: d"}), ("/", {"A\n": "b"}), ("/", {"A": "ħ"})],
)
def test_nothing_slips_into_the_head_of_a_request(peer: Peer, path: str, headers: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"cannot hold|codec"):
        peer.http.send("GET", path, None, headers)
