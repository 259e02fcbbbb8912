"""Time, as one thing that can be replaced in tests."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

Clock = Callable[[], datetime]
"""Returns the present moment, in UTC and aware of it."""
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def system_clock() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


def moment_of(seconds: float) -> datetime:
    """The moment so many seconds after 1970 began, in UTC; the first or the last that there is, where it lies beyond.

    `datetime.fromtimestamp` tells none before 1970 and after 3000 on Windows; files and commits may be of any year.
    """
    try:
        return _EPOCH + timedelta(seconds=seconds)
    except OverflowError:
        return datetime.max.replace(tzinfo=UTC) if seconds > 0 else datetime.min.replace(tzinfo=UTC)


def iso(moment: datetime) -> str:
    """ISO 8601 in UTC, to the second: `2026-03-30T09:15:00Z`."""
    return f"{moment.astimezone(UTC).isoformat(timespec='seconds').removesuffix('+00:00')}Z"


def at_home(moment: datetime) -> datetime:
    """The moment in the machine's own time zone; in UTC where the system knows none for it.

    Windows knows none before 1970 and after 3000, no system for the first and the last hours of all years.
    """
    try:
        return moment.astimezone()
    except (ValueError, OverflowError, OSError):
        return moment.astimezone(UTC)


def local(moment: datetime, style: str = "") -> str:
    """The moment in the machine's own time zone, for people: `2026-03-30 09:15`, or in a style of `strftime`."""
    try:
        here = datetime.fromtimestamp(moment.timestamp())  # noqa: DTZ006 - here; in half the time of `astimezone`
    except (ValueError, OverflowError, OSError):  # the first and the last day of all years; on Windows, before 1970
        here = moment.astimezone(UTC).replace(tzinfo=None)
    return here.strftime(style) if style else here.isoformat(" ", "minutes")
