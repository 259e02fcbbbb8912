"""An answer over MCP is its text, and nothing else, unless the address asks for structured content too."""

import subprocess
from pathlib import Path

import pytest

from tests.mcp.clients import MODES, SECONDS, over_http, over_stdio, text_of
from tests.support import Server, bridge_command, environment
from tests.thorough import turn

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("shared_server")]

FACT = {"category": "decision", "fact": "Brass wheels outlast iron ones"}


@pytest.mark.parametrize("mode", turn(MODES, 0))
async def test_neither_an_answer_nor_a_refusal_holds_more_than_its_text(shared_server: Server, mode: str) -> None:
    async with over_http(shared_server, mode, structured=False) as client:
        stored = await client.call_tool("memory_store_fact", FACT)
        refused = await client.call_tool("memory_store_fact", {"category": "decision"})
    assert [(each.structured_content, len(each.content)) for each in (stored, refused)] == [(None, 1), (None, 1)]
    assert "[decision]" in text_of(stored)
    assert refused.is_error
    assert "fact: got nothing" in text_of(refused)


@pytest.mark.parametrize("mode", turn(MODES, 1))
async def test_who_asks_for_structured_content_gets_it_beside_the_same_text(shared_server: Server, mode: str) -> None:
    async with over_http(shared_server, mode, structured=True) as client:
        told = await client.call_tool("memory_list_global", {"category": "glossary"})
        refused = await client.call_tool("memory_store_fact", {"category": "decision"})
    async with over_http(shared_server, mode, structured=False) as client:
        alone = await client.call_tool("memory_list_global", {"category": "glossary"})
    assert told.structured_content == {"entries": [], "total": 0, "status": "approved"}
    assert text_of(told) == text_of(alone)
    assert refused.structured_content["error"]["code"] == "invalid_input"


async def test_the_bridge_sends_text_alone_unless_its_environment_asks(shared_server: Server) -> None:
    for wish in (False, True):
        async with over_stdio(shared_server.home, structured=wish) as client:
            told = await client.call_tool("memory_get_context", {})
        assert (told.structured_content is not None) is wish
        assert "BigMind context" in text_of(told)


def test_a_bridge_whose_wish_is_none_says_so(home: Path) -> None:
    environ = environment(home, BIGMIND_STRUCTURED="perhaps")
    ended = subprocess.run(bridge_command(), env=environ, input=b"", capture_output=True, timeout=SECONDS, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert "BIGMIND_STRUCTURED is 'perhaps', which is neither 1 nor 0." in ended.stderr.decode()


@pytest.mark.parametrize("query", ["structured=yes", "structured=1&structured=2", "toolsets=all&structured=true"])
def test_a_wish_that_is_none_is_refused(shared_server: Server, query: str) -> None:
    with shared_server.http() as http:
        answered = http.post(f"/mcp?{query}", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert (answered.status_code, answered.json()["code"]) == (400, "bad_request")
    assert "neither 1 nor 0" in answered.json()["title"]
