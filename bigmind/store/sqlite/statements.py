"""The statements of a search, run by the driver: what SQLAlchemy does for each takes longer than what SQLite does.

Rows are plain tuples (docs/architecture.md, "Hot paths").
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from datetime import UTC, datetime
from typing import Any

from bigmind.core.past_mapper import Snapshot


def rows(session: Snapshot, statement: str, values: Mapping[str, object] | None = None) -> Sequence[Any]:
    """All rows of a statement, as SQLite has them; a time in `values` is compared as `Moment` stores it."""
    with opened(session, statement, values or {}) as found:
        return found.fetchall()


def opened(session: Snapshot, statement: str, values: Mapping[str, object]) -> "closing[Any]":
    """The same, to be read one by one and closed."""
    bound = {name: _stored(value) if isinstance(value, datetime) else value for name, value in values.items()}
    return closing(session.connection().connection.cursor().execute(statement, bound))


def moment(stored: str) -> datetime:
    """A column of type `Moment`, out of such a row."""
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)


def _stored(value: datetime) -> str:
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
