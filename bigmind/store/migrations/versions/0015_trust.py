"""What the page Usage counts: what clients are served by day, what happens beside the memory, and its indexes."""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "usage_day",
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("client", sa.String(120), nullable=False),
        sa.Column("project", sa.String(200), nullable=False),
        sa.Column("calls", sa.Integer(), server_default="0", nullable=False),
        *(sa.Column(name, KEY, server_default="0", nullable=False) for name in ("tokens", "sources", "spared")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "day", "client", "project"),
    )
    op.create_table(
        "usage_event",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("user_id", KEY, nullable=True),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("client", sa.String(120), server_default="", nullable=False),
        sa.Column("project", sa.String(200), nullable=True),
        sa.Column("entity", sa.String(36), server_default="", nullable=False),
        sa.Column("amount", sa.Integer(), server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_usage_event_at", "usage_event", ["at"])
    op.create_index("ix_work_ledger_at", "work_ledger", ["at"])
    op.create_index(
        "ix_work_item_flagged",
        "work_item",
        ["updated_at"],
        sqlite_where=sa.text("caution != '' AND accepted_at IS NULL"),
    )
    op.create_index("ix_brain_query_created", "brain_query", ["user_id", "created_at"])
    op.create_index("ix_change_token", "change", ["user_id", "at"], sqlite_where=sa.text("kind = 'token'"))


def downgrade() -> None:
    op.drop_index("ix_change_token", "change")
    op.drop_index("ix_brain_query_created", "brain_query")
    op.drop_index("ix_work_item_flagged", "work_item")
    op.drop_index("ix_work_ledger_at", "work_ledger")
    op.drop_table("usage_event")
    op.drop_table("usage_day")
