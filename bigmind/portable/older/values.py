"""What stood in the older BigMind's columns, as values of today. Nothing here fails: a file is what it is."""

import uuid
from collections.abc import Iterable
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any, cast

from bigmind.core.plain_text import clean, one_line, shortened
from bigmind.portable.format.records import MOST_TEXT

NAMESPACE = uuid.UUID("5d8f3c1e-9a3b-4f0e-8c57-2b6e1f0a7d94")
UNKNOWN_TIME = datetime(1970, 1, 1, tzinfo=UTC)
MOST_TOPICS = 20
MOST_LINE = 120
MOST_LINES = 1_000
MOST_SEQ = 2**31 - 1
"""What a record of today takes of each."""


class MissingColumnError(LookupError):
    """A table has no column of that name."""

    def __init__(self, table: str, column: str) -> None:
        """Say which."""
        super().__init__(f"its table {table} has no column {column}")


class Row(dict[str, Any]):
    """A row by the names of its columns. One that is not there is an error that names it and its table."""

    def __init__(self, table: str, columns: Iterable[tuple[str, Any]]) -> None:
        """Take them in, and what they are columns of."""
        super().__init__(columns)
        self._table = table

    def __missing__(self, column: str) -> Any:
        """Raise `MissingColumnError`."""
        raise MissingColumnError(self._table, column)


def uid_of(kind: str, key: str) -> str:
    """The UUID that stands for a key; a key that is one already stays, unless another spelling of it could be there."""
    with suppress(ValueError):
        if str(uuid.UUID(key)) == key:
            return key
    return str(uuid.uuid5(NAMESPACE, f"{kind}:{key}"))


def uid_of_row(kind: str, row: Row, column: str, part: str = "0") -> str:
    """A UUID from what a numbered row holds: its number alone may stand for another row in another file."""
    owner = row.get("user_id", "")
    key = "\x1f".join((kind, str(owner), str(row["id"]), str(row["created_at"]), text_of(row[column]), part))
    return str(uuid.uuid5(NAMESPACE, key))


def text_of(value: object) -> str:
    if value is None:
        return ""
    return clean(value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value))


def number_of(value: object, default: int) -> int:
    try:
        return int(cast("Any", value))
    except (TypeError, ValueError, OverflowError):
        return default


def weight_of(value: object) -> int:
    return min(10, max(1, number_of(value, 5)))


def share_of(value: object, default: float) -> float:
    try:
        share = float(cast("Any", value))
    except (TypeError, ValueError):
        return default
    return min(1.0, max(0.0, share)) if share == share else default  # noqa: PLR0124 - not a number is not itself


def time_of(value: object, default: datetime = UNKNOWN_TIME) -> datetime:
    """`YYYY-MM-DD HH:MM:SS` in UTC, or ISO 8601 with an offset."""
    try:
        moment = datetime.fromisoformat(text_of(value).strip())
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return default


def bullets_of(value: object) -> list[str]:
    """The lines of a markdown list, or of plain lines; one that is too long for a line of today becomes several."""
    lines = (line.strip().removeprefix("- ").removeprefix("* ").strip() for line in text_of(value).splitlines())
    return [line[at : at + MOST_TEXT] for line in lines for at in range(0, len(line), MOST_TEXT)]


def topics_of(value: object) -> list[str]:
    words = (shortened(one_line(word).lower(), 80) for word in text_of(value).split(","))
    return list(dict.fromkeys(word for word in words if word))[:MOST_TOPICS]
