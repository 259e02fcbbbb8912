"""The brain as plain HTTP: single JSON-RPC requests with a content type and a token, and `/api/v1/memory`."""

import json
from typing import Any

import httpx
import pytest

from bigmind.people.token_format import TokenKind
from tests.http.inside import Inside
from tests.support import Server

pytestmark = pytest.mark.xdist_group("brain-http")

FACT = "Refunds over 500 EUR need an idempotency key, because the gateway repeats requests that time out."
MORE = "Refunds over 5,000 EUR need a second approval since March, which the gateway asks for by mail."
KEY = "ghp_16C7e42F292c6912E7710c838347Ae178B4a"
ROOT = "/api/v1/memory"
NONE = "00000000"
JSON = {"content-type": "application/json"}


@pytest.mark.parametrize("more", [{}, {"MCP-Protocol-Version": "2025-06-18"}], ids=["bare", "2025-06-18"])
def test_the_documented_calls_are_single_posts_with_a_content_type_and_the_token(
    server: Server, more: dict[str, str]
) -> None:
    def post(method: str, params: dict[str, Any]) -> dict[str, Any]:
        body = json.dumps({"jsonrpc": "2.0", "id": 7, "method": method, "params": params}).encode()
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {server.token()}", **more}
        request = httpx.Request("POST", f"{server.address}/mcp?toolsets=brain", headers=headers, content=body)
        with httpx.Client(trust_env=False, timeout=60) as client:
            answered = client.send(request)
        assert (answered.status_code, answered.headers["content-type"]) == (200, "application/json"), answered.text
        assert answered.json()["id"] == 7
        return answered.json()["result"]

    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "curl", "version": "8"}}
    assert post("initialize", client)["serverInfo"]["name"] == "bigmind"
    tools = {each["name"]: each for each in post("tools/list", {})["tools"]}
    assert {"query_brain", "contribute_to_brain"} <= tools.keys()
    assert tools["query_brain"]["annotations"]["readOnlyHint"]
    assert not tools["contribute_to_brain"]["annotations"]["readOnlyHint"]
    stored = post("tools/call", {"name": "contribute_to_brain", "arguments": {"prompt": FACT, "topic": "pay/refunds"}})
    assert "Stored as thought" in stored["content"][0]["text"]
    found = post("tools/call", {"name": "query_brain", "arguments": {"prompt": "refunds over 500 EUR"}})
    assert FACT in found["content"][0]["text"]
    assert not found["isError"]


def ask(inside: Inside, method: str, path: str = "", token: str = "", **more: Any) -> httpx.Response:
    with inside.http(token or inside.token(kind=TokenKind.CLIENT, client="cursor")) as http:
        return http.request(method, ROOT + path, **more)


def test_a_statement_is_contributed_and_a_question_answered_by_one_address(inside: Inside) -> None:
    stored = ask(inside, "POST", json={"prompt": FACT, "topic": "Pay / Refunds", "agent_id": "reviewer"})
    assert stored.status_code == 200, stored.text
    body = stored.json()
    assert body.keys() == {"result", "trace"}
    assert body["trace"]["contribution_threshold_met"]
    asked = ask(inside, "POST", json={"prompt": "How are refunds done?", "agent_id": "reviewer"}).json()
    [source] = asked["result"]["sources"]
    assert source["thought_id"] == body["trace"]["thought_id"]
    assert (source["contributor"], source["topic"]) == ("cursor/reviewer", "pay/refunds")
    assert source["content_preview"] == FACT
    assert "content" not in source
    assert "Nothing was stored (too_short)" in asked["result"]["response"]


def test_read_only_and_get_only_ask_whatever_the_text_looks_like(inside: Inside) -> None:
    token = inside.token(kind=TokenKind.CLIENT, client="cursor")
    for answered in (
        ask(inside, "POST", token=token, json={"prompt": FACT, "read_only": True, "refines": "0" * 8}),
        ask(inside, "GET", token=token, params={"prompt": FACT, "limit": "3", "full_content": "true"}),
    ):
        assert answered.status_code == 200, answered.text
        assert "thought_id" not in answered.json()["trace"]
    assert ask(inside, "GET", "/thoughts/uncategorized").json()["thoughts"] == []


