"""A day or time as people and models write it where a time begins or ends: 2026-03-30, yesterday, last week, 7d."""

import re
from datetime import date, datetime, timedelta

from bigmind.core.clock import system_clock
from bigmind.core.errors import invalid

DAY_WORDS = "today, yesterday, this week, last week, this month, last month, 7d (days ago) or 2w (weeks ago)"
ALSO = f" Also {DAY_WORDS}."
DAY_OR_TIME = f"a date or time like 2026-03-30 or 2026-03-30T09:15:00Z, or {DAY_WORDS}"
_DAYS_IN = {"d": 1, "w": 7}
_AGO = re.compile(r"(\d{1,6})([dw])")


def day_of(name: str, given: str, now: datetime | None = None) -> str:
    """The day that a word stands for, in UTC as every day here; a date or time as it is, for the server checks it.

    Args:
        name: of the field.
        given: what stands after its option.
        now: the present moment; None for that of the system.

    Raises:
        BigMindError: `invalid_input` for what is neither.
    """
    day = last_day(given, now) if name == "until" else first_day(given, now)
    if day is None and not given.strip()[:1].isdigit():
        raise invalid(name, given, DAY_OR_TIME)
    return given if day is None else day.isoformat()


def first_day(given: str, now: datetime | None = None) -> date | None:
    """The first day, in UTC, of what a word names; None for what is no such word, or before the year 1."""
    today = (now or system_clock()).date()
    word = " ".join(given.lower().split())
    try:
        if ago := _AGO.fullmatch(word):
            return today - timedelta(int(ago[1]) * _DAYS_IN[ago[2]])
        return _named(word, today)
    except OverflowError:
        return None


def last_day(given: str, now: datetime | None = None) -> date | None:
    """The last day, up to today, of what a word names; None as `first_day`."""
    today = (now or system_clock()).date()
    ends = {
        "this week": today,
        "last week": today - timedelta(today.weekday() + 1),
        "this month": today,
        "last month": today.replace(day=1) - timedelta(1),
    }
    return ends.get(" ".join(given.lower().split())) or first_day(given, now)


def _named(word: str, today: date) -> date | None:
    monday, first = today - timedelta(today.weekday()), today.replace(day=1)
    named = {
        "today": today,
        "yesterday": today - timedelta(1),
        "this week": monday,
        "last week": monday - timedelta(7),
        "this month": first,
        "last month": (first - timedelta(1)).replace(day=1),
    }
    return named.get(word)
