"""Users and the tokens of their clients."""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, String, Text
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Identifier, Moment


class User(Table, table=True):
    """A person whose memory is kept.

    Attributes:
        disabled_at: since when nobody gets in as them; what they kept stays.
        directory: what the directory tells of them: `off`, `topics`, or `headlines`.
    """

    __tablename__ = "user"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    username: str = Field(sa_column=Column(String(120), nullable=False, unique=True))
    display_name: str = Field(sa_column=Column(String(200), nullable=False))
    role: str = Field(sa_column=Column(String(20), nullable=False))
    created_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    last_seen_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    disabled_at: datetime | None = Field(default=None, sa_column=Column(Moment, nullable=True))
    directory: str = Field(default="topics", sa_column=Column(String(20), nullable=False, server_default="topics"))


class Token(Table, table=True):
    """A client's right to act for a user. Only the SHA-256 of the secret is kept: 256 random bits need no slow hash.

    Attributes:
        scope: what it is limited to, as JSON; empty where it may do all that its user's assistants may.
    """

    __tablename__ = "token"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    user_id: int = Field(
        sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), nullable=False, index=True)
    )
    client: str = Field(sa_column=Column(String(120), nullable=False))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    digest: str = Field(sa_column=Column(String(64), nullable=False, unique=True))
    created_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    expires_at: datetime | None = Field(default=None, sa_column=Column(Moment, nullable=True))
    revoked_at: datetime | None = Field(default=None, sa_column=Column(Moment, nullable=True))
    scope: str = Field(default="", sa_column=Column(Text, nullable=False, server_default=""))
