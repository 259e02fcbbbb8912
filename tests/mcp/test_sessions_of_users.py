"""The sessions of MCP that a server keeps are there for all its users."""

from pathlib import Path

import pytest

from bigmind.mcp import sessions
from bigmind.people.token_format import TokenKind
from tests.http.inside import Inside, server_inside

OPENING = {
    "jsonrpc": "2.0",
    "id": 1,
    "method": "initialize",
    "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}},
}


def opened(inside: Inside, secret: str) -> bool:
    """Whether a client that begins gets a session; it is answered in any case."""
    with inside.http(secret, headers={"Accept": "application/json, text/event-stream"}) as http:
        answered = http.post("/mcp", json=OPENING)
    assert answered.status_code == 200
    return "mcp-session-id" in answered.headers


def test_one_member_who_opens_sessions_leaves_others_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """All 500 were one member's, with however many tokens, and nobody else heard of changes for half an hour."""
    monkeypatch.setattr(sessions, "MOST_OF_USER", 3)
    with server_inside(tmp_path / "home") as inside:
        first, second = (inside.token("mallory", TokenKind.CLIENT) for _ in range(2))
        assert [opened(inside, each) for each in (first, second, first, second)] == [True, True, True, False]
        assert opened(inside, inside.token("ada", TokenKind.CLIENT))
