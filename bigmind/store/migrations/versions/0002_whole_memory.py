"""Company knowledge, the history of facts, what was flagged and accepted, what was forgotten; full text of facts."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

FLAGGED = ("profile", "session", "chunk", "fact", "hypothesis")

# As chunk_fts in 0001: external content, words of deleted rows removed at once.
FULL_TEXT = (
    """
    CREATE VIRTUAL TABLE {table}_fts USING fts5(
        {columns}, content='{table}', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
    )
    """,
    "INSERT INTO {table}_fts({table}_fts, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER {table}_fts_insert AFTER INSERT ON {table} BEGIN
        INSERT INTO {table}_fts(rowid, {columns}) VALUES (new.id, {new});
    END
    """,
    """
    CREATE TRIGGER {table}_fts_delete AFTER DELETE ON {table} BEGIN
        INSERT INTO {table}_fts({table}_fts, rowid, {columns}) VALUES ('delete', old.id, {old});
    END
    """,
    """
    CREATE TRIGGER {table}_fts_update AFTER UPDATE OF {columns} ON {table} BEGIN
        INSERT INTO {table}_fts({table}_fts, rowid, {columns}) VALUES ('delete', old.id, {old});
        INSERT INTO {table}_fts(rowid, {columns}) VALUES (new.id, {new});
    END
    """,
    "INSERT INTO {table}_fts({table}_fts) VALUES ('rebuild')",
)
KNOWN_UPDATE = {
    "session": "COALESCE(ended_at, started_at)",
    "hypothesis": "COALESCE(resolved_at, created_at)",
}
INDEXED = {"fact": ("text", "terms"), "knowledge": ("title", "content", "terms")}


def upgrade() -> None:
    _create_tables()
    for table in FLAGGED:
        op.add_column(table, sa.Column("caution", sa.String(length=200), nullable=False, server_default=""))
        op.add_column(table, sa.Column("accepted_at", MOMENT, nullable=True))
    op.add_column("fact", sa.Column("terms", sa.Text(), nullable=False, server_default=""))
    for table, known in KNOWN_UPDATE.items():
        # A default, so that the table need not be rebuilt; every row gets its own value at once.
        op.add_column(table, sa.Column("updated_at", MOMENT, nullable=False, server_default="1970-01-01 00:00:00"))
        op.execute(f"UPDATE {table} SET updated_at = {known}")  # noqa: S608 - constants of this file
    if op.get_bind().dialect.name == "sqlite":
        for table, columns in INDEXED.items():
            for statement in full_text(table, columns):
                op.execute(statement)


def _create_tables() -> None:
    op.create_table(
        "knowledge",
        sa.Column("id", KEY, nullable=False),
        sa.Column("uid", sa.String(length=36), nullable=False),
        sa.Column("promoted_by_id", KEY, nullable=True),
        sa.Column("approved_by_id", KEY, nullable=True),
        sa.Column("session_id", KEY, nullable=True),
        sa.Column("project", sa.String(length=200), nullable=True),
        sa.Column("client", sa.String(length=120), nullable=False),
        sa.Column("category", sa.String(length=20), nullable=False),
        sa.Column("title", sa.String(length=200), nullable=False),
        sa.Column("content", sa.Text(), nullable=False),
        sa.Column("importance", sa.Integer(), nullable=False),
        sa.Column("status", sa.String(length=20), nullable=False),
        sa.Column("review_notes", sa.Text(), nullable=False),
        sa.Column("terms", sa.Text(), nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("reviewed_at", MOMENT, nullable=True),
        sa.Column("caution", sa.String(length=200), nullable=False, server_default=""),
        sa.Column("accepted_at", MOMENT, nullable=True),
        sa.ForeignKeyConstraint(["promoted_by_id"], ["user.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["approved_by_id"], ["user.id"], ondelete="SET NULL"),
        sa.ForeignKeyConstraint(["session_id"], ["session.id"], ondelete="SET NULL"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("ix_knowledge_session_id", "knowledge", ["session_id"])
    op.create_index("ix_knowledge_status", "knowledge", ["status", "importance", "updated_at"])
    op.create_table(
        "fact_event",
        sa.Column("id", KEY, nullable=False),
        sa.Column("fact_id", KEY, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("client", sa.String(length=120), nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("other_uid", sa.String(length=36), nullable=True),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["fact_id"], ["fact.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_fact_event_fact_id", "fact_event", ["fact_id"])
    op.create_table(
        "forgotten",
        sa.Column("uid", sa.String(length=36), nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.PrimaryKeyConstraint("uid"),
    )
    op.create_table(
        "store_property",
        sa.Column("name", sa.String(length=40), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )


def full_text(table: str, columns: tuple[str, ...]) -> list[str]:
    """The statements that make a table's full-text index and keep it."""
    parts = {
        "table": table,
        "columns": ", ".join(columns),
        "new": ", ".join(f"new.{column}" for column in columns),
        "old": ", ".join(f"old.{column}" for column in columns),
    }
    return [statement.format(**parts) for statement in FULL_TEXT]


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in INDEXED:
            op.execute(f"DROP TABLE {table}_fts")
            for event in ("insert", "delete", "update"):
                op.execute(f"DROP TRIGGER IF EXISTS {table}_fts_{event}")
    for table in ("store_property", "forgotten", "fact_event", "knowledge"):
        op.drop_table(table)
    for table, columns in (
        *((table, ("caution", "accepted_at")) for table in FLAGGED),
        ("fact", ("terms",)),
        ("session", ("updated_at",)),
        ("hypothesis", ("updated_at",)),
    ):
        for column in columns:
            op.drop_column(table, column)
