"""Which tools a client is offered: by its address, its bridge's environment, a person's choice; else the default."""

import asyncio
import json
import re
import subprocess
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
from mcp import Client
from mcp.shared.subscriptions import ToolsListChanged
from mcp_types import Tool, ToolListChangedNotification

from bigmind.core.operation import Mode, Surface
from bigmind.core.toolsets import DEFAULT_TOOLS, GATE_TOOLS, Toolset
from bigmind.operations.tools import tool_table
from bigmind.wiring import catalogue
from tests.mcp.clients import MODES, SECONDS, bad, good, over_http, over_stdio
from tests.nursery import Done
from tests.support import Server, bridge_command, completed, environment, running_server
from tests.thorough import turn

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("toolsets")]

MOST_TOOLS = 13
EVERY = tool_table(catalogue(), Mode.PERSONAL).every()
EVERY_TOOL = [each.name for each in catalogue().on(Surface.MCP)]
OF_BRAIN = [each.name for each in catalogue().on(Surface.MCP) if each.toolset == Toolset.BRAIN]
OF_WORK, OF_NODES = (
    [each.name for each in catalogue().on(Surface.MCP) if each.toolset == toolset or each.name in GATE_TOOLS]
    for toolset in (Toolset.WORK, Toolset.MINDSPACE)
)
OF_MEMORY = [each.name for each in catalogue().on(Surface.MCP) if each.toolset == Toolset.MEMORY]
UNLISTED = "memory_list_facts"
TRANSPORTS = ("http", "stdio")
NAME = "an-editor"
BOTH = "application/json, text/event-stream"


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("toolsets") / "home") as running:
        yield running


@pytest.fixture(scope="module")
def secret(module_server: Server) -> str:
    """The token of a client over HTTP; the bridge of the same client says who it is."""
    return module_server.call("token_create", client=NAME)["token"]


@pytest.fixture
def server(module_server: Server) -> Iterator[Server]:
    yield module_server
    module_server.call("clients_toolsets", client=NAME, toolsets=[])


@asynccontextmanager
async def opened(
    server: Server, secret: str, transport: str, mode: str, toolsets: str | None = None, **more: Any
) -> AsyncIterator[Client]:
    if transport == "http":
        connected = over_http(server, mode, headers={"Authorization": f"Bearer {secret}"}, toolsets=toolsets, **more)
    else:
        connected = over_stdio(server.home, mode, NAME, toolsets=toolsets, **more)
    async with connected as client:
        yield client


async def listed(client: Client) -> list[Tool]:
    return (await client.list_tools()).tools


async def names(client: Client) -> list[str]:
    return [each.name for each in await listed(client)]


@pytest.mark.parametrize("mode", turn(MODES, 0))
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_who_chose_nothing_is_offered_few_tools(server: Server, secret: str, transport: str, mode: str) -> None:
    async with opened(server, secret, transport, mode) as client:
        tools = await listed(client)
    assert sorted(each.name for each in tools) == sorted(DEFAULT_TOOLS)
    assert len(tools) <= MOST_TOOLS


@pytest.mark.parametrize("mode", turn(MODES, 1))
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize(
    ("toolsets", "expected"),
    [
        ("all", EVERY_TOOL),
        ("memory", OF_MEMORY),
        ("default,brain", [each for each in EVERY_TOOL if each in DEFAULT_TOOLS or each in OF_BRAIN]),
        ("brain", OF_BRAIN),
        ("work", OF_WORK),
        ("mindspace", OF_NODES),
        ("brain,work,mindspace", [each for each in EVERY_TOOL if each in {*OF_BRAIN, *OF_WORK, *OF_NODES}]),
    ],
)
async def test_the_address_and_the_bridges_environment_say_which(
    server: Server, secret: str, transport: str, mode: str, toolsets: str, expected: list[str]
) -> None:
    server.call("clients_toolsets", client=NAME, toolsets="work")
    async with opened(server, secret, transport, mode, toolsets) as client:
        assert await names(client) == expected


