"""The scope of a token: on every surface it keeps out what it does not allow; one that cannot be read, everything."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from sqlalchemy import text

from bigmind.core.operation import Effect, Operation, Surface, TokenScope
from bigmind.core.toolsets import DEFAULT_TOOLS, GATE_TOOLS, Toolset
from bigmind.mcp.addresses import HANDOFF, SKILLS, TOLD_BY, told_by
from bigmind.operations.token_scope import (
    COUNTS_READS,
    IN_EVERY_SCOPE,
    KEEPS_NOTHING,
    REACHES,
    allows,
    as_json,
    limited,
    scope_in,
    tells_of,
)
from bigmind.people.service import NOBODY
from bigmind.people.token_format import TokenKind, digest
from bigmind.wiring import catalogue
from tests.http.good import GOOD, Owned, make_all, own_things
from tests.http.inside import FakeClock, Inside, server_inside

pytestmark = pytest.mark.xdist_group("token-scope")

READ_ONLY = TokenScope(read_only=True)
CHOSEN = [each for each in Toolset if each is not Toolset.ALL]
OTHERS = ["thought", "work_item", "protocol_run"]
MODERN = "2026-07-28"
HELLO = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
STREAMS = {"Accept": "application/json, text/event-stream"}
KEY = "io.modelcontextprotocol/"
ABOUT = {f"{KEY}protocolVersion": MODERN, f"{KEY}clientCapabilities": {}}


@pytest.fixture(scope="module")
def inside(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Inside]:
    with server_inside(tmp_path_factory.mktemp("scope") / "BigMind", FakeClock()) as started:
        yield started


@pytest.fixture(scope="module")
def ids(inside: Inside) -> Owned:
    owned = own_things(inside, "ada")
    make_all(owned)
    return owned


def scoped(inside: Inside, scope: TokenScope, client: str = "scoped") -> str:
    return inside.token(kind=TokenKind.CLIENT, client=client, scope=scope)


def of_toolset(toolset: Toolset, operation: Operation) -> bool:
    """Whether it belongs to a toolset, as the documentation says."""
    if operation.name in IN_EVERY_SCOPE:
        return True
    if operation.toolset == "hooks":
        return toolset in {Toolset.MEMORY, Toolset.DEFAULT}
    if operation.name in GATE_TOOLS and toolset in {Toolset.WORK, Toolset.MINDSPACE}:
        return True
    if operation.name in REACHES:
        return False
    return operation.name in DEFAULT_TOOLS if toolset is Toolset.DEFAULT else operation.toolset == toolset


def modern_call(inside: Inside, secret: str, name: str, arguments: dict[str, Any]) -> dict[str, Any]:
    headers = {
        "MCP-Protocol-Version": MODERN,
        "Mcp-Method": "tools/call",
        "Mcp-Name": name,
        "Accept": "application/json, text/event-stream",
    }
    params = {"name": name, "arguments": arguments, "_meta": ABOUT}
    with inside.http(secret, headers=headers) as http:
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        answered = http.post("/mcp?structured=1", json=message)
    return answered.json()["result"]


def refused_tool(result: dict[str, Any]) -> bool:
    return result["isError"] and result["structuredContent"]["error"]["code"] == "forbidden"


def tool_names(inside: Inside, secret: str, query: str = "") -> set[str]:
    with inside.http(secret) as http:
        answered = http.post(f"/mcp{query}", json={"jsonrpc": "2.0", "id": 1, "method": "tools/list"})
    return {each["name"] for each in answered.json()["result"]["tools"]}


def test_a_token_that_only_reads_is_refused_every_write_over_http(inside: Inside, ids: Owned) -> None:
    secret = scoped(inside, READ_ONLY)
    before = inside.everything()
    with inside.http(secret) as http:
        for each in catalogue():
            if each.effect is Effect.READ or each.name in COUNTS_READS | KEEPS_NOTHING:
                continue
            answered = http.post(f"/api/v1/{each.name}", json=GOOD[each.name](ids))
            assert (answered.status_code, answered.json()["code"]) == (403, "forbidden"), each.name
    assert inside.everything() == before


def test_what_hooks_ask_is_answered_with_it_and_keeps_nothing(inside: Inside, ids: Owned) -> None:
    secret = scoped(inside, READ_ONLY)
    before = inside.everything()
    with inside.http(secret) as http:
        for name in sorted(KEEPS_NOTHING):
            answered = http.post(f"/api/v1/{name}", json={**GOOD[name](ids), "conversation": f"new of {name}"})
            assert answered.status_code == 200, (name, answered.text)
        begun = http.post("/api/v1/hook_session_start", json={"conversation": "mine"}).json()
    assert "what is known is loaded already" in begun["context"]
    assert "memory_start_session" not in begun["context"]
    assert begun["given_at"] is None
    assert inside.everything() == before


@pytest.mark.parametrize("is_modern", [False, True])
def test_a_token_that_only_reads_is_refused_every_tool_that_writes(inside: Inside, ids: Owned, is_modern: bool) -> None:
    secret = scoped(inside, READ_ONLY)
    before = inside.everything()
    for each in catalogue().on(Surface.MCP):
        if each.effect is Effect.READ or each.name in COUNTS_READS:
            continue
        arguments = GOOD[each.name](ids)
        if is_modern:
            result = modern_call(inside, secret, each.name, arguments)
        else:
            result = inside.rpc(secret, "tools/call", name=each.name, arguments=arguments)["result"]
        assert refused_tool(result), each.name
    assert inside.everything() == before


@pytest.mark.usefixtures("ids")
def test_it_is_listed_what_it_may_use_and_told_of_nothing_else(inside: Inside) -> None:
    secret = scoped(inside, READ_ONLY)
    may = {each.name for each in catalogue().on(Surface.MCP) if each.effect is Effect.READ} | COUNTS_READS
    assert tool_names(inside, secret, "?toolsets=all") == may
    rules = inside.rpc(secret, "initialize", **HELLO)["result"]["instructions"]
    context = inside.rpc(secret, "tools/call", name="memory_get_context", arguments={})["result"]["content"][0]["text"]
    guide = inside.rpc(secret, "tools/call", name="memory_get_instructions", arguments={})["result"]["content"][0]
    others = {each.name for each in catalogue().on(Surface.MCP)} - may
    assert [each for each in others if each in rules + context + guide["text"]] == []
    assert "memory_get_context" in rules
    assert rules.endswith("The scope of your token: only reading.")


@pytest.mark.parametrize("toolset", CHOSEN)
def test_a_toolset_keeps_out_what_is_of_others(inside: Inside, ids: Owned, toolset: Toolset) -> None:
    secret = scoped(inside, TokenScope((toolset,)))
    before = inside.everything()
    with inside.http(secret) as http:
        for each in catalogue():
            is_within = of_toolset(toolset, each) and not each.people_only
            answered = http.post(
                f"/api/v1/{each.name}", json={"no": "such field"} if is_within else GOOD[each.name](ids)
            )
            assert (answered.status_code == 403) is not is_within, (each.name, answered.text)
            if each.surfaces >= {Surface.MCP} and not is_within:
                called = inside.rpc(secret, "tools/call", name=each.name, arguments=GOOD[each.name](ids))["result"]
                assert refused_tool(called), each.name
                assert f"scope of this token: {toolset}" in called["content"][0]["text"]
    assert inside.everything() == before
    listed = tool_names(inside, secret)
    assert listed == tool_names(inside, secret, "?toolsets=all")
    assert listed == {each.name for each in catalogue().on(Surface.MCP) if of_toolset(toolset, each)}


@pytest.mark.usefixtures("ids")
@pytest.mark.parametrize("toolset", CHOSEN)
def test_resources_prompts_and_completions_are_within_it(inside: Inside, toolset: Toolset) -> None:
    secret, operations = scoped(inside, TokenScope((toolset,))), {each.name: each for each in catalogue()}
    for address, name in TOLD_BY.items():
        uri = f"{address}/x" if address == SKILLS else address
        is_within = of_toolset(toolset, operations[name])
        answered = inside.rpc(secret, "resources/read", uri=uri)
        is_refused = "scope of this token" in answered.get("error", {}).get("message", "")
        assert is_refused is not is_within, (uri, answered)
        ref = {"type": "ref/resource", "uri": f"{address}/{{id}}"}
        told = inside.rpc(secret, "completion/complete", ref=ref, argument={"name": "id", "value": ""})
        if is_within and address not in {HANDOFF, SKILLS}:
            assert "scope of this token" not in str(told) or toolset is not Toolset.MEMORY
    listed = inside.rpc(secret, "resources/list")["result"]["resources"]
    templates = inside.rpc(secret, "resources/templates/list")["result"]["resourceTemplates"]
    for uri in [*(each["uri"] for each in listed), *(each["uriTemplate"] for each in templates)]:
        assert of_toolset(toolset, operations[told_by(uri)]), uri
    knows = of_toolset(toolset, operations["memory_get_context"])
    for each in inside.rpc(secret, "prompts/list")["result"]["prompts"]:
        given = {"topic": "door"} if each["name"] == "bigmind_recall" else {}
        got = inside.rpc(secret, "prompts/get", name=each["name"], arguments=given)
        assert ("door" in str(got)) <= (knows or bool(given) or each["name"] == "work_begin"), each["name"]
    topics = {"ref": {"type": "ref/prompt", "name": "bigmind_recall"}, "argument": {"name": "topic", "value": ""}}
    assert ("scope of this token" in str(inside.rpc(secret, "completion/complete", **topics))) is not knows


def test_a_session_subscribes_to_what_it_may_read_alone(inside: Inside) -> None:
    with inside.http(scoped(inside, TokenScope((Toolset.BRAIN,))), headers=STREAMS) as http:
        opened = http.post("/mcp", json={"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO})
        session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": "2025-11-25"}
        for uri, is_within in (("brain://domains", True), ("memory://context", False), ("work://tasks/x", False)):
            message = {"jsonrpc": "2.0", "id": 2, "method": "resources/subscribe", "params": {"uri": uri}}
            answered = http.post("/mcp", json=message, headers=session)
            assert ("scope of this token" not in answered.text) is is_within, answered.text
    with inside.http(inside.token(kind=TokenKind.CLIENT, client="other"), headers=STREAMS) as other:
        assert other.post("/mcp", json=message, headers=session).status_code == 404, "a session is its token's own"


def test_what_is_listened_to_is_what_it_may_read(inside: Inside) -> None:
    wanted = ["memory://context", "memory://sessions", "brain://domains", "work://tasks", "session://state"]
    params = {"notifications": {"resourceSubscriptions": wanted}, "_meta": ABOUT}
    message = {"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": params}
    headers = {**STREAMS, "MCP-Protocol-Version": MODERN, "Mcp-Method": "subscriptions/listen"}
    with (
        inside.http(scoped(inside, TokenScope((Toolset.BRAIN,)))) as http,
        http.stream("POST", "/mcp", json=message, headers=headers) as stream,
    ):
        first = next(line for line in stream.iter_lines() if line.startswith("data:"))
    told = json.loads(first.removeprefix("data:"))["params"]["notifications"]
    assert told["resourceSubscriptions"] == ["brain://domains"]


def test_what_names_no_operation_is_read_by_no_scoped_token(inside: Inside) -> None:
    caller = inside.caller(scoped(inside, READ_ONLY))
    assert not inside.mind.dispatcher.may_read(caller, "anything else")
    assert inside.mind.dispatcher.may_read(inside.caller(inside.token(kind=TokenKind.CLIENT)), "anything else")


@pytest.mark.usefixtures("ids")
def test_search_and_context_tell_of_its_toolsets_alone(inside: Inside) -> None:
    secret = scoped(inside, TokenScope((Toolset.MEMORY,)))
    with inside.http(secret) as http:
        found = http.post("/api/v1/memory_semantic_search", json={"query": "door", "limit": 50}).json()
        refused = http.post("/api/v1/memory_semantic_search", json={"query": "door", "kinds": OTHERS})
        context = http.post("/api/v1/memory_get_context", json={}).json()["context"]
    assert {each["kind"] for each in found["hits"]} <= {
        "session",
        "chunk",
        "fact",
        "hypothesis",
        "knowledge",
        "profile",
    }
    assert found["hits"]
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert "### 🧭" not in context, "thoughts are the brain's"
    assert "### 🛠️" not in context
    with inside.http(inside.token(kind=TokenKind.CLIENT, client="free")) as http:
        assert "### 🧭" in http.post("/api/v1/memory_get_context", json={}).json()["context"]
        all_of_it = http.post("/api/v1/memory_semantic_search", json={"query": "door", "limit": 50}).json()
    assert {*OTHERS} & {each["kind"] for each in all_of_it["hits"]}


@pytest.mark.parametrize(
    "stored",
    [
        "nonsense",
        " ",
        "null",
        "{}",
        "[]",
        '"memory"',
        '{"toolsets": []}',
        '{"toolsets": ["all"]}',
        '{"toolsets": ["telepathy"]}',
        '{"toolsets": ["memory"], "rooms": ["attic"]}',
        '{"toolsets": "memory"}',
        '{"toolsets": [1]}',
        '{"read_only": false}',
        '{"read_only": 1}',
        '{"read_only": "yes"}',
        '{"work_roles": []}',
        '{"work_roles": [""]}',
        "[" * 5_000,
    ],
)
def test_a_scope_that_cannot_be_read_allows_nothing(stored: str) -> None:
    scope = scope_in(stored)
    assert scope is not None
    assert scope.fault
    assert not any(allows(scope, each) for each in catalogue())
    assert not tells_of(scope, {"memory", "brain", "work", "mindspace", "protocol"})
    assert scope.roles_among(("dev", "qa")) == ()
    assert scope.in_words().startswith("nothing, for it cannot be read")


@pytest.mark.usefixtures("ids")
def test_such_a_token_says_so(inside: Inside) -> None:
    secret = scoped(inside, READ_ONLY, "broken")
    with inside.mind.store.write(NOBODY, "test") as work:
        change = text("UPDATE token SET scope = :scope WHERE digest = :digest")
        work.session.execute(change, {"scope": '{"toolsets": ["telepathy"]}', "digest": digest(secret)})
    with inside.http(inside.token()) as person:  # makes the tokens be read anew
        listed = person.post("/api/v1/token_list", json={}).json()["tokens"]
    [row] = [each for each in listed if each["client"] == "broken"]
    assert "telepathy" in row["scope"]["in_words"]
    assert tool_names(inside, secret, "?toolsets=all") == set()
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    assert (
        "The scope of your token: nothing, for it"
        in inside.rpc(secret, "initialize", **hello)["result"]["instructions"]
    )
    with inside.http(secret) as http:
        answered = http.post("/api/v1/memory_get_stats", json={})
    assert answered.status_code == 403
    assert "telepathy" in answered.json()["title"]
    assert "token create" in answered.json()["hint"]


@pytest.mark.parametrize(
    "scope",
    [
        READ_ONLY,
        TokenScope((Toolset.MEMORY, Toolset.BRAIN)),
        TokenScope((Toolset.WORK,), read_only=True, work_roles=("dev", "qa")),
    ],
)
def test_what_is_stored_is_read_again(scope: TokenScope) -> None:
    assert scope_in(as_json(scope)) == scope


def test_no_limit_is_no_scope() -> None:
    assert scope_in("") is None
    assert limited((), (), read_only=False) is None
    assert limited((Toolset.ALL, Toolset.BRAIN), (), read_only=False) is None
    assert limited((Toolset.ALL,), (), read_only=True) == READ_ONLY


def test_the_operations_that_it_names_are_there() -> None:
    known = {each.name: each for each in catalogue()}
    assert COUNTS_READS | KEEPS_NOTHING | IN_EVERY_SCOPE | REACHES.keys() | {*TOLD_BY.values()} <= known.keys()
    assert all(known[each].is_harmless for each in COUNTS_READS)
    assert all(known[each].effect is Effect.READ for each in IN_EVERY_SCOPE)


MAKING = [
    ("token_create", {"client": "ci"}),
    ("user_token", {"username": "zoe"}),
    ("user_add", {"username": "yan"}),
]


@pytest.mark.usefixtures("ids")
@pytest.mark.parametrize(("name", "given"), MAKING)
def test_it_is_chosen_when_a_token_is_made(inside: Inside, name: str, given: dict[str, Any]) -> None:
    limit = {"toolsets": "memory, Brain", "read_only": True, "work_roles": ["dev", "qa"]}
    with inside.http(inside.token()) as person:
        made = person.post(f"/api/v1/{name}", json={**given, **limit}).json()
    assert made["scope"] == {
        "toolsets": ["memory", "brain"],
        "read_only": True,
        "work_roles": ["dev", "qa"],
        "in_words": "memory, brain; only reading; as dev or qa at work",
    }
    expected = TokenScope((Toolset.MEMORY, Toolset.BRAIN), read_only=True, work_roles=("dev", "qa"))
    assert inside.caller(made["token"]).scope == expected


@pytest.mark.parametrize(
    ("limit", "right"),
    [
        ({"toolsets": "memory,telepathy"}, "there are default, memory, brain"),
        ({"toolsets": []}, "at least 1"),
        ({"work_roles": ["dev", "wizard"]}, "one of"),
        ({"work_roles": []}, "at least 1"),
        ({"read_only": "perhaps"}, "true or false"),
    ],
)
def test_what_there_is_not_is_refused_with_what_would_be_right(
    inside: Inside, limit: dict[str, Any], right: str
) -> None:
    with inside.http(inside.token()) as person:
        before = inside.everything()
        answered = person.post("/api/v1/token_create", json={"client": "ci", **limit})
    assert answered.status_code == 422, answered.text
    assert right in json.dumps(answered.json()["fields"])
    assert inside.everything() == before


def test_the_list_of_tokens_says_it_in_words(inside: Inside) -> None:
    with inside.http(inside.token()) as person:
        person.post("/api/v1/token_create", json={"client": "reader", "read_only": True})
        person.post("/api/v1/token_create", json={"client": "whole"})
        rows = {each["client"]: each for each in person.post("/api/v1/token_list", json={}).json()["tokens"]}
    assert rows["reader"]["scope"]["in_words"] == "only reading"
    assert rows["whole"]["scope"] is None


def test_a_held_edit_names_the_scope_where_that_is_what_keeps_the_work_out(inside: Inside) -> None:
    with inside.http(scoped(inside, READ_ONLY, "scoped-editor")) as http:
        told = http.post("/api/v1/hook_edit", json={"file": "/work/door.py"}).json()["context"]
    assert "the scope of your token keeps you from that: only reading" in told
    assert "clients toolsets" not in told
    with inside.http(scoped(inside, TokenScope((Toolset.WORK,)), "working-editor")) as http:
        told = http.post("/api/v1/hook_edit", json={"file": "/work/door.py"}).json()["context"]
    assert "Call work_next" in told
