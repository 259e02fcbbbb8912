"""How an excerpt is read: which stretches are marked."""

import pytest

from bigmind.text.excerpts import stretches


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
