"""What work is made of: items that stand in a process, what they depend on, the ledger, and what gates rest on.

Tasks and mindspace nodes are items alike; what only a node has stands in tables of its own. Before and after are told
by the numbers of rows: `..._after` is the newest question to the brain when something happened, so that a later one
counts, whatever a clock says.
"""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Column, ForeignKey, Index, Integer, String, Text, UniqueConstraint, text
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Identifier, Json, Moment

_FLAGGED = text("caution != '' AND accepted_at IS NULL")


def _of(table: str, *, key: bool = False) -> Column[int]:
    reference = ForeignKey(f"{table}.id", ondelete="CASCADE")
    return Column(BigKey, reference, nullable=False, primary_key=key, autoincrement=False if key else "auto")


def _line(length: int) -> Column[str]:
    return Column(String(length), nullable=False, server_default="")


def _text() -> Column[str]:
    return Column(Text, nullable=False, server_default="")


def _number() -> Column[int]:
    return Column(BigKey, nullable=False, server_default="0")


def _flag() -> Column[bool]:
    return Column(Boolean, nullable=False, server_default="0")


def _moment(*, optional: bool = False) -> Column[datetime]:
    return Column(Moment, nullable=optional)


class WorkItem(Table, table=True):
    """A piece of work in a process: a task, a bug, a node, whatever a team's own documents declare.

    Attributes:
        process, version: of its process; `version` is the one that it entered with.
        state, role, holder, revision, worked_by, worked_as, saved, due: as the engine reads them (flow/workflow.py).
        holder_client, holder_user_id: the holder as the brain's log names it, and its user.
        claimed_from: the state that the holder claimed it from; it goes back there when another takes it over.
        lease_until: when another may.
        dna: the fields, as a JSON object.
        entered_after, written_after, claimed_after: the newest question to the brain when it came into its state, got
            its present title, topic and description, and was claimed.
        ledger_number: its newest row in the ledger.
        self_reviewed: whether the review was made by the agent that held the work.
        is_imported: whether its state was believed on import, in person.
    """

    __tablename__ = "work_item"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so
    __table_args__ = (
        Index("ix_work_item_state", "process", "state", "updated_at"),
        # Of each state and role the one that waits longest.
        Index("ix_work_item_turn", "process", "state", "role", "entered_at"),
        Index("ix_work_item_holder", "holder", "state"),
        Index("ix_work_item_flagged", "updated_at", sqlite_where=_FLAGGED),
    )

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    slug: str = Field(sa_column=Column(String(80), nullable=False, unique=True))
    user_id: int = Field(sa_column=_of("user"))
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True, index=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    process: str = Field(sa_column=Column(String(40), nullable=False))
    version: int = Field(default=1, sa_column=Column(Integer, nullable=False))
    state: str = Field(sa_column=Column(String(40), nullable=False))
    role: str = Field(sa_column=Column(String(40), nullable=False))
    revision: int = Field(default=1, sa_column=Column(Integer, nullable=False))
    holder: str = Field(default="", sa_column=_line(250))
    holder_client: str = Field(default="", sa_column=_line(120))
    holder_user_id: int | None = Field(default=None, sa_column=Column(BigKey, nullable=True))
    claimed_from: str = Field(default="", sa_column=_line(40))
    lease_until: datetime | None = Field(default=None, sa_column=_moment(optional=True))
    worked_by: str = Field(default="", sa_column=_line(250))
    worked_as: str = Field(default="", sa_column=_line(40))
    saved: dict[str, Any] | None = Field(default=None, sa_column=Column(Json, nullable=True))
    due: list[Any] = Field(default_factory=list[Any], sa_column=Column(Json, nullable=False))
    entered_at: datetime = Field(sa_column=_moment())
    entered_after: int = Field(default=0, sa_column=_number())
    written_after: int = Field(default=0, sa_column=_number())
    claimed_after: int = Field(default=0, sa_column=_number())
    ledger_number: int = Field(default=0, sa_column=_number())
    self_reviewed: bool = Field(default=False, sa_column=_flag())
    is_imported: bool = Field(default=False, sa_column=_flag())
    caution: str = Field(default="", sa_column=_line(200))
    accepted_at: datetime | None = Field(default=None, sa_column=_moment(optional=True))
    title: str = Field(sa_column=Column(String(200), nullable=False))
    topic: str = Field(default="", sa_column=_line(200))
    description: str = Field(default="", sa_column=_text())
    dna: str = Field(default="{}", sa_column=Column(Text, nullable=False, server_default="{}"))
    terms: str = Field(default="", sa_column=_text())

    def standing(self) -> dict[str, Any]:
        """What of it its newest row in the ledger has to agree with."""
        return {
            "process": self.process,
            "version": self.version,
            "state": self.state,
            "role": self.role,
            "holder": self.holder,
            "worked_by": self.worked_by,
            "worked_as": self.worked_as,
            "saved": self.saved,
            "due": self.due,
        }


class WorkDependency(Table, table=True):
    """An item, and another one that has to be complete first."""

    __tablename__ = "work_dependency"  # pyright: ignore[reportAssignmentType]

    item_id: int = Field(sa_column=_of("work_item", key=True))
    other_id: int = Field(
        sa_column=Column(
            BigKey, ForeignKey("work_item.id", ondelete="CASCADE"), primary_key=True, autoincrement=False, index=True
        )
    )


