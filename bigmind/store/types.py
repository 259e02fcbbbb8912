"""Column types that mean the same on SQLite and PostgreSQL."""

from datetime import UTC, datetime
from typing import Any

from sqlalchemy import JSON, DateTime, Dialect, String, TypeDecorator
from sqlalchemy.types import TypeEngine

Identifier = String(36)
"""A UUID in its canonical text form: a prefix of it can be looked up on every database."""


class Json(TypeDecorator[Any]):
    """JSON; PostgreSQL's binary form there."""

    impl = JSON
    cache_ok = True

    def load_dialect_impl(self, dialect: Dialect) -> TypeEngine[Any]:
        """The type as the database has it; that of PostgreSQL takes 4 MB of memory to import."""
        if dialect.name != "postgresql":
            return self.impl_instance
        from sqlalchemy.dialects.postgresql import JSONB  # noqa: PLC0415 - see above

        return dialect.type_descriptor(JSONB())


class Moment(TypeDecorator[datetime]):
    """A moment in UTC. SQLite keeps no time zone, so it is put on when read and required when written."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """The moment as the database stores it; raises ValueError when it has no time zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a time zone")
        utc = value.astimezone(UTC)
        return utc.replace(tzinfo=None) if dialect.name == "sqlite" else utc

    def process_result_value(self, value: Any | None, dialect: Dialect) -> datetime | None:
        """The stored moment, in UTC and aware of it."""
        del dialect
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)
