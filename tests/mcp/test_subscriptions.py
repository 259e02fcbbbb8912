"""Clients are told when a resource changed: in each era, over each transport, of their own user's changes only."""

import json
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import httpx
import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

from bigmind.mcp import streams
from bigmind.mcp.addresses import CONTEXT, EVERYTHING, HYPOTHESES, KNOWLEDGE, LONGEST_URI, MOST_URIS, PROFILE, SESSIONS
from bigmind.mcp.streams import OpenStreams
from bigmind.mcp.subscriptions import Subscriptions
from tests.http.inside import FakeClock, Inside, server_inside
from tests.mcp.clients import MODES, SECONDS, good, listening, new_word, over_http, over_stdio, told
from tests.support import Server, running_server
from tests.thorough import often, turn

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.xdist_group("shared_server"),
    # The older eras are spoken on purpose.
    pytest.mark.filterwarnings("ignore:resources/(un)?subscribe is removed as of 2026-07-28"),
]

BEGUN: list[Any] = []
BOTH = "application/json, text/event-stream"
JSON = {"Content-Type": "application/json"}
OLD, MODERN = "2025-11-25", "2026-07-28"
KEY = "io.modelcontextprotocol/"
ABOUT = {f"{KEY}protocolVersion": MODERN, f"{KEY}clientCapabilities": {}}


def way(server: Server, transport: str) -> Callable[..., Any]:
    return lambda **more: over_http(server, **more) if transport == "http" else over_stdio(server.home, **more)


@pytest.mark.parametrize("mode", turn(MODES, 0))
@pytest.mark.parametrize("transport", ["http", "stdio"])
async def test_what_another_client_stores_is_told_of_and_read(shared_server: Server, transport: str, mode: str) -> None:
    async with (
        over_http(shared_server, "auto", "bridge") as other,
        listening(way(shared_server, transport), mode, PROFILE) as (client, following),
    ):
        assert client.server_capabilities.resources.subscribe
        for word in (new_word(), new_word()):
            (before,) = (await client.read_resource(PROFILE)).contents
            assert word not in before.text
            await good(other, "memory_store_fact", category="decision", fact=f"It is {word}.")
            assert await following() == PROFILE
            (after,) = (await client.read_resource(PROFILE)).contents
            assert word in after.text


@pytest.mark.parametrize("mode", turn(MODES, 1))
async def test_each_resource_is_told_of_when_it_changes(shared_server: Server, mode: str) -> None:
    async with over_http(shared_server) as other:
        _, opened = await good(other, "memory_start_session")
        _, second = await good(other, "memory_start_session")
        full, short = (f"{SESSIONS}/{each['session_id'][:size]}" for each, size in ((opened, 36), (second, 8)))
        uris = (CONTEXT, PROFILE, HYPOTHESES, KNOWLEDGE, full, short)
        async with listening(way(shared_server, "http"), mode, *uris) as (client, following):
            await good(other, "memory_store_fact", category="decision", fact=new_word())
            assert await told(following, 2) == {CONTEXT, PROFILE}
            await good(other, "memory_update_profile", role=new_word())
            assert await told(following, 2) == {CONTEXT, PROFILE}
            await good(other, "memory_add_hypothesis", hypothesis=new_word())
            assert await told(following, 2) == {CONTEXT, HYPOTHESES}
            for session, uri in ((opened, full), (second, short)):
                word = new_word()
                ending = {"one_liner": word, "topics": ["cards"], "outcome": "Found."}
                await good(other, "memory_end_session", **ending, session_id=session["session_id"])
                assert await told(following, 2) == {CONTEXT, uri}
                (content,) = (await client.read_resource(uri)).contents
                assert word in content.text
            await good(other, "memory_flag_important", content=new_word(), flag_reason="a reason")
            assert full in await told(following, 3)  # the number of moments is part of a session


