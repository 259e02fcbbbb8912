"""Which words are related to one, as the file that comes with BigMind has it."""

import re

import pytest

from bigmind.text import related_words as file
from bigmind.text.everyday_words import ENGLISH
from bigmind.text.related_words import irregular_forms, related_words
from bigmind.text.stop_words import ENGLISH as STOP_WORDS
from bigmind.text.word_matches import has_form, word_root


@pytest.mark.parametrize(
    ("word", "related"),
    [
        ("kids", ("children", "child")),
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
    assert len(set(words)) == len(words) > 9_000
    for line in lines:
        word, *others = line.decode("ascii").split(" ")
        assert 1 <= len(others) <= 3
        assert word not in others
        assert not ENGLISH.intersection((word, *others))
        assert all(re.fullmatch("[a-z]{3,}", each) for each in (word, *others))


def test_no_related_word_is_found_in_forms_of_words_that_say_nothing() -> None:
    roots = {word_root(other) for line in file._lines() for other in line.decode("ascii").split()[1:]}
    for each in sorted(ENGLISH | STOP_WORDS):
        assert not [root for root in roots if each.startswith(root) and has_form(each, root)]


@pytest.mark.parametrize(
    ("word", "opposite"),
    [("increase", "decrease"), ("import", "export"), ("downstream", "upstream"), ("agree", "disagree")],
)
def test_the_opposite_of_a_word_is_not_related_to_it(word: str, opposite: str) -> None:
    assert not [each for each in related_words(word) if each.startswith(opposite)]
    assert not [each for each in related_words(opposite) if each.startswith(word)]


@pytest.mark.parametrize(
    ("word", "forms"),
    [
        ("buy", ("bought",)),
        ("goes", ("went", "gone")),
        ("went", ("go", "goes", "going", "gone")),
        ("flew", ("fly", "flies", "flying", "flown")),
        ("beginning", ("began", "begun")),
        ("seeing", ("seen",)),
        ("fleeing", ("fled",)),
        ("wrote", ("write", "writes", "writing", "written")),
        ("caught", ("catch", "catches", "catching")),
        ("children", ("child",)),
        ("indices", ("index",)),
        ("deploy", ()),
        ("left", ()),
        ("speaks", ("spoken",)),
        ("win", ("won",)),
        ("hide", ("hidden",)),
    ],
)
def test_an_irregular_word_has_its_other_forms(word: str, forms: tuple[str, ...]) -> None:
    assert irregular_forms(word) == forms


OTHER_WORDS = """
    bit bore bound cast cut data dice die fed felt found ground hid hit lay lead leading leave left led let mean
    meant men put rang read ring rose rung sat saw set shot split spoke wound
    """.split()  # noqa: SIM905 - in quotes each, they could not be read


@pytest.mark.parametrize("word", OTHER_WORDS)
def test_what_is_often_another_word_or_the_name_of_a_thing_is_no_form(word: str) -> None:
    assert irregular_forms(word) == ()


def test_forms_are_of_each_other_and_stand_in_one_family() -> None:
    forms = file._forms()
    assert all(each.isascii() and each.islower() and each.isalpha() for each in forms)
    assert all(word in forms[other] for word, others in forms.items() for other in others)
    assert not STOP_WORDS.intersection(forms)
