"""What the store keeps about itself: every change, and the answers a retried request must get again."""

from datetime import datetime
from typing import Any, cast

from sqlalchemy import (
    BigInteger,
    Column,
    ForeignKey,
    Index,
    Integer,
    LargeBinary,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy import Table as SqlTable
from sqlmodel import Field, SQLModel

from bigmind.embedding.vector_index import signs
from bigmind.store.types import Identifier, Moment

BigKey = BigInteger().with_variant(Integer(), "sqlite")
"""An integer key; SQLite's row id is 64 bits wide under the name INTEGER only."""


class Table(SQLModel):
    """The base of every table."""

    model_config = {"defer_build": True}  # pyright: ignore[reportAssignmentType] - rows of tables are never validated


def table_of(model: type[SQLModel]) -> SqlTable:
    """The table of a model, for statements over many rows at once."""
    return cast("Any", model).__table__


class ChangeRow(Table, table=True):
    """One change, written in its own transaction: the audit log, and the numbering of events. Holds no content."""

    __tablename__ = "change"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so
    __table_args__ = (
        # Few of many, and asked for by their time.
        Index("ix_change_token", "user_id", "at", sqlite_where=text("kind = 'token'")),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    at: datetime = Field(sa_column=Column(Moment, nullable=False))
    user_id: int = Field(sa_column=Column(BigKey, ForeignKey("user.id"), nullable=False, index=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    operation: str = Field(sa_column=Column(String(80), nullable=False))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    entity: str = Field(sa_column=Column(String(40), nullable=False))
    action: str = Field(sa_column=Column(String(20), nullable=False))


class Forgotten(Table, table=True):
    """What was forgotten for good, by its id alone: a restored backup and an import must not bring it back."""

    __tablename__ = "forgotten"  # pyright: ignore[reportAssignmentType]

    uid: str = Field(sa_column=Column(Identifier, primary_key=True))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    at: datetime = Field(sa_column=Column(Moment, nullable=False))


class StoreProperty(Table, table=True):
    """What the store knows of itself, by name."""

    __tablename__ = "store_property"  # pyright: ignore[reportAssignmentType]

    name: str = Field(sa_column=Column(String(40), primary_key=True))
    value: str = Field(sa_column=Column(Text, nullable=False))


class Receipt(Table, table=True):
    """The answer to a request that carried an idempotency key, kept for an hour: a retry gets it again."""

    __tablename__ = "receipt"  # pyright: ignore[reportAssignmentType]

    token_id: int = Field(sa_column=Column(BigKey, ForeignKey("token.id", ondelete="CASCADE"), primary_key=True))
    key: str = Field(sa_column=Column(String(80), primary_key=True))
    at: datetime = Field(sa_column=Column(Moment, nullable=False, index=True))
    operation: str = Field(sa_column=Column(String(80), nullable=False))
    request: str = Field(sa_column=Column(String(64), nullable=False))
    answer: str = Field(sa_column=Column(Text, nullable=False))


class RowSeal(Table, table=True):
    """The checksum of a row, as it was written: of which table, and its key there (bigmind/store/sqlite/seals.py)."""

    __tablename__ = "row_seal"  # pyright: ignore[reportAssignmentType]
    __table_args__ = ({"sqlite_with_rowid": False},)

    kind: str = Field(sa_column=Column(String(40), primary_key=True))
    row: int = Field(sa_column=Column(BigKey, primary_key=True, autoincrement=False))
    seal: int = Field(sa_column=Column(BigKey, nullable=False))


def _signs(context: Any) -> bytes:
    return signs(context.get_current_parameters()["vector"])


class Embedding(Table, table=True):
    """The vector of one stretch of one thing's text. Triggers remove it with the thing, and when its text changes.

    `kind` and `item` say of what: a table and its key. `owner` is the user who may find it, or `EVERYBODY`. `start` and
    `stop` are characters of the embedded text. `vector` is one signed byte per dimension, `signs` one bit of each,
    written by itself.
    """

    __tablename__ = "embedding"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("kind", "item", "model", "piece"),
        # A search by meaning reads this, and then only the rows that are near.
        Index("ix_embedding_signs", "model", "owner", "kind", "project", "at", "signs"),
        {"sqlite_autoincrement": True},
    )

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    item: int = Field(sa_column=Column(BigKey, nullable=False))
    piece: int = Field(sa_column=Column(Integer, nullable=False))
    start: int = Field(sa_column=Column(Integer, nullable=False))
    stop: int = Field(sa_column=Column(Integer, nullable=False))
    owner: int = Field(sa_column=Column(BigKey, nullable=False))
    project: str = Field(default="", sa_column=Column(String(200), nullable=False))
    at: datetime = Field(sa_column=Column(Moment, nullable=False))
    model: str = Field(sa_column=Column(String(120), nullable=False))
    vector: bytes = Field(sa_column=Column(LargeBinary, nullable=False))
    signs: bytes | None = Field(default=None, sa_column=Column(LargeBinary, nullable=False, default=_signs))


class EmbeddingQueue(Table, table=True):
    """What waits for its vectors. Triggers put it here; a thing that changes while it waits gets a new number.

    `owner` is whose it is, or `EVERYBODY`. `failure` says why it could not be embedded; it then waits for
    the next start.
    """

    __tablename__ = "embedding_queue"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (UniqueConstraint("kind", "item"), {"sqlite_autoincrement": True})

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    item: int = Field(sa_column=Column(BigKey, nullable=False))
    owner: int = Field(sa_column=Column(BigKey, nullable=False))
    failure: str = Field(default="", sa_column=Column(String(200), nullable=False, server_default=""))


FORGETTING = "forgetting"
"""The store's property that says: what was deleted may have left bytes, because the process ended too early."""

IMPORTING = "import"
"""The store's property that says whose rows an import hides until it is whole, and whether they are to stay."""

CHANGING = "new"
"""How the names of the store's properties begin that hold what an import changes, each in the row of one id."""


ADDING = "add"
"""How the names of the store's properties begin that hold what an import is still to write, each of one id; the one of
that name says by whom it is."""


def change_of(uid: str) -> str:
    """The name of the property that holds what an import changes in the row of that id."""
    return f"{CHANGING} {uid}"


def addition_of(uid: str) -> str:
    """The name of the property that holds what an import is still to write under that id."""
    return f"{ADDING} {uid}"