async def test_the_era_without_sessions_is_told_what_is_honored(shared_server: Server) -> None:
    async with (
        over_http(shared_server, "auto") as client,
        client.listen(
            tools_list_changed=True,
            prompts_list_changed=True,
            resources_list_changed=True,
            resource_subscriptions=[PROFILE, "memory://no/such", PROFILE, "x" * 1_000, f"{SESSIONS}/{'x' * 1_000}"],
        ) as events,
    ):
        honored = events.honored.model_dump(exclude_none=True)
        assert honored == {"tools_list_changed": True, "resource_subscriptions": [PROFILE]}


@pytest.mark.parametrize("mode", turn(MODES, 2))
async def test_what_is_not_subscribed_to_is_not_told_of(shared_server: Server, mode: str) -> None:
    async with (
        over_http(shared_server) as other,
        listening(way(shared_server, "http"), mode, HYPOTHESES) as (client, following),
    ):
        await good(other, "memory_store_fact", category="decision", fact=new_word())
        await good(other, "memory_add_hypothesis", hypothesis=new_word())
        assert await following() == HYPOTHESES  # and not: something before it
        if mode == "legacy":
            await client.subscribe_resource(PROFILE)
            await client.unsubscribe_resource(HYPOTHESES)
            await good(other, "memory_add_hypothesis", hypothesis=new_word())
            await good(other, "memory_store_fact", category="decision", fact=new_word())
            assert await following() == PROFILE
            await client.unsubscribe_resource(PROFILE)
            await client.unsubscribe_resource(PROFILE)
            await good(other, "memory_store_fact", category="decision", fact=new_word())
            await client.subscribe_resource(HYPOTHESES)
            await good(other, "memory_add_hypothesis", hypothesis=new_word())
            assert await following() == HYPOTHESES


# What follows looks into the server, which therefore runs in this process.


@pytest.fixture
def inside(home: Path) -> Iterator[Inside]:
    with server_inside(home) as running:
        yield running


def reaching(inside: Inside, secret: str) -> Callable[..., Any]:
    """How a client with that token reaches the server."""

    @asynccontextmanager
    async def opened(mode: str, **more: Any) -> AsyncIterator[Client]:
        headers = {"Authorization": f"Bearer {secret}"}
        async with httpx2.AsyncClient(headers=headers, timeout=SECONDS, trust_env=False) as http:
            transport = streamable_http_client(f"{inside.address}/mcp", http_client=http)
            async with Client(transport, mode=mode, read_timeout_seconds=SECONDS, **more) as client:
                yield client

    return opened


def store(inside: Inside, secret: str, operation: str, **arguments: Any) -> dict[str, Any]:
    with inside.http(secret) as http:
        answered = http.post(f"/api/v1/{operation}", json=arguments)
    assert answered.status_code == 200, answered.text
    return answered.json()


def fact(inside: Inside, secret: str) -> None:
    store(inside, secret, "memory_store_fact", category="decision", fact=new_word())


def hypothesis(inside: Inside, secret: str) -> None:
    store(inside, secret, "memory_add_hypothesis", hypothesis=new_word())


@pytest.fixture(autouse=True)
def begun(monkeypatch: pytest.MonkeyPatch) -> None:
    """Note what the servers of this test keep their subscriptions and streams in."""
    BEGUN.clear()
    for kind in (Subscriptions, OpenStreams):
        begin = kind.__init__

        def begin_noted(self: Any, *given: Any, _begin: Any = begin, **more: Any) -> None:
            _begin(self, *given, **more)
            BEGUN.append(self)

        monkeypatch.setattr(kind, "__init__", begin_noted)


def open_now() -> int:
    """How many subscriptions and streams are open at the servers of this process; -1 before MCP is loaded there.

    The garbage collector is not asked: who holds a tuple that another thread still builds makes that fail.
    """
    return sum(map(len, BEGUN)) if BEGUN else -1


