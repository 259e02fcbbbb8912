"""Cursors hold a place, and garbage is refused by name."""

import base64
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.core.errors import BigMindError
from bigmind.core.paging import cursor_after, place_of

MOMENTS = st.datetimes(datetime(1970, 1, 1), datetime(2999, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001


@given(MOMENTS, st.integers(0, 2**63 - 1))
def test_a_cursor_holds_its_place_and_is_safe_in_an_address(moment: datetime, key: int):
    cursor = cursor_after(moment, key)
    assert place_of(cursor) == (moment, key)
    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")


@given(st.text(max_size=80))
def test_any_other_text_is_a_place_or_refused_by_its_field(text: str):
    refusal = None
    try:
        moment, key = place_of(text)
    except BigMindError as error:
        refusal = error
    if refusal is not None:
        assert str(refusal).endswith("expected the cursor of the page before")
        assert [problem.field for problem in refusal.problems] == ["cursor"]
    else:
        assert moment.tzinfo is UTC
        assert 0 <= key < 2**63


def forged(text: str) -> str:
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


@pytest.mark.parametrize(
    "text", ["", "x", "2026-01-01", "2026-01-01T00:00:00|", "|1", "a|b|c", "2026-99-99|1", "2026-01-01|x"]
)
def test_a_cursor_with_the_wrong_inside_is_refused(text: str):
    with pytest.raises(BigMindError, match="cursor"):
        place_of(forged(text))


@pytest.mark.parametrize(
    "text", ["2026-01-01|-5", f"2026-01-01|{10**30}", "2026-01-01T00:00:00|1", "2026-01-01T02:00:00+02:00|1"]
)
def test_a_forged_cursor_is_no_fault_of_the_database(text: str):
    moment, key = place_of(forged(text))
    assert moment.tzinfo is UTC
    assert 0 <= key < 2**63