@pytest.mark.parametrize("mode", turn(MODES, 2))
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_a_persons_choice_is_for_that_client_which_is_told(
    server: Server, secret: str, transport: str, mode: str
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            heard.put_nowait("told")

    default = [each for each in EVERY_TOOL if each in DEFAULT_TOOLS]
    async with opened(server, secret, transport, mode, message_handler=hear) as client:
        assert await names(client) == default
        for toolsets, expected in (("Memory", OF_MEMORY), ("", default)):
            if mode == "legacy":
                await asyncio.to_thread(server.call, "clients_toolsets", client=NAME, toolsets=toolsets)
                assert await asyncio.wait_for(heard.get(), SECONDS) == "told"
            else:
                async with client.listen(tools_list_changed=True) as events:
                    await asyncio.to_thread(server.call, "clients_toolsets", client=NAME, toolsets=toolsets)
                    assert isinstance(await asyncio.wait_for(anext(events), SECONDS), ToolsListChanged)
            assert await names(client) == expected
            async with over_stdio(server.home, mode, "another-editor", toolsets=None) as other:
                assert await names(other) == default


@pytest.mark.parametrize("mode", turn(MODES, 3))
@pytest.mark.parametrize("transport", TRANSPORTS)
async def test_what_is_not_listed_works_by_name_unless_it_is_switched_off(
    server: Server, secret: str, transport: str, mode: str
) -> None:
    async with opened(server, secret, transport, mode) as client:
        assert UNLISTED not in await names(client)
        await good(client, UNLISTED)
        server.call("tools_serve", tool=UNLISTED, served=False)
        try:
            assert (await bad(client, UNLISTED))[1]["code"] == "forbidden"
        finally:
            server.call("tools_serve", tool=UNLISTED, served=True)


async def test_a_tool_that_is_switched_off_is_in_no_toolset(server: Server, secret: str) -> None:
    server.call("tools_serve", tool="memory_get_context", served=False)
    try:
        async with opened(server, secret, "http", "auto") as client:
            assert sorted(await names(client)) == sorted({*DEFAULT_TOOLS} - {"memory_get_context"})
    finally:
        server.call("tools_serve", tool="memory_get_context", served=True)


MODERN = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/list", "Accept": BOTH}


@pytest.mark.parametrize(
    ("method", "headers"),
    [("POST", {}), ("POST", {"Accept": BOTH}), ("POST", MODERN), ("GET", {"Accept": BOTH}), ("DELETE", {})],
)
def test_an_unknown_toolset_is_refused_in_every_era_and_the_known_ones_are_named(
    server: Server, method: str, headers: dict[str, str]
) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"} if method == "POST" else None
    with server.http() as http:
        answered = http.request(method, "/mcp?toolsets=default,memmory", json=body, headers=headers)
    assert answered.status_code == 400
    assert answered.headers["content-type"] == "application/problem+json"
    problem = answered.json()
    assert (problem["code"], problem["title"]) == ("bad_request", "?toolsets= names 'memmory', which is no toolset.")
    assert all(str(each) in problem["hint"] for each in Toolset)


@pytest.mark.parametrize(
    ("query", "count"),
    [
        ("", len(DEFAULT_TOOLS)),
        ("?toolsets=", len(DEFAULT_TOOLS)),
        ("?toolsets=,", len(DEFAULT_TOOLS)),
        ("?other=brain", len(DEFAULT_TOOLS)),
        ("?toolsets=brain&toolsets=All", len(EVERY_TOOL)),
        ("?toolsets=%20default%2C%20brain", len(DEFAULT_TOOLS) + len(OF_BRAIN)),
    ],
)
def test_an_address_may_say_it_in_any_way_or_not_at_all(server: Server, query: str, count: int) -> None:
    with server.http() as http:
        answered = http.post(f"/mcp{query}", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    assert len(answered.json()["result"]["tools"]) == count


def test_a_query_that_is_none_is_refused(server: Server) -> None:
    with server.http() as http:
        answered = http.post(f"/mcp?{'toolsets=all&' * 50}", json={"jsonrpc": "2.0", "id": 1, "method": "ping"})
    assert (answered.status_code, answered.json()["code"]) == (400, "bad_request")


def test_a_bridge_with_an_unknown_toolset_says_so_and_starts_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    told = environment(home, BIGMIND_TOOLSETS="default,memmory")
    ended = subprocess.run(bridge_command(), env=told, input=b"", capture_output=True, timeout=SECONDS, check=False)
    assert (ended.returncode, ended.stdout) == (2, b"")
    assert "BIGMIND_TOOLSETS names 'memmory', which is no toolset." in ended.stderr.decode()
    assert "default, memory, brain" in ended.stderr.decode()
    assert not home.exists()


def test_the_answer_says_what_the_choice_costs(server: Server) -> None:
    chosen = server.call("clients_toolsets", client=NAME, toolsets=["brain", "all", "brain"])
    assert chosen["toolsets"] == ["brain", "all"]
    assert chosen["tools"] == EVERY_TOOL
    assert chosen["tokens"] == sum(each.tokens for each in EVERY.values())
    default = server.call("clients_toolsets", client=NAME, toolsets="")
    assert (default["toolsets"], len(default["tools"])) == ([], len(DEFAULT_TOOLS))
    assert default["tokens"] == sum(EVERY[name].tokens for name in DEFAULT_TOOLS)


def test_an_unknown_toolset_or_none_at_all_is_refused(server: Server) -> None:
    with server.http() as http:
        for given in ({"toolsets": "memmory"}, {"toolsets": ["all", 7]}, {}, {"toolsets": None}):
            answered = http.post("/api/v1/clients_toolsets", json={"client": NAME, **given})
            assert answered.status_code == 422, given
            assert "toolsets" in answered.json()["fields"][0]["field"]
        told = http.post("/api/v1/clients_toolsets", json={"client": NAME, "toolsets": "memmory"}).text
        assert "mindspace, protocol" in told


def test_it_is_a_command_too(server: Server) -> None:
    def run(*arguments: str) -> Done:
        return completed(server.home, "clients", "toolsets", *arguments)

    chosen = run(NAME, "default,brain")
    assert chosen.returncode == 0, chosen.stderr
    assert f"{NAME} is offered {13 + len(OF_BRAIN)} tools (default, brain)" in chosen.stdout
    back = run(NAME, "")
    assert "13 tools (default, as nothing is chosen)" in back.stdout
    assert run(NAME, "memmory").returncode == 2


def test_what_every_model_reads_names_only_what_every_client_is_offered() -> None:
    operations = {each.name: each for each in catalogue()}
    texts = [*(operations[name].description for name in DEFAULT_TOOLS)]
    texts += [json.dumps(operations[name].input_model.model_json_schema()) for name in DEFAULT_TOOLS]
    assert {name for text in texts for name in named_in(text)} <= {*DEFAULT_TOOLS}
    assert named_in(", ".join(DEFAULT_TOOLS)) >= {"memory_start_session", "memory_semantic_search"}


def named_in(text: str) -> set[str]:
    return {*re.findall(r"\b(?:(?:memory|brain)_[a-z_]+|query_brain|contribute_to_brain)", text)}


def test_the_brains_tools_are_these() -> None:
    assert OF_BRAIN == [
        "query_brain",
        "contribute_to_brain",
        "brain_get_thought",
        "brain_get_lineage",
        "brain_list_domains",
        "brain_update_thought",
        "brain_share_thought",
        "brain_promote",
    ]
    assert {*OF_BRAIN}.isdisjoint(DEFAULT_TOOLS)


def test_work_and_the_mindspace_hold_what_their_gates_ask_for(server: Server) -> None:
    assert {*GATE_TOOLS} == {"query_brain", "contribute_to_brain"}
    for toolset, tools in (("work", OF_WORK), ("mindspace", OF_NODES)):
        chosen = server.call("clients_toolsets", client=NAME, toolsets=toolset)
        assert {*GATE_TOOLS} < {*chosen["tools"]} == {*tools}
        assert chosen["tokens"] == sum(EVERY[name].tokens for name in tools)
    both = server.call("clients_toolsets", client=NAME, toolsets="work,brain,mindspace")
    assert len(both["tools"]) == len({*both["tools"]}) == len({*OF_WORK, *OF_BRAIN, *OF_NODES})


def test_every_default_tool_is_one_and_every_tool_is_in_a_toolset() -> None:
    assert {*DEFAULT_TOOLS} <= {*EVERY_TOOL}
    assert len({*DEFAULT_TOOLS}) == len(DEFAULT_TOOLS)
    assert {each.toolset for each in catalogue().on(Surface.MCP)} <= {*Toolset} - {Toolset.DEFAULT, Toolset.ALL}


def test_a_token_that_may_not_choose_for_itself(server: Server, secret: str) -> None:
    with httpx.Client(base_url=server.address, headers={"Authorization": f"Bearer {secret}"}, trust_env=False) as http:
        answered = http.post("/api/v1/clients_toolsets", json={"client": NAME, "toolsets": "all"})
    assert (answered.status_code, answered.json()["code"]) == (403, "forbidden")
