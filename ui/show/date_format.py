"""Moments and amounts as people read them."""

from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

from markupsafe import Markup, escape

from bigmind.core.clock import at_home, iso
from bigmind.text.phrasing import MEGABYTE, counted, megabytes

if TYPE_CHECKING:
    from jinja2.runtime import Context

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
WEEK_IN_DAYS = 7
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_THOUSAND = 1_000
_HOURS_OF_TWO_DAYS = 48


def relative(moment: datetime, now: datetime) -> str:
    """How long ago, for a week; then the date. By the machine's own calendar."""
    return _relative(moment, at_home(moment), now)


def _relative(moment: datetime, local: datetime, now: datetime) -> str:
    age = now - moment
    if age < MINUTE:
        return "just now"
    if age < HOUR:
        return f"{age // MINUTE} min ago"
    days = (_local(now).date() - local.date()).days
    if days <= 0:
        return f"{age // HOUR} h ago"
    if days == 1:
        return "yesterday"
    return f"{days} days ago" if days < WEEK_IN_DAYS else _day(local, now)


@lru_cache(maxsize=16)
def _local(now: datetime) -> datetime:
    """The moment of a page, which is the same for all that stands on it, in the machine's time zone."""
    return at_home(now)


def day(moment: datetime, now: datetime) -> str:
    """The date; the year only where it is not this one."""
    return _day(at_home(moment), now)


def _day(local: datetime, now: datetime) -> str:
    text = f"{local.day} {_MONTHS[local.month - 1]}"
    return text if local.year == _local(now).year else f"{text} {local.year}"


def full_date(each: date) -> str:
    """A day with its year."""
    return f"{each.day} {_MONTHS[each.month - 1]} {each.year}"


def weekday(each: date) -> str:
    """The name of its day of the week."""
    return _WEEKDAYS[each.weekday()]


def month(number: int) -> str:
    """The short name of a month, January being 1."""
    return _MONTHS[number - 1]


def exact(moment: datetime) -> str:
    """The moment in full, in the machine's time zone."""
    return _exact(at_home(moment))


def _exact(local: datetime) -> str:
    name = _MONTHS[local.month - 1]
    return f"{_WEEKDAYS[local.weekday()]}, {local.day} {name} {local.year}, {_hours(local)} {local.tzname()}"


def _hours(local: datetime) -> str:
    # Written out: `strftime` asks the C library, which takes as long as all else about a moment.
    return f"{local.hour:02}:{local.minute:02}"


def lasting(start: datetime, end: datetime) -> str:
    """How long something took."""
    minutes = max(1, round((end - start) / MINUTE))
    hours, rest = divmod(minutes, 60)
    if hours >= _HOURS_OF_TWO_DAYS:
        return f"{hours // 24} days"
    if not hours:
        return f"{rest} min"
    return f"{hours} h {rest} min" if rest else f"{hours} h"


def day_of(context: "Context", moment: datetime) -> str:
    """The date of a moment, in a drawing."""
    return day(moment, context["now"])


def ahead(context: "Context", moment: datetime) -> Markup:
    """A `time` element of a moment to come: how far off it is, exact on hover."""
    away: timedelta = moment - context["now"]
    return _time(moment, at_home(moment), "in 1 min" if away < MINUTE else f"in {_rounded(away)}")


def _rounded(away: timedelta) -> str:
    if away < HOUR:
        return f"{away // MINUTE} min"
    hours = round(away / HOUR)
    return f"{hours} h" if hours < _HOURS_OF_TWO_DAYS else f"{round(hours / 24)} days"


def when(context: "Context", moment: datetime) -> Markup:
    """A `time` element: relative in the page, exact on hover."""
    return ago(moment, context["now"])


def ago(moment: datetime, now: datetime) -> Markup:
    """The same, of a page that was asked for `now`."""
    local = at_home(moment)
    return _time(moment, local, _relative(moment, local, now))


def clock(moment: datetime) -> Markup:
    """A `time` element under the heading of its day: the time alone, exact on hover."""
    local = at_home(moment)
    return _time(moment, local, _hours(local))


def _time(moment: datetime, local: datetime, text: str) -> Markup:
    # A page has hundreds: `Markup.format` takes longer than all else about them.
    return Markup(f"{_opening(moment, local, local.utcoffset(), local.tzname())}{text}</time>")  # noqa: S704


@lru_cache(maxsize=2_048)
def _opening(moment: datetime, local: datetime, *_zone: object) -> str:
    """A `time` element up to its text; a page that follows what happens shows the same moments again and again.

    The zone stands among what it is kept by, for a moment is equal to itself in another one.
    """
    return f'<time datetime="{iso(moment)}" title="{escape(_exact(local))}">'  # the zone's name is the system's own


def number(amount: int) -> str:
    """With thousands separators."""
    return f"{amount:,}"


def size(amount: int) -> str:
    """Bytes in the unit a person would choose, a thousand of the one before, as systems and the terminal tell them."""
    if amount < _THOUSAND:
        return f"{amount} bytes"
    if amount < MEGABYTE:
        return f"{amount / _THOUSAND:,.0f} KB"
    if amount < _THOUSAND * MEGABYTE:
        return megabytes(amount)
    return f"{amount / MEGABYTE / _THOUSAND:,.1f} GB"


def percent(share: float) -> str:
    """A share of one."""
    return f"{share:.0%}"


plural = counted
"""An amount with its noun, by the name that templates have for it."""
