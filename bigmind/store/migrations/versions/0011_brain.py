"""The brain: thoughts with their links, tags and use, and the log of what was asked of it."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# What `store/sqlite/schema.py` made of the kind when it was released.
STATEMENTS = (
    """
    CREATE VIRTUAL TABLE thought_fts USING fts5(content, about, corrected_fact, correct_fact, terms,
        content='thought', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')
    """,
    "INSERT INTO thought_fts(thought_fts, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER thought_fts_insert AFTER INSERT ON thought BEGIN
        INSERT INTO thought_fts(rowid, content, about, corrected_fact, correct_fact, terms) VALUES (new.id,
            new.content, new.about, new.corrected_fact, new.correct_fact, new.terms);
    END
    """,
    """
    CREATE TRIGGER thought_fts_delete AFTER DELETE ON thought BEGIN
        INSERT INTO thought_fts(thought_fts, rowid, content, about, corrected_fact, correct_fact, terms) VALUES
            ('delete', old.id, old.content, old.about, old.corrected_fact, old.correct_fact, old.terms);
    END
    """,
    """
    CREATE TRIGGER thought_fts_update AFTER UPDATE OF content, about, corrected_fact, correct_fact, terms ON
        thought BEGIN
        INSERT INTO thought_fts(thought_fts, rowid, content, about, corrected_fact, correct_fact, terms) VALUES
            ('delete', old.id, old.content, old.about, old.corrected_fact, old.correct_fact, old.terms);
        INSERT INTO thought_fts(rowid, content, about, corrected_fact, correct_fact, terms) VALUES (new.id,
            new.content, new.about, new.corrected_fact, new.correct_fact, new.terms);
    END
    """,
    """
    CREATE VIEW thought_inside AS SELECT id, substr(content, 1, 20000) AS content, substr(about, 1, 20000) AS
        about, substr(corrected_fact, 1, 20000) AS corrected_fact, substr(correct_fact, 1, 20000) AS
        correct_fact FROM thought
    """,
    """
    CREATE VIRTUAL TABLE thought_grams USING fts5(content, about, corrected_fact, correct_fact,
        content='thought_inside', content_rowid='id', tokenize='trigram remove_diacritics 1', detail='none',
        columnsize=0)
    """,
    "INSERT INTO thought_grams(thought_grams, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER thought_grams_insert AFTER INSERT ON thought BEGIN
        INSERT INTO thought_grams(rowid, content, about, corrected_fact, correct_fact) VALUES (new.id,
            substr(new.content, 1, 20000), substr(new.about, 1, 20000), substr(new.corrected_fact, 1, 20000),
            substr(new.correct_fact, 1, 20000));
    END
    """,
    """
    CREATE TRIGGER thought_grams_delete AFTER DELETE ON thought BEGIN
        INSERT INTO thought_grams(thought_grams, rowid, content, about, corrected_fact, correct_fact) VALUES
            ('delete', old.id, substr(old.content, 1, 20000), substr(old.about, 1, 20000),
            substr(old.corrected_fact, 1, 20000), substr(old.correct_fact, 1, 20000));
    END
    """,
    """
    CREATE TRIGGER thought_grams_update AFTER UPDATE OF content, about, corrected_fact, correct_fact ON thought
        BEGIN
        INSERT INTO thought_grams(thought_grams, rowid, content, about, corrected_fact, correct_fact) VALUES
            ('delete', old.id, substr(old.content, 1, 20000), substr(old.about, 1, 20000),
            substr(old.corrected_fact, 1, 20000), substr(old.correct_fact, 1, 20000));
        INSERT INTO thought_grams(rowid, content, about, corrected_fact, correct_fact) VALUES (new.id,
            substr(new.content, 1, 20000), substr(new.about, 1, 20000), substr(new.corrected_fact, 1, 20000),
            substr(new.correct_fact, 1, 20000));
    END
    """,
    """
    CREATE TRIGGER thought_embedding_insert AFTER INSERT ON thought BEGIN
        INSERT OR REPLACE INTO embedding_queue(kind, item, owner) VALUES ('thought', new.id, CASE WHEN new.space
            = 'shared' THEN 0 ELSE new.user_id END);
    END
    """,
    """
    CREATE TRIGGER thought_embedding_update AFTER UPDATE OF content, project, noise_at, space ON thought BEGIN
        DELETE FROM embedding WHERE kind = 'thought' AND item = old.id;
        INSERT OR REPLACE INTO embedding_queue(kind, item, owner) VALUES ('thought', new.id, CASE WHEN new.space
            = 'shared' THEN 0 ELSE new.user_id END);
    END
    """,
    """
    CREATE TRIGGER thought_embedding_delete AFTER DELETE ON thought BEGIN
        DELETE FROM embedding WHERE kind = 'thought' AND item = old.id;
        DELETE FROM embedding_queue WHERE kind = 'thought' AND item = old.id;
    END
    """,
)


def _of(table: str, name: str = "", *, key: bool = False) -> sa.Column[int]:
    reference = sa.ForeignKey(f"{table}.id", ondelete="CASCADE")
    return sa.Column(name or f"{table}_id", KEY, reference, nullable=False, primary_key=key, autoincrement=False)


def _line(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), nullable=False, server_default="")


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), nullable=False, server_default="")


def _moment(name: str, *, optional: bool = False) -> sa.Column[object]:
    return sa.Column(name, MOMENT, nullable=optional)


def upgrade() -> None:
    _thoughts()
    _about_thoughts()
    _log()
    for statement in STATEMENTS:
        op.execute(statement)


def _thoughts() -> None:
    op.create_table(
        "thought",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("uid", sa.String(36), nullable=False, unique=True),
        _of("user"),
        _line("space", 10),
        _moment("noise_at", optional=True),
        _moment("created_at"),
        _moment("updated_at"),
        sa.Column("project", sa.String(200), nullable=True),
        sa.Column("client", sa.String(120), nullable=False),
        _line("agent_name", 200),
        _line("thought_type", 20),
        _line("category", 30),
        _line("topic", 200),
        _line("temporal_scope", 10),
        _line("source_type", 20),
        _line("source_value", 1_000),
        _line("source_project", 200),
        sa.Column("flags", sa.JSON(), nullable=False),
        sa.Column("tags", sa.JSON(), nullable=False),
        _moment("gated_at", optional=True),
        _line("caution", 200),
        _moment("accepted_at", optional=True),
        _text("corrected_fact"),
        _text("correct_fact"),
        _text("alternatives"),
        _text("context"),
        sa.Column("content", sa.Text(), nullable=False),
        _text("about"),
        _text("terms"),
    )
    op.create_index("ix_thought_user_created", "thought", ["user_id", "created_at"])
    waiting = sa.text("noise_at IS NULL AND (category = 'uncategorized' OR flags != '[]')")
    op.create_index("ix_thought_queue", "thought", ["created_at"], sqlite_where=waiting)
    op.create_index("ix_thought_topic", "thought", ["topic", "created_at"])
    op.create_index("ix_thought_project", "thought", ["project", "created_at"])


def _about_thoughts() -> None:
    op.create_table("thought_tag", _of("thought", key=True), sa.Column("tag", sa.String(80), primary_key=True))
    op.create_index("ix_thought_tag_tag", "thought_tag", ["tag"])
    op.create_table(
        "thought_link",
        sa.Column("id", KEY, primary_key=True),
        _of("thought"),
        _of("thought", "other_id"),
        sa.Column("relation", sa.String(20), nullable=False),
        sa.UniqueConstraint("thought_id", "other_id", "relation"),
    )
    op.create_index("ix_thought_link_other_id", "thought_link", ["other_id"])
    op.create_table(
        "thought_use",
        _of("thought", key=True),
        sa.Column("weight", sa.Float(), nullable=False),
        _moment("weighed_at"),
        sa.Column("reads", sa.Integer(), nullable=False, server_default="0"),
        _moment("last_read_at", optional=True),
    )
    op.create_index("ix_thought_use_reads", "thought_use", ["reads"])
    op.create_table(
        "thought_reader",
        _of("thought", key=True),
        _of("user", key=True),
        sa.Column("client", sa.String(120), primary_key=True),
        sa.Column("reads", sa.Integer(), nullable=False, server_default="0"),
        _moment("last_read_at"),
    )


def _log() -> None:
    op.create_table(
        "brain_session",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("uid", sa.String(20), nullable=False, unique=True),
        _of("user"),
        sa.Column("client", sa.String(120), nullable=False),
        _moment("started_at"),
        _moment("last_used_at"),
    )
    op.create_index("ix_brain_session_user", "brain_session", ["user_id", "last_used_at"])
    op.create_table(
        "brain_query",
        sa.Column("id", KEY, primary_key=True),
        sa.Column("uid", sa.String(36), nullable=False, unique=True),
        _of("user"),
        sa.Column("session_id", KEY, sa.ForeignKey("brain_session.id"), nullable=False),
        _moment("created_at"),
        sa.Column("project", sa.String(200), nullable=True),
        sa.Column("client", sa.String(120), nullable=False),
        sa.Column("connection", sa.String(80), nullable=True),
        sa.Column("operation", sa.String(80), nullable=False),
        sa.Column("outcome", sa.String(20), nullable=False),
        sa.Column("thought_uid", sa.String(36), nullable=True),
        sa.Column("returned", sa.Integer(), nullable=False),
        _line("caution", 200),
        _moment("accepted_at", optional=True),
        sa.Column("text", sa.Text(), nullable=False),
        _text("context"),
    )
    op.create_index("ix_brain_query_agent", "brain_query", ["user_id", "client", "id"])
    op.create_index("ix_brain_query_session_id", "brain_query", ["session_id"])
    op.create_index("ix_brain_query_thought_uid", "brain_query", ["thought_uid"])
    op.create_table(
        "brain_query_source",
        _of("brain_query", "query_id", key=True),
        _of("thought", key=True),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("similarity", sa.Float(), nullable=False),
    )
    op.create_index("ix_brain_query_source_thought_id", "brain_query_source", ["thought_id"])


def downgrade() -> None:
    op.execute("DROP VIEW thought_inside")
    for table in ("thought_grams", "thought_fts", "brain_query_source", "brain_query", "brain_session"):
        op.drop_table(table)
    for table in ("thought_reader", "thought_use", "thought_link", "thought_tag", "thought"):
        op.drop_table(table)
