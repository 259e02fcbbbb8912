"""Which words are related to one, as the file that comes with BigMind has it."""

import re

import pytest

from bigmind.text import related_words as file
from bigmind.text.everyday_words import ENGLISH
from bigmind.text.related_words import related_words


@pytest.mark.parametrize(
    ("word", "related"),
    [
        ("kids", ("children", "child", "boys")),
        ("injured", ("injuries", "wounded", "hurt")),
        ("zurich", ("switzerland", "swiss", "lausanne")),
        ("zzz", ()),
        ("kid's", ()),
        ("", ()),
        ("before", ()),
        ("monday", ()),
    ],
)
def test_a_word_has_few_related_ones_or_none(word: str, related: tuple[str, ...]) -> None:
    assert related_words(word) == related


def test_the_file_has_each_word_once_with_others_that_say_something() -> None:
    lines = file._lines()
    words = [line.split()[0].decode() for line in lines]
    assert lines == sorted(lines)
    assert len(set(words)) == len(words) > 10_000
    for line in lines:
        word, *others = line.decode("ascii").split(" ")
        assert 1 <= len(others) <= 3
        assert word not in others
        assert not ENGLISH.intersection((word, *others))
        assert all(re.fullmatch("[a-z]{3,}", each) for each in (word, *others))
