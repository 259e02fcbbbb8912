"""Every era of MCP's streamable HTTP, and plain clients, against a real server: what is answered, and how."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from bigmind.mcp.sessions import MOST_OF_USER
from tests.conformance.rpc import (
    BOTH,
    HANDSHAKE_VERSIONS,
    MODERN,
    error_code,
    in_session,
    initialize,
    message,
    modern_headers,
    modern_message,
    result,
    said,
)
from tests.support import Server, running_server

ACCEPTS = [None, "*/*", "application/json", BOTH]
CALL = {"name": "memory_get_stats", "arguments": {}}


@pytest.fixture
def client(shared_server: Server) -> Iterator[httpx.Client]:
    """A client that says nothing of what it accepts, as raw sockets and http.client do."""
    with shared_server.http() as http:
        del http.headers["accept"]
        yield http


def session_of(http: httpx.Client, version: str = "2025-11-25") -> str:
    """Open a session, with the whole handshake."""
    opened = http.post("/mcp", json=initialize(version), headers={"Accept": BOTH})
    session_id = opened.headers["mcp-session-id"]
    ready = {"jsonrpc": "2.0", "method": "notifications/initialized"}
    assert http.post("/mcp", json=ready, headers=in_session(session_id, version)).status_code == 202
    return session_id


def accepting(accept: str | None) -> dict[str, str]:
    return {} if accept is None else {"Accept": accept}


@pytest.mark.parametrize("accept", [None, "*/*", "application/json"])
def test_initialize_without_event_streams_needs_no_session(client: httpx.Client, accept: str | None) -> None:
    response = client.post("/mcp", json=initialize(), headers=accepting(accept))

    assert response.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in response.headers
    assert result(response)["serverInfo"]["name"] == "bigmind"


@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.parametrize(
    ("request_", "part"),
    [
        (message("ping"), None),
        (message("tools/list"), "tools"),
        (message("tools/call", **CALL), "content"),
        (message("resources/list"), "resources"),
        (message("resources/read", uri="memory://profile"), "contents"),
        (message("prompts/list"), "prompts"),
        (message("prompts/get", name="bigmind_end"), "messages"),
    ],
    ids=lambda value: value["method"] if isinstance(value, dict) else "",
)
def test_a_bare_request_is_answered_without_handshake_or_session(
    client: httpx.Client, accept: str | None, request_: dict, part: str | None
) -> None:
    response = client.post("/mcp", json=request_, headers=accepting(accept))

    assert response.headers["content-type"] == "application/json"
    assert "mcp-session-id" not in response.headers
    assert part is None or result(response)[part]


@pytest.mark.parametrize("version", HANDSHAKE_VERSIONS)
def test_initialize_opens_a_session_that_works(client: httpx.Client, version: str) -> None:
    opened = client.post("/mcp", json=initialize(version), headers={"Accept": BOTH})
    assert result(opened)["protocolVersion"] == version
    assert opened.headers["content-type"].startswith("text/event-stream")

    session_id = session_of(client, version)
    listed = client.post("/mcp?toolsets=all", json=message("tools/list"), headers=in_session(session_id, version))
    called = client.post("/mcp", json=message("tools/call", **CALL), headers=in_session(session_id, version))

    assert listed.headers["mcp-session-id"] == called.headers["mcp-session-id"] == session_id
    assert CALL["name"] in {tool["name"] for tool in result(listed)["tools"]}
    assert result(called)["isError"] is False


def test_an_unknown_version_is_answered_with_the_newest_that_has_a_handshake(client: httpx.Client) -> None:
    opened = client.post("/mcp", json=initialize("2099-01-01"), headers={"Accept": BOTH})

    assert result(opened)["protocolVersion"] == HANDSHAKE_VERSIONS[-1]


def test_the_server_declares_only_what_it_offers(client: httpx.Client) -> None:
    """The exceptions of the conformance suite rest on this: no logging, no lists that change, and nothing to listen to
    for a client that asked for no session."""
    capabilities = result(client.post("/mcp", json=initialize()))["capabilities"]

    assert set(capabilities) == {"tools", "resources", "prompts", "completions"}
    assert not any(flag for about in capabilities.values() for flag in about.values())


def test_a_session_and_the_era_without_sessions_are_offered_subscriptions(client: httpx.Client) -> None:
    opened = client.post("/mcp", json=initialize(), headers={"Accept": BOTH})
    discovered = client.post("/mcp", json=modern_message("server/discover"), headers=modern_headers("server/discover"))

    for response in (opened, discovered):
        capabilities = said(response)["result"]["capabilities"]
        assert {(part, name) for part, about in capabilities.items() for name, flag in about.items() if flag} == {
            ("tools", "listChanged"),
            ("resources", "subscribe"),
        }


def test_a_live_session_has_a_stream(client: httpx.Client) -> None:
    headers = {**in_session(session_of(client)), "Accept": "text/event-stream"}

    with client.stream("GET", "/mcp", headers=headers) as stream:
        assert stream.status_code == 200
        assert stream.headers["content-type"].startswith("text/event-stream")


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "PATCH"])
def test_only_post_works_without_a_session(client: httpx.Client, method: str) -> None:
    body = {} if method in {"GET", "DELETE"} else {"json": message("ping")}
    response = client.request(method, "/mcp", headers={"Accept": "text/event-stream"}, **body)

    assert response.status_code == 405
    assert "POST" in response.headers["allow"]
    assert "mcp-session-id" not in response.headers


@pytest.mark.parametrize("accept", ["application/json", BOTH])
def test_a_deleted_session_stays_deleted(client: httpx.Client, accept: str) -> None:
    session_id = session_of(client)
    headers = {**in_session(session_id), "Accept": accept}

    assert client.delete("/mcp", headers=headers).status_code == 200

    assert client.post("/mcp", json=message("ping"), headers=headers).status_code == 404
    assert client.get("/mcp", headers={**headers, "Accept": "text/event-stream"}).status_code == 404
    assert client.delete("/mcp", headers=headers).status_code == 404


@pytest.mark.parametrize("accept", [None, BOTH])
def test_a_session_from_before_a_restart_is_still_answered(home: Path, accept: str | None) -> None:
    with running_server(home) as first:
        with first.http() as http:
            session_id = session_of(http)
        first.kill()

    with running_server(home) as second, second.http() as http:
        del http.headers["accept"]
        headers = {"Mcp-Session-Id": session_id, "MCP-Protocol-Version": "2025-11-25", **accepting(accept)}
        response = http.post("/mcp", json=message("tools/call", **CALL), headers=headers)

    assert result(response)["isError"] is False


def assert_unknown_to(stranger: httpx.Client, owner: httpx.Client) -> None:
    """Whoever holds another token gets 404 for the owner's session, and leaves it as it is."""
    session_id = session_of(owner)
    assert result(stranger.post("/mcp", json=message("ping"))) == {}
    for response in (
        stranger.post("/mcp", json=message("ping"), headers=in_session(session_id)),
        stranger.get("/mcp", headers={**in_session(session_id), "Accept": "text/event-stream"}),
        stranger.delete("/mcp", headers=in_session(session_id)),
    ):
        assert response.status_code == 404
    assert result(owner.post("/mcp", json=message("ping"), headers=in_session(session_id))) == {}


