"""Which backups are kept, over days, gaps, wrong clocks and summer time."""

import random
from collections.abc import Iterable
from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest

from bigmind.backup.files import BackupInfo, Reason
from bigmind.backup.rotation import superfluous

NOW = datetime(2026, 3, 31, 12, tzinfo=UTC)  # a Tuesday
BERLIN = ZoneInfo("Europe/Berlin")  # where clocks went forward on 29 March 2026, at 01:00 UTC
DAY = timedelta(days=1)


def taken(at: datetime, reason: Reason = Reason.SCHEDULED) -> BackupInfo:
    return BackupInfo(
        name=f"{at:%Y-%m-%d %H:%M:%S} {reason}",
        taken_at=at,
        reason=reason,
        store="one",
        schema_revision="0002",
        change=1,
        bytes=1,
        sha256="",
        encrypted=False,
        tables={},
        verified_at=at,
    )


def kept(moments: Iterable[datetime], now: datetime = NOW, zone: timezone | ZoneInfo = UTC) -> list[str]:
    """The days of the scheduled backups that are kept, the newest first."""
    backups = [taken(at) for at in moments]
    gone = superfluous(backups, now, zone)
    return sorted((each.name[:16] for each in backups if each.name not in gone), reverse=True)


def days_ago(*days: float) -> list[datetime]:
    return [NOW - day * DAY for day in days]


@pytest.mark.parametrize(
    ("ago", "expected"),
    [
        pytest.param([], [], id="none"),
        pytest.param([0], ["03-31"], id="one"),
        pytest.param(range(7), ["03-31", "03-30", "03-29", "03-28", "03-27", "03-26", "03-25"], id="a week"),
        pytest.param(
            range(60),
            ["03-31", "03-30", "03-29", "03-28", "03-27", "03-26", "03-25", "03-22", "03-15"],
            id="two months: seven days, and the Sundays before; this week and the last are among the days",
        ),
        pytest.param([0, 400, 401, 800], ["03-31", "02-24", "02-23", "01-21"], id="years apart: gaps use up no place"),
        pytest.param(
            [7 * week for week in range(9)],
            ["03-31", "03-24", "03-17", "03-10", "03-03", "02-24", "02-17"],
            id="weekly: seven of them are the newest of seven days",
        ),
    ],
)
def test_seven_days_and_four_weeks_are_kept(ago: Iterable[float], expected: list[str]) -> None:
    assert [name[5:10] for name in kept(days_ago(*ago))] == expected


def test_the_newest_of_a_day_is_kept() -> None:
    assert kept([NOW, NOW - timedelta(hours=1), NOW - timedelta(hours=11)]) == ["2026-03-31 12:00"]


def test_a_day_is_one_of_the_zone_also_when_it_has_23_hours() -> None:
    # Hourly over the night in which 02:00 to 03:00 does not exist in Berlin: midnight there is 23:00 UTC, then 22:00.
    hours = [datetime(2026, 3, 28, 21, tzinfo=UTC) + timedelta(hours=each) for each in range(30)]
    now = hours[-1]
    # The newest before each midnight of Berlin, and the newest of all.
    assert kept(hours, now, BERLIN) == ["2026-03-30 02:00", "2026-03-29 21:00", "2026-03-28 22:00"]
    assert kept(hours, now, UTC) == ["2026-03-30 02:00", "2026-03-29 23:00", "2026-03-28 23:00"]


def test_backups_dated_in_the_future_push_out_nothing_and_stay_bounded() -> None:
    ahead = [NOW + each * DAY for each in range(1, 40)]
    real = days_ago(*range(40))
    left = kept([*ahead, *real])
    assert [each for each in left if each <= f"{NOW:%Y-%m-%d %H:%M}"] == kept(real)
    assert 0 < len([each for each in left if each > f"{NOW:%Y-%m-%d %H:%M}"]) <= 11


def test_a_clock_set_back_keeps_what_is_made_by_it() -> None:
    then = datetime(1970, 1, 5, tzinfo=UTC)
    assert kept([*days_ago(*range(10)), then], now=then)[-1] == "1970-01-05 00:00"


@pytest.mark.parametrize("seed", range(20))
def test_day_by_day_the_newest_stays_and_the_number_is_bounded(seed: int) -> None:
    draw, now, held = random.Random(seed), NOW, list[BackupInfo]()
    for _ in range(200):
        now += timedelta(hours=draw.choice((1, 5, 24, 24, 24, 24, 100, 800, -30, -3_000, 3_000)))
        made = taken(now)
        held = [each for each in held if each.name != made.name] + [made]
        gone = superfluous(held, now, BERLIN)
        held = [each for each in held if each.name not in gone]
        assert made in held
        assert len(held) <= 22


def test_of_each_other_reason_the_newest_five_are_kept_and_up_to_twenty_of_this_week() -> None:
    for reason in (Reason.BEFORE_IMPORT, Reason.BEFORE_PRUNE, Reason.BEFORE_RESTORE, Reason.BEFORE_MIGRATION):
        old = [taken(NOW - each * DAY, reason) for each in range(8, 40)]
        assert len(old) - len(superfluous(old, NOW)) == 5
        assert not superfluous([taken(NOW - timedelta(hours=each), reason) for each in range(20)], NOW)
        many = [taken(NOW - timedelta(minutes=each), reason) for each in range(50)]
        assert {each.name for each in many[20:-1]} == superfluous(many, NOW, UTC)


@pytest.mark.parametrize(
    ("days", "expected"),
    [
        pytest.param([0], [0], id="today"),
        pytest.param(range(7), range(7), id="each of the last seven days"),
        pytest.param([3, 30], [3], id="nothing older"),
        pytest.param([-1, -40], [], id="nothing of days to come"),
    ],
)
def test_the_first_of_each_day_of_this_week_is_not_pushed_out_by_many_after_it(
    days: Iterable[int], expected: Iterable[int]
) -> None:
    now = NOW.replace(hour=23, minute=59)
    first = {day: taken(now.replace(hour=1) - day * DAY, Reason.BEFORE_IMPORT) for day in days}
    after = [
        taken(each.taken_at + timedelta(minutes=minute), Reason.BEFORE_IMPORT)
        for each in [*first.values(), taken(now.replace(hour=1)), taken(now + 41 * DAY)]
        for minute in range(1, 40)
    ]
    gone = superfluous({each.name: each for each in [*first.values(), *after]}.values(), now, UTC)
    assert [day for day in first if first[day].name not in gone] == list(expected)


def test_what_an_assistant_imports_often_pushes_out_no_backup_of_a_person_and_fills_no_disk() -> None:
    now = NOW.replace(hour=23, minute=59)
    own = [taken(now.replace(hour=each), Reason.BEFORE_IMPORT) for each in (3, 4, 5)]
    theirs = [taken(now - timedelta(minutes=each), Reason.BEFORE_ASSISTANT_IMPORT) for each in range(200)]
    gone = superfluous([*own, *theirs], now, UTC)
    assert {each.name for each in [*own, *theirs[:5], theirs[-1]]}.isdisjoint(gone)
    assert len(theirs) - len(gone) == 6


def test_reasons_do_not_push_each_other_out_and_a_persons_own_stay() -> None:
    others = [taken(NOW - each * DAY, Reason.BEFORE_IMPORT) for each in range(5)]
    manual = [taken(NOW - each * 30 * DAY, Reason.MANUAL) for each in range(50)]
    scheduled = [taken(NOW - each * DAY) for each in range(7)]
    assert superfluous([*others, *manual, *scheduled], NOW) == set()