def until(inside: Inside, number: int) -> None:
    """Let the server go on until so much is open; each request is a turn of its loop."""
    with inside.http() as http:
        for _ in range(3_000):
            if open_now() == number:
                return
            http.get("/livez")
    assert open_now() == number


@pytest.mark.parametrize("mode", turn(MODES, 3))
async def test_nobody_is_told_of_another_users_changes(inside: Inside, mode: str) -> None:
    ada, bob = inside.token("ada"), inside.token("bob")
    async with listening(reaching(inside, ada), mode, *EVERYTHING) as (_, following):
        fact(inside, bob)
        session = store(inside, bob, "memory_start_session")["session_id"]
        hypothesis(inside, ada)
        heard: set[str] = set()
        while HYPOTHESES not in heard:
            heard.add(await following())
        assert PROFILE not in heard
        assert f"{SESSIONS}/{session}" not in heard


async def test_many_subscriptions_come_and_go_and_leave_nothing(inside: Inside) -> None:
    ada = inside.token()
    await come_and_go(inside, ada, MODES[0])  # the endpoint, which listens itself, is loaded by its first request
    until(inside, 0)
    before = len(inside.mind.store.events._listeners)
    for mode in MODES:
        for _ in range(often(4, 1)):
            async with anyio.create_task_group() as tasks:
                for _ in range(often(25, 8)):
                    tasks.start_soon(come_and_go, inside, ada, mode)
        until(inside, 0)
    assert len(inside.mind.store.events._listeners) == before


async def come_and_go(inside: Inside, secret: str, mode: str) -> None:
    async with listening(reaching(inside, secret), mode, HYPOTHESES):
        assert open_now()


def raw(inside: Inside, secret: str, method: str, body: bytes = b"", **headers: str) -> socket.socket:
    """A request whose answer is not read, on a connection of its own."""
    named = {
        "Host": f"127.0.0.1:{inside.port}",
        "Authorization": f"Bearer {secret}",
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        **{name.replace("_", "-"): value for name, value in headers.items()},
    }
    head = "\r\n".join([f"{method} /mcp HTTP/1.1", *(f"{name}: {value}" for name, value in named.items()), "", ""])
    opened = socket.create_connection(("127.0.0.1", inside.port), timeout=SECONDS)
    opened.sendall(head.encode() + body)
    return opened


