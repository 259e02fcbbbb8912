"""What belongs to somebody else behaves, on every surface, exactly as if it did not exist."""

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import httpx
import pytest

from bigmind.core.errors import HTTP_STATUS, BigMindError
from bigmind.core.ids import new_id
from bigmind.core.operation import Effect, Operation, Presence, Role, Surface
from bigmind.core.toolsets import Toolset
from bigmind.embedding.meaning import WORDS_ONLY
from bigmind.people.token_format import TokenKind
from bigmind.wiring import catalogue
from tests.http.good import GOOD, Owned, own_things
from tests.http.inside import FakeClock, Inside, server_inside
from tests.http.world import routes_of
from tests.thorough import crossed

pytestmark = pytest.mark.xdist_group("http-other-users")

ADAS = "zwetschgenmus"
NOBODYS = "quetschenmusen"
REASONS = ("unknown", "unmatched")
"""What is told where a filter keeps everything out."""
"""Stands in every text of Ada's, and in nothing of Bob's."""

TAKES = {
    ("memory_end_session", "session_id"): "session",
    ("memory_flag_important", "session_id"): "session",
    ("memory_append_chunk", "session_id"): "session",
    ("memory_get_session_detail", "session_id"): "session",
    ("memory_search_chunks", "session_id"): "session",
    # Before the fact is forgotten.
    ("brain_promote", "id"): "fact",
    ("memory_place", "id"): "fact",
    ("memory_edit_fact", "fact_id"): "fact",
    ("memory_reinstate_fact", "fact_id"): "fact",
    ("memory_keep_both_facts", "fact_id"): "fact",
    ("memory_keep_both_facts", "other_id"): "fact",
    ("memory_deprecate_fact", "fact_id"): "fact",
    ("memory_deprecate_fact", "replaced_by"): "fact",
    ("memory_get_fact_history", "fact_id"): "fact",
    ("memory_edit_hypothesis", "id"): "hypothesis",
    ("memory_resolve_hypothesis", "id"): "hypothesis",
    ("memory_reopen_hypothesis", "id"): "hypothesis",
    ("token_revoke", "token_id"): "token",
    ("memory_forget", "id"): "fact",
    ("memory_promote_to_global", "source_session"): "session",
    ("memory_edit_global", "entry_id"): "entry",
    ("memory_accept", "id"): "entry",
    ("contribute_to_brain", "refines"): "thought",
    ("contribute_to_brain", "consolidates"): "thought",
    ("contribute_to_brain", "supersedes"): "thought",
    ("contribute_to_brain", "related"): "thought",
    ("brain_get_thought", "id"): "thought",
    ("brain_get_lineage", "id"): "thought",
    ("brain_update_thought", "id"): "thought",
    ("brain_update_thought", "related"): "thought",
    ("brain_share_thought", "id"): "thought",
    ("brain_keep_thought", "id"): "thought",
    ("brain_mark_noise", "id"): "thought",
    ("brain_unmark_noise", "id"): "noise",
}
BRAIN_SESSIONS = {("query_brain", "session_id"), ("contribute_to_brain", "session_id")}
"""Ids of another form, which belong to an agent."""
FOR_CURATORS = {("memory_approve_global", "entry_id")}
"""What is refused to others, whatever the id."""

EVERYBODYS = {
    (operation.name, field)
    for operation in catalogue()
    if operation.toolset == Toolset.MINDSPACE
    for field in operation.input_model.model_fields
    if field in {"node_id", "parent_id", "root_id"}
}
"""Work is everybody's who shares the store."""

RUNS = {
    (operation.name, field)
    for operation in catalogue()
    if operation.toolset == Toolset.PROTOCOL or operation.name.startswith("protocol_")
    for field in operation.input_model.model_fields
}
"""Runs are named by date and number, and workspaces by path: another agent's run is refused (tests/protocol)."""

NOTHING = {"hits": [], "answers_well": False, "words_only": WORDS_ONLY.why_not}
"""What a search answers that finds nothing, in a process without a model."""

SHAPES = {
    "whole": str,
    "short": lambda uid: uid[:8],
    "longer": lambda uid: uid[:20],
    "in capitals": str.upper,
    "with blanks": lambda uid: f"  {uid[:30]} ",
}


