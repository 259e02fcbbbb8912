"""Whatever the server answers, each request of the client is answered once, and the bridge goes on and ends."""

import json
import subprocess
import sys
from collections.abc import Generator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from urllib.parse import parse_qs, urlsplit

import pytest

from bigmind import VERSION
from bigmind.local.proof import new_key, proof_of
from bigmind.local.runfile import RunningServer, publish
from bigmind.paths import make_private_folder, token_file, write_private_file
from bigmind.people.token_format import new_secret
from tests.local.wire import SECONDS, Bridge, bridge
from tests.support import environment

pytestmark = pytest.mark.xdist_group("bridge answers")

JSON = "application/json"
PROBLEM = "application/problem+json"
DEEP = b"[" * 200_000
MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Odd(ThreadingHTTPServer):
    """A server that proves who it is, and then answers each message with the same."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), OddAnswer)
        self.key = new_key()
        self.says(200, JSON, b"")

    def says(self, status: int, kind: str, body: bytes) -> None:
        self.answer = status, kind, body


class OddAnswer(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Odd

    def do_GET(self) -> None:
        [challenge] = parse_qs(urlsplit(self.path).query)["challenge"]
        proof = proof_of(self.server.key, challenge, self.server.server_port)
        self._say(200, JSON, json.dumps({"proof": proof}).encode())

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        self._say(*self.server.answer)

    def _say(self, status: int, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Generator[tuple[Odd, Path]]:
    home = tmp_path_factory.mktemp("odd") / "home"
    make_private_folder(home)
    with Odd() as server:
        Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        user = environment(home)["BIGMIND_USER"]
        publish(home, RunningServer(1, server.server_port, server.key, VERSION, user))
        make_private_folder(token_file(home, "bridge").parent)
        write_private_file(token_file(home, "bridge"), new_secret())
        yield server, home
        server.shutdown()


@pytest.fixture(scope="module")
def client(odd: tuple[Odd, Path]) -> Generator[Bridge]:
    with bridge(odd[1]) as opened:
        yield opened
        assert opened.close() == 0


def message(**fields: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": "x", "result": {}, **fields}).encode()


NO_MESSAGE, OTHER = "no message of JSON-RPC", "the answer to another request"
ODD = {
    "half a message": (200, JSON, message()[:-1], NO_MESSAGE),
    "two messages": (200, JSON, message() + b"\n" + message(), NO_MESSAGE),
    "many lines that are no JSON": (200, JSON, b"{\n\n", NO_MESSAGE),
    "a word": (200, JSON, b"hello", NO_MESSAGE),
    "a list": (200, JSON, b"[]", NO_MESSAGE),
    "null": (200, JSON, b"null", NO_MESSAGE),
    "no text": (200, JSON, b'{"jsonrpc":"2.0","id":"x","result":{"a":"\xff"}}', NO_MESSAGE),
    "too deep to read": (200, JSON, DEEP, NO_MESSAGE),
    "empty": (200, JSON, b"", "HTTP status 200"),
    "accepted": (202, JSON, b"", "HTTP status 202"),
    "no id": (200, JSON, b'{"jsonrpc": "2.0", "result": {}}', OTHER),
    "null id": (200, JSON, message(id=None), OTHER),
    "another id": (200, JSON, message(id="y"), OTHER),
    "an id like another": (200, JSON, b'{"jsonrpc":"2.0","id":"xx","result":{}}', OTHER),
    "no result": (200, JSON, b'{"jsonrpc": "2.0", "id": "x"}', NO_MESSAGE),
    "a result of a number": (200, JSON, message(result=7), NO_MESSAGE),
    "an error of nothing": (200, JSON, message(error={}), NO_MESSAGE),
    "no version": (200, JSON, b'{"id": "x", "result": {}}', NO_MESSAGE),
    "a refusal that says nothing": (401, JSON, b"{}", "HTTP status 401"),
    "a problem that says nothing": (401, PROBLEM, b"{}", "HTTP status 401"),
    "a problem of a list": (500, PROBLEM, b"[]", "HTTP status 500"),
    "a problem too deep to read": (500, PROBLEM, DEEP, "HTTP status 500"),
    "a problem without a title": (500, PROBLEM, b'{"hint": "Wait."}', "Wait."),
    "a problem": (500, PROBLEM, b'{"title": "It broke.", "hint": "Wait."}', "It broke. Wait."),
    "a page": (502, "text/html", b"<html>", "HTTP status 502"),
}


@pytest.mark.parametrize(("status", "kind", "body", "words"), ODD.values(), ids=ODD.keys())
def test_what_is_no_answer_is_told_as_an_error(
    odd: tuple[Odd, Path], client: Bridge, status: int, kind: str, body: bytes, words: str
) -> None:
    odd[0].says(status, kind, body)
    client.line(b'{"jsonrpc": "2.0", "id": "x", "method": "ping"}')
    answer = client.next_answer()
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", "x", -32000)
    assert words in answer["error"]["message"]


RIGHT = {
    "as ours": b'{"jsonrpc":"2.0","id":"x","result":{"a":"\xc3\xa4"}}',
    "an error as ours": b'{"jsonrpc":"2.0","id":"x","error":{"code":-32601,"message":"No."}}',
    "with blanks": b' {"result": {}, "id": "x", "jsonrpc": "2.0"} ',
    "on lines": b'{"jsonrpc":"2.0","id":"x",\n"result":{}}\n',
}


@pytest.mark.parametrize("body", RIGHT.values(), ids=RIGHT.keys())
def test_an_answer_is_passed_on_however_it_is_written(odd: tuple[Odd, Path], client: Bridge, body: bytes) -> None:
    odd[0].says(200, JSON, body)
    client.line(b'{"jsonrpc": "2.0", "id": "x", "method": "ping"}')
    assert client.next_answer() == json.loads(body)


def test_a_refusal_to_nobody_is_the_answer_to_who_asked(odd: tuple[Odd, Path], client: Bridge) -> None:
    error = {"code": -32600, "message": "No.", "data": [1]}
    odd[0].says(400, JSON, json.dumps({"jsonrpc": "2.0", "id": None, "error": error}).encode())
    assert client.ask("ping")["error"] == error


LISTENED = {
    "a word": (200, JSON, b"hello", NO_MESSAGE),
    "too deep to read": (500, PROBLEM, DEEP, "HTTP status 500"),
    "an error of nothing": (400, JSON, b'{"error": {"code": 7}}', "HTTP status 400"),
    "an error": (400, JSON, b'{"error": {"code": 7, "message": "No."}}', "No."),
}


@pytest.mark.parametrize(("status", "kind", "body", "words"), LISTENED.values(), ids=LISTENED.keys())
def test_who_listens_in_vain_is_told_so(
    odd: tuple[Odd, Path], client: Bridge, status: int, kind: str, body: bytes, words: str
) -> None:
    odd[0].says(status, kind, body)
    refused = client.ask("subscriptions/listen", notifications={}, _meta=MODERN)
    assert words in refused["error"]["message"]


BROKEN = (
    "from pathlib import Path; from bigmind.mcp.bridge import Bridge; b = Bridge(Path('\\0'), ''); b.serve(); b.end()"
)
"""A bridge whose home no file system can look up, which nothing else foresees: every connection raises ValueError."""


def test_what_nobody_foresaw_is_told_to_the_client_and_its_log(tmp_path: Path) -> None:
    lines = [json.dumps({"jsonrpc": "2.0", "id": number, "method": "ping"}) for number in range(20)]
    done = subprocess.run(
        [sys.executable, "-c", BROKEN],
        env=environment(tmp_path / "home"),
        input="\n".join(lines),
        timeout=SECONDS,
        check=True,
        capture_output=True,
        text=True,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert sorted(answer["id"] for answer in answers) == [*range(20)]
    assert {answer["error"]["code"] for answer in answers} == {-32603}
    assert all("embedded null " in answer["error"]["message"] for answer in answers)
    assert "Traceback" in done.stderr
