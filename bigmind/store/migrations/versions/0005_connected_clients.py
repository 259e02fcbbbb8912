"""Connected clients: what is ours in their files, how they use the memory, and which conversation a hook speaks of."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def _owner(*, key: bool = False) -> sa.Column[int]:
    return sa.Column("user_id", KEY, sa.ForeignKey("user.id", ondelete="CASCADE"), nullable=False, primary_key=key)


def upgrade() -> None:
    op.create_table(
        "client_file",
        sa.Column("id", KEY, primary_key=True),
        _owner(),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("existed", sa.Boolean(), nullable=False),
        sa.Column("copy_name", sa.String(200), nullable=False, server_default=""),
        sa.Column("before", sa.String(64), nullable=False, server_default=""),
        sa.Column("after", sa.String(64), nullable=False),
        sa.Column("mode", sa.Integer(), nullable=True),
        sa.Column("made_folders", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.UniqueConstraint("user_id", "path"),
    )
    op.create_table(
        "client_part",
        sa.Column("id", KEY, primary_key=True),
        _owner(),
        sa.Column("target", sa.String(40), nullable=False),
        sa.Column("workspace", sa.Text(), nullable=False, server_default=""),
        sa.Column("path", sa.Text(), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("place", sa.Text(), nullable=False),
        sa.Column("token_id", KEY, sa.ForeignKey("token.id", ondelete="SET NULL"), nullable=True),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.UniqueConstraint("user_id", "target", "workspace", "path", "kind", "place"),
    )
    op.create_table(
        "client_state",
        _owner(key=True),
        sa.Column("client", sa.String(120), primary_key=True),
        sa.Column("toolsets", sa.String(200), nullable=False, server_default=""),
        sa.Column("last_at", MOMENT, nullable=True),
        sa.Column("calls", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("tokens", KEY, nullable=False, server_default="0"),
    )
    op.create_table(
        "conversation",
        sa.Column("id", KEY, primary_key=True),
        _owner(),
        sa.Column("client", sa.String(120), nullable=False),
        sa.Column("key", sa.String(120), nullable=False),
        sa.Column("project", sa.String(200), nullable=True),
        sa.Column("session_id", KEY, sa.ForeignKey("session.id", ondelete="SET NULL"), nullable=True, index=True),
        sa.Column("prompts", sa.Integer(), nullable=False, server_default="0"),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("seen_at", MOMENT, nullable=False),
        sa.Column("asked_at", MOMENT, nullable=True),
        sa.Column("closed_at", MOMENT, nullable=True),
        sa.UniqueConstraint("user_id", "client", "key"),
    )
    op.create_index("ix_conversation_user_seen", "conversation", ["user_id", "seen_at"])
    op.create_table(
        "decision",
        _owner(key=True),
        sa.Column("digest", sa.String(64), primary_key=True),
        sa.Column("decision", sa.String(20), nullable=False),
        sa.Column("made", sa.String(60), nullable=False, server_default=""),
        sa.Column("at", MOMENT, nullable=False),
    )


def downgrade() -> None:
    for table in ("decision", "conversation", "client_state", "client_part", "client_file"):
        op.drop_table(table)
