"""MCP as plain HTTP, without any SDK: messages, headers, and what an answer says."""

import json
from typing import Any

import httpx

BOTH = "application/json, text/event-stream"
HANDSHAKE_VERSIONS = ("2025-06-18", "2025-11-25")
MODERN = "2026-07-28"

_KEYS = "io.modelcontextprotocol/"


def message(method: str, **params: Any) -> dict[str, Any]:
    """A JSON-RPC request."""
    return {"jsonrpc": "2.0", "id": 7, "method": method, **({"params": params} if params else {})}


def initialize(version: str = "2025-11-25") -> dict[str, Any]:
    """What a client says first, up to 2025-11-25."""
    return message(
        "initialize", protocolVersion=version, capabilities={}, clientInfo={"name": "conformance", "version": "1"}
    )


def in_session(session_id: str, version: str = "2025-11-25") -> dict[str, str]:
    """The headers of every request of a session."""
    return {"Accept": BOTH, "Mcp-Session-Id": session_id, "MCP-Protocol-Version": version}


def modern_message(method: str, *, version: str = MODERN, **params: Any) -> dict[str, Any]:
    """A request of 2026-07-28: it carries what a handshake used to."""
    about = {
        f"{_KEYS}protocolVersion": version,
        f"{_KEYS}clientInfo": {"name": "conformance", "version": "1"},
        f"{_KEYS}clientCapabilities": {},
    }
    return message(method, **params, _meta=about)


def modern_headers(method: str, name: str | None = None, version: str = MODERN) -> dict[str, str]:
    """Its headers, which repeat method and name for proxies."""
    named = {} if name is None else {"Mcp-Name": name}
    return {"MCP-Protocol-Version": version, "Mcp-Method": method, **named}


def said(response: httpx.Response) -> dict[str, Any]:
    """The one JSON-RPC message of an answer, be it JSON or an event stream."""
    if response.headers["content-type"].startswith("text/event-stream"):
        [data] = [line.removeprefix("data: ") for line in response.text.splitlines() if line.startswith("data: ")]
        return json.loads(data)
    return response.json()


def result(response: httpx.Response) -> dict[str, Any]:
    """The result of a request that was answered well."""
    assert response.status_code == 200, response.text
    answered = said(response)
    assert answered["id"] == 7, answered
    return answered["result"]


def error_code(response: httpx.Response) -> int:
    """The code of a JSON-RPC error."""
    return said(response)["error"]["code"]
