"""What the brain stores. Every row has an integer key for joins and indexes; what is named outside has an id too.

`caution`, `accepted_at` and `terms` are as in `memory/tables.py`. How often a thought is read changes all the time, so
it stands in rows of its own (`ThoughtUse`, `ThoughtReader`): reading touches no text and no index of words.
"""

from datetime import datetime

from sqlalchemy import Column, Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint, text
from sqlmodel import Field

from bigmind.brain.rules import FIRST_WEIGHT
from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Identifier, Json, Moment

WANTS_A_LOOK = "(category = 'uncategorized' OR flags != '[]')"
"""Of a living thought: what a person has to look at. Written out, not bound: else no partial index would fit."""

KEPT = "kept"
"""Stands among the flags of a thought that a person keeps as it is: it waits no more; gates read its flags still."""


def _of(table: str, *, key: bool = False) -> Column[int]:
    reference = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return Column(BigKey, reference, nullable=False, primary_key=key, autoincrement=False if key else "auto")


def _line(length: int) -> Column[str]:
    return Column(String(length), nullable=False, server_default="")


def _text() -> Column[str]:
    return Column(Text, nullable=False, server_default="")


def _moment() -> Column[datetime]:
    return Column(Moment, nullable=False)


def _moment_or_none() -> Column[datetime]:
    return Column(Moment, nullable=True)


class Thought(Table, table=True):
    """A short, self-contained piece of knowledge that an agent contributed.

    `client` is the agent: its token's name and, behind a slash, what it calls itself; `agent_name` how it is shown.
    `space` is `private` or `shared`. `noise_at`: since when a person keeps it out of every answer. `gated_at`: since
    when a gate rests on it, and its flags are fixed. `about` is derived: topic and tags as words. Short columns come
    first, so that a look at them reads no text.
    """

    __tablename__ = "thought"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so
    __table_args__ = (
        Index("ix_thought_user_created", "user_id", "created_at"),
        Index("ix_thought_topic", "topic", "created_at"),
        Index("ix_thought_project", "project", "created_at"),
        # Few of many wait for a person, and every page counts them.
        Index("ix_thought_queue", "created_at", sqlite_where=text(f"noise_at IS NULL AND {WANTS_A_LOOK}")),
    )

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    user_id: int = Field(sa_column=_of("user"))
    space: str = Field(sa_column=_line(10))
    noise_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    agent_name: str = Field(default="", sa_column=_line(200))
    thought_type: str = Field(default="original", sa_column=_line(20))
    category: str = Field(default="uncategorized", sa_column=_line(30))
    topic: str = Field(default="", sa_column=_line(200))
    temporal_scope: str = Field(default="", sa_column=_line(10))
    source_type: str = Field(default="", sa_column=_line(20))
    source_value: str = Field(default="", sa_column=_line(1_000))
    source_project: str = Field(default="", sa_column=_line(200))
    flags: list[str] = Field(default_factory=list, sa_column=Column(Json, nullable=False))
    tags: list[str] = Field(default_factory=list, sa_column=Column(Json, nullable=False))
    gated_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    caution: str = Field(default="", sa_column=_line(200))
    accepted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    corrected_fact: str = Field(default="", sa_column=_text())
    correct_fact: str = Field(default="", sa_column=_text())
    alternatives: str = Field(default="", sa_column=_text())
    context: str = Field(default="", sa_column=_text())
    content: str = Field(sa_column=Column(Text, nullable=False))
    about: str = Field(default="", sa_column=_text())
    terms: str = Field(default="", sa_column=_text())


class ThoughtTag(Table, table=True):
    """A tag of a thought, to be filtered by."""

    __tablename__ = "thought_tag"  # pyright: ignore[reportAssignmentType]

    thought_id: int = Field(sa_column=_of("thought", key=True))
    tag: str = Field(sa_column=Column(String(80), primary_key=True, index=True))


