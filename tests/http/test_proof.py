"""Whoever stands on the port, the token goes only to the server that wrote the run file."""

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.client import HTTPException
from pathlib import Path

import psutil
import pytest

from app.stopping import absence, absence_code
from bigmind import VERSION
from bigmind.core.errors import BigMindError
from bigmind.core.toolsets import DEFAULT_TOOLS
from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.launch import CrowdedError, reached
from bigmind.local.proof import is_proof, new_challenge, new_key, proof_of
from bigmind.local.runfile import RunningServer, publish, published
from bigmind.paths import run_file, token_file, write_private_file
from bigmind.people.token_format import new_secret
from bigmind.store.ownership import Ownership
from tests.http.inside import Inside, server_inside
from tests.support import bridge_command, environment

Answer = Callable[[bytes], bytes]


class Impostor:
    """Listens on a port, keeps every byte it gets, and answers each request as it likes."""

    def __init__(self, answer: Answer, port: int = 0) -> None:
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", port))
        self.port: int = self._listener.getsockname()[1]
        self.received = b""
        self._open: list[socket.socket] = []
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            with connection:
                connection.settimeout(30)
                while request := self._request(connection):
                    if request == b"end":
                        return
                    self.received += request
                    answer = self._answer(request)
                    if not self._sent(connection, answer) or b"keep-alive" not in answer:
                        break

    @staticmethod
    def _sent(connection: socket.socket, answer: bytes) -> bool:
        try:
            connection.sendall(answer)
        except (ConnectionResetError, BrokenPipeError):  # who asked has heard enough
            return False
        return True

    @staticmethod
    def _request(connection: socket.socket) -> bytes:
        try:
            return connection.recv(65_536)
        except ConnectionResetError:
            return b""

    def close(self) -> None:
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            connection.sendall(b"end")
        self._thread.join(30)
        self._listener.close()


@contextmanager
def impostor(answer: Answer, port: int = 0) -> Iterator[Impostor]:
    stranger = Impostor(answer, port)
    try:
        yield stranger
    finally:
        stranger.close()


