"""Where words and pieces stand in a text, beside what one pattern of all of them finds."""

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from bigmind.text.substrings import pieces
from bigmind.text.word_matches import has_form, matches, word_root
from bigmind.text.words import query_terms
from tests.search.plain_matches import plain_matches

WORDS = (
    *("loom", "looms", "looming", "loo", "Loom", "LOOM", "ation", "ate", "migrate", "migrations", "policy", "policies"),
    *("running", "runn", "run", "runned", "s", "es", "us", "use", "used", "ses", "user", "User", "Id", "userId"),
    *("utf8mb4", "S3", "3", "33", "2x", "8443", "0xCafe", "\u00b2", "\u0663", "café", "CafÉs", "naïve"),
    *("\u017fee", "\u212aelvin", "kelvin", "s\u0131nce", "\u0130d", "id", "see", "ß", "masse", "e\u0301t", "et"),
    *("数据库", "数据", "c数", "сериал", "СЕР"),
    *("Σίσυφος", "σίσυφοσ", "\u1c84", "т"),
    *("main.py", "/src/app", "a.b", "x"),
)
GLUE = ("", "", " ", "_", ".", "-", "'", "\n")
TEXTS = st.lists(st.sampled_from((*WORDS, *GLUE)), max_size=30).map("".join)
QUESTIONS = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)


def found(text: str, question: str, *inside: str) -> list[str]:
    return [text[each.start : each.stop] for each in matches(text, query_terms(question), inside)]


@given(TEXTS, QUESTIONS)
@example("looms loom_Loom3 aloom loomX loomed", "loom")
@example("loom\u017fee see loomsee", "\u017fee")
def test_what_is_found_is_what_a_pattern_of_it_finds(text: str, question: str) -> None:
    terms, inside = query_terms(question), pieces(question)
    assert list(matches(text, terms, inside)) == plain_matches(text, terms, inside)


@given(TEXTS, QUESTIONS, st.lists(st.sampled_from(WORDS), max_size=3))
def test_pieces_are_found_where_a_pattern_finds_them(text: str, question: str, inside: list[str]) -> None:
    terms = query_terms(question)
    assert list(matches(text, terms, inside)) == plain_matches(text, terms, inside)


@given(st.text(max_size=80), st.text(max_size=20))
def test_in_any_text_is_found_what_a_pattern_finds(text: str, question: str) -> None:
    terms, inside = query_terms(question), pieces(question)
    assert list(matches(text, terms, inside)) == plain_matches(text, terms, inside)


@given(
    st.text(st.sampled_from("aAs3_ \u0301é."), max_size=40),
    st.text(st.sampled_from("as3"), min_size=1, max_size=4),
)
def test_in_few_letters_is_found_what_a_pattern_finds(text: str, term: str) -> None:
    assert list(matches(text, [term, "as"])) == plain_matches(text, [term, "as"], ())


def test_letters_that_differ_in_case_or_shape_are_one() -> None:
    """Of Latin, Greek and Cyrillic, whatever a pattern that ignores case takes for the same."""
    letters = [chr(code) for code in (*range(0x41, 0x2000), 0x212A, 0x212B, 0xFB05, 0xFB06) if chr(code).isalpha()]
    cased = [each for each in letters if each.lower() != each.upper()]
    text = " ".join(cased)
    for letter in sorted({each.lower() for each in cased if len(each.lower()) == 1}):
        assert list(matches(text, (), [letter])) == plain_matches(text, (), [letter]), ascii(letter)


@pytest.mark.parametrize(
    ("text", "question", "expected"),
    [
        ("The loom weaves; looms weave, looming.", "loom", ["loom", "looms", "looming"]),
        ("heirloom loomy loomX xLoom", "loom", ["loomy", "loom", "Loom"]),
        ("getS3Url s3 as3 s33", "s3", ["S3", "s3"]),
        ("running runs run runner ran", "runs", ["running", "runs", "run", "runner"]),
        ("nothing of it", "loom", []),
        ("Sorted by day: a.b.c, B, bs", "a.b.c", ["b", "c", "B"]),
        ("PRs of a PR", "PR", ["PRs", "PR"]),
        ("", "loom", []),
        ("the loom", "", []),
    ],
)
def test_a_word_is_found_in_other_forms_and_as_a_part(text: str, question: str, expected: list[str]) -> None:
    assert found(text, question) == expected


def test_a_piece_is_found_anywhere_and_before_a_word() -> None:
    assert found("JsonSerializerFactory serial", "serial", "erializerfac") == ["erializerFac", "serial"]
    assert found("loom", "loom", "loo") == ["loo"]


@pytest.mark.timeout(5)  # it takes a thousandth of a second; looking through all of it, ten
@pytest.mark.parametrize("unit", ["aa", "aA", "a_", "数", "car ", "e\u0301", "3a"])
def test_however_often_something_begins_the_first_ones_come_at_once(unit: str) -> None:
    """A megabyte of one letter is not looked through before the first is told."""
    text = unit * (1_000_000 // len(unit))
    terms = [unit.strip() * number for number in range(1, 30)]
    first = next(matches(text, [], terms))
    assert (first.start, first.is_piece) == (0, True)


@pytest.mark.parametrize(
    ("text", "word", "has_it"),
    [
        ("it hurts", "hurt", True),
        ("unhurt", "hurt", False),
        ("hurtful", "hurt", False),
        ("wounded", "wounds", True),
        ("un-hurt, he said", "hurt", True),
        ("unhurt and hurt", "hurt", True),
        ("", "hurt", False),
    ],
)
def test_a_text_has_a_form_of_a_word_where_one_begins(text: str, word: str, has_it: bool) -> None:
    assert has_form(text, word_root(word)) is has_it
