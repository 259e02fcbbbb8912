"""What no good client sends gets the right JSON-RPC error, and the bridge goes on."""

import json
from collections.abc import Generator
from pathlib import Path

import pytest

from tests.local.wire import HANDSHAKE, Bridge, bridge
from tests.support import Server

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, SERVER_ERROR = -32700, -32600, -32601, -32602, -32000
LARGEST = 4 * 1024 * 1024

pytestmark = pytest.mark.xdist_group("bridge messages")


@pytest.fixture(scope="module")
def client(shared_server: Server) -> Generator[Bridge]:
    with bridge(shared_server.home) as opened:
        yield opened
        assert opened.close() == 0


def request(**fields: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": "x", "method": "ping", **fields}).encode()


REFUSED = {
    "broken JSON": (b"{nonsense", PARSE_ERROR, None),
    "half a message": (request()[:-1], PARSE_ERROR, None),
    "no text": (b"\x80\x81\x82", PARSE_ERROR, None),
    "too deep to read": (b"[" * 100_000, PARSE_ERROR, None),
    "a number too long to read": (b'{"id": ' + b"9" * 5_000 + b"}", PARSE_ERROR, None),
    "batch": (b"[" + request() + b"]", INVALID_REQUEST, None),
    "empty batch": (b"[]", INVALID_REQUEST, None),
    "number": (b"5", INVALID_REQUEST, None),
    "text": (b'"ping"', INVALID_REQUEST, None),
    "null": (b"null", INVALID_REQUEST, None),
    "empty object": (b"{}", INVALID_REQUEST, None),
    "no method": (b'{"jsonrpc": "2.0", "id": "x"}', INVALID_REQUEST, "x"),
    "method is a number": (request(method=5), INVALID_REQUEST, "x"),
    "method is null": (request(method=None), INVALID_REQUEST, "x"),
    "no version": (b'{"id": "x", "method": "ping"}', INVALID_REQUEST, "x"),
    "another version": (request(jsonrpc="1.0"), INVALID_REQUEST, "x"),
    "id is null": (request(id=None), INVALID_REQUEST, None),
    "id is a list": (request(id=[1]), INVALID_REQUEST, None),
    "id is a fraction": (request(id=1.5), INVALID_REQUEST, None),
    "id is a truth value": (request(id=True), INVALID_REQUEST, None),
    "params are a list": (request(params=[1]), INVALID_REQUEST, "x"),
    "oversize": (request(params={"text": "x" * LARGEST}), INVALID_REQUEST, "x"),
    "unknown method": (request(method="dance"), METHOD_NOT_FOUND, "x"),
    "method with a line break": (request(method="ping\r\nX-Evil: 1"), METHOD_NOT_FOUND, "x"),
    "tool without a name": (request(method="tools/call", params={}), INVALID_PARAMS, "x"),
    "tool name is a number": (request(method="tools/call", params={"name": 5}), INVALID_PARAMS, "x"),
    "deeper than the server reads": (
        request(params={"deep": json.loads("[" * 100 + "]" * 100)}),
        SERVER_ERROR,
        "x",
    ),
}


@pytest.mark.parametrize(("line", "code", "number"), REFUSED.values(), ids=REFUSED.keys())
def test_a_bad_message_gets_its_error_and_the_next_one_its_answer(
    client: Bridge, line: bytes, code: int, number: object
) -> None:
    client.line(line)
    answer = client.next_answer()
    assert (answer["jsonrpc"], answer["id"], answer["error"]["code"]) == ("2.0", number, code)
    assert answer["error"]["message"]
    assert client.ask("ping")["result"] == {}


SILENT = {
    "empty line": b"",
    "blanks": b"   \t",
    "notification": b'{"jsonrpc": "2.0", "method": "notifications/initialized"}',
    "cancellation": b'{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}',
    "unknown notification": b'{"jsonrpc": "2.0", "method": "notifications/dance"}',
    "answer": b'{"jsonrpc": "2.0", "id": 1, "result": {}}',
    "error": b'{"jsonrpc": "2.0", "id": 1, "error": {"code": 1, "message": "no"}}',
}


@pytest.mark.parametrize("line", SILENT.values(), ids=SILENT.keys())
def test_what_asks_nothing_is_not_answered(client: Bridge, line: bytes) -> None:
    client.line(line)
    assert client.ask("ping")["result"] == {}  # and not: something before it


STRANGE = {
    "text id": request(id="a long id, with ümläuts"),
    "large id": request(id=2**53),
    "negative id": request(id=-1),
    "id that is empty": request(id=""),
    "lone surrogate": b'{"jsonrpc": "2.0", "id": "x", "method": "ping", "params": {"_meta": {"a": "\\ud800"}}}',
    "windows line end": request() + b"\r",
    "blanks around": b"  " + request() + b"  ",
    "no params": request(),
    "params with more": request(params={"more": 1}),
}


@pytest.mark.parametrize("line", STRANGE.values(), ids=STRANGE.keys())
def test_what_is_strange_but_right_is_answered(client: Bridge, line: bytes) -> None:
    client.line(line)
    answer = client.next_answer()
    assert answer == {"jsonrpc": "2.0", "id": json.loads(line)["id"], "result": {}}


def test_a_byte_order_mark_before_the_first_message_is_not_part_of_it(shared_server: Server) -> None:
    with bridge(shared_server.home) as client:
        client.line(b"\xef\xbb\xbf" + request(method="initialize", params=HANDSHAKE))
        answer = client.next_answer()
        assert (answer["id"], answer["result"]["serverInfo"]["name"]) == ("x", "bigmind")
        client.line(b"\xef\xbb\xbf")
        assert client.ask("ping")["result"] == {}


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_it_negotiates_the_version_that_the_client_asks_for(shared_server: Server, version: str) -> None:
    with bridge(shared_server.home) as client:
        answer = client.ask("initialize", **{**HANDSHAKE, "protocolVersion": version})
        assert answer["result"]["protocolVersion"] == version
        assert client.ask("tools/list")["result"]["tools"]


def test_names_beyond_ascii_reach_the_server_in_the_modern_era(client: Bridge) -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "Ä\n\x00 client", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    answer = client.ask("tools/call", name="zähle\n", arguments={}, _meta=meta)
    assert "Unknown tool: 'zähle\\n'" in answer["result"]["content"][0]["text"]


def test_requests_in_flight_are_all_answered_each_under_its_id(client: Bridge) -> None:
    numbers = {client.send("ping") for _ in range(300)}
    assert {client.next_answer()["id"] for _ in range(300)} == numbers


def test_a_connection_has_its_own_session(shared_server: Server, client: Bridge, tmp_path: Path) -> None:
    assert not list(tmp_path.iterdir())
    with bridge(shared_server.home) as other:
        ids = [each.ask_tool("memory_start_session")["session_id"] for each in (client, other)]
        kept = [
            each.ask_tool("memory_flag_important", content="The loop repeats cards.", flag_reason="a reason")
            for each in (client, other)
        ]
    assert [each["session_id"] for each in kept] == ids
