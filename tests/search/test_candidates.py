"""What is known of the things that may answer: pure but for the places, so the pools are written down."""

from dataclasses import replace
from datetime import UTC, date, datetime
from types import SimpleNamespace
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.embedding.vector_index import VectorMatch
from bigmind.search.candidates import (
    CandidatePlace,
    CandidatePool,
    QuestionText,
    WordScores,
    candidates,
    rarity,
)
from bigmind.search.scope import SearchSource
from bigmind.store.descriptions import TermCounts
from bigmind.store.sqlite.statements import moment
from bigmind.text.dates import Span
from tests.search.plain_ranking import in_columns, plain_candidates

WORDS = ("loom", "thread", "grace", "injured", "buy")
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROWS = SimpleNamespace(moment=moment)
KEYS = st.integers(1, 12)
QUESTION = QuestionText("what did grace hopper say of the loom's thread", [], is_for_time=False, moment=moment)


def pool_of(*texts: str, group: int = 1) -> CandidatePool:
    """Moments of one session that say this, and of which nothing else is known."""
    places = {
        key: CandidatePlace(group, key, "2025-05-08 12:00:00.000000", text) for key, text in enumerate(texts, start=1)
    }
    return CandidatePool("chunk", WordScores({}), {}, places, TermCounts(len(texts), {}, {}))


@pytest.mark.parametrize(
    ("said", "is_named"),
    [
        ("Grace: it holds", True),
        ("  Grace: it holds", True),
        ("GRACE: it holds", True),
        ("Grace Hopper: it holds", True),
        ("Grac: it holds", False),
        ("of: it holds", False),
        ("Alan: Grace: it holds", False),
        ("Grace:it holds", False),
        ("It holds, Grace: yes", False),
        ("Gr{}ace: it holds", False),
        ("", False),
    ],
)
def test_who_says_it_is_named_where_the_question_has_the_name_as_a_word(said: str, is_named: bool) -> None:
    assert candidates([pool_of(said)], QUESTION, {}).named == [is_named]
    assert candidates([pool_of(said, group=0)], QUESTION, {}).named == [False]


def test_nothing_may_answer_where_there_is_nothing() -> None:
    assert candidates([], QUESTION, {}) == candidates([pool_of()], QUESTION, {}) == ((),) * 12


STOOD = TermCounts(100, {"injured": 2, "kids": 2, "loom": 0}, {2: {"kids"}})
SAID = (
    "Grace: my son hurt his ankle",
    "Alan: the kids and the other children",
    "childhood, unhurt",
    "THE CHILD WAS WOUNDED",
)


def related_to(text: str, terms: list[str], standing: TermCounts = STOOD) -> list[set[str]]:
    """Of which words of a question related ones stand in each of four moments."""
    pool, source = replace(pool_of(*SAID), standing=standing), cast("SearchSource", SimpleNamespace(now=NOW, rows=ROWS))
    found = candidates([pool], QuestionText.of(text, source), dict.fromkeys(terms, 1.0))
    return [{term for number, term in enumerate(terms) if bits >> number & 1} for bits in found.related]


def test_of_a_rare_word_related_ones_are_found_in_any_form() -> None:
    terms = ["injured", "kids", "loom"]
    assert related_to("who injured the kids", terms) == [{"injured"}, set(), set(), {"injured", "kids"}]


def test_a_word_that_stands_in_many_has_no_related_ones() -> None:
    many = replace(STOOD, counts={"injured": 2, "kids": 5})
    assert related_to("who injured the kids", ["injured", "kids"], many) == [{"injured"}, set(), set(), {"injured"}]


def test_names_and_questions_of_a_few_words_mean_what_they_say() -> None:
    assert related_to("who injured the Kids", ["injured", "kids"]) == [{"injured"}, set(), set(), {"injured"}]
    assert related_to("injured kids", ["injured", "kids"]) == [set()] * 4


def test_words_of_other_languages_have_no_related_ones() -> None:
    assert related_to("wer hat die kids und wie injured", ["injured", "kids"]) == [set()] * 4


BOUGHT = ("Grace: we bought it", "she buys one", "It was BOUGHT, then sold", "unbought", "bought")


