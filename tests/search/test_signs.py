"""Signs are found where no word is asked for: emoji, ticks, arrows, flags, as they stand in texts."""

import pytest

from bigmind.text.words import as_written, index_terms, part_terms, query_terms
from tests.memory.living import Memory

ROCKET = "We use 🚀 emoji in the commit titles"
LATIN = "The table 東京 holds the offices of Tokyo"


@pytest.mark.parametrize(
    ("query", "text", "marked"),
    [
        ("🚀", ROCKET, "🚀"),
        ("🚀🚀 ?", "🚀", "🚀"),
        ("✓", "done:✓, as agreed", "✓"),
        ("☺", "数据☺库", "☺"),
        ("∀", "it holds ∀x of the set", "∀"),
        ("❤️", "we ❤️ tests", "❤️"),
        ("❤", "we ❤️ tests", "❤️"),
        ("🇩🇪", "the office in 🇩🇪 moved", "🇩🇪"),
        ("👩‍👩‍👧", "a family 👩‍👩‍👧 moved in", "👩‍👩‍👧"),
        ("١", "the number ١ here", "١"),
    ],
    ids=ascii,
)
def test_a_sign_finds_what_holds_it_and_is_marked(memory: Memory, query: str, text: str, marked: str) -> None:
    for fact in (text, "the office in 🇩🇰 stayed 😀", LATIN):
        memory("memory_store_fact", category="codebase", fact=fact)
    (hit,) = memory("memory_semantic_search", query=query, kinds=["fact"]).hits
    assert hit.excerpt == text.replace(marked, f"**{marked}**")
    assert hit.why == f"words: {marked}"
    assert hit.similarity == 1.0


def test_signs_beside_words_are_no_part_of_what_is_asked() -> None:
    assert query_terms("🚀 commit → titles") == ["commit", "titles"]
    assert query_terms("¿🚀 ✓🚀?") == ["zsign1f680", "zsign02713"]


def test_signs_are_words_of_their_own_in_the_index_alone() -> None:
    assert index_terms("userId → 🚀") == "user id zsign02192 zsign1f680"
    assert part_terms("userId → 🚀") == "user id"
    assert index_terms("a + b <= c, “said”, a\ufffdb") == ""
    assert [as_written(each) for each in ("zsign1f680", "zsign1f1e91f1ea", "zsign", "zsignal", "signed")] == [
        *("🚀", "🇩🇪"),
        *("zsign", "zsignal", "signed"),
    ]
