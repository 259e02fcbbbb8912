"""Stored text as HTML, and as plain words."""

import pytest

from ui.show.markdown import as_plain, has_markup, rendered


def test_a_picture_is_a_link_to_it_and_loads_nothing() -> None:
    shown = rendered("See ![the peak](https://pictures.example.org/peak.png) here")
    assert "<img" not in shown
    assert "!" not in shown
    assert ">the peak</a> here" in shown


@pytest.mark.parametrize("address", ["javascript:trap(1)", "data:text/html,trap"])
def test_a_picture_of_another_scheme_leads_nowhere(address: str) -> None:
    assert "href" not in rendered(f"![x]({address})")


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("# Title\n\n- one **bold** word\n- `code`", "Title one bold word code"),
        ("memory_store and __init__ stay", "memory_store and __init__ stay"),
        ("[the page](https://example.org) of ![a picture](u.png)", "the page of a picture"),
    ],
)
def test_plain_words_have_no_markup(text: str, plain: str) -> None:
    assert as_plain(text) == plain


@pytest.mark.parametrize(
    "text", ["**bold**", "# Title", "- one\n- two", "`code`", "1. one", "a\n\nb", "_so_", "<https://a.b>"]
)
def test_markup_is_noticed(text: str) -> None:
    assert has_markup(text)


@pytest.mark.parametrize("text", ["Plain words, and no more.", "memory_store_fact failed - twice", "5 < 6 & 7"])
def test_plain_text_is_noticed(text: str) -> None:
    assert not has_markup(text)
