"""Time, as one thing that can be replaced in tests."""

from collections.abc import Callable
from datetime import UTC, datetime

Clock = Callable[[], datetime]
"""Returns the present moment, in UTC and aware of it."""


def system_clock() -> datetime:
    """The present moment in UTC."""
    return datetime.now(UTC)


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
