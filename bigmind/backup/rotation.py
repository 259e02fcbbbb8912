"""Which backups have had their time."""

from collections.abc import Hashable, Iterable
from datetime import datetime, timedelta, tzinfo

from bigmind.backup.files import BackupInfo, Reason

DAILY = 7
WEEKLY = 4
NEWEST_OF_EACH_REASON = 5
MOST_OF_EACH_REASON = 20
KEPT_ANYHOW = timedelta(days=7)


def superfluous(backups: Iterable[BackupInfo], now: datetime, zone: tzinfo | None = None) -> set[str]:
    """The names of those that may be removed.

    Of the scheduled ones the newest of each of the last seven days and of each of the last four weeks that have one are
    kept; days without any do not use up a place. Of those taken before something, for each reason: the newest five,
    up to twenty while they are not a week old, and the oldest of each day of this week, so that many in a row do not
    push out what was there before the first. What a person asked for is theirs to remove.

    A backup that is dated after `now`, because a clock was wrong, takes no place of the others.

    Args:
        backups: of one store.
        now: the present moment.
        zone: in which days and weeks are counted; None is the machine's.
    """
    by_reason: dict[Reason, list[BackupInfo]] = {}
    for each in sorted(backups, key=lambda backup: (backup.taken_at, backup.name), reverse=True):
        by_reason.setdefault(each.reason, []).append(each)
    gone: set[str] = set()
    for reason, newest_first in by_reason.items():
        if reason is Reason.MANUAL:
            continue
        past = [each for each in newest_first if each.taken_at <= now]
        future = [each for each in newest_first if each.taken_at > now]
        for group in (past, future):
            if reason is Reason.SCHEDULED:
                kept = _by_calendar(group, zone)
            else:
                kept = _by_number(group, now) | _first_of_days(group, now, zone)
            gone |= {each.name for each in group} - kept
    return gone


def _by_calendar(newest_first: list[BackupInfo], zone: tzinfo | None) -> set[str]:
    days: dict[Hashable, str] = {}
    weeks: dict[Hashable, str] = {}
    for each in newest_first:
        day = each.taken_at.astimezone(zone).date()
        days.setdefault(day, each.name)
        weeks.setdefault(day.isocalendar()[:2], each.name)
    return {*list(days.values())[:DAILY], *list(weeks.values())[:WEEKLY]}


def _by_number(newest_first: list[BackupInfo], now: datetime) -> set[str]:
    return {
        each.name
        for place, each in enumerate(newest_first)
        if place < NEWEST_OF_EACH_REASON or (place < MOST_OF_EACH_REASON and now - each.taken_at < KEPT_ANYHOW)
    }


def _first_of_days(newest_first: list[BackupInfo], now: datetime, zone: tzinfo | None) -> set[str]:
    """The oldest of each of the last seven days."""
    first: dict[Hashable, str] = {}
    today = now.astimezone(zone).date()
    for each in newest_first:
        day = each.taken_at.astimezone(zone).date()
        if 0 <= (today - day).days < DAILY:
            first[day] = each.name
    return set(first.values())
