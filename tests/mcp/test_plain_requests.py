"""What is answered past the SDK is answered as the SDK answers it: the same status, headers and bytes."""

import json
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp_types.version import HANDSHAKE_PROTOCOL_VERSIONS, LATEST_HANDSHAKE_VERSION, MODERN_PROTOCOL_VERSIONS

from bigmind.core.operation import Effect
from bigmind.core.toolsets import UNLESS_CHOSEN
from bigmind.http.asgi import Message, Scope
from bigmind.mcp import plain_messages
from bigmind.mcp.bridge_messages import NO_BATCH
from bigmind.mcp.endpoint import McpEndpoint
from bigmind.mcp.plain_messages import plain_request
from bigmind.mcp.requested_tools import wishes_in
from bigmind.mcp.sessions import Sessions
from bigmind.mcp.tool_calls import Tools
from bigmind.memory.facts.answers import FactList
from bigmind.operations.catalogue import Catalogue, operation
from bigmind.operations.dispatch import Dispatcher
from bigmind.store.work import Work
from tests.conformance.rpc import BOTH, MODERN
from tests.memory.living import Memory, living

KEYS = "io.modelcontextprotocol/"
JSON = "application/json"
CLIENT = {"name": "plain", "version": "1"}
FACTS = {"name": "memory_list_facts", "arguments": {}}
STORE = {"name": "memory_store_fact", "arguments": {"category": "rule", "fact": 'Ünï 🦊 "q" \u2028 </b> \x7f'}}
HUGE = 10**400


@dataclass(frozen=True)
class Case:
    """A request: its body, its headers beside the usual ones, and the query of its address."""

    body: Any
    headers: tuple[tuple[str, str], ...] = ()
    query: str = "structured=1"
    content_type: str = JSON
    accept: str | None = JSON

    def scope(self, memory: Memory) -> Scope:
        named = [("content-type", self.content_type), *self.headers]
        named += [] if self.accept is None else [("accept", self.accept)]
        return {
            "type": "http",
            "http_version": "1.1",
            "method": "POST",
            "path": "/mcp",
            "raw_path": b"/mcp",
            "root_path": "",
            "query_string": self.query.encode(),
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in named],
            "state": {"caller": memory.caller, "is_allowed": lambda: True},
        }

    def bytes(self) -> bytes:
        return self.body if isinstance(self.body, bytes) else json.dumps(self.body).encode()


