"""What an edit is said to change is what it changes."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ui.show.word_diff import AROUND, MOST_WORDS, Stretch, difference

TEXTS = st.lists(st.sampled_from(["a", "b ", "\n", " c", "dd\n", "é"]), max_size=12).map("".join)


@given(TEXTS, TEXTS)
def test_what_stays_with_what_goes_is_the_text_before_and_with_what_comes_the_one_after(
    before: str, after: str
) -> None:
    found = difference(before, after)
    if before == after:
        assert found == []
        return
    assert "".join(each.text for each in found if each.kind != "new") == before
    assert "".join(each.text for each in found if each.kind != "gone") == after
    assert all(one.kind != other.kind for one, other in pairwise(found))


def test_words_are_compared_within_a_line_that_changed() -> None:
    assert difference("Queues end in -q.\nStays.", "Topics end in -t.\nStays.") == [
        Stretch("gone", "Queues"),
        Stretch("new", "Topics"),
        Stretch("same", " end in"),
        Stretch("gone", " -q."),
        Stretch("new", " -t."),
        Stretch("same", "\nStays."),
    ]


def test_of_what_stays_only_what_is_near_a_change_is_shown() -> None:
    long = "stays " * 200
    found = difference(f"{long}\none\n{long}\ntwo\n{long}", f"{long}\n1\n{long}\n2\n{long}")
    same = [each.text for each in found if each.kind == "same"]
    assert [len(each) for each in same] == [AROUND + 3, 2 * AROUND + 3, AROUND + 3]
    assert [each.text for each in found if each.kind == "new"] == ["1", "2"]


@pytest.mark.parametrize("unit", ["a ", "a\n", "a b\n"])
def test_a_long_text_of_one_word_is_compared_too(unit: str) -> None:
    before = unit * (MOST_WORDS + 1)
    found = difference(before, f"{before}z {unit}")
    assert found[-1].kind == "new"
    assert "z" in found[-1].text
