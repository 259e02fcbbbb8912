"""A tool that a person switches off is gone: from the list at once, and for whoever calls it by name."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.subscriptions import ToolsListChanged
from mcp_types import ToolListChangedNotification

from bigmind.settings.file import settings_file
from tests.mcp.clients import MODES, SECONDS, bad, good, over_http, over_stdio
from tests.support import Server, running_server
from tests.thorough import turn

pytestmark = [pytest.mark.anyio, pytest.mark.xdist_group("served_tools")]

TOOL = "memory_vacuum"


@pytest.fixture(scope="module")
def module_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running_server(tmp_path_factory.mktemp("served") / "home") as running:
        yield running


@pytest.fixture
def server(module_server: Server) -> Iterator[Server]:
    yield module_server
    module_server.call("tools_serve", tool="memory", served=True)


async def names(client: Client) -> set[str]:
    return {each.name for each in (await client.list_tools()).tools}


@pytest.mark.parametrize("mode", turn(MODES, 0))
@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_it_is_gone_from_the_list_and_back_and_clients_are_told(
    server: Server, transport: str, mode: str
) -> None:
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message: object) -> None:
        if isinstance(message, ToolListChangedNotification):
            heard.put_nowait("told")

    def opened(**more: Any) -> Any:
        return over_http(server, **more) if transport == "http" else over_stdio(server.home, **more)

    async with opened(mode=mode, message_handler=hear) as client:
        assert client.server_capabilities.tools.list_changed
        before = await names(client)
        assert TOOL in before
        for served in (False, True):
            if mode == "legacy":
                await asyncio.to_thread(server.call, "tools_serve", tool=TOOL, served=served)
                assert await asyncio.wait_for(heard.get(), SECONDS) == "told"
            else:
                async with client.listen(tools_list_changed=True) as events:
                    await asyncio.to_thread(server.call, "tools_serve", tool=TOOL, served=served)
                    assert isinstance(await asyncio.wait_for(anext(events), SECONDS), ToolsListChanged)
            assert await names(client) == (before if served else before - {TOOL})


@pytest.mark.parametrize("mode", turn(MODES, 1))
async def test_it_is_refused_by_name_with_what_a_person_can_do(server: Server, mode: str) -> None:
    async with over_http(server, mode) as client:
        server.call("tools_serve", tool=TOOL, served=False)
        text, error = await bad(client, TOOL, days=30, dry_run=True)
        assert error["code"] == "forbidden"
        assert "switched off" in text
        assert "Settings" in text
        server.call("tools_serve", tool=TOOL, served=True)
        await good(client, TOOL, days=30, dry_run=True)


def test_an_assistant_may_not_use_it_over_the_api_and_a_person_may(server: Server) -> None:
    server.call("tools_serve", tool=TOOL, served=False)
    for client, status in (("bridge", 403), ("cli", 200)):
        with server.http(client) as http:
            answered = http.post(f"/api/v1/{TOOL}", json={"days": 30, "dry_run": True})
        assert answered.status_code == status, answered.text


def test_it_stays_off_over_a_restart(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with running_server(home) as server:
        for toolset in ("memory", "brain", "work", "mindspace", "protocol"):
            assert server.call("tools_serve", tool=toolset, served=False)["tools"]
        assert server.call("tools_serve", tool="memory_get_context", served=True)["tools"] == ["memory_get_context"]
    assert TOOL in settings_file(home).read_text()
    with running_server(home) as server:
        told = server.call("tools_list")
        assert [each["name"] for each in told["tools"] if each["served"]] == ["memory_get_context"]
        assert 0 < told["tokens"] < 1_000


def test_what_is_no_tool_is_refused(server: Server) -> None:
    with server.http() as http:
        answered = http.post("/api/v1/tools_serve", json={"tool": "token_create", "served": True})
    assert answered.status_code == 404
    assert "tools list" in answered.text