def message(method: str, params: Any = None, number: Any = 7, **more: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": number, "method": method, **({} if params is None else {"params": params}), **more}


def initialize(version: str = "2025-11-25", **more: Any) -> dict[str, Any]:
    return message("initialize", {"protocolVersion": version, "capabilities": {}, "clientInfo": CLIENT, **more})


def of_version(version: str) -> tuple[tuple[str, str], ...]:
    return (("mcp-protocol-version", version),)


def modern(method: str, params: dict[str, Any], *headers: tuple[str, str], **about: Any) -> Case:
    """A request of 2026-07-28, with all that it has to say of itself; `about` is said otherwise."""
    meta = {f"{KEYS}protocolVersion": MODERN, f"{KEYS}clientInfo": CLIENT, f"{KEYS}clientCapabilities": {}, **about}
    named = [("mcp-name", params["name"])] if "name" in params else []
    default = [*of_version(MODERN), ("mcp-method", method), *named]
    return Case(message(method, {**params, "_meta": meta}), tuple(headers or default))


def key(value: str) -> tuple[tuple[str, str], ...]:
    return (("idempotency-key", value),)


PLAIN = {
    "ping": Case(message("ping")),
    "ping of a version": Case(message("ping", {}), of_version("2025-06-18")),
    "id of words": Case(message("ping", number='sev\u00e9n "quoted" \u2028')),
    "id of no letters": Case(message("ping", number="")),
    "huge id": Case(message("ping", number=HUGE)),
    "negative id": Case(message("ping", number=-1)),
    "nothing asked of the answer": Case(message("ping"), accept="*/*"),
    "any application": Case(message("ping"), accept="text/html, application/*;q=0.5"),
    "json, by its name in capitals": Case(message("ping"), accept="Application/JSON; q=1"),
    "also an event stream": Case(message("tools/call", FACTS), accept=BOTH),
    "a charset": Case(message("ping"), content_type="application/json; charset=utf-8"),
    "a progress token": Case(message("tools/call", {**FACTS, "_meta": {"progressToken": 3, "claudecode/id": [1]}})),
    "a session that is long over": Case(message("tools/call", FACTS), (("mcp-session-id", "f" * 32),)),
    "initialize": Case(initialize()),
    "initialize by a client of the future": Case(initialize("2099-01-01")),
    "initialize with what the client can": Case(
        initialize(
            capabilities={"roots": {"listChanged": True}, "sampling": {}, "elicitation": {"form": {}}},
            clientInfo={**CLIENT, "title": "Plain", "websiteUrl": "https://example.org", "description": "It."},
        )
    ),
    "initialized": Case({"jsonrpc": "2.0", "method": "notifications/initialized"}),
    "tools": Case(message("tools/list")),
    "all tools": Case(message("tools/list", {}), query="toolsets=all"),
    "call": Case(message("tools/call", FACTS)),
    "call for words alone": Case(message("tools/call", FACTS), query=""),
    "call without arguments": Case(message("tools/call", {"name": "memory_list_facts"})),
    "store": Case(message("tools/call", STORE), key("store")),
    "start, in no place that is known": Case(
        message("tools/call", {"name": "memory_start_session", "arguments": {"topics": ["pumps"]}}), key("start")
    ),
    "unknown tool": Case(message("tools/call", {"name": "memory_list_fact"})),
    "a field that there is not": Case(message("tools/call", {**FACTS, "arguments": {"wide": [1.5, None, "x"]}})),
    "wrong types": Case(message("tools/call", {**FACTS, "arguments": {"limit": "many", "category": 7}})),
    "a key that is too long": Case(message("tools/call", STORE), key("k" * 100)),
    "numbers beyond": Case(b'{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"memory_list_facts",'
                           b'"arguments":{"limit":1e999,"first":-0,"more":NaN}}}'),
    "a name said twice": Case(b'{"jsonrpc":"2.0","id":7,"id":8,"method":"tools/list","method":"ping"}'),
    "modern tools": modern("tools/list", {}),
    "modern call": modern("tools/call", FACTS),
    "modern store": replace(
        modern("tools/call", STORE),
        headers=(*modern("tools/call", STORE).headers, *key("modern")),
    ),
    "modern call for words alone": replace(modern("tools/call", FACTS), query=""),
    "modern call of an unknown tool": modern("tools/call", {"name": "nix"}),
    "modern wrong types": modern("tools/call", {**FACTS, "arguments": {"limit": "many"}}),
    "modern, with a token for progress": modern("tools/call", FACTS, progressToken="x"),
    "modern, by a client that says little": modern(
        "tools/call", FACTS, **{f"{KEYS}clientInfo": {"name": "", "version": ""}}
    ),
    "modern, huge": replace(modern("tools/call", FACTS), body={**modern("tools/call", FACTS).body, "id": HUGE}),
}  # fmt: skip
"""Those that are answered past the SDK."""

FOR_SDK = {
    "no JSON": Case(b'{"jsonrpc": "2.0", '),
    "nothing": Case(b""),
    "no UTF-8": Case(b'{"jsonrpc":"2.0","id":"\xff","method":"ping"}'),
    "a word": Case("ping"),
    "another protocol": Case({**message("ping"), "jsonrpc": "1.0"}),
    "no protocol": Case({"id": 7, "method": "ping"}),
    "no method": Case({"jsonrpc": "2.0", "id": 7}),
    "method of a number": Case(message("ping") | {"method": 7}),
    "unknown method": Case(message("tools/cull")),
    "another method": Case(message("resources/list")),
    "a method of the other era": Case(message("server/discover")),
    "more than a request has": Case(message("ping", result={})),
    "null params": Case(message("ping") | {"params": None}),
    "params of a list": Case(message("ping", [1])),
    "meta of a list": Case(message("ping", {"_meta": []})),
    "progress token of a fraction": Case(message("tools/call", {**FACTS, "_meta": {"progressToken": 1.5}})),
    "no name": Case(message("tools/call", {"arguments": {}})),
    "name of a number": Case(message("tools/call", {"name": 7})),
    "arguments of a list": Case(message("tools/call", {**FACTS, "arguments": [1]})),
    "null arguments": Case(message("tools/call", {**FACTS, "arguments": None})),
    "as a task": Case(message("tools/call", {**FACTS, "task": {"ttl": 1}})),
    "a page": Case(message("tools/list", {"cursor": "2"})),
    "initialize without a client": Case(message("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})),
    "initialize without a version": Case(initialize() | {"params": {"capabilities": {}, "clientInfo": CLIENT}}),
    "initialize with capabilities of a list": Case(initialize(capabilities=[])),
    "initialize with odd roots": Case(initialize(capabilities={"roots": {"listChanged": "perhaps"}})),
    "initialize with what nobody knows": Case(initialize(capabilities={"telepathy": {}, "sampling": {"tools": 7}})),
    "initialize with a picture": Case(initialize(clientInfo={**CLIENT, "icons": [{"src": "https://example.org/i"}]})),
    "a notification": Case({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 7}}),
    "a broken notification": Case({"jsonrpc": "2.0", "method": "notifications/initialized", "params": 7}),
    "an answer": Case({"jsonrpc": "2.0", "id": 7, "result": {}}),
    "an error": Case({"jsonrpc": "2.0", "id": 7, "error": {"code": 1, "message": "x"}}),
    "nothing that the client takes": Case(message("ping"), accept="text/html"),
    "text": Case(message("ping"), content_type="text/plain"),
    "no content type": Case(message("ping"), content_type=""),
    "two content types": Case(message("ping"), (("content-type", "text/plain"),)),
    "json in capitals": Case(message("ping"), content_type="Application/JSON"),
    "an unknown version": Case(message("ping"), of_version("1999-01-01")),
    "two versions": Case(message("ping"), (*of_version("2025-11-25"), *of_version(MODERN))),
    "the modern version, without its envelope": Case(message("tools/list"), of_version(MODERN)),
    "an envelope without its version": Case(modern("tools/call", FACTS).body),
    "modern, no JSON": replace(modern("tools/list", {}), body=b"{"),
    "modern, a number that nobody can read": replace(
        modern("tools/list", {}), body=json.dumps(modern("tools/list", {}).body).encode() + b" 1"
    ),
    "modern ping": modern("ping", {}),
    "modern discovery": modern("server/discover", {}),
    "modern initialize": modern("initialize", initialize()["params"]),
    "modern notification": replace(modern("x", {}), body={"jsonrpc": "2.0", "method": "notifications/initialized"}),
    "modern, no method in a header": modern("tools/list", {}, *of_version(MODERN)),
    "modern, another method": modern("tools/list", {}, *of_version(MODERN), ("mcp-method", "ping")),
    "modern, two methods": modern("tools/list", {}, *of_version(MODERN), *[("mcp-method", "tools/list")] * 2),
    "modern, no name": modern("tools/call", FACTS, *of_version(MODERN), ("mcp-method", "tools/call")),
    "modern, another name": modern(
        "tools/call", FACTS, *of_version(MODERN), ("mcp-method", "tools/call"), ("mcp-name", "other")
    ),
    "modern, a name in base64": modern(
        "tools/call", FACTS, *of_version(MODERN), ("mcp-method", "tools/call"),
        ("mcp-name", "=?base64?bWVtb3J5X2xpc3RfZmFjdHM=?="),
    ),
    "modern, a parameter in a header": modern(
        "tools/call", FACTS, *modern("tools/call", FACTS).headers, ("mcp-param-limit", "3")
    ),
    "modern, another version within": modern("tools/call", FACTS, **{f"{KEYS}protocolVersion": "2025-11-25"}),
    "modern, capabilities of a word": modern("tools/call", FACTS, **{f"{KEYS}clientCapabilities": "all"}),
    "modern, a client of a number": modern("tools/call", FACTS, **{f"{KEYS}clientInfo": 7}),
    "modern, a client without a version": modern("tools/call", FACTS, **{f"{KEYS}clientInfo": {"name": "x"}}),
    "modern, null client": modern("tools/call", FACTS, **{f"{KEYS}clientInfo": None}),
    "modern, with a level of the log": modern("tools/call", FACTS, **{f"{KEYS}logLevel": "loud"}),
    "modern, token of a list": modern("tools/call", FACTS, progressToken=[1]),
    "modern, arguments of a list": modern("tools/call", {**FACTS, "arguments": [1]}),
    "modern, null arguments": modern("tools/call", {**FACTS, "arguments": None}),
    "modern, no name within": modern("tools/call", {"arguments": {}}),
}  # fmt: skip
"""Those that the SDK judges: most are wrong, some only rare."""

WRONG_IDS = {
    "null id": Case(message("ping", number=None)),
    "id of a fraction": Case(message("ping", number=1.5)),
    "id that is true": Case(message("ping", number=True)),
    "id that is a list": Case(message("ping", number=[1])),
    "id that is an object": Case(message("ping", number={})),
    "id with an exponent": Case(b'{"jsonrpc":"2.0","id":1e2,"method":"ping"}'),
    "id with a point": Case(b'{"jsonrpc":"2.0","id":2.0,"method":"ping"}'),
    "call": Case(message("tools/call", STORE, number=None)),
    "call that takes a stream": Case(message("tools/call", STORE, number=1.5), accept=BOTH),
    "initialize": Case(initialize() | {"id": None}, accept=BOTH),
    "notification": Case(message("notifications/initialized", number=None)),
    "modern": replace(modern("tools/call", STORE), body=modern("tools/call", STORE).body | {"id": 1.5}, accept=BOTH),
}
"""Requests that the SDK takes for notifications: 202, and nothing is done."""


@operation("Fail", Effect.READ, toolset="memory")
def fail_in_words(work: Work) -> FactList:
    """Fails as nobody expected."""
    raise LookupError(f"nobody expected \u201cthis\u201d: {work.operation}")


@operation("Fail by a model", Effect.READ, toolset="memory")
def fail_by_a_model(work: Work) -> FactList:
    """Fails as a model does that does not take what it is given."""
    return FactList.model_validate({"facts": work.operation})


@pytest.fixture(scope="module")
def memory(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    home: Path = tmp_path_factory.mktemp("plain") / "home"
    with living(home, is_copy=True) as opened:
        opened("memory_store_fact", category="rule", fact="Doors <are> shut, \u201calways\u201d 🦊.")
        yield opened


class Ways:
    """The endpoint, and the SDK alone, over the same memory."""

    def __init__(self, memory: Memory, dispatcher: Dispatcher) -> None:
        self._memory = memory
        self._endpoint = McpEndpoint(dispatcher)
        self._alone = Sessions(dispatcher, Tools(dispatcher))

    @asynccontextmanager
    async def run(self) -> AsyncIterator["Ways"]:
        async with self._endpoint.run(), self._alone.run():
            yield self

    async def both(self, case: Case) -> tuple[list[Message], list[Message]]:
        """What the two ways send."""
        sent: tuple[list[Message], list[Message]] = ([], [])
        for messages, way in zip(sent, (self._endpoint, self._by_sdk), strict=True):

            async def send(sent: Message, messages: list[Message] = messages) -> None:
                messages.append({"headers": [], **sent})

            async def receive() -> Message:
                return {"type": "http.request", "body": case.bytes(), "more_body": False}

            await way(case.scope(self._memory), receive, send)
        return sent

    async def _by_sdk(self, scope: Scope, receive: Any, send: Any) -> None:
        """What the endpoint does with what it does not answer itself."""
        wishes, caller = wishes_in(scope), self._memory.caller
        offer = self._memory.mind.store.tools.names(wishes.toolsets or UNLESS_CHOSEN, frozenset())
        scope["state"] |= {"wishes": wishes, "caller": replace(caller, offer=offer)}
        await self._alone.answer_alone(scope, receive, send)


def both_ways(memory: Memory, cases: dict[str, Case], dispatcher: Dispatcher | None = None) -> dict[str, Any]:
    """What the two ways send to each request."""

    async def asked() -> dict[str, Any]:
        async with Ways(memory, dispatcher or memory.mind.dispatcher).run() as ways:
            return {name: await ways.both(case) for name, case in cases.items()}

    return anyio.run(asked)


def is_plain(memory: Memory, case: Case) -> bool:
    return plain_request(case.scope(memory), case.bytes()) is not None


def test_every_plain_request_is_answered_past_the_sdk_and_no_other(memory: Memory) -> None:
    assert [name for name, case in PLAIN.items() if not is_plain(memory, case)] == []
    assert [name for name, case in FOR_SDK.items() if is_plain(memory, case)] == []


def test_what_is_answered_past_the_sdk_is_what_the_sdk_answers(memory: Memory) -> None:
    for name, (here, there) in both_ways(memory, PLAIN).items():
        assert here == there, name
        assert here[0]["status"] in {200, 202}, (name, here)


def test_what_the_sdk_judges_reaches_it_whole(memory: Memory) -> None:
    answers = both_ways(memory, FOR_SDK)
    for name, (here, there) in answers.items():
        assert here == there, name
    statuses = {here[0]["status"] for here, _ in answers.values()}
    assert {200, 202, 400, 404, 406} <= statuses


def test_a_call_of_a_wrong_form_is_told_what_would_be_right(memory: Memory) -> None:
    coded = json.dumps({"limit": 1})
    cases = {
        "a string": Case(message("tools/call", {**FACTS, "arguments": coded})),
        "modern, a string": modern("tools/call", {**FACTS, "arguments": coded}),
        "a list": Case(message("tools/call", {**FACTS, "arguments": [1]})),
        "no name": Case(message("tools/call", {"arguments": {}})),
    }
    expected = {
        **dict.fromkeys(("a string", "modern, a string"), 'as {"query": "…"}; a string was sent.'),
        "a list": 'arguments must be an object, as {"query": "…"}; [1] was sent.',
        "no name": 'name must be the name of a tool, as "memory_semantic_search"; nothing was sent.',
    }
    for name, ((_, body), _) in both_ways(memory, cases).items():
        error = json.loads(body["body"])["error"]
        assert error["code"] == -32602, name
        assert error["message"].endswith(expected[name]), error


def test_an_id_that_is_none_is_refused_in_words(memory: Memory) -> None:
    assert [name for name, case in WRONG_IDS.items() if is_plain(memory, case)] == []
    for name, ((start, body), _) in both_ways(memory, WRONG_IDS).items():
        assert start["status"] == 400, name
        error = {"code": -32600, "message": "The id of a request is a string or an integer."}
        assert json.loads(body["body"]) == {"jsonrpc": "2.0", "id": None, "error": error}


def test_a_batch_is_refused_in_words(memory: Memory) -> None:
    whole = modern("tools/list", {})
    cases = {"two": Case([message("ping")] * 2), "none": Case([]), "modern": replace(whole, body=[whole.body])}
    assert [name for name, case in cases.items() if is_plain(memory, case)] == []
    for name, ((start, body), _) in both_ways(memory, cases).items():
        assert start["status"] == 400, name
        assert json.loads(body["body"])["error"] == {"code": -32600, "message": NO_BATCH}


def test_what_nobody_expected_is_told_as_the_sdk_tells_it(memory: Memory, caplog: pytest.LogCaptureFixture) -> None:
    dispatcher = Dispatcher(Catalogue([fail_in_words, fail_by_a_model]), memory.mind.store)
    names = ("fail_in_words", "fail_by_a_model")
    cases = {f"{name}, plain": Case(message("tools/call", {"name": name})) for name in names}
    cases |= {f"{name}, modern": modern("tools/call", {"name": name}) for name in names}
    answers = both_ways(memory, cases, dispatcher)
    assert all(here == there for here, there in answers.values()), answers
    assert {here[0]["status"] for here, _ in answers.values()} == {200, 400}
    assert b"nobody expected" in answers["fail_in_words, plain"][0][1]["body"]
    assert b"nobody expected" not in answers["fail_in_words, modern"][0][1]["body"]
    assert "nobody expected" in caplog.text


def test_the_versions_are_those_of_the_sdk() -> None:
    assert {*HANDSHAKE_PROTOCOL_VERSIONS} == plain_messages.HANDSHAKES
    assert (plain_messages.LATEST_HANDSHAKE, (plain_messages.MODERN,)) == (
        LATEST_HANDSHAKE_VERSION,
        MODERN_PROTOCOL_VERSIONS,
    )
