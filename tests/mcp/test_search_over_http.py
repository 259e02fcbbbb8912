"""Odd questions through the endpoint itself, as a plain client asks them and as the official one does."""

import json

import httpx
import pytest
from hypothesis import HealthCheck, given, settings

from bigmind.core.plain_text import clean, seen
from tests.mcp.clients import MODES, good, new_word, over_http
from tests.mcp.manifest import shows
from tests.search.strings import CODE, STRINGS
from tests.support import Server
from tests.thorough import often, turn

pytestmark = pytest.mark.xdist_group("shared_server")


def asked(http: httpx.Client, query: str) -> dict:
    call = {"name": "memory_search_chunks", "arguments": {"query": query}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    # ASCII escapes carry what UTF-8 cannot: a lone surrogate.
    headers = {"Content-Type": "application/json"}
    response = http.post("/mcp?structured=1", content=json.dumps(message).encode(), headers=headers)
    assert response.status_code == 200, response.text
    return response.json()["result"]


@settings(max_examples=often(100, 25), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=STRINGS)
def test_a_hundred_generated_strings_are_answered(shared_server: Server, text: str):
    with shared_server.http() as http:
        result = asked(http, text)
    if seen(clean(text)):
        assert not result.get("isError"), result
        assert "hits" in result["structuredContent"]
    else:
        assert result["structuredContent"]["error"]["fields"][0]["field"] == "query"


@shows("memory_search_chunks.any_text")
@pytest.mark.anyio
@pytest.mark.parametrize("mode", turn(MODES, 0))
async def test_operators_and_code_are_answered_to_the_official_client(shared_server: Server, mode: str):
    async with over_http(shared_server, mode) as client:
        for text in CODE:
            if seen(clean(text)) and text.isprintable():
                await good(client, "memory_search_chunks", query=text)


@shows("memory_search_chunks.parts")
@pytest.mark.anyio
async def test_an_identifier_is_found_by_its_parts(shared_server: Server):
    one, two, three = new_word(), new_word(), new_word()
    async with over_http(shared_server) as client:
        await good(client, "memory_start_session")
        for written in (f"{one}{two.capitalize()}{three.capitalize()}()", f"{one}_{two}/{three}.py"):
            _, kept = await good(client, "memory_flag_important", content=f"see {written}", flag_reason="x")
            for part in (one, two, three, written):
                _, found = await good(client, "memory_search_chunks", query=part)
                assert kept["chunk_id"] in [hit["chunk_id"] for hit in found["hits"]]
