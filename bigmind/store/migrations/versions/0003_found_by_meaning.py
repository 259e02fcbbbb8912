"""Vectors and their queue; full text of sessions and hypotheses; trigrams of every text."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

WORDS = "tokenize='porter unicode61 remove_diacritics 2'"
# Three characters at a time, without their places: a third of the room, and what it finds is looked at once more.
GRAMS = "tokenize='trigram remove_diacritics 1', detail='none', columnsize=0"

# As in 0001: external content, words of deleted rows removed at once.
FULL_TEXT = (
    "CREATE VIRTUAL TABLE {index} USING fts5({columns}, content='{content}', content_rowid='id', {how})",
    "INSERT INTO {index}({index}, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN
        INSERT INTO {index}(rowid, {columns}) VALUES (new.id, {new});
    END
    """,
    """
    CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN
        INSERT INTO {index}({index}, rowid, {columns}) VALUES ('delete', old.id, {old});
    END
    """,
    """
    CREATE TRIGGER {index}_update AFTER UPDATE OF {columns} ON {table} BEGIN
        INSERT INTO {index}({index}, rowid, {columns}) VALUES ('delete', old.id, {old});
        INSERT INTO {index}(rowid, {columns}) VALUES (new.id, {new});
    END
    """,
    "INSERT INTO {index}({index}) VALUES ('rebuild')",
)
# Of a text of a megabyte, the first part only: its trigrams would take as much room once more, and the memory of an
# import with them (168 MB at its peak in place of 117).
MOST_INSIDE = 20_000
INSIDE = "CREATE VIEW {table}_inside AS SELECT id, {columns} FROM {table}"
BY_WORDS = {"session": ("one_liner", "told", "terms"), "hypothesis": ("text", "resolution", "terms")}
BY_GRAMS = {
    "session": ("one_liner", "told"),
    "chunk": ("content", "flag_reason"),
    "fact": ("text",),
    "hypothesis": ("text", "resolution"),
    "knowledge": ("title", "content"),
}

# What is not there any more, or says something else, has no vector from that moment on; the queue says what lacks one.
QUEUE = (
    """
    CREATE TRIGGER {table}_embedding_insert AFTER INSERT ON {table} BEGIN
        INSERT OR REPLACE INTO embedding_queue(kind, item, owner) VALUES ('{table}', new.id, {owner});
    END
    """,
    """
    CREATE TRIGGER {table}_embedding_update AFTER UPDATE OF {columns} ON {table} BEGIN
        DELETE FROM embedding WHERE kind = '{table}' AND item = old.id;
        INSERT OR REPLACE INTO embedding_queue(kind, item, owner) VALUES ('{table}', new.id, {owner});
    END
    """,
    """
    CREATE TRIGGER {table}_embedding_delete AFTER DELETE ON {table} BEGIN
        DELETE FROM embedding WHERE kind = '{table}' AND item = old.id;
        DELETE FROM embedding_queue WHERE kind = '{table}' AND item = old.id;
    END
    """,
    "INSERT INTO embedding_queue(kind, item, owner) SELECT '{table}', new.id, {owner} FROM {table} AS new",
)
EMBEDDED = {
    "session": ("one_liner", "told", "project"),
    "chunk": ("content", "flag_reason", "role", "project", "created_at"),
    "fact": ("text", "project", "deprecated_at"),
    "hypothesis": ("text", "resolution", "project"),
    "knowledge": ("title", "content", "project", "status"),
}


def upgrade() -> None:
    op.add_column("session", sa.Column("told", sa.Text(), nullable=False, server_default=""))
    for table in BY_WORDS:
        op.add_column(table, sa.Column("terms", sa.Text(), nullable=False, server_default=""))
    op.create_table(
        "embedding",
        sa.Column("id", KEY, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("piece", sa.Integer(), nullable=False),
        sa.Column("start", sa.Integer(), nullable=False),
        sa.Column("stop", sa.Integer(), nullable=False),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("project", sa.String(length=200), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("model", sa.String(length=120), nullable=False),
        sa.Column("vector", sa.LargeBinary(), nullable=False),
        sa.Column("signs", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "item", "model", "piece"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_embedding_signs", "embedding", ["model", "owner", "kind", "project", "at", "signs"])
    op.create_table(
        "embedding_queue",
        sa.Column("id", KEY, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("item", KEY, nullable=False),
        sa.Column("owner", KEY, nullable=False),
        sa.Column("failure", sa.String(length=200), nullable=False, server_default=""),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("kind", "item"),
        sqlite_autoincrement=True,
    )
    if op.get_bind().dialect.name == "sqlite":
        for statement in of_sqlite():
            op.execute(statement)


def of_sqlite() -> list[str]:
    """The statements that make the indexes and the triggers."""
    made = [each for table, columns in BY_WORDS.items() for each in full_text(table, columns)]
    for table, columns in BY_GRAMS.items():
        begins = ", ".join(f"substr({column}, 1, {MOST_INSIDE}) AS {column}" for column in columns)
        made += [INSIDE.format(table=table, columns=begins), *trigrams(table, columns)]
    for table, columns in EMBEDDED.items():
        owner = "0" if table == "knowledge" else "new.user_id"
        made += [each.format(table=table, columns=", ".join(columns), owner=owner) for each in QUEUE]
    return made


def full_text(table: str, columns: tuple[str, ...]) -> list[str]:
    """The statements that make a full-text index and keep it."""
    return [each.format(**_parts(f"{table}_fts", table, columns, "{}"), content=table, how=WORDS) for each in FULL_TEXT]


def trigrams(table: str, columns: tuple[str, ...]) -> list[str]:
    """The same for an index of trigrams."""
    parts = _parts(f"{table}_grams", table, columns, f"substr({{}}, 1, {MOST_INSIDE})")
    return [each.format(**parts, content=f"{table}_inside", how=GRAMS) for each in FULL_TEXT]


def _parts(index: str, table: str, columns: tuple[str, ...], value: str) -> dict[str, str]:
    return {
        "index": index,
        "table": table,
        "columns": ", ".join(columns),
        "new": ", ".join(value.format(f"new.{column}") for column in columns),
        "old": ", ".join(value.format(f"old.{column}") for column in columns),
    }


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for index in (*(f"{table}_fts" for table in BY_WORDS), *(f"{table}_grams" for table in BY_GRAMS)):
            op.execute(f"DROP TABLE {index}")
            for event in ("insert", "delete", "update"):
                op.execute(f"DROP TRIGGER {index}_{event}")
        for table in EMBEDDED:
            for event in ("insert", "delete", "update"):
                op.execute(f"DROP TRIGGER {table}_embedding_{event}")
        for table in BY_GRAMS:
            op.execute(f"DROP VIEW {table}_inside")
    op.drop_table("embedding_queue")
    op.drop_table("embedding")
    for table in BY_WORDS:
        op.drop_column(table, "terms")
    op.drop_column("session", "told")
