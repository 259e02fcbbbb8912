"""The session protocol: opened workspaces, what a person took and approved there, runs and what was seen for them."""

from datetime import datetime

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# What `store/sqlite/schema.py` made of the kind when it was released.
STATEMENTS = (
    """
    CREATE VIRTUAL TABLE protocol_run_fts USING fts5(objective, summary, next_session_notes, terms,
    content='protocol_run', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')
    """,
    "INSERT INTO protocol_run_fts(protocol_run_fts, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER protocol_run_fts_insert AFTER INSERT ON protocol_run BEGIN INSERT INTO
    protocol_run_fts(rowid, objective, summary, next_session_notes, terms) VALUES (new.id, new.objective,
    new.summary, new.next_session_notes, new.terms); END
    """,
    """
    CREATE TRIGGER protocol_run_fts_delete AFTER DELETE ON protocol_run BEGIN INSERT INTO
    protocol_run_fts(protocol_run_fts, rowid, objective, summary, next_session_notes, terms) VALUES ('delete',
    old.id, old.objective, old.summary, old.next_session_notes, old.terms); END
    """,
    """
    CREATE TRIGGER protocol_run_fts_update AFTER UPDATE OF objective, summary, next_session_notes, terms ON
    protocol_run BEGIN INSERT INTO protocol_run_fts(protocol_run_fts, rowid, objective, summary,
    next_session_notes, terms) VALUES ('delete', old.id, old.objective, old.summary, old.next_session_notes,
    old.terms); INSERT INTO protocol_run_fts(rowid, objective, summary, next_session_notes, terms) VALUES
    (new.id, new.objective, new.summary, new.next_session_notes, new.terms); END
    """,
    """
    CREATE VIEW protocol_run_inside AS SELECT id, substr(objective, 1, 20000) AS objective, substr(summary, 1,
    20000) AS summary, substr(next_session_notes, 1, 20000) AS next_session_notes FROM protocol_run
    """,
    """
    CREATE VIRTUAL TABLE protocol_run_grams USING fts5(objective, summary, next_session_notes,
    content='protocol_run_inside', content_rowid='id', tokenize='trigram remove_diacritics 1', detail='none',
    columnsize=0)
    """,
    "INSERT INTO protocol_run_grams(protocol_run_grams, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER protocol_run_grams_insert AFTER INSERT ON protocol_run BEGIN INSERT INTO
    protocol_run_grams(rowid, objective, summary, next_session_notes) VALUES (new.id, substr(new.objective, 1,
    20000), substr(new.summary, 1, 20000), substr(new.next_session_notes, 1, 20000)); END
    """,
    """
    CREATE TRIGGER protocol_run_grams_delete AFTER DELETE ON protocol_run BEGIN INSERT INTO
    protocol_run_grams(protocol_run_grams, rowid, objective, summary, next_session_notes) VALUES ('delete',
    old.id, substr(old.objective, 1, 20000), substr(old.summary, 1, 20000), substr(old.next_session_notes, 1,
    20000)); END
    """,
    """
    CREATE TRIGGER protocol_run_grams_update AFTER UPDATE OF objective, summary, next_session_notes ON
    protocol_run BEGIN INSERT INTO protocol_run_grams(protocol_run_grams, rowid, objective, summary,
    next_session_notes) VALUES ('delete', old.id, substr(old.objective, 1, 20000), substr(old.summary, 1,
    20000), substr(old.next_session_notes, 1, 20000)); INSERT INTO protocol_run_grams(rowid, objective, summary,
    next_session_notes) VALUES (new.id, substr(new.objective, 1, 20000), substr(new.summary, 1, 20000),
    substr(new.next_session_notes, 1, 20000)); END
    """,
    """
    CREATE TRIGGER protocol_run_embedding_insert AFTER INSERT ON protocol_run BEGIN INSERT OR REPLACE INTO
    embedding_queue(kind, item, owner) VALUES ('protocol_run', new.id, new.user_id); END
    """,
    """
    CREATE TRIGGER protocol_run_embedding_update AFTER UPDATE OF objective, summary, next_session_notes, project
    ON protocol_run BEGIN DELETE FROM embedding WHERE kind = 'protocol_run' AND item = old.id; INSERT OR REPLACE
    INTO embedding_queue(kind, item, owner) VALUES ('protocol_run', new.id, new.user_id); END
    """,
    """
    CREATE TRIGGER protocol_run_embedding_delete AFTER DELETE ON protocol_run BEGIN DELETE FROM embedding WHERE
    kind = 'protocol_run' AND item = old.id; DELETE FROM embedding_queue WHERE kind = 'protocol_run' AND item =
    old.id; END
    """,
)


def upgrade() -> None:
    _workspaces()
    _approved()
    _runs()
    _seen()
    for statement in STATEMENTS:
        op.execute(statement)


def _key(name: str = "id") -> sa.Column[int]:
    return sa.Column(name, KEY, nullable=False)


def _line(name: str, length: int) -> sa.Column[str]:
    return sa.Column(name, sa.String(length), server_default="", nullable=False)


def _text(name: str) -> sa.Column[str]:
    return sa.Column(name, sa.Text(), server_default="", nullable=False)


def _flag(name: str) -> sa.Column[bool]:
    return sa.Column(name, sa.Boolean(), server_default="0", nullable=False)


