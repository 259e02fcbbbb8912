"""Any text is a question that gets an answer; none is an error."""

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings

from bigmind.search.words import LONGEST_TERM, MOST_QUERY_TERMS, query_terms
from tests.mcp.manifest import shows
from tests.memory.living import Memory, living
from tests.search.strings import CODE, STRINGS

TEXTS = (
    "We chose getUserById over user_id in src/app/main.py; what's up? NOT yet.",
    "foo->bar() throws in C++ unless a.b.c is set NEAR the top",
    "数据库迁移在周五晚上进行。 データベースの移行は金曜日です。",
    "The deploy failed 🚀 because ¿por qué? naïve façade",
)


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    with living(tmp_path_factory.mktemp("search") / "home") as memory:
        for text in TEXTS:
            memory("memory_flag_important", content=text, flag_reason="kept")
        yield memory


def ask(memory: Memory, text: str) -> None:
    """An answer with hits or without, in data and in words; or, for nothing at all, a refusal of the field."""
    if text.strip("\x00"):
        answer = memory("memory_search_chunks", query=text)
        answer.as_text().encode()
        assert len(answer.hits) <= 5
    else:
        assert memory.refuses("memory_search_chunks", query=text).problems[0].field == "query"


@settings(max_examples=2_000, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=STRINGS)
@shows("memory_search_chunks.any_text")
def test_two_thousand_generated_strings_are_answered(remembered: Memory, text: str):
    ask(remembered, text)


@pytest.mark.parametrize("text", CODE, ids=ascii)
def test_operators_code_and_odd_characters_are_answered(remembered: Memory, text: str):
    ask(remembered, text)


@pytest.mark.parametrize("unit", ["a", "a ", "ab.", "数", "🚀", '"', "a" * 100 + " ", "fooBar", "\n"], ids=ascii)
def test_ten_thousand_characters_are_answered(remembered: Memory, unit: str):
    ask(remembered, (unit * 10_000)[:10_000])


def test_a_string_longer_than_any_question_is_refused_by_its_field(remembered: Memory):
    error = remembered.refuses("memory_search_chunks", query="a" * 100_001)
    assert "query" in str(error)
    assert "100000" in str(error)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("foo->bar()", 1),
        ("a.b.c", 1),
        ("c++ unless", 1),
        ("what's up?", 0),
        ("NOT yet", 0),
        ("deploy AND -nothing", 3),
        ('"deploy failed"', 3),
        ("content:deploy", 3),
        ("deploy*", 3),
        ("dep\x00loy", 3),
        ("deploy \ud800", 3),
        ("🚀 deploy", 3),
        ("naive facade", 3),
        ("POR QUÉ", 3),
        ("数据库", 2),
        ("金曜日", 2),
    ],
)
def test_what_is_meant_by_it_is_found(remembered: Memory, text: str, place: int):
    best = remembered("memory_search_chunks", query=text).hits[0]
    assert best.excerpt.replace("**", "") == TEXTS[place]


def test_words_that_say_nothing_do_not_count_unless_there_is_nothing_else():
    assert query_terms("what did we decide about the loom") == ["decide", "loom"]
    assert query_terms("what is it") == ["what", "is", "it"]


def test_a_question_has_a_bounded_number_of_terms():
    terms = query_terms(" ".join(f"word{n}" for n in range(5_000)))
    assert len(terms) == MOST_QUERY_TERMS
    assert query_terms("x" * (LONGEST_TERM + 1)) == []
