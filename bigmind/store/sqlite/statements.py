"""The statements of a search, run by the driver: what SQLAlchemy does for each takes longer than what SQLite does."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import CursorResult
from sqlmodel import Session


def rows(session: Session, statement: str, values: Mapping[str, object] | None = None) -> Sequence[Any]:
    """All rows of a statement, as SQLite has them; a time in `values` is compared as `Moment` stores it."""
    return opened(session, statement, values or {}).all()


def opened(session: Session, statement: str, values: Mapping[str, object]) -> CursorResult[Any]:
    """The same, to be read one by one and closed."""
    bound = {name: _stored(value) if isinstance(value, datetime) else value for name, value in values.items()}
    return session.connection().exec_driver_sql(statement, bound)


def moment(stored: str) -> datetime:
    """A column of type `Moment`, out of such a row."""
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)


def _stored(value: datetime) -> str:
    return value.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "microseconds")
