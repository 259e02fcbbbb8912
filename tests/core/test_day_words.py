"""Days and times in the words that people and models write."""

from datetime import UTC, date, datetime

import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.operations.day_words import day_of

NOW = datetime(2026, 3, 1, 0, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("given", "day"),
    [
        ("today", "2026-03-01"),
        ("Yesterday ", "2026-02-28"),
        ("0d", "2026-03-01"),
        ("7d", "2026-02-22"),
        ("2w", "2026-02-15"),
        ("this week", "2026-02-23"),
        ("last  Week", "2026-02-16"),
        ("this month", "2026-03-01"),
        ("last month", "2026-02-01"),
        ("2026-01-31", "2026-01-31"),
        ("2026-01-31T09:15:00Z", "2026-01-31T09:15:00Z"),
        ("2026-13-01", "2026-13-01"),
    ],
)
def test_a_word_stands_for_a_day_and_a_date_for_itself(given: str, day: str) -> None:
    assert day_of("since", given, NOW) == day


@pytest.mark.parametrize("given", ["", "soon", "-3", "last time"])
def test_what_is_no_day_is_refused_with_what_is_taken(given: str) -> None:
    with pytest.raises(BigMindError) as refused:
        day_of("until", given, NOW)
    assert refused.value.code is Code.INVALID_INPUT
    assert str(refused.value).startswith(f"The input is not valid.\n- until: got {given!r}; expected a da")
    assert "7d" in str(refused.value)


@pytest.mark.parametrize("words", ["this week", "last week", "this month", "last month"])
def test_the_end_of_a_time_is_its_last_day(words: str) -> None:
    first, last = day_of("since", words, NOW), day_of("until", words, NOW)
    assert first <= last <= day_of("until", "today", NOW)
    assert day_of("until", "last month", NOW)[-2:] in {"28", "29", "30", "31"}


def test_the_last_week_ends_on_a_sunday() -> None:
    assert date.fromisoformat(day_of("until", "last week", NOW)).isoweekday() == 7