def saying(body: bytes, head: bytes = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n") -> bytes:
    return head + b"Connection: keep-alive\r\nContent-Length: " + str(len(body)).encode() + b"\r\n\r\n" + body


def always(answer: bytes) -> Answer:
    return lambda _: answer


def old_proof(request: bytes) -> bytes:
    """What the server once said to another challenge."""
    port = int(re.search(rb"Host: 127\.0\.0\.1:(\d+)", request)[1])
    return saying(json.dumps({"status": "ok", "proof": proof_of(KEY, new_challenge(), port)}).encode())


KEY = new_key()
LIES: dict[str, Answer] = {
    "nothing": always(b""),
    "no HTTP": always(b"SSH-2.0-OpenSSH_9.2\r\n"),
    "half a header": always(b"HTTP/1.1 200 OK\r\nContent-Le"),
    "an empty page": always(saying(b"")),
    "another program": always(saying(b"<html>Welcome to nginx!</html>")),
    "no proof": always(saying(b'{"status": "ok"}')),
    "an empty proof": always(saying(b'{"proof": ""}')),
    "a wrong proof": always(saying(json.dumps({"proof": proof_of(new_key(), new_challenge(), 1)}).encode())),
    "a proof of another challenge": old_proof,
    "no text for a proof": always(saying(b'{"proof": ["x"]}')),
    "a number": always(saying(b'{"proof": 7}')),
    "a list": always(saying(b"[]")),
    "half a character": always(saying(b'{"proof": "\\ud800"}')),
    "not UTF-8": always(saying(b'{"proof": "\xff"}')),
    "deep JSON": always(saying(b"[" * 4_000)),
    "very much": always(saying(b'{"proof": "' + b"x" * 1_000_000 + b'"}')),
    "the challenge itself": lambda request: saying(
        json.dumps({"proof": re.search(rb"challenge=(\w+)", request)[1].decode()}).encode()
    ),
    "a redirect": always(saying(b"", b"HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/livez\r\n")),
    "a question for a password": always(saying(b"", b"HTTP/1.1 401 No\r\nWWW-Authenticate: Bearer\r\n")),
}


@pytest.fixture
def provisioned(home: Path) -> Path:
    """A home whose token file holds a token."""
    write_private_file(token_file(home, "cli"), new_secret())
    write_private_file(token_file(home, "bridge"), new_secret())
    return home


def assert_never_sent(home: Path, received: bytes) -> None:
    assert received, "the impostor was never asked: this shows nothing"
    for client in ("cli", "bridge"):
        assert token_file(home, client).read_bytes() not in received
    assert b"authorization" not in received.lower()
    assert b"bm_" not in received


@pytest.mark.parametrize("lie", LIES)
def test_a_stranger_on_the_port_is_never_sent_the_token(provisioned: Path, lie: str) -> None:
    with impostor(LIES[lie]) as stranger:
        publish(provisioned, RunningServer(os.getpid(), stranger.port, KEY, VERSION))
        for client in ("cli", "bridge"):
            with pytest.raises(NotRunningError) as caught:
                ServerConnection(provisioned, client)
            assert str(stranger.port) in caught.value.message
        said = f"BigMind is not running; another program listens on port {stranger.port}.\n`bigmind serve` starts it."
        assert absence(provisioned, caught.value) == said
        assert absence_code(provisioned, caught.value) == "port_taken"
    assert_never_sent(provisioned, stranger.received)


def test_a_stranger_who_passes_the_challenge_on_to_the_real_server_is_found_out(inside: Inside) -> None:
    def relay(request: bytes) -> bytes:
        target = re.search(rb"GET (\S+)", request)[1].decode()
        with inside.http() as http:
            answered = http.get(target)
        assert "proof" in answered.json(), "the real server was not fooled into proving itself: this shows nothing"
        return saying(answered.content)

    with impostor(relay) as stranger:
        publish(inside.home, RunningServer(os.getpid(), stranger.port, inside.key, VERSION))
        with pytest.raises(NotRunningError, match="is not this BigMind"):
            ServerConnection(inside.home, "cli")
    assert_never_sent(inside.home, stranger.received)


def test_the_real_server_is_believed(inside: Inside) -> None:
    """The control."""
    publish(inside.home, RunningServer(os.getpid(), inside.port, inside.key, VERSION))
    with ServerConnection(inside.home, "cli") as server:
        assert server.request("POST", "/api/v1/memory_get_stats", b"{}").status == 200


def test_who_takes_the_port_of_a_proven_server_that_ended_is_not_sent_the_token(home: Path) -> None:
    with server_inside(home) as inside:
        publish(home, RunningServer(os.getpid(), inside.port, inside.key, VERSION))
        server = ServerConnection(home, "cli")
        assert server.request("POST", "/api/v1/memory_get_stats", b"{}").status == 200
        port = inside.port
    with server, impostor(LIES["no proof"], port) as stranger:
        for _ in range(3):
            with pytest.raises((OSError, HTTPException)):
                server.request("POST", "/api/v1/memory_get_stats", b"{}")
        assert stranger.received == b""
        with pytest.raises(NotRunningError):
            ServerConnection(home, "cli")
    assert_never_sent(home, stranger.received)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def dead_pid() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait(30)
    return process.pid


def test_a_run_file_of_a_server_that_is_gone_is_no_server(provisioned: Path) -> None:
    publish(provisioned, RunningServer(dead_pid(), free_port(), KEY, VERSION))
    with pytest.raises(NotRunningError):
        ServerConnection(provisioned, "cli")


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{",
        b"\xff\xfe",
        b"null",
        b"[1, 2]",
        b"{}",
        b'{"pid": 1, "port": "x", "key": "k", "version": "1"}',
        b'{"pid": 1, "port": 99999, "key": "k", "version": "1"}',
        b'{"pid": 1, "port": -1, "key": "k", "version": "1"}',
        b'{"pid": 1, "port": 0, "key": "k", "version": "1"}',
        b'{"pid": 1, "port": Infinity, "key": "k", "version": "1"}',
        b'{"pid": 1, "port": null, "key": "k", "version": "1"}',
        b"[" * 100_000,
    ],
    ids=range(13),
)
def test_a_run_file_that_says_nothing_is_no_server(provisioned: Path, content: bytes) -> None:
    run_file(provisioned).write_bytes(content)
    assert published(provisioned) is None
    with pytest.raises(NotRunningError):
        ServerConnection(provisioned, "cli")