def request(method: str, **params: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode()


LISTEN = request("subscriptions/listen", notifications={"resourceSubscriptions": [PROFILE]}, _meta=ABOUT)
LISTENING = {"Accept": BOTH, "MCP_Protocol_Version": MODERN, "Mcp_Method": "subscriptions/listen"}


def test_a_client_that_breaks_off_leaves_nothing(inside: Inside) -> None:
    sockets = [raw(inside, inside.token(), "POST", LISTEN, **LISTENING) for _ in range(10)]
    until(inside, 30)  # a watch, what ends the watch and what ends the request, of each
    for each in sockets:
        each.close()
    until(inside, 0)


def in_session(http: httpx.Client) -> dict[str, str]:
    """Open a session; the headers of its further requests."""
    about = {"protocolVersion": OLD, "capabilities": {}, "clientInfo": {"name": "plain", "version": "1"}}
    opened = http.post("/mcp", content=request("initialize", **about), headers=JSON | {"Accept": BOTH})
    return JSON | {"Accept": BOTH, "Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": OLD}


def answer(http: httpx.Client, headers: dict[str, str], method: str, **params: Any) -> dict[str, Any]:
    """What a request of a session is answered."""
    text = http.post("/mcp", content=request(method, **params), headers=headers).text
    return json.loads(text.split("data: ", 1)[-1])


def test_a_session_that_is_deleted_takes_its_subscriptions_along(inside: Inside) -> None:
    with inside.http(inside.token()) as http:
        headers = in_session(http)
        assert answer(http, headers, "resources/subscribe", uri=PROFILE)["result"] == {}
        until(inside, 2)
        assert http.delete("/mcp", headers=headers).status_code == 200
        until(inside, 0)


def test_what_changed_before_the_stream_was_opened_is_told_on_it(inside: Inside) -> None:
    ada = inside.token()
    with inside.http(ada) as http:
        headers = in_session(http)
        answer(http, headers, "resources/subscribe", uri=PROFILE)
        fact(inside, ada)
        fact(inside, ada)
        with http.stream("GET", "/mcp", headers=headers) as stream:
            data = next(line for line in stream.iter_lines() if line.startswith("data: "))
        assert json.loads(data[6:])["params"] == {"uri": PROFILE}


def test_subscriptions_of_a_session_are_bounded(inside: Inside) -> None:
    with inside.http(inside.token()) as http:
        headers = in_session(http)
        too_long = answer(http, headers, "resources/subscribe", uri="x" * (LONGEST_URI + 1))
        for number in range(MOST_URIS):
            assert answer(http, headers, "resources/subscribe", uri=f"memory://{number}")["result"] == {}
        too_many = answer(http, headers, "resources/subscribe", uri=PROFILE)
        again = answer(http, headers, "resources/subscribe", uri="memory://0")
    for refused in (too_long, too_many):
        assert refused["error"]["code"] == -32602
        assert str(MOST_URIS) in refused["error"]["message"]
    assert again["result"] == {}


def test_without_a_session_it_is_told_what_is_missing(inside: Inside) -> None:
    for method in ("resources/subscribe", "resources/unsubscribe"):
        error = inside.rpc(inside.token(), method, uri=PROFILE)["error"]
        assert error["code"] == -32600
        assert "initialize" in error["message"]


async def test_the_stream_of_a_revoked_token_ends_and_others_do_not(inside: Inside) -> None:
    person, agent = inside.token(), inside.token(client="agent")
    with inside.http(agent) as http:
        session = in_session(http)
        answer(http, session, "resources/subscribe", uri=PROFILE)
        streams = [raw(inside, agent, "GET", **session), raw(inside, agent, "POST", LISTEN, **LISTENING)]
        until(inside, 6)
        async with listening(reaching(inside, person), "auto", PROFILE) as (_, following):
            until(inside, 9)
            listed = store(inside, person, "token_list")["tokens"]
            [row] = [each for each in listed if each["client"] == "agent"]
            store(inside, person, "token_revoke", token_id=row["token_id"])
            for each in streams:
                assert to_its_end(each).endswith(b"0\r\n\r\n")
            until(inside, 3)
            fact(inside, person)
            assert await following() == PROFILE
        assert http.get("/mcp", headers=session).status_code == 401


def to_its_end(stream: socket.socket) -> bytes:
    """What comes until the answer ends; fails when it does not within a minute."""
    received = b""
    with stream:
        while not received.endswith(b"0\r\n\r\n") and (more := stream.recv(65_536)):
            received += more
    assert received.startswith(b"HTTP/1.1 200")
    return received


def test_the_stream_of_a_token_whose_time_is_over_ends(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "LOOK_SECONDS", 0.1)
    clock = FakeClock()
    with server_inside(home, clock) as inside:
        brief = inside.token(client="brief", lifetime=timedelta(hours=1))
        stream = raw(inside, brief, "POST", LISTEN, **LISTENING)
        until(inside, 3)
        clock.forward(timedelta(hours=2))
        to_its_end(stream)
        until(inside, 0)


@pytest.mark.parametrize("mode", turn(MODES, 4))
async def test_a_server_that_ends_ends_its_streams_in_peace(home: Path, mode: str) -> None:
    with running_server(home) as server:
        async with over_http(server, mode) as client:
            if mode == "legacy":
                await client.subscribe_resource(PROFILE)
                server.process.terminate()
            else:
                async with client.listen(resource_subscriptions=[PROFILE]) as events:
                    server.process.terminate()
                    assert [event async for event in events] == []
        assert server.process.wait(SECONDS) == 0
