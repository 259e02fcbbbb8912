"""A day or time as people write it after `--since` and `--until`: 2026-03-30, today, yesterday, 7d."""

import re
from datetime import datetime, timedelta
from typing import Any

from bigmind.core.clock import system_clock
from bigmind.core.errors import invalid

ALSO = " Also today, yesterday, or so many days or weeks ago: 7d, 2w."
_BEFORE_TODAY = {"today": 0, "yesterday": 1}
_DAYS_IN = {"d": 1, "w": 7}
_AGO = re.compile(r"(\d{1,6})([dw])")


def is_day_or_time(name: str, schema: dict[str, Any]) -> bool:
    """Whether a field begins or ends a time that is asked about."""
    return name in {"since", "until"} and schema.get("format") in {"date", "date-time"}


def day_of(name: str, given: str, now: datetime | None = None) -> str:
    """The day that a word stands for, in UTC as every day here; a date or time as it is, for the server checks it.

    Args:
        name: of the field.
        given: what stands after its option.
        now: the present moment; None for that of the system.

    Raises:
        BigMindError: `invalid_input` for what is neither.
    """
    word = given.strip().lower()
    ago = _AGO.fullmatch(word)
    if ago is None and word not in _BEFORE_TODAY:
        if not word[:1].isdigit():
            raise invalid(name, given, "a date like 2026-03-30, or today, yesterday, 7d (days ago) or 2w (weeks ago)")
        return given
    days = int(ago[1]) * _DAYS_IN[ago[2]] if ago else _BEFORE_TODAY[word]
    try:
        return ((now or system_clock()) - timedelta(days=days)).date().isoformat()
    except OverflowError:
        raise invalid(name, given, "a day after the year 1, such as 7d or 2w (weeks ago)") from None
