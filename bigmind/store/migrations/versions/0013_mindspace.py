"""The mindspace: what only a node has, beside its row among the work items, and where attention is."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    _nodes()
    _inputs()
    _outputs()
    _quality_gates()
    op.create_table(
        "work_focus",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        _item(),
        sa.Column("at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["item_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id"),
    )


def _item() -> sa.Column[int]:
    return sa.Column("item_id", KEY, nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _line(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), server_default="", nullable=False)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default="0", nullable=False)


def _position() -> sa.Column[int]:
    return sa.Column("position", KEY, server_default="0", nullable=False)


def _nodes() -> None:
    op.create_table(
        "work_node",
        sa.Column("item_id", KEY, autoincrement=False, nullable=False),
        sa.Column("parent_id", KEY, nullable=True),
        _position(),
        sa.Column("interrupts", KEY, nullable=True),
        _flag("was_claimed"),
        _line("type", 40),
        _line("phase", 10),
        *map(_text, ("plan_url", "plan_path", "context", "action", "acceptance")),
        sa.ForeignKeyConstraint(["item_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["parent_id"], ["work_item.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["interrupts"], ["work_item.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("item_id"),
    )
    op.create_index("ix_work_node_parent_id", "work_node", ["parent_id"])
    op.create_index("ix_work_node_interrupts", "work_node", ["interrupts"])


def _inputs() -> None:
    op.create_table(
        "work_node_input",
        sa.Column("id", KEY, nullable=False),
        _item(),
        _position(),
        _line("source", 80),
        sa.Column("source_id", KEY, nullable=True),
        sa.Column("type", sa.String(20), nullable=False),
        _text("description"),
        _text("path"),
        _flag("satisfied"),
        sa.ForeignKeyConstraint(["item_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["source_id"], ["work_item.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_work_node_input_item", "work_node_input", ["item_id", "position"])
    op.create_index("ix_work_node_input_source_id", "work_node_input", ["source_id"])


def _outputs() -> None:
    op.create_table(
        "work_node_output",
        sa.Column("id", KEY, nullable=False),
        _item(),
        _position(),
        sa.Column("type", sa.String(20), nullable=False),
        _text("description"),
        _text("path"),
        sa.Column("produced_at", MOMENT, nullable=True),
        _line("produced_by", 250),
        _text("note"),
        _line("digest", 64),
        sa.ForeignKeyConstraint(["item_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_work_node_output_item", "work_node_output", ["item_id", "position"])


def _quality_gates() -> None:
    op.create_table(
        "work_node_gate",
        sa.Column("id", KEY, nullable=False),
        _item(),
        _position(),
        sa.Column("name", sa.String(120), nullable=False),
        sa.Column("verifier", sa.String(40), nullable=False),
        _flag("is_independent"),
        sa.Column("status", sa.String(10), server_default="pending", nullable=False),
        _text("evidence"),
        _line("by", 250),
        _flag("in_person"),
        sa.Column("at", MOMENT, nullable=True),
        _flag("self_checked"),
        sa.ForeignKeyConstraint(["item_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_work_node_gate_item", "work_node_gate", ["item_id", "position"])


def downgrade() -> None:
    for table in ("work_focus", "work_node_gate", "work_node_output", "work_node_input", "work_node"):
        op.drop_table(table)