class Two:
    """Ada and Bob in one store, and Bob's tokens. The clock stands, so that equal pages are equal."""

    def __init__(self, inside: Inside) -> None:
        self.inside = inside
        self.ada: Owned = own_things(inside, "ada", ADAS)
        self.bob: Owned = own_things(inside, "bob", "pear")
        self.cli = inside.token("bob")
        self.bridge = inside.token("bob", TokenKind.BRIDGE)
        self.browser = inside.token("bob", TokenKind.UI)
        self.adas_cli = inside.token("ada")

    def adas_ids(self) -> list[str]:
        return [self.ada.session, self.ada.fact, self.ada.hypothesis, self.ada.token, self.ada.entry, self.ada.thought]


@pytest.fixture(scope="module")
def two(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Two]:
    with server_inside(tmp_path_factory.mktemp("two") / "home", FakeClock()) as inside:
        yield Two(inside)


def id_fields(operation: Operation) -> list[str]:
    """The input fields that name something stored: by their name, or by having the bounds of an id."""
    fields = operation.input_model.model_json_schema()["properties"]
    return [
        name
        for name, schema in fields.items()
        if re.search(r"(^|_)ids?$", name) or '"maxLength": 36' in json.dumps(schema)
    ]


def test_every_field_that_takes_an_id_is_covered_here() -> None:
    taking = {(operation.name, name) for operation in catalogue() for name in id_fields(operation)}
    assert {each for each in taking if each not in EVERYBODYS} == set(TAKES) | FOR_CURATORS | BRAIN_SESSIONS | (
        RUNS & taking
    )
    assert set(EVERYBODYS) <= taking


def without_id(text: str, uid: str) -> str:
    return text.replace(uid.strip().lower(), "ID").replace(uid, "ID").replace(uid.strip(), "ID")


def in_the_window(two: Two, operation: Operation, arguments: dict[str, Any], uid: str = "") -> tuple[int, str]:
    """The status and the words that Bob gets in the app's window."""
    person = replace(two.inside.caller(two.cli), presence=Presence.WINDOW)
    try:
        answered = two.inside.mind.dispatcher.run(operation, person, arguments)
    except BigMindError as error:
        return HTTP_STATUS[error.code], without_id(str(error), uid)
    return 200, answered.as_text()


@pytest.mark.parametrize(("taking", "shape"), crossed(TAKES, SHAPES), ids=str)
def test_anothers_id_is_answered_like_an_unknown_one(two: Two, taking: tuple[str, str], shape: str) -> None:
    name, field = taking
    operation = two.inside.mind.dispatcher.catalogue.get(name)
    assert operation is not None
    adas = SHAPES[shape](getattr(two.ada, TAKES[name, field]))
    unknown = SHAPES[shape](new_id())
    before = two.inside.everything()

    def over_api(uid: str) -> tuple[int, str]:
        if operation.in_person:  # the API refuses all of it
            return in_the_window(two, operation, {**GOOD[name](two.bob), field: uid}, uid)
        with two.inside.http(two.cli) as http:
            answered = http.post(f"/api/v1/{name}", json={**GOOD[name](two.bob), field: uid})
        return answered.status_code, without_id(answered.text, uid)

    def over_mcp(uid: str) -> str:
        arguments = {**GOOD[name](two.bob), field: uid}
        answered = two.inside.rpc(two.bridge, "tools/call", name=name, arguments=arguments)
        assert answered["result"]["isError"]
        return without_id(json.dumps(answered), uid)

    assert over_api(adas) == over_api(unknown)
    assert over_api(adas)[0] == 404
    if Surface.MCP in operation.surfaces:
        assert over_mcp(adas) == over_mcp(unknown)
    assert two.inside.everything() == before


def test_anothers_brain_session_is_answered_like_one_that_was_never_issued(two: Two) -> None:
    with two.inside.http(two.adas_cli) as http:
        asked = http.post("/api/v1/query_brain", json={"prompt": "door"}).json()
    adas = asked["trace"]["session_id"]
    before = two.inside.everything()
    for name, _ in sorted(BRAIN_SESSIONS):
        answers: set[tuple[int, str]] = set()
        with two.inside.http(two.cli) as http:
            for session in (adas, "q-222222222222"):
                given = {**GOOD[name](two.bob), "session_id": session}
                answered = http.post(f"/api/v1/{name}", json=given)
                answers.add((answered.status_code, without_id(answered.text, session)))
        assert [status for status, _ in answers] == [404]
    assert two.inside.everything() == before