def test_options_of_asking_hold_where_nothing_is_contributed(inside: Inside) -> None:
    for text in (FACT, MORE):
        ask(inside, "POST", json={"prompt": text})
    found = ask(inside, "POST", json={"prompt": "How are refunds done?", "limit": 1, "full_content": True}).json()
    [source] = found["result"]["sources"]
    assert source["content"] in {FACT, MORE}


def test_a_question_that_is_posted_keeps_to_its_filters_also_without_options_of_asking(inside: Inside) -> None:
    for text, topic in ((FACT, "pay/refunds"), (MORE, "pay/gateway")):
        ask(inside, "POST", json={"prompt": text, "topic": topic, "tags": [topic]})
    question: dict[str, Any] = {"prompt": "How are refunds done?"}
    assert len(ask(inside, "POST", json=question).json()["result"]["sources"]) == 2
    for given in ({"topic": "pay/gateway"}, {"tags": ["pay/gateway"]}):
        alone, limited = [ask(inside, "POST", json=question | given | more).json() for more in ({}, {"limit": 5})]
        assert alone["result"]["sources"] == limited["result"]["sources"]
        assert alone["trace"]["operations"] == limited["trace"]["operations"]


def test_thoughts_are_read_described_and_shared(inside: Inside) -> None:
    token = inside.token(kind=TokenKind.CLIENT, client="cursor")
    given = {"prompt": FACT, "space": "private"}
    uid = ask(inside, "POST", token=token, json=given).json()["trace"]["thought_id"]
    described = {"category": "operational_learning", "topic": "pay/refunds", "tags": ["gateway"]}
    changed = ask(inside, "PATCH", f"/thought/{uid}/metadata", token, json=described)
    assert (changed.json()["thought_category"], changed.json()["tags"]) == ("operational_learning", ["gateway"])
    assert ask(inside, "POST", f"/thought/{uid}/share", token, json={}).json()["space"] == "shared"
    told = ask(inside, "GET", f"/thought/{uid[:8]}", token).json()
    assert (told["content"], told["agent"], told["source_ref"]) == (FACT, "cursor", None)
    assert ask(inside, "GET", f"/thought/{uid}/lineage", token).json()["ancestors"] == []
    assert ask(inside, "GET", "/domains", token).json()["domains"] == []
    assert ask(inside, "GET", "/highways", token).json()["highways"] == []


