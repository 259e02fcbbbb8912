"""Moments that wait for a person are found by an index of their own: every page counts them."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

WAITING = sa.text("caution != '' AND accepted_at IS NULL")


def upgrade() -> None:
    op.create_index(
        "ix_chunk_waiting", "chunk", ["user_id", "created_at"], sqlite_where=WAITING, postgresql_where=WAITING
    )


def downgrade() -> None:
    op.drop_index("ix_chunk_waiting", "chunk")
