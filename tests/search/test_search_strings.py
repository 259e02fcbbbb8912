"""Any text that shows something is a question that gets an answer; none is an error."""

from collections.abc import Iterator
from time import process_time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bigmind.core.plain_text import clean, seen
from bigmind.embedding.models import MINILM
from bigmind.memory.recall.everything import EverythingQuery, search_everything
from bigmind.search.finding import find
from bigmind.search.scope import SearchQuery
from bigmind.text.substrings import LEAST_PIECE, LONGEST_PIECE, MOST_GRAMS, MOST_PIECES, grams, inside_words, pieces
from bigmind.text.words import LONGEST_TERM, MOST_QUERY_TERMS, query_terms
from tests.mcp.manifest import shows
from tests.memory.living import Memory, living
from tests.search.alike import alike_in
from tests.search.strings import CODE, STRINGS, many_strings
from tests.thorough import often

TEXTS = (
    "We chose getUserById over user_id in src/app/main.py; what's up? NOT yet.",
    "foo->bar() throws in C++ unless a.b.c is set NEAR the top",
    "数据库迁移在周五晚上进行。 データベースの移行は金曜日です。",
    "The deploy failed 🚀 because ¿por qué? naïve façade",
)


KINDS = ("chunk", "session", "fact", "hypothesis", "knowledge")
MANY = often(10_000, 500)


@pytest.fixture(scope="module")
def remembered(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Those texts as things of every kind, all with vectors."""
    with living(tmp_path_factory.mktemp("search") / "home") as memory, alike_in(memory) as index:
        for text in TEXTS:
            memory("memory_flag_important", content=text, flag_reason="kept")
            memory("memory_store_fact", category="codebase", fact=text)
            memory("memory_add_hypothesis", hypothesis=text)
            memory("memory_promote_to_global", category="decision", title=text[:40], content=text)
        memory("memory_end_session", one_liner="All of it", topics=["odd"], outcome="", summary="\n".join(TEXTS))
        index.catch_up()
        yield memory


@pytest.fixture(scope="module")
def by_words(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """Those texts as moments of a session each, so that none is beside another; by words alone."""
    with living(tmp_path_factory.mktemp("words") / "home") as memory:
        for text in TEXTS:
            memory("memory_start_session")
            memory("memory_flag_important", content=text, flag_reason="kept")
        yield memory


def ask(memory: Memory, text: str, operation: str = "memory_semantic_search", **more: object) -> None:
    """An answer with hits or without, in data and in words; or, where nothing is seen, a refusal of the field."""
    if seen(clean(text)):
        answer = memory(operation, query=text, limit=5, **more)
        answer.as_text().encode()
        answer.model_dump_json()
        assert len(answer.hits) <= 5
        assert bool(answer.words_only) == (not MINILM.reads(clean(text)))
    else:
        assert memory.refuses(operation, query=text).problems[0].field == "query"


@settings(max_examples=often(300, 40), deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(text=STRINGS)
@shows("memory_search_chunks.any_text", "memory_semantic_search.any_text")
def test_generated_strings_are_answered_of_everything_and_of_each_kind(remembered: Memory, text: str):
    ask(remembered, text)
    ask(remembered, text, "memory_search_chunks")
    ask(remembered, text, "memory_search_global")


@pytest.mark.parametrize("part", range(4))
def test_ten_thousand_strings_are_answered_by_words_inside_words_and_by_meaning(
    remembered: Memory, part: int, record_property
):
    """Each of them of one kind, in turn, and every twelfth as the whole answer: it costs more than to find it."""
    slowest = (0.0, "")
    with remembered.mind.store.read(remembered.caller, "test") as work:
        for number, text in enumerate(many_strings(seed=part, count=MANY // 4)):
            if query := clean(text):
                began, kinds = process_time(), [KINDS[number % len(KINDS)]]
                if number % 12 == 0:
                    found = search_everything(work, EverythingQuery(query, 5, kinds))
                    found.as_text().encode()
                else:
                    found = find(work, SearchQuery(query, 5), kinds)
                slowest = max(slowest, (process_time() - began, text))
                assert len(found.hits) <= 5
                assert bool(found.words_only) == (not MINILM.reads(query))
    record_property("slowest, ms", round(slowest[0] * 1e3, 1))
    print(f"slowest: {slowest[0] * 1e3:.1f} ms for {ascii(slowest[1])[:200]}")


@pytest.mark.parametrize("text", CODE, ids=ascii)
def test_operators_code_and_odd_characters_are_answered(remembered: Memory, text: str):
    ask(remembered, text)


LONG = ["a", "a ", "ab.", "数", "データ", "🚀", '"', "a" * 100 + " ", "fooBar", "\n", "x9_", "\u0301", "é", "a1b2 c_d "]
LONG += [
    "may ",
    "in may ",
    "may" + " " * 20_000 + "x",
    "12. ",
    "1.2.20",
    "last ",
    "2024-05 ",
    "vor 3 ",
    "yesterday hier ",
]


def hundred_thousand(unit: str) -> str:
    """So many characters of it, again and again."""
    return (unit * (100_000 // len(unit) + 1))[:100_000]


@pytest.mark.parametrize("unit", LONG, ids=lambda unit: ascii(unit[:12]))
def test_a_hundred_thousand_characters_are_answered(remembered: Memory, unit: str):
    ask(remembered, hundred_thousand(unit))


@given(text=st.one_of(STRINGS, st.sampled_from(LONG).map(hundred_thousand)))
@settings(max_examples=often(100, 15), deadline=None)
def test_what_is_looked_for_is_bounded_whatever_is_asked(text: str):
    assert len(query_terms(text)) <= MOST_QUERY_TERMS
    assert len(pieces(text)) <= MOST_PIECES
    assert len(inside_words(query_terms(text))) <= MOST_PIECES
    for piece in (*pieces(text), *inside_words(query_terms(text))):
        assert LEAST_PIECE <= len(piece) <= LONGEST_PIECE
        assert 1 <= len(grams(piece)) <= MOST_GRAMS
        assert all(len(gram) == 3 and gram in piece for gram in grams(piece))


def test_a_string_longer_than_any_question_is_refused_by_its_field(remembered: Memory):
    error = remembered.refuses("memory_search_chunks", query="a" * 100_001)
    assert "query" in str(error)
    assert "100,000" in str(error)


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("foo->bar()", 1),
        ("a.b.c", 1),
        ("c++ unless", 1),
        ("what's user_id?", 0),  # "what's up?" has everyday words only
        ("NOT yet", 0),
        ("deploy AND -nothing", 3),
        ('"deploy failed"', 3),
        ("content:deploy", 3),
        ("deploy*", 3),
        ("dep\x00loy", 3),
        ("deploy \ud800", 3),
        ("🚀 deploy", 3),
        ("🚀", 3),
        ("naive facade", 3),
        ("POR QUÉ", 3),
        ("数据库", 2),
        ("金曜日", 2),
    ],
)
def test_what_is_meant_by_it_is_found(by_words: Memory, text: str, place: int):
    best = by_words("memory_search_chunks", query=text).hits[0]
    assert best.excerpt.replace("**", "") == TEXTS[place]


def test_words_that_say_nothing_do_not_count_unless_there_is_nothing_else():
    assert query_terms("what did we decide about the loom") == ["decide", "loom"]
    assert query_terms("what is it") == ["what", "is", "it"]


def test_a_question_has_a_bounded_number_of_terms():
    terms = query_terms(" ".join(f"word{n}" for n in range(5_000)))
    assert len(terms) == MOST_QUERY_TERMS
    assert query_terms("x" * (LONGEST_TERM + 1)) == []
