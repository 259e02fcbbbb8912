"""Which folders a person opened, so that BigMind looks into them."""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, String, Text
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Identifier, Moment


class Workspace(Table, table=True):
    """A folder that a person opened, by its real path; a closed one is looked into no more, and keeps what was said.

    Attributes:
        path: absolute, without links.
        project: as bridges and hooks name the folder.
        closed_at: when a person closed it; None while it is open.
    """

    __tablename__ = "workspace"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    user_id: int = Field(sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), nullable=False))
    path: str = Field(sa_column=Column(Text, nullable=False, unique=True))
    project: str = Field(default="", sa_column=Column(String(200), nullable=False, server_default="", index=True))
    opened_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    closed_at: datetime | None = Field(default=None, sa_column=Column(Moment, nullable=True))
