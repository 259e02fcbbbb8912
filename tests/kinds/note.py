"""A throw-away kind: its table, and its one declaration."""

from datetime import datetime
from pathlib import Path

from sqlalchemy import MetaData
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.schema import CreateTable

from bigmind.core.kind import ORIGIN, Kind, Kinds, Text, Words
from bigmind.people.service import NOBODY
from bigmind.registry import KINDS
from bigmind.store.sqlite.schema import statements_for
from bigmind.store.types import Moment
from bigmind.wiring import open_mind
from tests.memory.living import Clock


class Apart(DeclarativeBase):
    """Tables that no migration knows."""

    metadata = MetaData()


class Note(Apart):
    """A note."""

    __tablename__ = "note"

    id: Mapped[int] = mapped_column(primary_key=True)
    uid: Mapped[str] = mapped_column(unique=True)
    user_id: Mapped[int]
    project: Mapped[str | None]
    client: Mapped[str] = mapped_column(default="tester")
    text: Mapped[str]
    terms: Mapped[str] = mapped_column(default="")
    created_at: Mapped[datetime] = mapped_column(Moment)
    updated_at: Mapped[datetime] = mapped_column(Moment)
    caution: Mapped[str] = mapped_column(default="")
    accepted_at: Mapped[datetime | None] = mapped_column(Moment)


NOTE = Kind("note", "notes", Words("note", "notes"), Note, (Text("note", "text", 1.0), *ORIGIN), page="/notes")
"""All that BigMind needs to know of it."""

WITH_NOTES = Kinds(*KINDS, NOTE)


def make_table(home: Path, clock: Clock) -> None:
    """What its migration would do."""
    mind = open_mind(home, "ada", clock)
    with mind.store.write(NOBODY, "test") as work:
        connection = work.session.connection()
        connection.execute(CreateTable(Note.__table__))  # pyright: ignore[reportArgumentType]
        for statement in statements_for(NOTE):
            connection.exec_driver_sql(statement)
    mind.close()