class WorkFieldValue(Table, table=True):
    """What a field of an item's DNA was set to, by whom and when: its history, the newest last."""

    __tablename__ = "work_field_value"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_work_field_value_item", "item_id", "name", "id"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    item_id: int = Field(sa_column=_of("work_item"))
    name: str = Field(sa_column=Column(String(60), nullable=False))
    at: datetime = Field(sa_column=_moment())
    client: str = Field(sa_column=Column(String(120), nullable=False))
    value: str = Field(sa_column=Column(Text, nullable=False))


class WorkLedgerRow(Table, table=True):
    """A row of the ledger. No statement changes or removes one: a trigger says so, and the chain shows it.

    `number` counts from 1 without gaps. `body` is JSON without anybody's words; `before` the hash of the row before.
    """

    __tablename__ = "work_ledger"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_work_ledger_item", "item_uid", "number"), Index("ix_work_ledger_at", "at"))

    number: int = Field(sa_column=Column(BigKey, primary_key=True, autoincrement=False))
    at: datetime = Field(sa_column=_moment())
    item_uid: str = Field(sa_column=Column(String(36), nullable=False))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    body: str = Field(sa_column=Column(Text, nullable=False))
    before: str = Field(sa_column=Column(String(64), nullable=False))
    digest: str = Field(sa_column=Column(String(64), nullable=False))


class WorkLedgerText(Table, table=True):
    """A text of a row of the ledger, beside it under its salt: forgetting takes it, and leaves the chain."""

    __tablename__ = "work_ledger_text"  # pyright: ignore[reportAssignmentType]

    number: int = Field(sa_column=Column(BigKey, primary_key=True, autoincrement=False))
    name: str = Field(sa_column=Column(String(60), primary_key=True))
    item_uid: str = Field(sa_column=Column(String(36), nullable=False, index=True))
    salt: str = Field(sa_column=Column(String(32), nullable=False))
    text: str = Field(sa_column=Column(Text, nullable=False))


class WorkForeignLedgerRow(Table, table=True):
    """A row of another store's ledger, as an import in person brought it: kept apart under that store's id.

    `texts` is a JSON object of names, each with its salt and text; empty where there are none, or they were forgotten.
    `fault` says where the row did not hold together with the others when it came.
    """

    __tablename__ = "work_foreign_ledger"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (UniqueConstraint("store", "number", "digest"),)

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    store: str = Field(sa_column=Column(String(36), nullable=False))
    number: int = Field(sa_column=Column(BigKey, nullable=False))
    item_uid: str = Field(sa_column=Column(String(36), nullable=False, index=True))
    kind: str = Field(sa_column=Column(String(20), nullable=False))
    body: str = Field(sa_column=Column(Text, nullable=False))
    before: str = Field(sa_column=Column(String(64), nullable=False))
    digest: str = Field(sa_column=Column(String(64), nullable=False))
    texts: str = Field(default="", sa_column=_text())
    fault: str = Field(default="", sa_column=_line(200))


class WorkEvidence(Table, table=True):
    """A question or a thought that let an item pass a gate: once, and which."""

    __tablename__ = "work_evidence"  # pyright: ignore[reportAssignmentType]

    kind: str = Field(sa_column=Column(String(20), primary_key=True))
    uid: str = Field(sa_column=Column(String(36), primary_key=True))
    item_uid: str = Field(sa_column=Column(String(36), nullable=False, index=True))
    ledger_number: int = Field(sa_column=Column(BigKey, nullable=False))


class WorkConfirmation(Table, table=True):
    """A person's yes to an item as it was shown: at that revision; it holds while nothing of that changed."""

    __tablename__ = "work_confirmation"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, sa_column=Column(BigKey, primary_key=True))
    item_id: int = Field(
        sa_column=Column(BigKey, ForeignKey("work_item.id", ondelete="CASCADE"), nullable=False, index=True)
    )
    user_id: int = Field(sa_column=Column(BigKey, nullable=False))
    revision: int = Field(sa_column=Column(Integer, nullable=False))
    at: datetime = Field(sa_column=_moment())
    place: str = Field(sa_column=Column(String(20), nullable=False))
    note: str = Field(default="", sa_column=_text())
    withdrawn_at: datetime | None = Field(default=None, sa_column=_moment(optional=True))
    ledger_number: int = Field(default=0, sa_column=_number())


class WorkProcess(Table, table=True):
    """A process document of a team's own, as it was taken in person; items keep the version that they entered with."""

    __tablename__ = "work_process"  # pyright: ignore[reportAssignmentType]

    name: str = Field(sa_column=Column(String(40), primary_key=True))
    version: int = Field(sa_column=Column(BigKey, primary_key=True, autoincrement=False))
    digest: str = Field(sa_column=Column(String(64), nullable=False))
    text: str = Field(sa_column=Column(Text, nullable=False))
    taken_at: datetime = Field(sa_column=_moment())
    user_id: int = Field(sa_column=Column(BigKey, nullable=False))
    agents_may_create: bool = Field(default=False, sa_column=_flag())


class AgentWorkRoles(Table, table=True):
    """The work roles that an agent of a user may take, where a person said so; by the name of its token."""

    __tablename__ = "agent_work_roles"  # pyright: ignore[reportAssignmentType]

    user_id: int = Field(sa_column=_of("user", key=True))
    agent: str = Field(sa_column=Column(String(120), primary_key=True))
    roles: list[str] = Field(default_factory=list[str], sa_column=Column(Json, nullable=False))
