"""How each client uses the memory, and what a person chose for it."""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, Integer, String
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
