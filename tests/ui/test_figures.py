"""Dates, amounts and colours."""

import re
import time
from datetime import UTC, datetime, timedelta

import pytest

from ui.render import STATIC, environment
from ui.show.charts import WEEKS, year_of
from ui.show.date_format import ago, clock, day, exact, lasting, relative, size

NOW = datetime(2026, 11, 21, 15, 0, tzinfo=UTC)
TODAY = NOW.date()


@pytest.mark.parametrize(
    ("age", "words"),
    [
        (timedelta(seconds=59), "just now"),
        (timedelta(seconds=-30), "just now"),
        (timedelta(minutes=5), "5 min ago"),
        (timedelta(days=1), "yesterday"),
        (timedelta(days=6), "6 days ago"),
        (timedelta(days=7), "14 Nov"),
        (timedelta(days=365), "21 Nov 2025"),
    ],
)
def test_times_are_relative_for_a_week(age: timedelta, words: str) -> None:
    assert relative(NOW - age, NOW) == words


@pytest.mark.parametrize("year", [1, 1969, 3001, 9999])
def test_moments_are_told_that_windows_knows_no_local_time_for(year: int) -> None:
    moment = datetime(year, 6, 1, 12, tzinfo=UTC)
    assert str(year) in day(moment, NOW)
    assert f"{year}, " in exact(moment)
    assert f"{year}, " in ago(moment, NOW)
    assert f"{year}, " in clock(moment)


def test_hours_of_the_same_day_are_counted() -> None:
    noon = NOW.astimezone().replace(hour=15)
    assert relative(noon - timedelta(hours=3), noon) == "3 h ago"
    assert relative(noon - timedelta(hours=20), noon) == "yesterday"


@pytest.mark.skipif(not hasattr(time, "tzset"), reason="a process keeps its zone there")
def test_a_moment_is_told_in_the_zone_that_the_machine_has_by_now(monkeypatch: pytest.MonkeyPatch) -> None:
    moment = NOW - timedelta(hours=12)
    told: list[str] = []
    try:
        for zone in ("UTC0", "JST-9", "UTC0"):
            monkeypatch.setenv("TZ", zone)
            time.tzset()
            told.append(render_time(moment))
    finally:
        monkeypatch.undo()
        time.tzset()
    assert told[0] == told[2]
    assert 'title="Saturday, 21 Nov 2026, 03:00 UTC"' in told[0]
    assert 'title="Saturday, 21 Nov 2026, 12:00 JST"' in told[1]


def render_time(moment: datetime) -> str:
    return environment().from_string("{{ moment | when }}").render(moment=moment, now=NOW)


def test_amounts_are_in_a_persons_units() -> None:
    assert [size(each) for each in (0, 999, 2_048, 4_644_402, 3_000_000_000)] == [
        "0 bytes",
        "999 bytes",
        "2 KB",
        "4.6 MB",
        "3.0 GB",
    ]
    assert lasting(NOW, NOW + timedelta(minutes=125)) == "2 h 5 min"
    assert lasting(NOW, NOW + timedelta(hours=2)) == "2 h"
    assert lasting(NOW, NOW) == "1 min"
    assert lasting(NOW, NOW + timedelta(hours=47)) == "47 h"
    assert lasting(NOW, NOW + timedelta(hours=50, minutes=20)) == "2 days"


@pytest.mark.parametrize(
    ("away", "told"),
    [
        (timedelta(seconds=20), "in 1 min"),
        (timedelta(minutes=59), "in 59 min"),
        (timedelta(hours=24), "in 24 h"),
        (timedelta(hours=168), "in 7 days"),
    ],
)
def test_what_is_to_come_is_told_in_days_from_two_on(away: timedelta, told: str) -> None:
    shown = environment().from_string("{{ moment | ahead }}").render(moment=NOW + away, now=NOW)
    assert f">{told}</time>" in shown


def test_a_year_ends_today_and_every_day_is_in_it() -> None:
    year = year_of([TODAY, TODAY, TODAY - timedelta(days=3), TODAY - timedelta(days=900)], TODAY)
    days = [day for week in year.weeks for day in week]
    assert len(year.weeks) == WEEKS
    assert days[-1].date == TODAY
    assert (days[-1].count, year.total, year.active_days) == (2, 3, 2)
    assert all(week[0].date.weekday() == 0 for week in year.weeks)
    assert 11 <= len(year.months) <= 12


def test_the_levels_part_the_active_days_evenly() -> None:
    worked = [TODAY - timedelta(days=back) for back in range(40) for _ in range(back // 10 + 1)]
    days = [day for week in year_of(worked, TODAY).weeks for day in week]
    assert {day.level for day in days if day.count} == {1, 2, 3, 4}
    assert all(day.level == 0 for day in days if not day.count)
    counted = sorted((day.count, day.level) for day in days)
    assert [level for _, level in counted] == sorted(level for _, level in counted)


def test_an_empty_year_is_drawn_too() -> None:
    assert {day.level for week in year_of([], TODAY).weeks for day in week} == {0}


TEXT = [
    *[(ink, paper) for ink in ("text", "muted", "faint", "accent") for paper in ("bg", "surface", "sunken")],
    *[("accent", "accent-soft"), ("on-accent", "accent")],
    *[(tone, f"{tone}-soft") for tone in ("good", "warn", "bad")],
]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
@pytest.mark.parametrize(("ink", "paper"), TEXT)
def test_text_can_be_read(theme: int, ink: str, paper: str) -> None:
    tokens = (STATIC / "tokens.css").read_text(encoding="utf-8")
    both = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", tokens)
    colours = {name: pair[theme] for name, *pair in both}
    lighter, darker = sorted((_luminance(colours[ink]), _luminance(colours[paper])), reverse=True)
    assert (lighter + 0.05) / (darker + 0.05) >= 4.5


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (each / 12.92 if each <= 0.04045 else ((each + 0.055) / 1.055) ** 2.4 for each in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