def test_who_is_no_curator_learns_nothing_of_an_entry_by_reviewing_it(two: Two) -> None:
    before = two.inside.everything()
    answers: set[str] = set()
    for uid in (two.ada.entry, two.ada.entry[:8], two.bob.entry, new_id(), "no id at all"):
        given = {**GOOD["memory_approve_global"](two.bob), "entry_id": uid}
        with two.inside.http(two.cli) as http:
            answered = http.post("/api/v1/memory_approve_global", json=given)
        assert answered.status_code == 403
        mcp = two.inside.rpc(two.bridge, "tools/call", name="memory_approve_global", arguments=given)
        answers.add(f"{answered.text} {json.dumps(mcp)}")
    assert len(answers) == 1
    assert two.inside.everything() == before


def test_ones_own_ids_are_found(inside: Inside) -> None:
    """The control: it is the owner, and nothing else, that kept the requests above from being served."""
    two = Two(inside)
    with inside.http(two.cli) as http:
        for name in dict.fromkeys(name for name, _ in TAKES):
            operation = two.inside.mind.dispatcher.catalogue.get(name)
            assert operation is not None
            if operation.in_person:
                assert in_the_window(two, operation, GOOD[name](two.bob))[0] == 200, name
                continue
            answered = http.post(f"/api/v1/{name}", json=GOOD[name](two.bob))
            assert answered.status_code == 200, (name, answered.text)


def test_anothers_session_page_looks_like_no_session_at_all(two: Two) -> None:
    paths = [
        route.path for route in routes_of(two.inside) if route.method == "GET" and "{session_id:str}" in route.path
    ]
    assert len(paths) >= 3
    with two.inside.browser(two.browser) as browser:

        def look(path: str, uid: str) -> tuple[int, str]:
            answered = browser.get(path.replace("{session_id:str}", uid).replace("{seq:int}", "1"))
            return answered.status_code, without_id(answered.text, uid)

        for path in paths:
            for shape in (str, lambda uid: uid[:8]):
                unknown, adas = new_id(), shape(two.ada.session)
                assert look(path, adas) == look(path, shape(unknown)), path
                assert look(path, adas)[0] == 404
            assert look(path, two.bob.session)[0] == 200, path


def test_anothers_session_resource_is_like_no_resource(two: Two) -> None:
    templates = two.inside.rpc(two.bridge, "resources/templates/list")["result"]["resourceTemplates"]
    assert [each["uriTemplate"] for each in templates] == ["memory://sessions/{id}"]

    def read(uid: str) -> str:
        return without_id(json.dumps(two.inside.rpc(two.bridge, "resources/read", uri=f"memory://sessions/{uid}")), uid)

    for shape in (str, lambda uid: uid[:8]):
        assert read(shape(two.ada.session)) == read(shape(new_id()))
        assert "error" in json.loads(read(shape(two.ada.session)))
    assert "pear summary" in read(two.bob.session)


@pytest.mark.parametrize("mode", ["merge", "replace"])
def test_an_import_with_anothers_ids_changes_nothing_of_theirs(inside: Inside, tmp_path: Path, mode: str) -> None:
    """A member's, in a personal store too, where nobody else has to approve what they promote."""
    two = Two(inside)
    with inside.http(two.adas_cli) as ada, inside.http(two.cli) as bob:
        given = {
            **GOOD["memory_promote_to_global"](two.ada),
            "title": f"{ADAS} approved",
            "content": f"{ADAS} is good.",
        }
        assert ada.post("/api/v1/memory_promote_to_global", json=given).json()["entry"]["status"] == "approved"

        def exported(http: httpx.Client, name: str) -> dict[str, Any]:
            path = tmp_path / name
            assert http.post("/api/v1/memory_export", json={"output_path": str(path)}).status_code == 200
            return json.loads(path.read_text(encoding="utf-8"))

        before = exported(ada, "before.json")
        bobs = exported(bob, "bob.json")
        assert [each["status"] for each in bobs["knowledge"] if ADAS in each["title"]] == ["approved"]
        later = {"updated_at": bobs["header"]["exported_at"]}
        forged = {"content": "mine", "promoted_by": "ada", "approved_by": "ada", "status": "approved"} | later
        document = {**before, "knowledge": [each | forged for each in before["knowledge"]]}
        document["facts"] = [each | later | {"text": "mine"} for each in before["facts"]]
        (tmp_path / "forged.json").write_text(json.dumps(document), encoding="utf-8")
        asked = {"path": str(tmp_path / "forged.json"), "mode": mode}
        assert bob.post("/api/v1/memory_import", json=asked).status_code == 200
        after = exported(ada, "after.json")
        for each in (before, after):
            del each["header"]
            each["knowledge"] = [entry for entry in each["knowledge"] if entry["promoted_by"] != "bob"]
        assert after == before


