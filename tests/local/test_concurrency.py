"""Two bridges and a direct HTTP client write at once: nothing lost, nothing doubled, nobody told of a lock."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bigmind.paths import log_file
from tests.local.wire import Bridge, bridge, texts_in
from tests.support import Server, running_server
from tests.thorough import often

WRITES = often(2_000, 120)
IN_FLIGHT = 6

pytestmark = [pytest.mark.slow, pytest.mark.anyio]

TOOLS: tuple[tuple[str, str, dict[str, Any]], ...] = (
    ("memory_store_fact", "fact", {"category": "decision"}),
    ("memory_append_chunk", "content", {"role": "user", "flag_reason": "a reason"}),
    ("memory_add_hypothesis", "hypothesis", {}),
    ("memory_flag_important", "content", {"flag_reason": "a reason"}),
)
STORED = """
SELECT text FROM fact UNION ALL SELECT content FROM chunk UNION ALL SELECT text FROM hypothesis
"""


def write(who: str, number: int) -> tuple[str, dict[str, Any], str]:
    """The tool, the arguments and the text of one write."""
    tool, name, arguments = TOOLS[number % len(TOOLS)]
    text = f"{who}x{number}"
    return tool, {**arguments, name: text}, text


def through(client: Bridge, who: str, writes: int) -> list[str]:
    """Write over a bridge, several requests in flight; returns what was acknowledged."""
    client.initialize()
    client.ask_tool("memory_start_session", project=who)
    pending: dict[int, str] = {}
    acknowledged: list[str] = []
    for number in range(writes):
        tool, arguments, text = write(who, number)
        pending[client.tool(tool, **arguments)] = text
        if len(pending) == IN_FLIGHT:
            acknowledged.append(settle(client, pending))
    while pending:
        acknowledged.append(settle(client, pending))
    return acknowledged


def settle(client: Bridge, pending: dict[int, str]) -> str:
    answer = client.next_answer()
    assert not answer["result"].get("isError"), answer
    return pending.pop(answer["id"])


async def directly(server: Server, who: str, writes: int) -> list[str]:
    """Write over HTTP with the official client, several requests in flight; returns what was acknowledged."""
    headers = {"Authorization": f"Bearer {server.token()}"}
    acknowledged: list[str] = []
    limit = anyio.CapacityLimiter(IN_FLIGHT)
    async with httpx2.AsyncClient(headers=headers, timeout=60, trust_env=False) as http:
        transport = streamable_http_client(f"{server.address}/mcp?structured=1", http_client=http)
        async with Client(transport, mode="auto") as client:
            opened = await client.call_tool("memory_start_session", {"project": who})
            session_id = opened.structured_content["session_id"]

            async def one(number: int) -> None:
                tool, arguments, text = write(who, number)
                if "content" in arguments:
                    arguments["session_id"] = session_id
                async with limit:
                    result = await client.call_tool(tool, arguments)
                assert not result.is_error, result
                acknowledged.append(text)

            async with anyio.create_task_group() as tasks:
                for number in range(writes):
                    tasks.start_soon(one, number)
    return acknowledged


async def test_two_bridges_and_an_http_client_lose_and_double_nothing(home: Path) -> None:
    share = WRITES // 3
    shares = {"left": share, "right": share, "direct": WRITES - 2 * share}
    with running_server(home) as server, bridge(home) as left, bridge(home) as right, ThreadPoolExecutor(2) as pool:
        over: Callable[[Bridge, str], Any] = lambda client, who: pool.submit(through, client, who, shares[who])  # noqa: E731
        waiting = [over(left, "left"), over(right, "right")]
        acknowledged = await directly(server, "direct", shares["direct"])
        for each in waiting:
            acknowledged += await anyio.to_thread.run_sync(each.result)
        assert (left.close(), right.close()) == (0, 0)
        stats = server.call("memory_get_stats")
    sent = {f"{who}x{number}" for who, writes in shares.items() for number in range(writes)}
    assert len(sent) == WRITES
    assert set(acknowledged) == sent
    stored = Counter(texts_in(home, STORED))
    assert stored == Counter(dict.fromkeys(sent, 1))
    assert stats["chunks"] == sum(1 for who, writes in shares.items() for n in range(writes) if n % 4 in {1, 3})
    assert "locked" not in log_file(home).read_text()


async def test_chunks_of_one_session_are_numbered_without_gaps(home: Path) -> None:
    with running_server(home), bridge(home) as client:
        acknowledged = through(client, "one", 200)
    assert len(acknowledged) == 200
    numbers = texts_in(home, "SELECT seq FROM chunk ORDER BY seq")
    assert numbers == list(range(1, 101))