def test_a_session_does_not_exist_for_another_client(client: httpx.Client, shared_server: Server) -> None:
    with shared_server.http("bridge") as stranger:
        assert_unknown_to(stranger, client)


def test_a_session_does_not_exist_for_another_user(home: Path) -> None:
    with running_server(home, BIGMIND_USER="ada") as of_ada:
        adas = of_ada.call("token_create", client="editor")["token"]

    with running_server(home, BIGMIND_USER="grace") as server, server.http() as graces, server.http() as stranger:
        stranger.headers["Authorization"] = f"Bearer {adas}"
        assert_unknown_to(stranger, graces)


@pytest.mark.slow
def test_when_no_session_is_free_a_client_is_served_without(server: Server) -> None:
    with server.http() as http:
        opening = {"json": initialize(), "headers": {"Accept": BOTH}}
        sessions = {http.post("/mcp", **opening).headers["mcp-session-id"] for _ in range(MOST_OF_USER)}
        assert len(sessions) == MOST_OF_USER

        one_more = http.post("/mcp", **opening)

        assert "mcp-session-id" not in one_more.headers
        assert result(one_more)["protocolVersion"] == "2025-11-25"
        http.delete("/mcp", headers=in_session(sessions.pop()))
        assert http.post("/mcp", **opening).headers["mcp-session-id"] not in sessions


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b'{"jsonrpc": "2.0", "id": 7, "method": "no/such"}', 200, -32601),
        (b"{", 400, -32700),
        (b"", 400, -32700),
        (b'{"jsonrpc": "2.0", "id": 7, "method": "tools/call", "params": {}}', 200, -32602),
    ],
)
def test_what_is_no_request_gets_the_protocols_own_error(
    client: httpx.Client, body: bytes, status: int, code: int
) -> None:
    response = client.post("/mcp", content=body, headers={"Content-Type": "application/json"})

    assert (response.status_code, error_code(response)) == (status, code)