def test_no_run_file_is_no_server_and_a_token_file_that_cannot_be_read_is_told(inside: Inside, tmp_path: Path) -> None:
    with pytest.raises(NotRunningError, match="not running"):
        ServerConnection(tmp_path, "cli")
    publish(inside.home, RunningServer(os.getpid(), inside.port, inside.key, VERSION))
    for content in (None, b"\xff"):
        token_file(inside.home, "cli").unlink(missing_ok=True)
        if content is not None:
            token_file(inside.home, "cli").write_bytes(content)
        with pytest.raises(BigMindError, match="cannot be read") as told:
            ServerConnection(inside.home, "cli")
        assert not isinstance(told.value, NotRunningError), "a server that runs would be started again and again"


def test_a_proof_is_of_one_key_one_challenge_and_one_port() -> None:
    key, challenge = new_key(), new_challenge()
    proof = proof_of(key, challenge, 7700)
    assert is_proof(proof, key, challenge, 7700)
    assert not is_proof(proof, key, challenge, 7701)
    assert not is_proof(proof, key, new_challenge(), 7700)
    assert not is_proof(proof, new_key(), challenge, 7700)
    for other in (None, 7, b"", [], "", proof.upper(), proof[:-1], f"{proof} ", "\ud800", "\u00e9"):
        assert not is_proof(other, key, challenge, 7700)
    assert len({new_challenge() for _ in range(1_000)}) == 1_000


def test_the_probe_tells_a_stranger_nothing_and_proves_only_real_challenges(inside: Inside) -> None:
    with inside.http() as http:
        assert http.get("/livez").json() == {"status": "ok"}
        for challenge in (
            "",
            "a" * 31,
            "a" * 65,
            "A" * 32,
            "g" * 32,
            "bigmind:" + "a" * 32,
            "a" * 32 + "\n",
            "a" * 32 + ":1",
        ):
            assert http.get("/livez", params={"challenge": challenge}).json() == {"status": "ok"}, challenge
        assert http.get("/livez", params={"challenge": "a" * 129}).status_code == 400
        challenge = new_challenge()
        proof = http.get("/livez", params={"challenge": challenge}).json()["proof"]
    assert is_proof(proof, inside.key, challenge, inside.port)


def test_the_bridge_leaves_a_stranger_alone_and_starts_a_server_of_its_own(provisioned: Path) -> None:
    with impostor(LIES["no proof"]) as stranger:
        publish(provisioned, RunningServer(dead_pid(), stranger.port, KEY, VERSION))
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
        try:
            bridge = subprocess.run(
                bridge_command(),
                input=json.dumps(message).encode() + b"\n",
                env=environment(provisioned),
                capture_output=True,
                timeout=120,
                check=True,
            )
        finally:
            end_server(provisioned, stranger.port)
    assert len(json.loads(bridge.stdout)["result"]["tools"]) == len(DEFAULT_TOOLS)
    assert_never_sent(provisioned, stranger.received)


def end_server(home: Path, not_at: int) -> None:
    """End the server that the bridge started, and wait for it."""
    server = published(home)
    if server is not None and server.port != not_at:
        process = psutil.Process(server.pid)
        process.terminate()
        process.wait(60)


def test_a_command_says_that_too_many_connections_are_open(home: Path) -> None:
    ownership = Ownership(home, "bigmind serve")
    ownership.say("ready")
    said = b"HTTP/1.1 503 Service Unavailable\r\nContent-Length: 19\r\nConnection: close\r\n\r\nService Unavailable"
    with impostor(always(said)) as crowded:
        publish(home, RunningServer(os.getpid(), crowded.port, KEY, VERSION))
        with pytest.raises(CrowdedError, match="too many connections to it are open"):
            reached(home, "cli")
    ownership.release()
