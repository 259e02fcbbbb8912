"""Inputs are cleaned, bounded and converted once, at the edge."""

from datetime import UTC, datetime
from typing import Annotated, Any, get_args

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field, TypeAdapter, ValidationError

from bigmind.core.errors import Code
from bigmind.memory.operations import memory_end_session
from bigmind.memory.recall.operations import Kinds, Searchable
from bigmind.operations.inputs import (
    MOST_CUT,
    MOST_TOPICS_CUT,
    Bullets,
    Confidence,
    Content,
    LastBullets,
    Line,
    OneLiner,
    Outcome,
    Project,
    Since,
    Text,
    Topics,
    UnchangedSince,
    split,
)
from bigmind.operations.validation import validated
from tests.memory.living import Memory


def read(kind: Any, value: object) -> Any:
    return TypeAdapter(Annotated[kind, None]).validate_python(value)


@given(st.text(st.characters(), max_size=200))
def test_every_text_that_passes_is_clean(text: str):
    for kind in (Line, Text):
        read(kind, text).encode()
        assert "\x00" not in read(kind, text)
    assert "\n" not in read(Line, text)


def test_content_keeps_its_white_space_and_text_does_not():
    assert read(Content, " a\n\x00 ") == " a\n "
    assert read(Text, " a\n\x00 ") == "a"
    assert read(Line, " a\n\x00b ") == "a b"


def test_a_headline_is_measured_after_it_was_made_one_line():
    assert read(OneLiner, "x" * 60 + "\n" * 500 + "y" * 59) == "x" * 60 + " " + "y" * 59
    with pytest.raises(ValidationError):
        read(OneLiner, "x" * (MOST_CUT + 1))


@pytest.mark.parametrize(
    ("kind", "bound", "refused", "target"),
    [
        (OneLiner, "maxLength", MOST_CUT, 120),
        (Outcome, "maxLength", MOST_CUT, 500),
        (Topics, "maxItems", MOST_TOPICS_CUT, 20),
    ],
)
def test_a_schema_bounds_what_is_refused_and_tells_what_is_cut(kind: Any, bound: str, refused: int, target: int):
    """A client that checks the schema sends what would be cut, too."""
    schema = TypeAdapter(Annotated[kind, None]).json_schema()
    assert schema[bound] == refused
    assert f"; cut at {target}" in schema["description"]
    assert "items" not in schema or schema["items"]["maxLength"] == MOST_CUT


@pytest.mark.parametrize(
    ("given_value", "wanted"),
    [
        ([], []),
        ("", []),
        ("one", ["one"]),
        ("one,two , ,three", ["one", "two", "three"]),
        ("- one\n-  two\n", ["one", "two"]),
        ("- one, and a half", ["one, and a half"]),
        ("one, and a half\ntwo", ["one, and a half", "two"]),
        (["one, and a half", "- two"], ["one, and a half", "- two"]),
    ],
)
def test_bullets_may_be_a_list_commas_or_lines(given_value: object, wanted: list[str]):
    assert read(Bullets, given_value) == wanted


@pytest.mark.parametrize(
    ("given_value", "wanted"),
    [
        ('["kafka", "ledger, v2"]', ["kafka", "ledger, v2"]),
        (' [ "one" ]\n', ["one"]),
        ("[]", []),
        ("[WIP], two", ["[WIP]", "two"]),
        ("[1, 2]", ["[1", "2]"]),
        ("[" * 100_000, ["[" * 100_000]),
    ],
)
def test_a_list_that_was_sent_as_text_is_the_list(given_value: str, wanted: list[str]):
    """Or its brackets and quotes would stand in topics, key facts and pinned facts."""
    assert split(given_value) == wanted