class ThoughtLink(Table, table=True):
    """One thought and another one: it `refines`, `consolidates` or `supersedes` that, or is `related` to it.

    The first three lead from a newer thought to an older one, so that no chain of them closes. `related` holds both
    ways and stands once.
    """

    __tablename__ = "thought_link"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (UniqueConstraint("thought_id", "other_id", "relation"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    thought_id: int = Field(sa_column=_of("thought"))
    other_id: int = Field(
        sa_column=Column(BigKey, ForeignKey("thought.id", ondelete="CASCADE"), nullable=False, index=True)
    )
    relation: str = Field(sa_column=Column(String(20), nullable=False))


class ThoughtUse(Table, table=True):
    """How well-travelled a thought is: its pheromone weight when it changed last, and how often it was read."""

    __tablename__ = "thought_use"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_thought_use_reads", "reads"),)

    thought_id: int = Field(sa_column=_of("thought", key=True))
    weight: float = Field(default=FIRST_WEIGHT, sa_column=Column(Float, nullable=False))
    weighed_at: datetime = Field(sa_column=_moment())
    reads: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    last_read_at: datetime | None = Field(default=None, sa_column=_moment_or_none())


class ThoughtReader(Table, table=True):
    """An agent of a user that was given a thought, how often, and when last."""

    __tablename__ = "thought_reader"  # pyright: ignore[reportAssignmentType]

    thought_id: int = Field(sa_column=_of("thought", key=True))
    user_id: int = Field(sa_column=_of("user", key=True))
    client: str = Field(sa_column=Column(String(120), primary_key=True))
    reads: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    last_read_at: datetime = Field(sa_column=_moment())


class BrainSession(Table, table=True):
    """A chain of questions of one agent; its id begins with `q-`."""

    __tablename__ = "brain_session"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_brain_session_user", "user_id", "last_used_at"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(String(20), nullable=False, unique=True))
    user_id: int = Field(sa_column=_of("user"))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    started_at: datetime = Field(sa_column=_moment())
    last_used_at: datetime = Field(sa_column=_moment())


class BrainQuery(Table, table=True):
    """One prompt that was answered: by whom, in which session, what it said, what came of it.

    Written with the answer's bookkeeping and by nothing else (`query_log.py`). `operation` is the tool; `outcome` is
    `answered`, `stored`, or why a contribution was not stored. `thought_uid` is what was stored, and outlives it;
    `returned` counts the sources, which stand in `BrainQuerySource`. Forgetting takes the words and leaves the row.
    """

    __tablename__ = "brain_query"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_brain_query_agent", "user_id", "client", "id"),
        Index("ix_brain_query_created", "user_id", "created_at"),
    )

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    user_id: int = Field(sa_column=_of("user"))
    session_id: int = Field(sa_column=Column(BigKey, ForeignKey("brain_session.id"), nullable=False, index=True))
    created_at: datetime = Field(sa_column=_moment())
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    connection: str | None = Field(default=None, sa_column=Column(String(80), nullable=True))
    operation: str = Field(sa_column=Column(String(80), nullable=False))
    outcome: str = Field(sa_column=Column(String(20), nullable=False))
    thought_uid: str | None = Field(default=None, sa_column=Column(Identifier, nullable=True, index=True))
    returned: int = Field(default=0, sa_column=Column(Integer, nullable=False))
    caution: str = Field(default="", sa_column=_line(200))
    accepted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    text: str = Field(sa_column=Column(Text, nullable=False))
    context: str = Field(default="", sa_column=_text())


class BrainQuerySource(Table, table=True):
    """A thought that was returned to a prompt, its place among the sources (from 1), and how near it was."""

    __tablename__ = "brain_query_source"  # pyright: ignore[reportAssignmentType]

    query_id: int = Field(sa_column=_of("brain_query", key=True))
    thought_id: int = Field(
        sa_column=Column(
            BigKey, ForeignKey("thought.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
        )
    )
    place: int = Field(sa_column=Column(Integer, nullable=False))
    similarity: float = Field(sa_column=Column(Float, nullable=False))