@pytest.mark.parametrize(
    ("method", "path", "given", "status", "code"),
    [
        ("POST", "", {"json": {}}, 400, "VALIDATION_ERROR"),
        ("POST", "", {"json": {"prompt": FACT, "categroy": "x"}}, 400, "VALIDATION_ERROR"),
        ("POST", "", {"json": {"prompt": FACT, "category": "rumor"}}, 400, "VALIDATION_ERROR"),
        ("POST", "", {"json": {"prompt": "x" * 10_001}}, 400, "VALIDATION_ERROR"),
        ("POST", "", {"json": {"prompt": FACT, "agent_id": "a" * 101}}, 400, "VALIDATION_ERROR"),
        ("POST", "", {"json": {"prompt": FACT, "agent_name": 7}}, 400, "VALIDATION_ERROR"),
        ("POST", "", {"content": "[1]", "headers": {"content-type": "application/json"}}, 400, "VALIDATION_ERROR"),
        ("POST", "", {"json": {"prompt": FACT, "session_id": "q-nobodyissued"}}, 404, "SESSION_NOT_FOUND"),
        ("POST", "", {"json": {"prompt": FACT, "refines": "0" * 8}}, 404, "THOUGHT_NOT_FOUND"),
        ("POST", "", {"json": {"prompt": FACT, "refines": NONE, "consolidates": [NONE]}}, 400, "MUTUAL_EXCLUSION"),
        ("GET", "", {}, 400, "VALIDATION_ERROR"),
        ("GET", "", {"params": {"prompt": "x", "limit": "51"}}, 400, "VALIDATION_ERROR"),
        ("GET", "/thought/00000000", {}, 404, "THOUGHT_NOT_FOUND"),
        ("GET", "/thought/nothing", {}, 400, "VALIDATION_ERROR"),
        ("PATCH", "/thought/00000000/metadata", {"json": {}}, 404, "THOUGHT_NOT_FOUND"),
        ("GET", "", {"headers": {"authorization": "Bearer bm_none"}}, 401, "UNAUTHENTICATED"),
        ("GET", "", {"headers": {"origin": "https://example.com"}}, 403, "FORBIDDEN"),
        ("POST", "", {"content": "{}"}, 415, "VALIDATION_ERROR"),
        ("POST", "", {"content": b'"' + b"x" * 4_200_000 + b'"', "headers": JSON}, 413, "TOO_LARGE"),
        ("PUT", "", {"json": {}}, 405, "METHOD_NOT_ALLOWED"),
        ("DELETE", "/thought/00000000", {}, 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/nothing", {}, 404, "NOT_FOUND"),
        ("GET", "/thought/00000000/nothing", {}, 404, "NOT_FOUND"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said_in_the_documented_form(
    inside: Inside, method: str, path: str, given: dict[str, Any], status: int, code: str
) -> None:
    answered = ask(inside, method, path, **given)
    assert answered.status_code == status, answered.text
    assert answered.json().keys() == {"error"}
    assert answered.json()["error"].keys() == {"code", "message"}
    assert answered.json()["error"]["code"] == code


def test_one_source_is_no_consolidation_and_sharing_twice_is_a_conflict(inside: Inside) -> None:
    uid = ask(inside, "POST", json={"prompt": FACT}).json()["trace"]["thought_id"]
    few = ask(inside, "POST", json={"prompt": MORE, "consolidates": [uid, uid]})
    assert (few.status_code, few.json()["error"]["code"]) == (400, "MIN_CONSOLIDATION")
    again = ask(inside, "POST", f"/thought/{uid}/share", json={})
    assert (again.status_code, again.json()["error"]["code"]) == (409, "CONFLICT")


def test_nobody_is_taken_for_another_tokens_agent(inside: Inside) -> None:
    """A slash in an id, another token's name, an id of a hundred characters: all of it stands behind the own name."""
    codex = inside.token(kind=TokenKind.CLIENT, client="codex")
    own = ask(inside, "POST", token=codex, json={"prompt": FACT}).json()["trace"]["session_id"]
    for claimed in ("codex", "codex/", "../codex", "a" * 100):
        found = ask(inside, "POST", json={"prompt": MORE, "agent_id": claimed, "agent_name": "Codex"}).json()
        agent = ask(inside, "GET", f"/thought/{found['trace']['thought_id']}").json()["agent"]
        assert agent.startswith("cursor/")
        stolen = ask(inside, "POST", json={"prompt": MORE, "agent_id": claimed, "session_id": own})
        assert stolen.json()["error"]["code"] == "SESSION_NOT_FOUND"


def test_two_long_ids_of_one_token_stay_two_agents(inside: Inside) -> None:
    token = inside.token(kind=TokenKind.CLIENT, client="cursor")
    one, other = ("a" * 90 + end for end in ("-one", "-two"))
    session = ask(inside, "POST", token=token, json={"prompt": FACT, "agent_id": one}).json()["trace"]["session_id"]
    refused = ask(inside, "POST", token=token, json={"prompt": FACT, "agent_id": other, "session_id": session})
    assert refused.status_code == 404
    again = ask(inside, "POST", token=token, json={"prompt": "And now?", "agent_id": one, "session_id": session})
    assert again.json()["trace"]["session_id"] == session


def test_the_same_key_is_one_row_and_a_pause_refuses_every_question(inside: Inside) -> None:
    token = inside.token(kind=TokenKind.CLIENT, client="cursor")
    keyed = {"headers": {"Idempotency-Key": "one"}, "json": {"prompt": FACT}}
    first, second = (ask(inside, "POST", token=token, **keyed).json() for _ in range(2))
    assert first == second
    inside.host.activity.pause(paused=True)
    for method, more in (("GET", {"params": {"prompt": "x"}}), ("POST", {"json": {"prompt": "x", "read_only": True}})):
        refused = ask(inside, method, token=token, **more)
        assert (refused.status_code, refused.json()["error"]["code"]) == (503, "UNAVAILABLE")


def test_the_first_line_says_why_nothing_was_stored_also_where_options_of_asking_are_given(inside: Inside) -> None:
    for more in ({}, {"limit": 3}, {"full_content": False}):
        told = ask(
            inside, "POST", json={"prompt": "How are refunds done, and who does them in the end?", **more}
        ).json()
        assert told["result"]["response"].startswith("Nothing was stored (question): ")
        assert not told["trace"]["contribution_threshold_met"]


@pytest.mark.parametrize("read_only", ["maybe", 7, [], {}])
def test_a_read_only_that_is_neither_contributes_nothing(inside: Inside, read_only: object) -> None:
    refused = ask(inside, "POST", json={"prompt": FACT, "read_only": read_only})
    assert (refused.status_code, refused.json()["error"]["code"]) == (400, "VALIDATION_ERROR")
    assert "read_only" in refused.json()["error"]["message"]
    assert ask(inside, "GET", "/thoughts/uncategorized").json()["total"] == 0
    for off in (False, "false", None, ""):
        assert ask(inside, "POST", json={"prompt": FACT, "read_only": off}).json()["trace"]["thoughts_contributed"] == 1


def test_how_an_agent_wants_to_be_shown_is_one_line_without_secrets(inside: Inside) -> None:
    name = f"Reviewer\n# \u202eof the {KEY} shop"
    uid = ask(inside, "POST", json={"prompt": FACT, "agent_name": name}).json()["trace"]["thought_id"]
    told = ask(inside, "GET", f"/thought/{uid}").json()
    assert told["agent"] == "cursor"
    assert told["contributor"].startswith("Reviewer # ")
    assert told["contributor"].endswith(" (cursor)")
    assert KEY not in told["contributor"]
    assert not set(told["contributor"]) & set("\n\u202e")
    assert ask(inside, "POST", json={"prompt": FACT, "agent_name": "n" * 200}).status_code == 200
    assert ask(inside, "POST", json={"prompt": FACT, "agent_name": "n" * 201}).status_code == 400


def test_the_address_may_name_a_field_several_times_or_leave_it_empty(inside: Inside) -> None:
    ask(inside, "POST", json={"prompt": FACT, "tags": ["gateway", "money"], "topic": "pay"})
    asked = "?prompt=refunds&tags=gateway&tags=money&topic=&category="
    [source] = ask(inside, "GET", asked).json()["result"]["sources"]
    assert source["topic"] == "pay"
    twice = ask(inside, "GET", "?prompt=one&prompt=two")
    assert (twice.status_code, twice.json()["error"]["code"]) == (400, "VALIDATION_ERROR")
    for odd in ("?prompt=%00%ff%F0%9F", "?prompt=%22NEAR(", f"?prompt={'x' * 10_000}"):
        assert ask(inside, "GET", odd).status_code == 200, odd[:40]
    assert ask(inside, "GET", "/domains?agent_id=x").status_code == 200
    assert ask(inside, "GET", "/highways?limit=0").json()["error"]["code"] == "VALIDATION_ERROR"


def test_what_is_answered_is_kept_by_no_browser_and_masking_is_told(inside: Inside) -> None:
    answered = ask(inside, "POST", json={"prompt": f"{FACT} Its key is {KEY}."})
    assert answered.headers["cache-control"] == "no-store"
    assert answered.json().keys() == {"result", "trace", "masked"}
    assert ask(inside, "GET", params={"prompt": "refunds"}).headers["cache-control"] == "no-store"
    assert KEY not in ask(inside, "GET", params={"prompt": "refunds", "full_content": "true"}).text


def test_elsewhere_below_the_api_errors_stay_problem_details(inside: Inside) -> None:
    with inside.http(inside.token(kind=TokenKind.CLIENT, client="cursor")) as http:
        told = [http.get("/api/v1/memories"), http.put("/api/v1/memory_list_facts", json={})]
    kinds = [(each.status_code, each.headers["content-type"]) for each in told]
    assert kinds == [(404, "application/problem+json"), (405, "application/problem+json")]


def test_a_tool_that_a_person_switched_off_is_off_here_too(inside: Inside) -> None:
    inside.host.settings.change({"tools_off": ["contribute_to_brain"]})
    refused = ask(inside, "POST", json={"prompt": FACT})
    assert (refused.status_code, refused.json()["error"]["code"]) == (403, "FORBIDDEN")
    assert ask(inside, "POST", json={"prompt": FACT, "read_only": True}).status_code == 200
