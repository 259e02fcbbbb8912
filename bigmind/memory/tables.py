"""What memory stores. Every row has an integer key for joins and indexes, and a UUID for the outside.

`caution` names, separated by commas, what in a row's text tries to instruct a later reader (`caution/detect.py`), and
whether an assistant imported it; such a row is kept out of the automatic context until a person accepts it
(`accepted_at`). `terms` is derived from the text when it is written, for the full-text index: parts of identifiers, and
what a tokenizer that splits at blanks misses.
`placement` is a person's word on the context that conversations start with: `pinned`, `hidden`, or empty. A session's
`told` is all that is known of it but its headline, and a profile's `pinned_text` its pinned facts, one in a line: both
derived for the same index.
"""

from datetime import datetime

from sqlalchemy import (
    Boolean,
    Column,
    Computed,
    Float,
    ForeignKey,
    Index,
    Integer,
    String,
    Text,
    UniqueConstraint,
    text,
)
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Identifier, Json, Moment

_WAITING = text("caution != '' AND accepted_at IS NULL")


def _owner() -> Column[int]:
    return Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), nullable=False)


def _born_in() -> Column[int]:
    return Column(BigKey, ForeignKey("session.id", ondelete="SET NULL"), nullable=True, index=True)


def _user() -> Column[int]:
    return Column(BigKey, ForeignKey("user.id", ondelete="SET NULL"), nullable=True)


def _caution() -> Column[str]:
    return Column(String(200), nullable=False, server_default="")


def _derived() -> Column[str]:
    return Column(Text, nullable=False, server_default="")


def _computed(told: str) -> Computed:
    return Computed(told, persisted=False)


def _placement() -> Column[str]:
    return Column(String(10), nullable=False, server_default="")


def _moment_or_none() -> Column[datetime]:
    return Column(Moment, nullable=True)


def _updated() -> Column[datetime]:
    return Column(Moment, nullable=False)


class Profile(Table, table=True):
    """Tier 0: who the user is.

    What a search asks of each thing is computed: its key is its user's, its id its name, and it is of no project.
    """

    __tablename__ = "profile"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so
    __table_args__ = (Index("ix_profile_id", "id", unique=True),)

    user_id: int = Field(sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True))
    role: str = Field(default="", sa_column=Column(Text, nullable=False))
    preferences: str = Field(default="", sa_column=Column(Text, nullable=False))
    pinned_facts: list[str] = Field(default_factory=list, sa_column=Column(Json, nullable=False))
    updated_at: datetime = Field(sa_column=_updated())
    caution: str = Field(default="", sa_column=_caution())
    accepted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    pinned_text: str = Field(default="", sa_column=_derived())
    terms: str = Field(default="", sa_column=_derived())
    id: int | None = Field(default=None, sa_column=Column(BigKey, _computed("user_id")))
    uid: str | None = Field(default=None, sa_column=Column(Identifier, _computed("'profile'")))
    project: str | None = Field(default=None, sa_column=Column(String(200), _computed("NULL")))
    client: str | None = Field(default=None, sa_column=Column(String(120), _computed("''")))


class MemorySession(Table, table=True):
    """Tier 1: one conversation, in a line."""

    __tablename__ = "session"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        Index("ix_session_user_started", "user_id", "started_at"),
        Index("ix_session_user_ended", "user_id", "ended_at"),
    )

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    user_id: int = Field(sa_column=_owner())
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True, index=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    connection: str | None = Field(default=None, sa_column=Column(String(80), nullable=True, index=True))
    token_id: int | None = Field(
        default=None, sa_column=Column(BigKey, ForeignKey("token.id", ondelete="SET NULL"), nullable=True)
    )
    started_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    ended_at: datetime | None = Field(default=None, sa_column=Column(Moment, nullable=True))
    one_liner: str = Field(default="", sa_column=Column(String(200), nullable=False))
    outcome: str = Field(default="", sa_column=Column(Text, nullable=False))
    importance: int = Field(default=5, sa_column=Column(Integer, nullable=False))
    has_detail: bool = Field(default=False, sa_column=Column(Boolean, nullable=False))
    told: str = Field(default="", sa_column=_derived())
    terms: str = Field(default="", sa_column=_derived())
    updated_at: datetime = Field(sa_column=_updated())
    caution: str = Field(default="", sa_column=_caution())
    accepted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    placement: str = Field(default="", sa_column=_placement())


