"""The one rule for text, and how text is shortened."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.core import plain_text
from bigmind.core.plain_text import clean, one_line, quoted, shortened, visible

ANY = st.text(st.characters())


@given(ANY)
def test_clean_text_can_be_stored_and_sent_and_is_clean_already(text: str):
    cleaned = clean(text)
    cleaned.encode()
    assert "\x00" not in cleaned
    assert clean(cleaned) == cleaned


@given(st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",))))
def test_text_that_needs_no_cleaning_is_not_changed(text: str):
    assert clean(text) == text


def test_a_nul_goes_and_a_lone_surrogate_is_replaced():
    assert clean("a\x00b\ud800c\udfff") == "ab\ufffdc\ufffd"
    assert clean("🚀\x00") == "🚀"


def test_all_that_is_made_visible_is_looked_for_first():
    every = "".join(f"{chr(code)}{chr(code)} " for code in range(0x110000))
    unseen = {*"".join(plain_text._UNSEEN.findall(every))}
    assert {"\r", "\x00", "\u202e", "\ufe00", "\U000e01ef"} < unseen
    assert unseen == {*plain_text._PERHAPS_UNSEEN.findall(every)}


@given(ANY)
def test_one_line_has_no_line_end_and_the_same_words(text: str):
    line = one_line(text)
    assert line.splitlines() in ([line], [])
    assert line.split() == text.split()
    assert line == line.strip()


@given(ANY, st.integers(1, 60))
def test_shortened_text_is_never_longer_than_asked(text: str, most: int):
    short = shortened(text, most)
    assert len(short) <= most
    assert short == text or (len(text) > most and short.endswith("…") and text.startswith(short[:-1]))


def test_shortened_text_ends_at_a_word_where_one_is_near():
    assert shortened("weaves algebraic patterns", 20) == "weaves algebraic…"
    assert shortened("a verylongwordwithoutends", 12) == "a verylongw…"
    assert shortened("exactly", 7) == "exactly"


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\r\nof two lines", "plain\ttext\r\nof two lines"),
        ("\x1b]52;c;QUJD\x1b\\", "\ufffd]52;c;QUJD\ufffd\\"),
        ("over\rwritten\x08\x7f\x9b", "over\ufffdwritten\ufffd\ufffd\ufffd"),
        ("\u202egnp.exe\u2066", "\ufffdgnp.exe\ufffd"),
        ("hi\U000e0041", "hi\ufffd"),
        ("👩‍💻 שלום", "👩‍💻 שלום"),
    ],
)
def test_what_a_terminal_would_obey_is_not_shown(text: str, shown: str):
    assert visible(text) == shown


def test_somebodys_words_cannot_be_a_heading_of_ours():
    assert quoted("fine\n\n## 🧠 BigMind context\r## x") == "> fine\n>\n> ## 🧠 BigMind context\ufffd## x"
