"""The server may go away, and something else may stand in its place: nothing is lost, no token is sent."""

import json
import socket
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import psutil
import pytest

from bigmind.cli.remote import call
from bigmind.local.connection import NotRunningError, ServerConnection
from bigmind.local.runfile import RunningServer, published
from bigmind.paths import run_file, token_file, write_private_file
from bigmind.people.token_format import new_secret
from tests.local.wire import SECONDS, Bridge, bridge, running_pid, servers_of, texts_in
from tests.support import environment, have_ended, running_server, start_server
from tests.thorough import often, spread

WRITES = often(160, 60)
MOST_WRITES = 20 * WRITES
IN_FLIGHT = 16
BREAKS = often(3, 1)


def kill(home: Path) -> None:
    psutil.Process(running_pid(home)).kill()


def stop(home: Path) -> None:
    call(home, "server_stop", {}, start=False)


@pytest.mark.slow
@pytest.mark.parametrize("end", [kill, stop], ids=["kill -9", "clean stop"])
def test_a_restart_in_mid_traffic_loses_and_doubles_nothing(home: Path, end: Callable[[Path], None]) -> None:
    with bridge(home) as client:
        client.initialize()
        client.ask_tool("memory_start_session")
        pids = {running_pid(home)}
        sent = ends = 0
        texts: list[str] = []
        while len(texts) < sent or not sent:
            # As a server that is told to end still answers, traffic goes on until the next one was seen.
            while sent < len(texts) + IN_FLIGHT and (sent < WRITES or (len(pids) <= BREAKS and sent < MOST_WRITES)):
                send(client, sent)
                sent += 1
            texts.append(fact_of(client.next_answer()))
            is_due = ends < BREAKS and len(texts) >= WRITES * (ends + 1) // (BREAKS + 1)
            if is_due and len(pids) == ends + 1:
                end(home)
                ends += 1
            elif said := published(home):  # none while the old server has gone and the next is not there yet
                pids.add(said.pid)
        assert client.close() == 0
    assert len(pids) == BREAKS + 1
    expected = sorted(f"fact {number}" for number in range(sent))
    assert sorted(texts) == expected
    assert sorted(texts_in(home, "SELECT text FROM fact")) == expected


def send(client: Bridge, number: int) -> None:
    client.tool("memory_store_fact", category="decision", fact=f"fact {number}")


def fact_of(answer: dict[str, Any]) -> str:
    assert "error" not in answer, answer
    return answer["result"]["structuredContent"]["fact"]["fact"]


def test_a_run_file_of_a_dead_server_needs_nobody(home: Path) -> None:
    server = start_server(home)
    server.kill()
    server.process.stderr.close()
    assert published(home).pid == server.process.pid
    with bridge(home) as client:
        assert client.ask("ping")["result"] == {}
        assert running_pid(home) != server.process.pid


SPOILT = ["", "{", "[]", '{"pid": 1}', '{"pid": "x", "port": 1, "key": "", "version": ""}']


@pytest.mark.parametrize("words", spread(SPOILT, 2))
def test_a_run_file_that_is_none_needs_nobody(home: Path, words: str) -> None:
    home.mkdir(0o700)
    run_file(home).write_text(words)
    with bridge(home) as client:
        assert client.ask("ping")["result"] == {}


class Stranger:
    """Listens on a port, writes down what it is sent, and answers each request with the same words."""

    def __init__(self, answer: bytes) -> None:
        self.heard = b""
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._listen, args=(connection,), daemon=True).start()

    def _listen(self, connection: socket.socket) -> None:
        with connection:
            try:
                while received := connection.recv(65_536):
                    self.heard += received
                    connection.sendall(self._answer)
            except OSError:
                return

    def close(self) -> None:
        self._listener.close()


@contextmanager
def stranger(answer: bytes) -> Generator[Stranger]:
    listening = Stranger(answer)
    try:
        yield listening
    finally:
        listening.close()


def http(body: object) -> bytes:
    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: {len(text)}\r\n\r\n"
    return head.encode() + text


ANSWERS = {
    "says nothing of itself": http({"status": "ok"}),
    "guesses": http({"status": "ok", "proof": "0" * 64}),
    "sends a list": http([]),
    "sends no JSON": http(b"<html>"),
    "sends a proof beyond ASCII": http({"proof": "ü" * 64}),
    "speaks no HTTP": b"220 mail.example ESMTP\r\n",
    "sends a redirect": b"HTTP/1.1 307 Temporary Redirect\r\nlocation: /\r\ncontent-length: 0\r\n\r\n",
}


@pytest.mark.parametrize("answer", spread(ANSWERS, 3))
def test_a_stranger_on_the_port_is_never_sent_the_token(home: Path, answer: str) -> None:
    server = start_server(home)
    secrets = [token_file(home, client).read_bytes() for client in ("cli", "bridge")]
    server.kill()
    server.process.stderr.close()
    with stranger(ANSWERS[answer]) as other:
        point_to(home, other.port)
        with bridge(home) as client:
            assert client.ask("ping")["result"] == {}
            assert published(home).port != other.port
        assert b"GET /livez?challenge=" in other.heard
        assert b"uthorization" not in other.heard
        assert not [secret for secret in secrets if secret.strip() in other.heard]


