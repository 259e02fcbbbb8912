"""What only a mindspace node has, beside its row among the work items: its place, its definitions, what came of them.

The words of all of it are told once more in the item's description, which is searched, embedded and looked through for
what instructs a reader (`bigmind/mindspace/nodes.py` derives it).
"""

from datetime import datetime

from sqlalchemy import Boolean, Column, ForeignKey, Index, String, Text
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table
from bigmind.store.types import Moment


def _key() -> Column[int]:
    return Column(BigKey, primary_key=True)


def _of_item() -> Column[int]:
    return Column(BigKey, ForeignKey("work_item.id", ondelete="CASCADE"), nullable=False)


def _other_item() -> Column[int]:
    return Column(BigKey, ForeignKey("work_item.id", ondelete="SET NULL"), nullable=True, index=True)


def _line(length: int) -> Column[str]:
    return Column(String(length), nullable=False, server_default="")


def _text() -> Column[str]:
    return Column(Text, nullable=False, server_default="")


def _flag() -> Column[bool]:
    return Column(Boolean, nullable=False, server_default="0")


def _number() -> Column[int]:
    return Column(BigKey, nullable=False, server_default="0")


def _moment() -> Column[datetime]:
    return Column(Moment, nullable=True)


class WorkNode(Table, table=True):
    """A node of the mindspace: its place in the tree, and its definitions of ready and done.

    Attributes:
        parent_id: the item of the node above it; None of a root.
        position: among those with the same parent, from 0.
        interrupts: the item of the node that it was opened for, on the way; that one waits for it while it is paused.
        was_claimed: whether an agent ever claimed it: from then on its definition of done changes in person alone.
    """

    __tablename__ = "work_node"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so

    item_id: int = Field(
        sa_column=Column(BigKey, ForeignKey("work_item.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
    )
    parent_id: int | None = Field(default=None, sa_column=_other_item())
    position: int = Field(default=0, sa_column=_number())
    interrupts: int | None = Field(default=None, sa_column=_other_item())
    was_claimed: bool = Field(default=False, sa_column=_flag())
    type: str = Field(default="", sa_column=_line(40))
    phase: str = Field(default="", sa_column=_line(10))
    plan_url: str = Field(default="", sa_column=_text())
    plan_path: str = Field(default="", sa_column=_text())
    context: str = Field(default="", sa_column=_text())
    action: str = Field(default="", sa_column=_text())
    acceptance: str = Field(default="", sa_column=_text())


class WorkNodeInput(Table, table=True):
    """What a node needs before it is ready.

    Attributes:
        source: the slug of the node that it comes from; empty: from outside the tree.
        source_id: that node, while it is there.
        satisfied: of what comes from outside: whether somebody said that it is there.
    """

    __tablename__ = "work_node_input"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_work_node_input_item", "item_id", "position"),)

    id: int | None = Field(default=None, sa_column=_key())
    item_id: int = Field(sa_column=_of_item())
    position: int = Field(default=0, sa_column=_number())
    source: str = Field(default="", sa_column=_line(80))
    source_id: int | None = Field(default=None, sa_column=_other_item())
    type: str = Field(sa_column=Column(String(20), nullable=False))
    description: str = Field(default="", sa_column=_text())
    path: str = Field(default="", sa_column=_text())
    satisfied: bool = Field(default=False, sa_column=_flag())


class WorkNodeOutput(Table, table=True):
    """What a node has to produce, and what was produced.

    Attributes:
        produced_at: when it was submitted last; None: not yet.
        produced_by: the agent that did.
        note: how that agent described it.
        digest: SHA-256 of the file as it was then, where its workspace is opened.
    """

    __tablename__ = "work_node_output"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_work_node_output_item", "item_id", "position"),)

    id: int | None = Field(default=None, sa_column=_key())
    item_id: int = Field(sa_column=_of_item())
    position: int = Field(default=0, sa_column=_number())
    type: str = Field(sa_column=Column(String(20), nullable=False))
    description: str = Field(default="", sa_column=_text())
    path: str = Field(default="", sa_column=_text())
    produced_at: datetime | None = Field(default=None, sa_column=_moment())
    produced_by: str = Field(default="", sa_column=_line(250))
    note: str = Field(default="", sa_column=_text())
    digest: str = Field(default="", sa_column=_line(64))


class WorkNodeGate(Table, table=True):
    """A quality gate of a node, and how it was judged.

    Attributes:
        verifier: the station that judges it, or `human`.
        is_independent: whether an agent that differs from the producer only behind the slash is refused.
        status: `pending`, `pass` or `fail`.
        by: who judged it; `in_person`: a person.
        self_checked: whether that agent differs from the producer only behind the slash.
    """

    __tablename__ = "work_node_gate"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_work_node_gate_item", "item_id", "position"),)

    id: int | None = Field(default=None, sa_column=_key())
    item_id: int = Field(sa_column=_of_item())
    position: int = Field(default=0, sa_column=_number())
    name: str = Field(sa_column=Column(String(120), nullable=False))
    verifier: str = Field(sa_column=Column(String(40), nullable=False))
    is_independent: bool = Field(default=False, sa_column=_flag())
    status: str = Field(default="pending", sa_column=Column(String(10), nullable=False, server_default="pending"))
    evidence: str = Field(default="", sa_column=_text())
    by: str = Field(default="", sa_column=_line(250))
    in_person: bool = Field(default=False, sa_column=_flag())
    at: datetime | None = Field(default=None, sa_column=_moment())
    self_checked: bool = Field(default=False, sa_column=_flag())


class WorkFocus(Table, table=True):
    """The node that a user's attention is on."""

    __tablename__ = "work_focus"  # pyright: ignore[reportAssignmentType]

    user_id: int = Field(
        sa_column=Column(BigKey, ForeignKey("user.id", ondelete="CASCADE"), primary_key=True, autoincrement=False)
    )
    item_id: int = Field(sa_column=_of_item())
    at: datetime = Field(sa_column=Column(Moment, nullable=False))