@pytest.mark.parametrize(
    "body",
    [
        [message("ping")],
        [message("ping"), message("tools/list")],
        [],
        "ping",
        {"id": 7, "method": "ping"},
        {"jsonrpc": "1.0", "id": 7, "method": "ping"},
        {"jsonrpc": "2.0", "id": 7},
    ],
    ids=json.dumps,
)
def test_a_batch_and_what_is_no_message_are_refused(client: httpx.Client, body: object) -> None:
    """Batches left the protocol with 2025-06-18."""
    response = client.post("/mcp", json=body)

    assert response.status_code == 400
    assert set(said(response)) == {"jsonrpc", "id", "error"}


@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.parametrize("method", ["notifications/initialized", "notifications/cancelled", "notifications/no-such"])
def test_a_notification_is_accepted_and_not_answered(client: httpx.Client, method: str, accept: str | None) -> None:
    params = {"requestId": 1} if method.endswith("cancelled") else {}
    notification = {"jsonrpc": "2.0", "method": method, "params": params}

    response = client.post("/mcp", json=notification, headers=accepting(accept))

    assert (response.status_code, response.content) == (202, b"")


@pytest.mark.parametrize("accept", ACCEPTS)
@pytest.mark.parametrize(
    ("method", "params", "name", "part"),
    [
        ("server/discover", {}, None, "supportedVersions"),
        ("tools/list", {}, None, "tools"),
        ("tools/call", CALL, CALL["name"], "content"),
        ("resources/list", {}, None, "resources"),
        ("resources/templates/list", {}, None, "resourceTemplates"),
        ("resources/read", {"uri": "memory://profile"}, "memory://profile", "contents"),
        ("prompts/list", {}, None, "prompts"),
        ("prompts/get", {"name": "bigmind_end"}, "bigmind_end", "messages"),
    ],
)
def test_a_request_of_2026_07_28_stands_alone(
    client: httpx.Client, method: str, params: dict, name: str | None, part: str, accept: str | None
) -> None:
    headers = {**modern_headers(method, name), **accepting(accept)}
    response = client.post("/mcp", json=modern_message(method, **params), headers=headers)

    assert result(response)[part]
    assert result(response)["resultType"] == "complete"
    assert "mcp-session-id" not in response.headers