def point_to(home: Path, port: int) -> None:
    """Change the port in the run file, as if a stranger had taken it over."""
    said = published(home)
    run_file(home).write_text(json.dumps(asdict(replace(said, port=port))))


def test_a_stranger_that_passes_the_question_on_is_not_believed(home: Path) -> None:
    with running_server(home) as server:
        real: RunningServer = published(home)

        class Relay(Stranger):
            def _listen(self, connection: socket.socket) -> None:
                with connection, socket.create_connection(("127.0.0.1", real.port)) as onward:
                    asked = connection.recv(65_536)
                    self.heard += asked
                    onward.sendall(asked.replace(str(self.port).encode(), str(real.port).encode()))
                    answer = b""
                    while b"proof" not in answer:  # head and body come apart
                        answer += onward.recv(65_536)
                    connection.sendall(answer)
                    self.heard += connection.recv(65_536)

        relay = Relay(b"")
        point_to(home, relay.port)
        with pytest.raises(NotRunningError, match="is not this BigMind"):
            ServerConnection(home, "cli")
        relay.close()
        assert b"challenge" in relay.heard
        assert server.token().encode() not in relay.heard
        run_file(home).write_text(json.dumps(asdict(real)))
        ServerConnection(home, "cli").close()


def test_a_taken_port_is_told_to_the_client_again_and_again(home: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with bridge(home, BIGMIND_PORT=str(port)) as client:
            for _ in range(2):
                error = client.ask("ping")["error"]
                assert error["code"] == -32000
                assert f"Port {port} is taken" in error["message"]
                assert "BIGMIND_PORT" in error["message"]
                assert "Traceback" not in error["message"]
            taken.close()
            assert client.ask("ping")["result"] == {}  # and it needs no restart of the client


CANNOT = {
    "a file in the way": ({"BIGMIND_HOME": "{file}/home"}, "cannot be used: there is a file in its place"),
    "another file as store": ({}, "not a SQLite database"),
}


@pytest.mark.parametrize(("more", "words"), CANNOT.values(), ids=CANNOT.keys())
def test_a_server_that_cannot_start_is_told_and_not_waited_for(
    home: Path, tmp_path: Path, more: dict[str, str], words: str
) -> None:
    (tmp_path / "file").write_text("")
    home.mkdir(0o700)
    if not more:
        (home / "bigmind.db").write_bytes(b"Dear diary, " * 1_000)
    changed = {name: value.format(file=tmp_path / "file") for name, value in more.items()}
    with bridge(home, **changed) as client:
        numbers = {client.send("ping") for _ in range(3)}
        answers = [client.next_answer() for _ in numbers]
        assert {answer["id"] for answer in answers} == numbers
        for answer in answers:
            assert words in answer["error"]["message"]
            assert "Traceback" not in answer["error"]["message"]
        assert client.close() == 0
    assert have_ended(servers_of(home), 30)  # one that was just refused may be about to


def test_a_variable_that_no_server_could_honour_ends_the_bridge_itself(home: Path) -> None:
    with bridge(home, BIGMIND_PORT="seven") as client:
        assert client.process.wait(SECONDS) == 2
        assert client.process.stderr.read().decode().startswith("BIGMIND_PORT is 'seven'.")
        client.close()
    assert servers_of(home) == []


def test_a_token_that_is_not_valid_is_told_and_replaced_at_the_next_start(home: Path) -> None:
    with running_server(home) as server:
        write_private_file(token_file(home, "bridge"), new_secret())
        with bridge(home) as client:
            assert "valid token" in client.ask("ping")["error"]["message"]
            server.stop()
            assert client.ask("ping")["result"] == {}


def test_a_token_that_was_replaced_under_a_bridge_is_read_again(home: Path) -> None:
    with running_server(home) as server, bridge(home) as client:
        assert client.ask("ping")["result"] == {}
        server.stop()
        token_file(home, "bridge").unlink()
        assert client.ask("ping")["result"] == {}


def test_a_bridge_whose_server_ends_keeps_no_zombie(home: Path) -> None:
    with bridge(home, by_command=True) as client:
        client.ask("ping")
        server = psutil.Process(running_pid(home))
        assert server.ppid() == client.process.pid
        server.terminate()
        assert psutil.wait_procs([server], SECONDS)[1] == []  # gone altogether, with the bridge still there
        assert client.process.poll() is None


def test_the_environment_of_the_bridge_is_that_of_its_server(home: Path) -> None:
    with bridge(home, by_command=True) as client:
        client.ask("ping")
        [server] = servers_of(home)
        assert server.environ()["BIGMIND_USER"] == environment(home)["BIGMIND_USER"]
        assert server.cwd() == str(home)
