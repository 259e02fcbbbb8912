"""What is kept of the connection of clients: which parts of which files are ours.

No content of a client's file is stored here, for it may hold the person's other keys: a copy of what stood there before
lies in the data folder, private, under the name in `ClientFile.copy_name`.
"""

from datetime import datetime

from sqlalchemy import Boolean, Column, ForeignKey, Integer, String, Text, UniqueConstraint
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Moment


def _owner() -> Column[int]:
    return Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), nullable=False)


def _moment() -> Column[datetime]:
    return Column(Moment, nullable=False)


def _text() -> Column[str]:
    return Column(Text, nullable=False)


class ClientFile(Table, table=True):
    """A file of a client in which something is ours: what it was before, and what we made of it, as SHA-256.

    `existed` tells whether there was a file at all. `copy_name` is empty where there was none;
    `mode` are its permission bits then; `made_folders` are those around it, from the innermost, that were made for it.
    """

    __tablename__ = "client_file"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so
    __table_args__ = (UniqueConstraint("user_id", "path"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    user_id: int = Field(sa_column=_owner())
    path: str = Field(sa_column=_text())
    existed: bool = Field(sa_column=Column(Boolean, nullable=False))
    copy_name: str = Field(default="", sa_column=Column(String(200), nullable=False, server_default=""))
    before: str = Field(default="", sa_column=Column(String(64), nullable=False, server_default=""))
    after: str = Field(sa_column=Column(String(64), nullable=False))
    mode: int | None = Field(default=None, sa_column=Column(Integer, nullable=True))
    made_folders: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    updated_at: datetime = Field(sa_column=_moment())


class ClientPart(Table, table=True):
    """A part of a file that an install put there: by which target, for the user (`workspace` is empty) or for a folder.

    `place` is JSON: where in the file it stands; what that means is said by `kind` (`clients/parts.py`).
    `token_id` is the token that was written there.
    """

    __tablename__ = "client_part"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (UniqueConstraint("user_id", "target", "workspace", "path", "kind", "place"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    user_id: int = Field(sa_column=_owner())
    target: str = Field(sa_column=Column(String(40), nullable=False))
    workspace: str = Field(default="", sa_column=Column(Text, nullable=False, server_default=""))
    path: str = Field(sa_column=_text())
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    place: str = Field(sa_column=_text())
    token_id: int | None = Field(
        default=None, sa_column=Column(BigKey, ForeignKey("token.id", ondelete="SET NULL"), nullable=True)
    )
    created_at: datetime = Field(sa_column=_moment())
