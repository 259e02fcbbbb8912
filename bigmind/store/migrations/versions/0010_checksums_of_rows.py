"""A checksum of each row (bigmind/store/sqlite/seals.py). The rows that are there are sealed behind the migrations."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    op.create_table(
        "row_seal",
        sa.Column("kind", sa.String(40), primary_key=True),
        sa.Column("row", KEY, primary_key=True, autoincrement=False),
        sa.Column("seal", KEY, nullable=False),
        sqlite_with_rowid=False,
    )


def downgrade() -> None:
    op.drop_table("row_seal")
