"""The official Python client against a server of ours, over each transport and in each era of the protocol."""

import asyncio
import random
import string
import sys
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx2
import psutil
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp_types import CallToolResult, Implementation, ResourceUpdatedNotification

from bigmind.local.runfile import published
from tests.support import Server, bridge_command, environment

MODES = ("legacy", "auto")
SECONDS = 60

Next = Callable[[], Awaitable[str]]
"""Waits for the next resource that a client is told of."""


@asynccontextmanager
async def over_http(server: Server, mode: str = "legacy", client: str = "cli", **more: Any) -> AsyncIterator[Client]:
    """A client with the token of `client`, straight to the endpoint; `more` is for the client itself, and `headers`.

    It is offered every tool, unless `toolsets` names others; with None the server decides. Answers carry their data
    beside the text, unless `structured` is False.
    """
    address = f"{server.address}/mcp{asking(more.pop('toolsets', 'all'), structured=more.pop('structured', True))}"
    headers = {"Authorization": f"Bearer {server.token(client)}", **more.pop("headers", {})}
    async with httpx2.AsyncClient(headers=headers, timeout=SECONDS, trust_env=False) as http:
        transport = streamable_http_client(address, http_client=http)
        async with Client(transport, mode=mode, read_timeout_seconds=SECONDS, **more) as connected:
            yield connected


@asynccontextmanager
async def over_stdio(home: Path, mode: str = "legacy", name: str = "tester", **more: Any) -> AsyncIterator[Client]:
    """A client of the bridge, as an IDE starts it; the bridge starts the server where there is none.

    `toolsets` and `structured` as in `over_http`.
    """
    command, *arguments = bridge_command()
    wishes = {"BIGMIND_TOOLSETS": more.pop("toolsets", "all"), "BIGMIND_STRUCTURED": str(+more.pop("structured", True))}
    told = environment(home, **{name: value for name, value in wishes.items() if value is not None})
    bridge = StdioServerParameters(command=command, args=arguments, env=told)
    about = Implementation(name=name, version="1")
    transport = stdio_client(bridge, errlog=sys.__stderr__)
    async with Client(transport, mode=mode, read_timeout_seconds=SECONDS, client_info=about, **more) as connected:
        yield connected


def asking(toolsets: str | None, *, structured: bool = True) -> str:
    """The query of an address that asks for toolsets, and for structured content."""
    return f"?structured={+structured}" + ("" if toolsets is None else f"&toolsets={toolsets}")


def server_of(home: Path) -> psutil.Process:
    """The server that a bridge started for this home."""
    run = published(home)
    assert run is not None
    return psutil.Process(run.pid)


def new_word() -> str:
    """A word that nothing else contains, not even in parts."""
    return "".join(random.SystemRandom().choices(string.ascii_lowercase, k=16))


def text_of(result: CallToolResult) -> str:
    """What a model reads of an answer."""
    return "\n".join(part.text for part in result.content if part.type == "text")


async def good(client: Client, tool: str, /, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Call a tool that must succeed: its text and its data."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, text_of(result)
    assert result.structured_content is not None
    return text_of(result), result.structured_content


async def bad(client: Client, tool: str, /, **arguments: Any) -> tuple[str, dict[str, Any]]:
    """Call a tool that must refuse, as a tool error that the model reads: its text and its data."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error, text_of(result)
    assert result.structured_content is not None
    return text_of(result), result.structured_content["error"]


@asynccontextmanager
async def listening(open_client: Callable[..., Any], mode: str, *uris: str) -> AsyncIterator[tuple[Client, Next]]:
    """A client that listens to some resources, and what waits for the next one that it is told of."""
    heard: asyncio.Queue[str] = asyncio.Queue()

    async def hear(message: object) -> None:
        if isinstance(message, ResourceUpdatedNotification):
            heard.put_nowait(str(message.params.uri))

    async with open_client(mode=mode, message_handler=hear) as client:
        if mode == "legacy":
            for uri in uris:
                await client.subscribe_resource(uri)
            yield client, lambda: asyncio.wait_for(heard.get(), SECONDS)
        else:
            async with client.listen(resource_subscriptions=uris) as events:

                async def following() -> str:
                    return (await asyncio.wait_for(anext(events), SECONDS)).uri

                yield client, following


async def told(following: Next, many: int) -> set[str]:
    """The resources of so many notifications."""
    return {await following() for _ in range(many)}


def end_server_of(home: Path) -> None:
    """End the server that a bridge started; on Windows the job of the official client took it along."""
    run = published(home)
    if sys.platform == "win32" and (run is None or not psutil.pid_exists(run.pid)):
        return
    started = server_of(home)
    started.terminate()
    started.wait(30)
