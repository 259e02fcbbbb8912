"""The first schema: people, sessions, chunks, facts, hypotheses; changes and receipts; full text of chunks."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# The index reads its text from the rows (external content), so it holds no second copy. `secure-delete` removes the
# words of a deleted row from the index at once, not only when segments are merged.
FULL_TEXT = (
    """
    CREATE VIRTUAL TABLE chunk_fts USING fts5(
        content, flag_reason, terms,
        content='chunk', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
    )
    """,
    "INSERT INTO chunk_fts(chunk_fts, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER chunk_fts_insert AFTER INSERT ON chunk BEGIN
        INSERT INTO chunk_fts(rowid, content, flag_reason, terms)
        VALUES (new.id, new.content, new.flag_reason, new.terms);
    END
    """,
    """
    CREATE TRIGGER chunk_fts_delete AFTER DELETE ON chunk BEGIN
        INSERT INTO chunk_fts(chunk_fts, rowid, content, flag_reason, terms)
        VALUES ('delete', old.id, old.content, old.flag_reason, old.terms);
    END
    """,
    """
    CREATE TRIGGER chunk_fts_update AFTER UPDATE OF content, flag_reason, terms ON chunk BEGIN
        INSERT INTO chunk_fts(chunk_fts, rowid, content, flag_reason, terms)
        VALUES ('delete', old.id, old.content, old.flag_reason, old.terms);
        INSERT INTO chunk_fts(rowid, content, flag_reason, terms)
        VALUES (new.id, new.content, new.flag_reason, new.terms);
    END
    """,
)


def _list() -> sa.types.TypeEngine[object]:
    if op.get_bind().dialect.name != "postgresql":
        return sa.JSON()
    from sqlalchemy.dialects.postgresql import JSONB  # noqa: PLC0415 - megabytes that SQLite does not need

    return JSONB()


def upgrade() -> None:
    op.create_table(
        "user",
        sa.Column("id", KEY, nullable=False),
        sa.Column("uid", sa.String(length=36), nullable=False),
        sa.Column("username", sa.String(length=120), nullable=False),
        sa.Column("display_name", sa.String(length=200), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("last_seen_at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
        sa.UniqueConstraint("username"),
    )
    op.create_table(
        "change",
        sa.Column("id", KEY, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("client", sa.String(length=120), nullable=False),
        sa.Column("operation", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("entity", sa.String(length=40), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"],
            ["user.id"],
        ),
        sa.PrimaryKeyConstraint("id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_change_user_id", "change", ["user_id"])

    op.create_table(
        "profile",
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("preferences", sa.Text(), nullable=False),
        sa.Column("pinned_facts", _list(), nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id"),
    )
    op.create_table(
        "token",
        sa.Column("id", KEY, nullable=False),
        sa.Column("uid", sa.String(length=36), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("client", sa.String(length=120), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("expires_at", MOMENT, nullable=True),
        sa.Column("revoked_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("ix_token_user_id", "token", ["user_id"])
    op.create_table(
        "session",
        sa.Column("id", KEY, nullable=False),
        sa.Column("uid", sa.String(length=36), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("project", sa.String(length=200), nullable=True),
        sa.Column("client", sa.String(length=120), nullable=False),
        sa.Column("connection", sa.String(length=80), nullable=True),
        sa.Column("token_id", KEY, nullable=True),
        sa.Column("started_at", MOMENT, nullable=False),
        sa.Column("ended_at", MOMENT, nullable=True),
        sa.Column("one_liner", sa.String(length=200), nullable=False),
        sa.Column("outcome", sa.Text(), nullable=False),
        sa.Column("importance", sa.Integer(), nullable=False),
        sa.Column("has_detail", sa.Boolean(), nullable=False),
        sa.ForeignKeyConstraint(["token_id"], ["token.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("ix_session_connection", "session", ["connection"])
    op.create_index("ix_session_project", "session", ["project"])
    op.create_index("ix_session_user_ended", "session", ["user_id", "ended_at"])
    op.create_index("ix_session_user_started", "session", ["user_id", "started_at"])

    op.create_table(
        "chunk",
        sa.Column("id", KEY, nullable=False),
        sa.Column("uid", sa.String(length=36), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("session_id", KEY, nullable=False),
        sa.Column("project", sa.String(length=200), nullable=True),
        sa.Column("client", sa.String(length=120), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("flag_reason", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("session_id", "seq"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("ix_chunk_user_created", "chunk", ["user_id", "created_at"])
    op.create_index("ix_chunk_user", "chunk", ["user_id"])

    op.create_table(
        "fact",
        sa.Column("id", KEY, nullable=False),
        sa.Column("uid", sa.String(length=36), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("session_id", KEY, nullable=True),
        sa.Column("project", sa.String(length=200), nullable=True),
        sa.Column("client", sa.String(length=120), nullable=False),
        sa.Column("category", sa.String(length=40), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("deprecated_at", MOMENT, nullable=True),
        sa.Column("deprecation_reason", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("ix_fact_session_id", "fact", ["session_id"])
    op.create_index("ix_fact_user_active", "fact", ["user_id", "deprecated_at", "updated_at"])

    op.create_table(
        "hypothesis",
        sa.Column("id", KEY, nullable=False),
        sa.Column("uid", sa.String(length=36), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("session_id", KEY, nullable=True),
        sa.Column("project", sa.String(length=200), nullable=True),
        sa.Column("client", sa.String(length=120), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("resolution", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("resolved_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("ix_hypothesis_session_id", "hypothesis", ["session_id"])
    op.create_index("ix_hypothesis_user_status", "hypothesis", ["user_id", "status", "created_at"])

    op.create_table(
        "receipt",
        sa.Column("token_id", KEY, nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("operation", sa.String(length=80), nullable=False),
        sa.Column("request", sa.String(length=64), nullable=False),
        sa.Column("answer", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["token_id"], ["token.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_id", "key"),
    )
    op.create_index("ix_receipt_at", "receipt", ["at"])

    op.create_table(
        "session_summary",
        sa.Column("session_id", KEY, nullable=False),
        sa.Column("summary", sa.Text(), nullable=False),
        sa.Column("key_facts", _list(), nullable=False),
        sa.Column("code_refs", _list(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session_id"),
    )
    op.create_table(
        "session_topic",
        sa.Column("session_id", KEY, nullable=False),
        sa.Column("topic", sa.String(length=80), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("session_id", "topic"),
    )
    op.create_index("ix_session_topic_topic", "session_topic", ["topic"])
    if op.get_bind().dialect.name == "sqlite":
        for statement in FULL_TEXT:
            op.execute(statement)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        op.execute("DROP TABLE chunk_fts")
    for table in (
        "session_topic",
        "session_summary",
        "receipt",
        "hypothesis",
        "fact",
        "chunk",
        "session",
        "token",
        "profile",
        "change",
        "user",
    ):
        op.drop_table(table)
