"""How each client uses the memory, day by day; what a person chose for it; and what happens beside the memory."""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, Index, Integer, String
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Moment


class ClientState(Table, table=True):
    """How a client, by its name, uses the memory: which toolsets it is offered, when it called, what it was served."""

    __tablename__ = "client_state"  # pyright: ignore[reportAssignmentType]

    user_id: int = Field(sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True))
    client: str = Field(sa_column=Column(String(120), primary_key=True))
    toolsets: str = Field(default="", sa_column=Column(String(200), nullable=False, server_default=""))
    last_at: datetime | None = Field(default=None, sa_column=Column(Moment, nullable=True))
    calls: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    tokens: int = Field(default=0, sa_column=Column(BigKey, nullable=False, server_default="0"))


class UsageDay(Table, table=True):
    """What a client was served on a day (UTC), in a project; `project` is empty where it said none.

    `sources` are the tokens of the stored entries that its answers drew from, whole; `spared` those of them that it did
    not have to read (docs/usage.md).
    """

    __tablename__ = "usage_day"  # pyright: ignore[reportAssignmentType]

    user_id: int = Field(sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True))
    day: str = Field(sa_column=Column(String(10), primary_key=True))
    client: str = Field(sa_column=Column(String(120), primary_key=True))
    project: str = Field(default="", sa_column=Column(String(200), primary_key=True))
    calls: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    tokens: int = Field(default=0, sa_column=Column(BigKey, nullable=False, server_default="0"))
    sources: int = Field(default=0, sa_column=Column(BigKey, nullable=False, server_default="0"))
    spared: int = Field(default=0, sa_column=Column(BigKey, nullable=False, server_default="0"))


class UsageEvent(Table, table=True):
    """What happened beside the memory, and nothing else records. Holds no content; only ever added to.

    `kind` is one of usage/usage_events.py. `user_id` is empty for what concerns the server. `entity` is the session of
    a conversation that is known no longer, `amount` its turns.
    """

    __tablename__ = "usage_event"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_usage_event_at", "at"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    at: datetime = Field(sa_column=Column(Moment, nullable=False))
    user_id: int | None = Field(
        default=None, sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), nullable=True)
    )
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    client: str = Field(default="", sa_column=Column(String(120), nullable=False, server_default=""))
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True))
    entity: str = Field(default="", sa_column=Column(String(36), nullable=False, server_default=""))
    amount: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