def _moment(name: str, *, optional: bool = False) -> sa.Column[datetime]:
    return sa.Column(name, MOMENT, nullable=optional)


def _json(name: str) -> sa.Column[sa.JSON]:
    return sa.Column(name, sa.JSON(), nullable=False)


def _of(column: str, table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint([column], [f"{table}.id"], ondelete="CASCADE")


def _workspaces() -> None:
    op.create_table(
        "workspace",
        _key(),
        sa.Column("uid", sa.String(36), nullable=False),
        _key("user_id"),
        sa.Column("path", sa.Text(), nullable=False),
        _line("project", 200),
        _moment("opened_at"),
        _moment("closed_at", optional=True),
        _of("user_id", "user"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
        sa.UniqueConstraint("path"),
    )
    op.create_index("ix_workspace_project", "workspace", ["project"])


def _approved() -> None:
    op.create_table(
        "protocol_text",
        _key(),
        _key("workspace_id"),
        sa.Column("source", sa.String(60), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        _moment("taken_at"),
        _key("user_id"),
        _of("workspace_id", "workspace"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("workspace_id", "digest"),
    )
    op.create_table(
        "protocol_approval",
        _key(),
        _key("workspace_id"),
        sa.Column("digest", sa.String(64), nullable=False),
        _json("commands"),
        _moment("approved_at"),
        _key("user_id"),
        _moment("withdrawn_at", optional=True),
        _of("workspace_id", "workspace"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "protocol_day",
        sa.Column("workspace_id", KEY, autoincrement=False, nullable=False),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        _of("workspace_id", "workspace"),
        sa.PrimaryKeyConstraint("workspace_id", "day"),
    )


def _runs() -> None:
    op.create_table(
        "protocol_run",
        _key(),
        sa.Column("uid", sa.String(36), nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("workspace_id", KEY, nullable=True),
        sa.Column("day", sa.String(10), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        _key("user_id"),
        _moment("created_at"),
        _moment("updated_at"),
        sa.Column("project", sa.String(200), nullable=True),
        sa.Column("client", sa.String(120), nullable=False),
        sa.Column("agent", sa.String(250), nullable=False),
        sa.Column("connection", sa.String(80), nullable=True),
        _line("memory_session", 36),
        _line("protocol", 64),
        _line("branch", 250),
        _line("starting_commit", 64),
        _json("begun"),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        _json("due"),
        _json("passed"),
        sa.Column("ledger_number", KEY, server_default="0", nullable=False),
        _moment("ended_at", optional=True),
        _line("outcome", 20),
        _line("commit_sha", 64),
        _json("kept"),
        _flag("is_imported"),
        _line("caution", 200),
        _moment("accepted_at", optional=True),
        sa.Column("objective", sa.String(500), nullable=False),
        *map(_text, ("summary", "next_session_notes", "terms")),
        sa.ForeignKeyConstraint(["workspace_id"], ["workspace.id"], ondelete="SET NULL"),
        _of("user_id", "user"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("uid"),
        sa.UniqueConstraint("workspace_id", "day", "number"),
    )
    for name in ("name", "project", "connection"):
        op.create_index(f"ix_protocol_run_{name}", "protocol_run", [name])
    op.create_index("ix_protocol_run_open", "protocol_run", ["user_id", "ended_at", "updated_at"])
    op.create_index("ix_protocol_run_workspace", "protocol_run", ["workspace_id", "created_at"])


def _seen() -> None:
    op.create_table(
        "protocol_evidence",
        _key(),
        _key("run_id"),
        _moment("at"),
        sa.Column("client", sa.String(120), nullable=False),
        sa.Column("phase", sa.String(30), nullable=False),
        _line("step", 200),
        sa.Column("type", sa.String(20), nullable=False),
        _text("text"),
        _line("digest", 64),
        _flag("is_verified"),
        _of("run_id", "protocol_run"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_protocol_evidence_run", "protocol_evidence", ["run_id", "phase", "id"])
    op.create_table(
        "protocol_violation",
        _key(),
        _key("run_id"),
        _moment("at"),
        sa.Column("phase", sa.String(30), nullable=False),
        sa.Column("requirement", sa.String(500), nullable=False),
        sa.Column("severity", sa.String(10), nullable=False),
        _line("recovery", 500),
        _moment("recovered_at", optional=True),
        _of("run_id", "protocol_run"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_protocol_violation_run", "protocol_violation", ["run_id", "id"])
    op.create_table(
        "protocol_check",
        _key(),
        _key("run_id"),
        _moment("at"),
        sa.Column("name", sa.String(80), nullable=False),
        sa.Column("tree", sa.String(64), nullable=False),
        sa.Column("exit_code", sa.Integer(), nullable=True),
        _line("fault", 200),
        _text("output"),
        sa.Column("seconds", sa.Float(), server_default="0", nullable=False),
        sa.Column("changed", sa.JSON(), server_default="[]", nullable=False),
        _of("run_id", "protocol_run"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_protocol_check_run", "protocol_check", ["run_id", "id"])


def downgrade() -> None:
    op.execute("DROP VIEW protocol_run_inside")
    for table in (
        "protocol_run_grams",
        "protocol_run_fts",
        "protocol_check",
        "protocol_violation",
        "protocol_evidence",
        "protocol_run",
        "protocol_day",
        "protocol_approval",
        "protocol_text",
        "workspace",
    ):
        op.drop_table(table)