FOR_WHOM_IT_RUNS = {"server_stop"}
"""What is refused to members whom the server does not run for: this one runs for Ada."""


def assert_only_bobs(two: Two, said: str, where: str) -> None:
    assert ADAS not in said, f"{where} shows what is Ada's"
    for uid in two.adas_ids():
        assert uid[:8] not in said, f"{where} shows an id of Ada's"


def test_no_operation_that_reads_shows_what_is_anothers(two: Two) -> None:
    with two.inside.http(two.cli) as http:
        for operation in two.inside.mind.dispatcher.catalogue.on(Surface.API):
            if operation.effect is Effect.READ and Role.MEMBER.includes(operation.permission):
                answered = http.post(f"/api/v1/{operation.name}", json=GOOD[operation.name](two.bob))
                wanted = 403 if operation.name in FOR_WHOM_IT_RUNS else 200
                assert answered.status_code == wanted, answered.text
                assert_only_bobs(two, answered.text, operation.name)
        assert two.inside.stops == []
        # A word that stands in moments of both.
        found = http.post("/api/v1/memory_search_chunks", json={"query": "moment", "limit": 100})
        assert [hit["session_id"] for hit in found.json()["hits"]] == [two.bob.session]
        assert_only_bobs(two, found.text, "search")
        known = http.post("/api/v1/query_brain", json={"prompt": "which thought holds", "limit": 50})
        assert [each["thought_id"] for each in known.json()["result"]["sources"]] == [two.bob.thought]
        assert_only_bobs(two, known.text, "the brain")
        everything = http.post("/api/v1/memory_semantic_search", json={"query": "moment session fact", "limit": 100})
        assert {hit["session_id"] for hit in everything.json()["hits"]} == {two.bob.session}
        assert_only_bobs(two, everything.text, "search over everything")


@pytest.mark.parametrize(
    ("operation", "arguments", "answer"),
    [
        ("memory_search_chunks", {"query": ADAS}, {"query": ADAS, **NOTHING}),
        ("memory_search_chunks", {"query": "moment", "project": f"{ADAS}-project"}, {"query": "moment", **NOTHING}),
        # From the middle of the word, which the trigrams find.
        ("memory_search_chunks", {"query": ADAS[3:9]}, {"query": ADAS[3:9], **NOTHING}),
        ("memory_semantic_search", {"query": ADAS}, {"query": ADAS, **NOTHING}),
        ("memory_semantic_search", {"query": ADAS[3:9]}, {"query": ADAS[3:9], **NOTHING}),
        ("memory_semantic_search", {"query": "moment", "project": f"{ADAS}-project"}, {"query": "moment", **NOTHING}),
        ("memory_list_sessions", {"topic": f"{ADAS}-topic"}, {"sessions": [], "total": 0, "cursor": None}),
        ("memory_list_sessions", {"project": f"{ADAS}-project"}, {"sessions": [], "total": 0, "cursor": None}),
        ("memory_list_facts", {"category": f"{ADAS}-kind"}, {"facts": [], "total": 0}),
        ("memory_list_facts", {"project": f"{ADAS}-project"}, {"facts": [], "total": 0}),
    ],
)
def test_a_filter_on_anothers_words_finds_nothing(two: Two, operation: str, arguments: dict, answer: dict) -> None:
    of_nobody = {name: value.replace(ADAS, NOBODYS) for name, value in arguments.items()}
    with two.inside.http(two.cli) as http:
        said = http.post(f"/api/v1/{operation}", json=arguments).json()
        assert {name: value for name, value in said.items() if name not in REASONS} == answer
        # Why nothing is found is what would be said of a word that nobody has.
        assert {name: str(value).replace(ADAS, NOBODYS) for name, value in said.items()} == {
            name: str(value) for name, value in http.post(f"/api/v1/{operation}", json=of_nobody).json().items()
        }
    with two.inside.http(two.adas_cli) as http:
        assert http.post(f"/api/v1/{operation}", json=arguments).json() != answer


