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
    """The names of those that may be removed: all but what `kept` names. Arguments as there."""
    backups = list(backups)
    return {each.name for each in backups} - kept(backups, now, zone).keys()


def kept(backups: Iterable[BackupInfo], now: datetime, zone: tzinfo | None = None) -> dict[str, str]:
    """The names of those that are kept, each with why, in words.

    Of the scheduled ones the newest of each of the last seven days and of each of the last four weeks that have one are
    kept; days without any do not use up a place. Of those taken before something, for each reason: the newest five,
    up to twenty while they are not a week old, and the oldest of each day of this week, so that many in a row do not
    push out what was there before the first. Assistants import as often as they like: before that, the newest five and
    the oldest of each day of this week are kept, beside those of a person's own imports. What a person asked for is
    theirs to remove.

    A backup that is dated after `now`, because a clock was wrong, takes no place of the others.

    Args:
        backups: of one store.
        now: the present moment.
        zone: in which days and weeks are counted; None is the machine's.
    """
    by_reason: dict[Reason, list[BackupInfo]] = {}
    for each in sorted(backups, key=lambda backup: (backup.taken_at, backup.name), reverse=True):
        by_reason.setdefault(each.reason, []).append(each)
    found: dict[str, str] = {}
    for reason, newest_first in by_reason.items():
        past = [each for each in newest_first if each.taken_at <= now]
        future = [each for each in newest_first if each.taken_at > now]
        for group in (past, future):
            if reason is Reason.MANUAL:
                found |= {each.name: "until you remove it" for each in group}
            elif reason is Reason.SCHEDULED:
                found |= _by_calendar(group, zone)
            else:
                most = NEWEST_OF_EACH_REASON if reason is Reason.BEFORE_ASSISTANT_IMPORT else MOST_OF_EACH_REASON
                found |= _first_of_days(group, now, zone) | _by_number(group, now, most)
    return found


def _by_calendar(newest_first: list[BackupInfo], zone: tzinfo | None) -> dict[str, str]:
    days: dict[Hashable, str] = {}
    weeks: dict[Hashable, str] = {}
    for each in newest_first:
        day = each.taken_at.astimezone(zone).date()
        days.setdefault(day, each.name)
        weeks.setdefault(day.isocalendar()[:2], each.name)
    of_weeks = dict.fromkeys(list(weeks.values())[:WEEKLY], "the newest of its week")
    return of_weeks | dict.fromkeys(list(days.values())[:DAILY], "the newest of its day")


def _by_number(newest_first: list[BackupInfo], now: datetime, most: int) -> dict[str, str]:
    newest = dict.fromkeys([each.name for each in newest_first[:NEWEST_OF_EACH_REASON]], "among the newest five")
    young = [each.name for each in newest_first[:most] if now - each.taken_at < KEPT_ANYHOW]
    return dict.fromkeys(young, "for a week") | newest


def _first_of_days(newest_first: list[BackupInfo], now: datetime, zone: tzinfo | None) -> dict[str, str]:
    """The oldest of each of the last seven days."""
    first: dict[Hashable, str] = {}
    today = now.astimezone(zone).date()
    for each in newest_first:
        day = each.taken_at.astimezone(zone).date()
        if 0 <= (today - day).days < DAILY:
            first[day] = each.name
    return dict.fromkeys(first.values(), "the first of its day")
