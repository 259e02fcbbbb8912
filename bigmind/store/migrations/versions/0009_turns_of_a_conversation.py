"""What hooks tell of a conversation: its turns, the one that runs, and when it was given the context.

No stop is held any more, so nothing is asked there (`asked_at`); a hook writes down what is known of a session also
while it is open (`noted_at`).
"""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    op.add_column("conversation", sa.Column("turns", sa.Integer(), nullable=False, server_default="0"))
    op.add_column("conversation", sa.Column("busy_since", MOMENT, nullable=True))
    op.add_column("conversation", sa.Column("given_at", MOMENT, nullable=True))
    op.drop_column("conversation", "asked_at")
    op.alter_column("conversation", "closed_at", new_column_name="noted_at")
    op.execute("UPDATE conversation SET turns = prompts")


def downgrade() -> None:
    op.alter_column("conversation", "noted_at", new_column_name="closed_at")
    op.add_column("conversation", sa.Column("asked_at", MOMENT, nullable=True))
    for column in ("given_at", "busy_since", "turns"):
        op.drop_column("conversation", column)