def test_at_the_last_call_an_empty_item_is_left_out_and_not_refused():
    assert read(Topics, ["", "a", " \u200b"]) == ["a"]
    assert read(LastBullets, [""]) == []
    assert (read(Topics, '["a", ""]'), read(LastBullets, '["b", " "]')) == (["a"], ["b"])
    ended = {"one_liner": "x", "topics": ["a", ""], "outcome": "", "key_facts": ["b", ""], "code_refs": [""]}
    given = validated(memory_end_session, ended)
    assert (given["topics"], given["key_facts"], given["code_refs"]) == (["a"], ["b"], [])
    with pytest.raises(ValidationError):
        read(LastBullets, [None])
    with pytest.raises(ValidationError):  # it would replace all that are pinned by nothing
        read(Bullets, [""])


def test_topics_are_small_letters_and_each_once():
    assert read(Topics, ["B", "a", "b ", "A\nA"]) == ["b", "a", "a a"]
    assert len(read(Topics, ",".join(map(str, range(1_000))))) == 1_000
    with pytest.raises(ValidationError, match="at most 1000"):
        read(Topics, ",".join(map(str, range(1_001))))


def test_all_kinds_may_be_named_at_once():
    every = list(get_args(Searchable))
    assert read(Kinds, every) == every
    assert TypeAdapter(Kinds).json_schema()["maxItems"] == len(every)
    with pytest.raises(ValidationError, match=f"at most {len(every)}"):
        read(Kinds, [*every, "fact"])


@pytest.mark.parametrize(
    ("given_value", "wanted"),
    [
        ("2026-03-30", datetime(2026, 3, 30, tzinfo=UTC)),
        ("2026-03-30T09:15:00", datetime(2026, 3, 30, 9, 15, tzinfo=UTC)),
        ("2026-03-30T09:15:00Z", datetime(2026, 3, 30, 9, 15, tzinfo=UTC)),
        ("2026-03-30T09:15:00+02:00", datetime(2026, 3, 30, 7, 15, tzinfo=UTC)),
    ],
)
def test_a_moment_is_a_date_or_a_time_in_any_zone(given_value: str, wanted: datetime):
    assert read(Since, given_value) == wanted
    assert read(Since, given_value).tzinfo is UTC


def test_a_word_for_a_day_is_its_first_moment():
    assert (read(Since, "Last week").weekday(), read(Since, "7d").hour) == (0, 0)
    with pytest.raises(ValidationError):
        read(UnchangedSince, "yesterday")


@pytest.mark.parametrize(
    "given_value",
    [
        *("one day", "999999d", "2026-02-30", "2026-3-30", "", None, "0000000000", "9999-12-31T23:59:59-12:00"),
        *("2026", "20260330", " 7 ", "-7", "7.5", 7, 7.0, True),  # seconds since 1970, that is everything
    ],
)
def test_what_is_no_moment_is_refused(given_value: object):
    with pytest.raises(ValidationError):
        read(Since, given_value)


@pytest.mark.parametrize("given_value", [float("nan"), float("inf"), -0.01, 1.01, "x", None])
def test_a_confidence_is_a_number_from_zero_to_one(given_value: object):
    with pytest.raises(ValidationError):
        read(Confidence, given_value)


@pytest.mark.parametrize(
    "text", ["   ", "\u200b\u200b\u200b", "\u2060", "\u200b\u200d\ufeff", "\u3164", "\x1b", "\u2800 \u200b"]
)
@pytest.mark.parametrize("kind", [Line, Text, Project])
def test_what_nobody_sees_is_no_text(kind: Any, text: str):
    required = Annotated[kind, Field(min_length=1)]
    with pytest.raises(ValidationError):
        read(required, text)
    assert read(required, f"{text}a").endswith("a")
    assert read(required, "\u2764\ufe0f") == "\u2764\ufe0f"


@pytest.mark.parametrize("query", [" ", "\n", "\t \r\n", "\u200b", "\u202e \u2066"])
@pytest.mark.parametrize("operation", ["memory_semantic_search", "memory_search_chunks", "memory_search_global"])
def test_a_question_that_shows_nothing_is_refused_as_an_empty_one(memory: Memory, operation: str, query: str):
    error = memory.refuses(operation, query=query)
    assert error.code is Code.INVALID_INPUT
    assert "expected at least 1 character that is not white space" in str(error)
    assert memory(operation, query=f"{query}loom{query}").query == f"{query}loom{query}"
