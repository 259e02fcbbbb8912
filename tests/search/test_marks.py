"""How an excerpt is read: which stretches are marked, and where its headline ends."""

import pytest

from bigmind.search.marks import divided, stretches, without_marks


@pytest.mark.parametrize(
    ("excerpt", "read"),
    [
        ("", []),
        ("plain", [("plain", False)]),
        ("a **hit** here", [("a ", False), ("hit", True), (" here", False)]),
        ("**two** and **three**", [("two", True), (" and ", False), ("three", True)]),
        ("2 ** 3 and **hit**", [("2 ** 3 and ", False), ("hit", True)]),
        ("a **lonely one", [("a **lonely one", False)]),
        ("**** and ** **", [("**** and ** **", False)]),
        ("**連接池**，**改**為八", [("連接池", True), ("，", False), ("改", True), ("為八", False)]),
    ],
)
def test_what_stands_between_asterisks_without_blanks_at_its_ends_is_marked(excerpt: str, read: list) -> None:
    assert stretches(excerpt) == read
    assert without_marks(excerpt) == "".join(text for text, _ in read)


@pytest.mark.parametrize(
    ("excerpt", "headline", "parts"),
    [
        ("**Login** fixed We **looked** on", "Login fixed", ("**Login** fixed", "We **looked** on")),
        ("**Login fixed** now", "Login fixed", ("**Login fixed**", "now")),
        ("**Login fixed now** it is", "Login fixed", ("**Login fixed**", "**now** it is")),
        ("Login fixed", "Login fixed", ("Login fixed", "")),
        ("… something else", "Login fixed", ("", "… something else")),
    ],
)
def test_an_excerpt_is_divided_behind_its_headline_marks_and_all(
    excerpt: str, headline: str, parts: tuple[str, str]
) -> None:
    assert divided(excerpt, headline) == parts
