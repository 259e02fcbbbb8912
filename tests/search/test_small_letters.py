"""What a pattern without a case finds in small letters is what one that ignores case finds in the text as it stands."""

import re

from hypothesis import given
from hypothesis import strategies as st

from bigmind.text.small_letters import small_letters

ALL = "".join(map(chr, range(0x110000)))
LETTERS = "abcdefghijklmnopqrstuvwxyzäéñœßσжљ"


def test_each_letter_has_every_shape_that_a_pattern_knows_and_keeps_its_room() -> None:
    small = small_letters(ALL)
    assert len(small) == len(ALL)
    assert small_letters(small) == small
    shapes: dict[str, set[str]] = {}
    for letter, each in zip(small, ALL, strict=True):
        if letter != each:
            shapes.setdefault(letter, {letter}).add(each)
    assert len(shapes) > 1_000
    for letter in LETTERS:
        assert shapes.get(letter, {letter}) == set(re.findall(letter, ALL, re.IGNORECASE)), letter


def test_only_what_a_pattern_takes_for_the_same_becomes_the_same() -> None:
    changed = [(small, each) for small, each in zip(small_letters(ALL), ALL, strict=True) if small != each]
    assert [each for small, each in changed if not re.match(re.escape(small), each, re.IGNORECASE)] == []


@given(st.text(st.sampled_from("kKsSiI\u0130\u0131\u017f\u212aA \u00c9\u00e9"), max_size=30))
def test_matches_stand_at_the_same_places(text: str) -> None:
    words = r"sk|ki(?:s|k)|is|é"
    expected = [each.span() for each in re.finditer(words, text, re.IGNORECASE)]
    assert [each.span() for each in re.finditer(words, small_letters(text))] == expected
