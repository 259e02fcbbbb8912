"""One address for every era of the protocol, and for plain clients."""

import json
from pathlib import Path

import httpx
import pytest

from bigmind.core.toolsets import DEFAULT_TOOLS
from bigmind.mcp.bridge_messages import NO_BATCH
from tests.mcp.clients import good, over_http
from tests.support import Server, running_server

pytestmark = pytest.mark.xdist_group("shared_server")

BOTH = "application/json, text/event-stream"
JSON = {"Content-Type": "application/json"}


def message(method: str, **params: object) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode()


INITIALIZE = message(
    "initialize", protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "plain", "version": "1"}
)
LIST = message("tools/list")


def post(http: httpx.Client, body: bytes, **headers: str) -> httpx.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return http.post("/mcp?structured=1", content=body, headers=JSON | named)


def session_of(http: httpx.Client) -> str:
    response = post(http, INITIALIZE, Accept=BOTH)
    assert response.status_code == 200
    return response.headers["mcp-session-id"]


@pytest.fixture
def http(shared_server: Server):
    with shared_server.http() as client:
        yield client


@pytest.mark.parametrize("accept", [None, "*/*", "application/json", BOTH])
def test_a_bare_post_is_answered_as_plain_json(http: httpx.Client, accept: str | None):
    request = http.build_request("POST", "/mcp", content=LIST, headers=JSON)
    del request.headers["accept"]
    if accept is not None:
        request.headers["accept"] = accept
    response = http.send(request)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/json")
    assert len(response.json()["result"]["tools"]) == len(DEFAULT_TOOLS)


@pytest.mark.parametrize("version", ["2025-06-18", "2025-11-25"])
def test_each_handshake_version_is_spoken(http: httpx.Client, version: str):
    wanted = message("initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "x", "version": "1"})
    assert post(http, wanted).json()["result"]["protocolVersion"] == version


def test_the_stateless_version_is_spoken(http: httpx.Client):
    about = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "x", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    headers = {"Accept": BOTH, "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "server/discover"}
    response = post(http, message("server/discover", _meta=about), **headers)
    assert response.status_code == 200, response.text
    assert "2026-07-28" in response.text
    assert "mcp-session-id" not in response.headers


def test_a_session_is_kept_until_it_is_deleted_and_stays_deleted(http: httpx.Client):
    session_id = session_of(http)
    assert post(http, LIST, Accept=BOTH, mcp_session_id=session_id).status_code == 200
    assert http.delete("/mcp", headers={"mcp-session-id": session_id}).status_code == 200
    assert post(http, LIST, Accept=BOTH, mcp_session_id=session_id).status_code == 404


def test_a_batch_within_a_session_is_refused_in_words(http: httpx.Client):
    response = post(http, b"[%b,%b]" % (LIST, LIST), Accept=BOTH, mcp_session_id=session_of(http))
    assert (response.status_code, response.json()["error"]) == (400, {"code": -32600, "message": NO_BATCH})


def test_a_session_of_another_token_is_not_found(shared_server: Server, http: httpx.Client):
    session_id = session_of(http)
    with shared_server.http("bridge") as other:
        assert post(other, LIST, Accept=BOTH, mcp_session_id=session_id).status_code == 404
    assert post(http, LIST, Accept=BOTH, mcp_session_id=session_id).status_code == 200


def test_a_session_from_before_a_restart_goes_on(home: Path):
    with running_server(home) as first, first.http() as http:
        session_id = session_of(http)
    with running_server(home) as second, second.http() as http:
        response = post(http, LIST, Accept=BOTH, mcp_session_id=session_id)
        assert response.status_code == 200
        assert response.json()["result"]["tools"]


def test_a_write_finds_the_memory_session_of_its_mcp_session(http: httpx.Client):
    def call(tool: str, connection: str, **arguments: object) -> dict:
        body = message("tools/call", name=tool, arguments=arguments)
        result = post(http, body, mcp_session_id=connection).json()["result"]
        assert not result["isError"]
        return result["structuredContent"]

    mine = call("memory_start_session", "connection-a")["session_id"]
    theirs = call("memory_start_session", "connection-b")["session_id"]
    kept = [call("memory_flag_important", f"connection-{c}", content="x", flag_reason="y") for c in "ab"]
    assert [each["session_id"] for each in kept] == [mine, theirs]


def test_a_retried_write_is_done_once(http: httpx.Client):
    body = message("tools/call", name="memory_start_session", arguments={})
    first, second = (post(http, body, Idempotency_Key="the same key").json()["result"] for _ in range(2))
    third = post(http, body, Idempotency_Key="another key").json()["result"]
    opened = [each["structuredContent"]["session_id"] for each in (first, second, third)]
    assert opened[0] == opened[1] != opened[2]
    reused = post(
        http,
        message("tools/call", name="memory_store_fact", arguments={"category": "x", "fact": "y"}),
        Idempotency_Key="the same key",
    ).json()["result"]
    assert reused["isError"]
    assert "another request, of memory_start_session" in reused["content"][0]["text"]


def test_a_preflight_names_the_methods(http: httpx.Client):
    response = http.options("/mcp")
    assert response.status_code == 204
    assert "POST" in response.headers["allow"]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"not json", 400, -32700),
        (b"[]", 400, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', 400, None),
        (b'{"jsonrpc":"2.0"}', 400, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', 200, -32601),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}', 200, -32602),
    ],
)
def test_what_is_no_request_is_a_protocol_error(http: httpx.Client, body: bytes, status: int, code: int | None):
    response = post(http, body)
    assert response.status_code == status, response.text
    assert response.json()["error"]["code"] == code or code is None


def test_a_notification_is_accepted_without_an_answer(http: httpx.Client):
    response = post(http, b'{"jsonrpc":"2.0","method":"notifications/initialized"}')
    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.anyio
async def test_the_private_attribute_of_the_sdk_that_is_read_is_still_there(shared_server: Server):
    """Live sessions are told from old ones by it: with it gone, the second call would lose its session."""
    async with over_http(shared_server, "legacy") as client:
        _, opened = await good(client, "memory_start_session")
        _, kept = await good(client, "memory_flag_important", content="x", flag_reason="y")
        assert kept["session_id"] == opened["session_id"]
