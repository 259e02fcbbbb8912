"""What is written comes back as it was written, but for the one documented rule; and never a fault of the server."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from sqlmodel import col, select

from bigmind.core.plain_text import clean, left_out
from bigmind.memory.tables import Chunk
from bigmind.operations.catalogue import Answer
from bigmind.people.service import NOBODY
from tests.bench.wire import HttpClient
from tests.http.world import World
from tests.thorough import often

pytestmark = pytest.mark.xdist_group("http-text")

SPECIAL = [
    "\x00",
    "\ud800",
    "\udfff",
    "\ud83d\ude00",
    "\U0001f468\u200d\U0001f469\u200d\U0001f467",
    "e\u0301",
    "\u00e9",
    "\u202eabc\u202c",
    "\u0639\u0631\u0628\u064a",
    "\u6f22\u5b57\u304b\u306a",
    "\"'`\\",
    "\x1b[31m",
    "\r\n\t\v\f\x1c\x85\u2028",
    "\ufeff",
    "\ufffe\uffff",
    "\U000e0041",
    "</script>{{7*7}}${x}%s%00",
    "'; DROP TABLE fact; --",
]
TEXTS = st.lists(
    st.sampled_from(SPECIAL) | st.text(st.characters() | st.characters(categories=["Cs"])), max_size=8
).map("".join)


def as_received(text: str) -> str:
    """The text as it is after its journey as JSON: two halves of a character side by side are that character."""
    return json.loads(json.dumps(text))


def framed(text: str) -> str:
    """With ends that are no white space: some fields are trimmed, and that is not what is looked at."""
    return f"<{text}>"


def post(world: World, operation: str, arguments: dict[str, Any], *, escaped: bool) -> Any:
    """Send a document as ASCII with escapes, or as plain UTF-8 where it can be written so."""
    body = json.dumps(arguments) if escaped else json.dumps(arguments, ensure_ascii=False)
    with world.inside.http(world.cli, headers={"Content-Type": "application/json"}) as http:
        return http.post(f"/api/v1/{operation}", content=body.encode())


many = settings(max_examples=often(60, 12), deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


@many
@given(TEXTS)
@example("".join(SPECIAL))
def test_what_is_stored_comes_back_equal_up_to_the_one_rule(world: World, text: str) -> None:
    wanted = clean(framed(as_received(text)))
    profile = {"role": framed(text), "preferences": framed(text)}
    answered = post(world, "memory_update_profile", profile, escaped=True)
    assert answered.status_code == 200, answered.text
    assert answered.json()["role"] == wanted
    again = post(world, "memory_update_profile", {}, escaped=True)
    assert (again.json()["role"], again.json()["preferences"]) == (wanted, wanted)


def test_what_is_left_out_of_a_text_is_counted_in_the_answer(world: World) -> None:
    fact = {"category": "codebase", "fact": "nul\x00char and \x00 again"}
    answered = post(world, "memory_store_fact", fact, escaped=True).json()
    assert answered["left_out"] == 2
    assert "left_out" not in post(world, "memory_store_fact", fact | {"fact": "no such one"}, escaped=True).json()
    assert "left_out" not in post(world, "memory_semantic_search", {"query": "nul\x00char"}, escaped=True).json()


@pytest.mark.parametrize("modern", [False, True])
def test_a_client_of_mcp_is_told_what_was_left_out(world: World, modern: bool) -> None:
    client = HttpClient(world.port, world.client, modern=modern, structured=True)
    fact = f"nul\x00char, {'lately' if modern else 'formerly'} told by a model"
    assert client.call("memory_store_fact", category="codebase", fact=fact)["left_out"] == 1
    assert "left_out" not in client.call("memory_semantic_search", query="nul\x00char")
    client.close()


def test_the_words_of_an_answer_say_what_was_left_out() -> None:
    assert left_out({"a": ["x\x00", {"b": "\x00\x00"}], "c": 1}) == 3
    answer = Done(left_out=3)
    assert answer.in_words() == "Done.\n\nLeft out: 3 characters that no text can hold (NUL)."


class Done(Answer):
    def as_text(self) -> str:
        return "Done."


@many
@given(TEXTS)
@example("".join(SPECIAL))
def test_a_moment_is_kept_word_for_word(world: World, text: str) -> None:
    arguments = {"role": "user", "content": framed(text), "flag_reason": "test", "session_id": world.ids.session}
    answered = post(world, "memory_append_chunk", arguments, escaped=True)
    assert answered.status_code == 200, answered.text
    with world.inside.mind.store.read(NOBODY, "test") as work:
        kept = work.session.exec(select(Chunk.content).where(col(Chunk.uid) == answered.json()["chunk_id"])).one()
    assert kept == clean(framed(as_received(text)))


@many
@given(TEXTS.map(lambda text: clean(as_received(text))))
def test_it_makes_no_difference_how_a_text_is_written_in_json(world: World, text: str) -> None:
    for escaped in (True, False):
        answered = post(world, "memory_update_profile", {"role": framed(text)}, escaped=escaped)
        assert answered.json()["role"] == framed(text)


@many
@given(TEXTS, st.sampled_from(["", " ", "\n"]))
@example("\x00", "")
def test_any_text_in_any_field_is_answered_and_never_by_a_fault(world: World, text: str, around: str) -> None:
    value = f"{around}{text}{around}"
    asked: list[tuple[str, dict[str, Any]]] = [
        ("memory_start_session", {"project": value, "topics": [value], "client": value}),
        (
            "memory_end_session",
            {
                "session_id": world.ids.session,
                "one_liner": value[:100],
                "topics": value,
                "outcome": value,
                "summary": value,
                "key_facts": [value],
                "code_refs": value,
            },
        ),
        ("memory_flag_important", {"content": value, "flag_reason": value, "role": value}),
        ("memory_append_chunk", {"role": "user", "content": value, "flag_reason": value}),
        ("memory_search_chunks", {"query": value, "project": value, "since": value, "session_id": value}),
        ("memory_search_chunks", {"query": value}),
        ("memory_list_sessions", {"topic": value, "cursor": value}),
        ("memory_store_fact", {"category": value, "fact": value}),
        ("memory_get_session_detail", {"session_id": value}),
        ("token_revoke", {"token_id": value}),
        ("memory_resolve_hypothesis", {"id": value, "status": value, "resolution": value}),
        ("memory_get_stats", {value: value}),
    ]
    for operation, arguments in asked:
        answered = post(world, operation, arguments, escaped=True)
        assert answered.status_code in {200, 404, 409, 422}, (operation, answered.status_code, answered.text[:300])
        answered.json()


def test_a_million_characters_come_back(world: World) -> None:
    content = "\U0001f600\u00e9x " * 250_000
    arguments = {"role": "user", "content": content, "flag_reason": "long", "session_id": world.ids.session}
    answered = post(world, "memory_append_chunk", arguments, escaped=False)
    assert answered.status_code == 200
    with world.inside.mind.store.read(NOBODY, "test") as work:
        kept = work.session.exec(select(Chunk.content).where(col(Chunk.uid) == answered.json()["chunk_id"])).one()
    assert kept == content
    too_long = post(world, "memory_append_chunk", {**arguments, "content": "x" * 1_000_001}, escaped=False)
    assert too_long.status_code == 422
    assert len(too_long.content) < 2_000