class SessionTopic(Table, table=True):
    """A topic of a session, in the order given."""

    __tablename__ = "session_topic"  # pyright: ignore[reportAssignmentType]

    session_id: int = Field(sa_column=Column(BigKey, ForeignKey("session.id", ondelete="CASCADE"), primary_key=True))
    topic: str = Field(sa_column=Column(String(80), primary_key=True, index=True))
    position: int = Field(sa_column=Column(Integer, nullable=False))


class SessionSummary(Table, table=True):
    """Tier 2: what happened in a session, told."""

    __tablename__ = "session_summary"  # pyright: ignore[reportAssignmentType]

    session_id: int = Field(sa_column=Column(BigKey, ForeignKey("session.id", ondelete="CASCADE"), primary_key=True))
    summary: str = Field(sa_column=Column(Text, nullable=False))
    key_facts: list[str] = Field(default_factory=list, sa_column=Column(Json, nullable=False))
    code_refs: list[str] = Field(default_factory=list, sa_column=Column(Json, nullable=False))
    created_at: datetime = Field(sa_column=Column(Moment, nullable=False))


class Chunk(Table, table=True):
    """Tier 3: one moment worth keeping, word for word."""

    __tablename__ = "chunk"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("session_id", "seq"),
        Index("ix_chunk_user_created", "user_id", "created_at"),
        # Covers the owner check of a full-text search: without it, each match reads its whole row.
        Index("ix_chunk_user", "user_id"),
        Index("ix_chunk_waiting", "user_id", "created_at", sqlite_where=_WAITING),
    )

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    user_id: int = Field(sa_column=_owner())
    session_id: int = Field(sa_column=Column(BigKey, ForeignKey("session.id", ondelete="CASCADE"), nullable=False))
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    role: str = Field(sa_column=Column(String(20), nullable=False))
    content: str = Field(sa_column=Column(Text, nullable=False))
    flag_reason: str = Field(sa_column=Column(Text, nullable=False))
    terms: str = Field(default="", sa_column=Column(Text, nullable=False))
    seq: int = Field(sa_column=Column(Integer, nullable=False))
    created_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    caution: str = Field(default="", sa_column=_caution())
    accepted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())


class Fact(Table, table=True):
    """An atomic statement that holds until it is deprecated."""

    __tablename__ = "fact"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_fact_user_active", "user_id", "deprecated_at", "updated_at"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    user_id: int = Field(sa_column=_owner())
    session_id: int | None = Field(default=None, sa_column=_born_in())
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    category: str = Field(sa_column=Column(String(40), nullable=False))
    text: str = Field(sa_column=Column(Text, nullable=False))
    confidence: float = Field(sa_column=Column(Float, nullable=False))
    created_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    updated_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    deprecated_at: datetime | None = Field(default=None, sa_column=Column(Moment, nullable=True))
    deprecation_reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    terms: str = Field(default="", sa_column=_derived())
    caution: str = Field(default="", sa_column=_caution())
    accepted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    placement: str = Field(default="", sa_column=_placement())


class FactEvent(Table, table=True):
    """What happened to a fact: stored, contradicted, deprecated, replaced. Only ever added to."""

    __tablename__ = "fact_event"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    fact_id: int = Field(
        sa_column=Column(BigKey, ForeignKey("fact.id", ondelete="CASCADE"), nullable=False, index=True)
    )
    at: datetime = Field(sa_column=Column(Moment, nullable=False))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    action: str = Field(sa_column=Column(String(20), nullable=False))
    other_uid: str | None = Field(default=None, sa_column=Column(Identifier, nullable=True))
    reason: str = Field(default="", sa_column=Column(Text, nullable=False))
    confidence: float = Field(sa_column=Column(Float, nullable=False))


