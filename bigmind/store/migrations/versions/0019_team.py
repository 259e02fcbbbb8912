"""A team's people: who is disabled, what the directory tells of each, and what a token is limited to."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("user", sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("user", sa.Column("directory", sa.String(20), server_default="topics", nullable=False))
    op.add_column("token", sa.Column("scope", sa.Text(), server_default="", nullable=False))


def downgrade() -> None:
    op.drop_column("token", "scope")
    op.drop_column("user", "directory")
    op.drop_column("user", "disabled_at")