def standing_in(text: str, terms: list[str]) -> list[set[str]]:
    """Which words of a question stand in each of five moments, of which the index knows of none."""
    pool, source = pool_of(*BOUGHT), cast("SearchSource", SimpleNamespace(now=NOW, rows=ROWS))
    found = candidates([pool], QuestionText.of(text, source), dict.fromkeys(terms, 1.0))
    return [{term for number, term in enumerate(terms) if bits >> number & 1} for bits in found.terms]


def test_a_word_stands_in_what_has_an_irregular_form_of_it() -> None:
    bought = [{"buy"}, set[str](), {"buy"}, set[str](), {"buy"}]
    assert standing_in("when did we buy it", ["buy"]) == bought
    assert standing_in("who is buying it", ["buying"]) == [{"buying"} if each else set() for each in bought]
    assert standing_in("who bought it", ["bought"]) == [set(), {"bought"}, set(), set(), set()]


def test_an_irregular_form_counts_for_a_moment_as_the_word_does() -> None:
    source = cast("SearchSource", SimpleNamespace(now=NOW, rows=ROWS))
    found = candidates([pool_of(*BOUGHT)], QuestionText.of("when did we buy it", source), {"buy": 0.7})
    assert found.words == [0.7, 0.0, 0.7, 0.0, 0.7]


def test_names_short_questions_and_other_languages_have_no_irregular_forms() -> None:
    for text in ("when did Buy leave", "buy it", "wer hat das buy und wie"):
        assert standing_in(text, ["buy"]) == [set()] * 5


TEXTS = st.lists(
    st.sampled_from(
        (
            "Grace: ",
            "Grace Hopper: ",
            "ace: ",
            "Alan: ",
            "the loom",
            " ",
            "?",
            "？",
            '?"',
            "[a note]",
            "yesterday",
            "hurt ",
            "wounding",
            "bought ",
            "x" * 90,
        )
    ),
    max_size=4,
).map("".join)
TIMES = st.dates(date(2023, 1, 1), date(2026, 1, 1)).map("{} 12:00:00.000000".format)
PLACES = st.builds(CandidatePlace, st.integers(0, 2), st.integers(0, 9), TIMES, TEXTS)
SPANS = st.builds(Span, st.just(date(2024, 5, 1)), st.dates(date(2024, 5, 1), date(2025, 1, 1)), st.booleans())


@st.composite
def pools(draw: st.DrawFn, kind: str) -> CandidatePool:
    terms = draw(st.dictionaries(KEYS, st.sets(st.sampled_from(WORDS), min_size=1)))
    counts = {word: sum(word in those for those in terms.values()) + draw(st.integers(0, 3)) for word in WORDS}
    scores = draw(st.dictionaries(KEYS, st.floats(0, 1)))
    inside = draw(st.dictionaries(KEYS, st.floats(0, 0.5), max_size=2))
    near = {key: VectorMatch(key, draw(st.floats(-1, 1)), 0, 9) for key in draw(st.sets(KEYS))}
    placed = draw(st.dictionaries(KEYS, PLACES))
    return CandidatePool(
        kind, WordScores(scores, inside), near, placed, TermCounts(draw(st.sampled_from((50, 500))), counts, terms)
    )


QUESTIONS = st.builds(
    QuestionText,
    st.sampled_from(("what did grace say of the loom", "when did grace hopper rest", "alan")),
    st.lists(SPANS, max_size=2),
    st.booleans(),
    st.just(moment),
    st.sampled_from((frozenset[str](), frozenset(WORDS))),
)


@given(pools("chunk"), pools("fact"), QUESTIONS)
def test_columns_tell_of_each_thing_what_is_told_of_it_by_itself(
    moments: CandidatePool, facts: CandidatePool, question: QuestionText
) -> None:
    rare = rarity([moments, facts])
    plain = [each for pool in (moments, facts) for each in plain_candidates(pool, question, rare, [moments, facts])]
    assert [list(each) for each in candidates([moments, facts], question, rare)] == [
        list(each) for each in in_columns(plain, rare)
    ]
