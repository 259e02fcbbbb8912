"""A person pins things to the context that conversations start with, and hides others there."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

TABLES = ("session", "fact", "hypothesis", "knowledge")


def upgrade() -> None:
    for table in TABLES:
        op.add_column(table, sa.Column("placement", sa.String(10), nullable=False, server_default=""))


def downgrade() -> None:
    for table in TABLES:
        op.drop_column(table, "placement")
