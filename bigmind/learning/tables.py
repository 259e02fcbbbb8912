"""What a person decided about what could be learnt."""

from datetime import datetime

from sqlalchemy import Column, ForeignKey, String
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Moment


class Decision(Table, table=True):
    """What a person decided about something that could be learnt: it is not proposed again. By its SHA-256 only.

    `made` is the kind and the id of what it became, such as `fact 0b7e…`; empty when nothing new was made of it.
    """

    __tablename__ = "decision"  # pyright: ignore[reportAssignmentType]

    user_id: int = Field(sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True))
    digest: str = Field(sa_column=Column(String(64), primary_key=True))
    decision: str = Field(sa_column=Column(String(20), nullable=False))
    made: str = Field(default="", sa_column=Column(String(60), nullable=False, server_default=""))
    at: datetime = Field(sa_column=Column(Moment, nullable=False))
