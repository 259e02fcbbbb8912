"""What a pattern without a case finds in small letters is what one that ignores case finds in the text as it stands."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.text.small_letters import small_letters

ALL = [chr(code) for code in range(0x110000)]


def test_no_letter_takes_more_room_or_less() -> None:
    assert [each for each in ALL if len(small_letters(each)) != 1] == []
    assert [each for each in ALL if small_letters(small_letters(each)) != small_letters(each)] == []


def test_only_what_a_pattern_takes_for_the_same_becomes_the_same() -> None:
    changed = [each for each in ALL if small_letters(each) != each]
    assert len(changed) > 1_000
    assert [each for each in changed if not re.match(re.escape(small_letters(each)), each, re.IGNORECASE)] == []


@pytest.mark.parametrize("letter", "abcdefghijklmnopqrstuvwxyzäéñœßσжљ")
def test_a_letter_has_every_shape_that_a_pattern_knows(letter: str) -> None:
    pattern = re.compile(letter, re.IGNORECASE)
    assert {each for each in ALL if pattern.match(each)} == {each for each in ALL if small_letters(each) == letter}


@given(st.text(st.sampled_from("kKsSiI\u0130\u0131\u017f\u212aaA \u00c9\u00e9"), max_size=30))
def test_matches_stand_at_the_same_places(text: str) -> None:
    words = r"sk|ki(?:s|k)|is|é"
    expected = [each.span() for each in re.finditer(words, text, re.IGNORECASE)]
    assert [each.span() for each in re.finditer(words, small_letters(text))] == expected