def test_no_resource_prompt_or_completion_shows_what_is_anothers(two: Two) -> None:
    rpc = two.inside.rpc
    uris = [each["uri"] for each in rpc(two.bridge, "resources/list")["result"]["resources"]]
    prompts = [each["name"] for each in rpc(two.bridge, "prompts/list")["result"]["prompts"]]
    assert uris
    assert prompts
    asked: list[tuple[str, dict[str, Any]]] = [
        *(("resources/read", {"uri": uri}) for uri in uris),
        *(("prompts/get", {"name": name, "arguments": {"topic": "pear"}}) for name in prompts),
        *(
            (
                "completion/complete",
                {"ref": {"type": "ref/prompt", "name": name}, "argument": {"name": "topic", "value": ""}},
            )
            for name in prompts
        ),
        *(
            (
                "completion/complete",
                {
                    "ref": {"type": "ref/resource", "uri": "memory://sessions/{id}"},
                    "argument": {"name": "id", "value": value},
                },
            )
            for value in ("", two.ada.session[:8])
        ),
    ]
    for method, params in asked:
        answered = rpc(two.bridge, method, **params)
        assert "result" in answered, answered
        assert_only_bobs(two, json.dumps(answered), f"{method} {params}")


def test_no_page_shows_what_is_anothers(two: Two) -> None:
    with two.inside.browser(two.browser) as browser:
        pages = [r.path for r in routes_of(two.inside) if r.method == "GET" and not r.is_bearer and "{" not in r.path]
        assert {"/", "/profile", "/sessions"} <= set(pages)
        for path in pages:
            if path != "/events":
                assert_only_bobs(two, browser.get(path).text, path)
        for filtered in ("topic=zwetschgenmus-topic", "project=zwetschgenmus-project"):
            page = browser.get(f"/sessions/more?{filtered}").text
            assert two.ada.session[:8] not in page
            assert "headline" not in page


def test_counts_are_ones_own(inside: Inside) -> None:
    two = Two(inside)

    def bobs() -> dict[str, Any]:
        with inside.http(two.cli) as http:
            counts = http.post("/api/v1/memory_get_stats", json={}).json()
        return {name: count for name, count in counts.items() if not name.startswith("bytes_")}

    before = bobs()
    own_things(inside, "ada", "more")
    assert bobs() == before
    own_things(inside, "bob", "more")
    assert bobs() != before


def test_a_live_page_hears_of_ones_own_changes_only(inside: Inside) -> None:
    two = Two(inside)
    with inside.browser(two.browser) as browser, browser.stream("GET", "/events") as stream:
        lines = stream.iter_lines()
        assert next(lines) == ": listening"
        with inside.http(two.adas_cli) as ada:
            ada.post("/api/v1/memory_update_profile", json={"role": "Engineer"})
        with inside.http(two.cli) as bob:
            bob.post("/api/v1/memory_resolve_hypothesis", json=GOOD["memory_resolve_hypothesis"](two.bob))
        told = next(line for line in lines if line.startswith("data:"))
    assert json.loads(told.removeprefix("data:")) == {"kinds": ["hypothesis"]}


def test_anothers_idempotency_key_is_nobodys(inside: Inside) -> None:
    two = Two(inside)
    key = {"Idempotency-Key": "the-same"}
    facts = {}
    for name, secret in (("ada", two.adas_cli), ("bob", two.cli)):
        with inside.http(secret, headers=key) as http:
            said = http.post("/api/v1/memory_store_fact", json={"category": "decision", "fact": f"{name} was here"})
        facts[name] = said.json()["fact"]["fact"]
    assert facts == {"ada": "ada was here", "bob": "bob was here"}


def test_anothers_mcp_session_is_not_found_and_cannot_be_ended(inside: Inside) -> None:
    two = Two(inside)
    streams = {"Accept": "application/json, text/event-stream"}
    hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}

    def post(http: httpx.Client, method: str, params: dict[str, Any], **headers: str) -> httpx.Response:
        message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
        return http.post("/mcp", json=message, headers={**streams, **headers})

    with inside.http(two.adas_cli) as ada, inside.http(two.cli) as bob:
        session = post(ada, "initialize", hello).headers["mcp-session-id"]
        of_ada = {"Mcp-Session-Id": session, "MCP-Protocol-Version": "2025-11-25"}
        assert post(bob, "tools/list", {}, **of_ada).status_code == 404
        assert bob.delete("/mcp", headers=of_ada).status_code == 404
        assert bob.get("/mcp", headers={"Accept": "text/event-stream", **of_ada}).status_code == 404
        assert post(ada, "tools/list", {}, **of_ada).status_code == 200