class Hypothesis(Table, table=True):
    """A belief, "I believe X because Y", open until it is resolved."""

    __tablename__ = "hypothesis"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_hypothesis_user_status", "user_id", "status", "created_at"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    user_id: int = Field(sa_column=_owner())
    session_id: int | None = Field(default=None, sa_column=_born_in())
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    text: str = Field(sa_column=Column(Text, nullable=False))
    confidence: float = Field(sa_column=Column(Float, nullable=False))
    status: str = Field(sa_column=Column(String(20), nullable=False))
    resolution: str = Field(default="", sa_column=Column(Text, nullable=False))
    terms: str = Field(default="", sa_column=_derived())
    created_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    resolved_at: datetime | None = Field(default=None, sa_column=Column(Moment, nullable=True))
    updated_at: datetime = Field(sa_column=_updated())
    caution: str = Field(default="", sa_column=_caution())
    accepted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    placement: str = Field(default="", sa_column=_placement())


class Knowledge(Table, table=True):
    """Tier G: an entry of what everybody knows, once a curator has approved it.

    It outlives the user who promoted it and the session it came from.
    """

    __tablename__ = "knowledge"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_knowledge_status", "status", "importance", "updated_at"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    promoted_by_id: int | None = Field(default=None, sa_column=_user())
    approved_by_id: int | None = Field(default=None, sa_column=_user())
    session_id: int | None = Field(default=None, sa_column=_born_in())
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    category: str = Field(sa_column=Column(String(20), nullable=False))
    title: str = Field(sa_column=Column(String(200), nullable=False))
    content: str = Field(sa_column=Column(Text, nullable=False))
    importance: int = Field(default=5, sa_column=Column(Integer, nullable=False))
    status: str = Field(sa_column=Column(String(20), nullable=False))
    review_notes: str = Field(default="", sa_column=Column(Text, nullable=False))
    terms: str = Field(default="", sa_column=Column(Text, nullable=False))
    created_at: datetime = Field(sa_column=Column(Moment, nullable=False))
    updated_at: datetime = Field(sa_column=_updated())
    reviewed_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    caution: str = Field(default="", sa_column=_caution())
    accepted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    placement: str = Field(default="", sa_column=_placement())


class Conversation(Table, table=True):
    """A conversation as a client's hooks tell of it, and the session that holds what is known of it.

    `key` is the client's own id, where it is a UUID, else its SHA-256. `turns`: how often its model was asked;
    `prompts`: those since the memory was written to. `busy_since`: when the turn began that runs. `given_at`: since
    when the start context stands in it. `noted_at`: when a hook wrote down what is known of its session, because nobody
    had ended it.
    """

    __tablename__ = "conversation"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("user_id", "client", "key"),
        Index("ix_conversation_user_seen", "user_id", "seen_at"),
    )

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    user_id: int = Field(sa_column=_owner())
    client: str = Field(sa_column=Column(String(120), nullable=False))
    key: str = Field(sa_column=Column(String(120), nullable=False))
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True))
    session_id: int | None = Field(default=None, sa_column=_born_in())
    prompts: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    started_at: datetime = Field(sa_column=_updated())
    seen_at: datetime = Field(sa_column=_updated())
    noted_at: datetime | None = Field(default=None, sa_column=_moment_or_none())
    turns: int = Field(default=0, sa_column=Column(Integer, nullable=False, server_default="0"))
    busy_since: datetime | None = Field(default=None, sa_column=_moment_or_none())
    given_at: datetime | None = Field(default=None, sa_column=_moment_or_none())


class ProjectAlias(Table, table=True):
    """Another name of a project, as a person joined it; `folded` is how it is compared."""

    __tablename__ = "project_alias"  # pyright: ignore[reportAssignmentType]

    user_id: int = Field(
        sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
    )
    folded: str = Field(sa_column=Column(String(300), primary_key=True))
    name: str = Field(sa_column=Column(String(200), nullable=False))
    project: str = Field(sa_column=Column(String(200), nullable=False))
    at: datetime = Field(sa_column=_updated())


class ProjectMove(Table, table=True):
    """Something that was stored under an alias before it was joined: it goes back when that is undone."""

    __tablename__ = "project_move"  # pyright: ignore[reportAssignmentType]

    user_id: int = Field(
        sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
    )
    folded: str = Field(sa_column=Column(String(300), primary_key=True))
    kind: str = Field(sa_column=Column(String(20), primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, primary_key=True))