@pytest.mark.parametrize("number", [None, 1.5, 2.0, True, [], {}], ids=json.dumps)
def test_an_id_that_is_none_is_refused_in_every_era(client: httpx.Client, number: object) -> None:
    call = {**message("tools/call", **CALL), "id": number}
    modern = {**modern_message("tools/call", **CALL), "id": number}
    answers = [
        client.post("/mcp", json=call),
        client.post("/mcp", json=call, headers=in_session(session_of(client))),
        client.post("/mcp", json=modern, headers={**modern_headers("tools/call", CALL["name"]), **accepting(BOTH)}),
    ]

    assert {answer.status_code for answer in answers} == {400}
    assert {error_code(answer) for answer in answers} == {-32600}
    assert len({answer.content for answer in answers}) == 1
    assert said(answers[0])["id"] is None


def test_discovery_tells_what_a_handshake_told(client: httpx.Client) -> None:
    response = client.post("/mcp", json=modern_message("server/discover"), headers=modern_headers("server/discover"))
    told = result(client.post("/mcp", json=initialize(), headers={"Accept": BOTH}))

    discovered = result(response)
    assert MODERN in discovered["supportedVersions"]
    assert discovered["instructions"] == told["instructions"]
    assert discovered["capabilities"] == told["capabilities"]


@pytest.mark.parametrize(
    ("request_", "headers", "status", "code"),
    [
        (modern_message("no/such"), modern_headers("no/such"), 404, -32601),
        (modern_message("initialize"), modern_headers("initialize"), 404, -32601),
        (modern_message("tools/list"), modern_headers("prompts/list"), 400, -32020),
        (modern_message("tools/list"), {"MCP-Protocol-Version": MODERN}, 400, -32020),
        (modern_message("tools/call", **CALL), modern_headers("tools/call", "memory_other"), 400, -32020),
        (modern_message("tools/call", **CALL), modern_headers("tools/call"), 400, -32020),
        (message("tools/list"), modern_headers("tools/list"), 400, -32602),
        (
            modern_message("tools/list", version="2099-01-01"),
            modern_headers("tools/list", version="2099-01-01"),
            400,
            -32022,
        ),
    ],
    ids=["method", "handshake", "other method", "no method", "other name", "no name", "no envelope", "version"],
)
def test_what_2026_07_28_forbids_is_refused(
    client: httpx.Client, request_: dict, headers: dict[str, str], status: int, code: int
) -> None:
    response = client.post("/mcp", json=request_, headers=headers)

    assert (response.status_code, error_code(response)) == (status, code)


def test_blanks_around_a_header_are_not_part_of_it(shared_server: Server) -> None:
    headers = {**modern_headers("tools/call", f"  {CALL['name']} \t"), "Content-Type": "application/json"}
    headers["Authorization"] = f"Bearer {shared_server.token()}"
    connection = http.client.HTTPConnection("127.0.0.1", shared_server.port, timeout=60)

    connection.request("POST", "/mcp", json.dumps(modern_message("tools/call", **CALL)), headers)
    response = connection.getresponse()
    answered = json.loads(response.read())
    connection.close()

    assert response.status == 200, answered
    assert answered["result"]["isError"] is False


@pytest.mark.parametrize("accept", ACCEPTS)
def test_a_fault_of_the_input_is_a_tool_error_in_every_era(client: httpx.Client, accept: str | None) -> None:
    wrong = {"name": "memory_search_chunks", "arguments": {"query": "x", "limit": "many"}}
    in_a_session = in_session(session_of(client))
    answers = [
        client.post("/mcp", json=message("tools/call", **wrong), headers=accepting(accept)),
        client.post("/mcp", json=message("tools/call", **wrong), headers=in_a_session),
        client.post(
            "/mcp",
            json=modern_message("tools/call", **wrong),
            headers={**modern_headers("tools/call", wrong["name"]), **accepting(accept)},
        ),
    ]

    texts = {result(answer)["content"][0]["text"] for answer in answers}
    assert all(said(answer)["result"]["isError"] for answer in answers)
    assert len(texts) == 1
    assert "limit: got 'many'; expected" in texts.pop()
