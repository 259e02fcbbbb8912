"""What the store keeps about itself: every change, and the answers a retried request must get again."""

from datetime import datetime

from sqlalchemy import BigInteger, Column, ForeignKey, Integer, String, Text
from sqlmodel import Field, SQLModel

from bigmind.store.types import Identifier, Moment

BigKey = BigInteger().with_variant(Integer(), "sqlite")
"""An integer key; SQLite's row id is 64 bits wide under the name INTEGER only."""


class ChangeRow(SQLModel, table=True):
    """One change, written in its own transaction: the audit log, and the numbering of events. Holds no content."""

    __tablename__ = "change"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so
    __table_args__ = {"sqlite_autoincrement": True}

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    at: datetime = Field(sa_column=Column(Moment, nullable=False))
    user_id: int = Field(sa_column=Column(BigKey, ForeignKey("user.id"), nullable=False, index=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    operation: str = Field(sa_column=Column(String(80), nullable=False))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    entity: str = Field(sa_column=Column(String(40), nullable=False))
    action: str = Field(sa_column=Column(String(20), nullable=False))


class Forgotten(SQLModel, table=True):
    """What was forgotten for good, by its id alone: a restored backup and an import must not bring it back."""

    __tablename__ = "forgotten"  # pyright: ignore[reportAssignmentType]

    uid: str = Field(sa_column=Column(Identifier, primary_key=True))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    at: datetime = Field(sa_column=Column(Moment, nullable=False))


class StoreProperty(SQLModel, table=True):
    """What the store knows of itself, by name."""

    __tablename__ = "store_property"  # pyright: ignore[reportAssignmentType]

    name: str = Field(sa_column=Column(String(40), primary_key=True))
    value: str = Field(sa_column=Column(Text, nullable=False))


class Receipt(SQLModel, table=True):
    """The answer to a request that carried an idempotency key, kept for an hour: a retry gets it again."""

    __tablename__ = "receipt"  # pyright: ignore[reportAssignmentType]

    token_id: int = Field(sa_column=Column(BigKey, ForeignKey("token.id", ondelete="CASCADE"), primary_key=True))
    key: str = Field(sa_column=Column(String(80), primary_key=True))
    at: datetime = Field(sa_column=Column(Moment, nullable=False, index=True))
    operation: str = Field(sa_column=Column(String(80), nullable=False))
    request: str = Field(sa_column=Column(String(64), nullable=False))
    answer: str = Field(sa_column=Column(Text, nullable=False))
