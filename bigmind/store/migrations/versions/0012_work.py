"""Work: items in their processes, the ledger, what gates rest on, and what persons said."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)
KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")

# What `store/sqlite/schema.py` made of the kind when it was released.
STATEMENTS = (
    """
    CREATE VIRTUAL TABLE work_item_fts USING fts5(title, topic, description, dna, terms, content='work_item',
    content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')
    """,
    "INSERT INTO work_item_fts(work_item_fts, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER work_item_fts_insert AFTER INSERT ON work_item BEGIN INSERT INTO work_item_fts(rowid, title,
    topic, description, dna, terms) VALUES (new.id, new.title, new.topic, new.description, new.dna, new.terms);
    END
    """,
    """
    CREATE TRIGGER work_item_fts_delete AFTER DELETE ON work_item BEGIN INSERT INTO work_item_fts(work_item_fts,
    rowid, title, topic, description, dna, terms) VALUES ('delete', old.id, old.title, old.topic,
    old.description, old.dna, old.terms); END
    """,
    """
    CREATE TRIGGER work_item_fts_update AFTER UPDATE OF title, topic, description, dna, terms ON work_item BEGIN
    INSERT INTO work_item_fts(work_item_fts, rowid, title, topic, description, dna, terms) VALUES ('delete',
    old.id, old.title, old.topic, old.description, old.dna, old.terms); INSERT INTO work_item_fts(rowid, title,
    topic, description, dna, terms) VALUES (new.id, new.title, new.topic, new.description, new.dna, new.terms);
    END
    """,
    """
    CREATE VIEW work_item_inside AS SELECT id, substr(title, 1, 20000) AS title, substr(topic, 1, 20000) AS
    topic, substr(description, 1, 20000) AS description, substr(dna, 1, 20000) AS dna FROM work_item
    """,
    """
    CREATE VIRTUAL TABLE work_item_grams USING fts5(title, topic, description, dna, content='work_item_inside',
    content_rowid='id', tokenize='trigram remove_diacritics 1', detail='none', columnsize=0)
    """,
    "INSERT INTO work_item_grams(work_item_grams, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER work_item_grams_insert AFTER INSERT ON work_item BEGIN INSERT INTO work_item_grams(rowid,
    title, topic, description, dna) VALUES (new.id, substr(new.title, 1, 20000), substr(new.topic, 1, 20000),
    substr(new.description, 1, 20000), substr(new.dna, 1, 20000)); END
    """,
    """
    CREATE TRIGGER work_item_grams_delete AFTER DELETE ON work_item BEGIN INSERT INTO
    work_item_grams(work_item_grams, rowid, title, topic, description, dna) VALUES ('delete', old.id,
    substr(old.title, 1, 20000), substr(old.topic, 1, 20000), substr(old.description, 1, 20000), substr(old.dna,
    1, 20000)); END
    """,
    """
    CREATE TRIGGER work_item_grams_update AFTER UPDATE OF title, topic, description, dna ON work_item BEGIN
    INSERT INTO work_item_grams(work_item_grams, rowid, title, topic, description, dna) VALUES ('delete',
    old.id, substr(old.title, 1, 20000), substr(old.topic, 1, 20000), substr(old.description, 1, 20000),
    substr(old.dna, 1, 20000)); INSERT INTO work_item_grams(rowid, title, topic, description, dna) VALUES
    (new.id, substr(new.title, 1, 20000), substr(new.topic, 1, 20000), substr(new.description, 1, 20000),
    substr(new.dna, 1, 20000)); END
    """,
    """
    CREATE TRIGGER work_item_embedding_insert AFTER INSERT ON work_item BEGIN INSERT OR REPLACE INTO
    embedding_queue(kind, item, owner) VALUES ('work_item', new.id, 0); END
    """,
    """
    CREATE TRIGGER work_item_embedding_update AFTER UPDATE OF title, description, project ON work_item BEGIN
    DELETE FROM embedding WHERE kind = 'work_item' AND item = old.id; INSERT OR REPLACE INTO
    embedding_queue(kind, item, owner) VALUES ('work_item', new.id, 0); END
    """,
    """
    CREATE TRIGGER work_item_embedding_delete AFTER DELETE ON work_item BEGIN DELETE FROM embedding WHERE kind =
    'work_item' AND item = old.id; DELETE FROM embedding_queue WHERE kind = 'work_item' AND item = old.id; END
    """,
)
# No statement changes or removes a row of the ledger.
LEDGER = tuple(
    f"CREATE TRIGGER work_ledger_{act.lower()} BEFORE {act} ON work_ledger BEGIN "
    "SELECT RAISE(ABORT, 'the ledger is only added to'); END"
    for act in ("UPDATE", "DELETE")
)


def upgrade() -> None:
    _items()
    _rest()
    _ledger()
    for statement in (*STATEMENTS, *LEDGER):
        op.execute(statement)


def _items() -> None:
    op.create_table(
        "work_item",
        sa.Column("id", KEY, nullable=False),
        sa.Column("uid", sa.String(36), nullable=False),
        sa.Column("slug", sa.String(80), nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("created_at", MOMENT, nullable=False),
        sa.Column("updated_at", MOMENT, nullable=False),
        sa.Column("project", sa.String(200), nullable=True),
        sa.Column("client", sa.String(120), nullable=False),
        sa.Column("process", sa.String(40), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(40), nullable=False),
        sa.Column("role", sa.String(40), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("holder", sa.String(250), server_default="", nullable=False),
        sa.Column("holder_client", sa.String(120), server_default="", nullable=False),
        sa.Column("holder_user_id", KEY, nullable=True),
        sa.Column("claimed_from", sa.String(40), server_default="", nullable=False),
        sa.Column("lease_until", MOMENT, nullable=True),
        sa.Column("worked_by", sa.String(250), server_default="", nullable=False),
        sa.Column("worked_as", sa.String(40), server_default="", nullable=False),
        sa.Column("saved", sa.JSON(), nullable=True),
        sa.Column("due", sa.JSON(), nullable=False),
        sa.Column("entered_at", MOMENT, nullable=False),
        sa.Column("entered_after", KEY, server_default="0", nullable=False),
        sa.Column("written_after", KEY, server_default="0", nullable=False),
        sa.Column("claimed_after", KEY, server_default="0", nullable=False),
        sa.Column("ledger_number", KEY, server_default="0", nullable=False),
        sa.Column("self_reviewed", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("is_imported", sa.Boolean(), server_default="0", nullable=False),
        sa.Column("caution", sa.String(200), server_default="", nullable=False),
        sa.Column("accepted_at", MOMENT, nullable=True),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("topic", sa.String(200), server_default="", nullable=False),
        sa.Column("description", sa.Text(), server_default="", nullable=False),
        sa.Column("dna", sa.Text(), server_default="{}", nullable=False),
        sa.Column("terms", sa.Text(), server_default="", nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("slug"),
        sa.UniqueConstraint("uid"),
    )
    op.create_index("ix_work_item_holder", "work_item", ["holder", "state"])
    op.create_index("ix_work_item_project", "work_item", ["project"])
    op.create_index("ix_work_item_turn", "work_item", ["process", "state", "role", "entered_at"])
    op.create_index("ix_work_item_state", "work_item", ["process", "state", "updated_at"])


def _rest() -> None:
    op.create_table(
        "work_process",
        sa.Column("name", sa.String(40), nullable=False),
        sa.Column("version", KEY, autoincrement=False, nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("taken_at", MOMENT, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("agents_may_create", sa.Boolean(), server_default="0", nullable=False),
        sa.PrimaryKeyConstraint("name", "version"),
    )
    op.create_table(
        "agent_work_roles",
        sa.Column("user_id", KEY, autoincrement=False, nullable=False),
        sa.Column("agent", sa.String(120), nullable=False),
        sa.Column("roles", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("user_id", "agent"),
    )
    op.create_table(
        "work_confirmation",
        sa.Column("id", KEY, nullable=False),
        sa.Column("item_id", KEY, nullable=False),
        sa.Column("user_id", KEY, nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("place", sa.String(20), nullable=False),
        sa.Column("note", sa.Text(), server_default="", nullable=False),
        sa.Column("withdrawn_at", MOMENT, nullable=True),
        sa.Column("ledger_number", KEY, server_default="0", nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_work_confirmation_item_id", "work_confirmation", ["item_id"])
    op.create_table(
        "work_dependency",
        sa.Column("item_id", KEY, autoincrement=False, nullable=False),
        sa.Column("other_id", KEY, autoincrement=False, nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["other_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("item_id", "other_id"),
    )
    op.create_index("ix_work_dependency_other_id", "work_dependency", ["other_id"])
    op.create_table(
        "work_field_value",
        sa.Column("id", KEY, nullable=False),
        sa.Column("item_id", KEY, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("client", sa.String(120), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["item_id"], ["work_item.id"], ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_work_field_value_item", "work_field_value", ["item_id", "name", "id"])


def _ledger() -> None:
    op.create_table(
        "work_evidence",
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("uid", sa.String(36), nullable=False),
        sa.Column("item_uid", sa.String(36), nullable=False),
        sa.Column("ledger_number", KEY, nullable=False),
        sa.PrimaryKeyConstraint("kind", "uid"),
    )
    op.create_index("ix_work_evidence_item_uid", "work_evidence", ["item_uid"])
    op.create_table(
        "work_ledger",
        sa.Column("number", KEY, autoincrement=False, nullable=False),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("item_uid", sa.String(36), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("before", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("number"),
    )
    op.create_index("ix_work_ledger_item", "work_ledger", ["item_uid", "number"])
    op.create_table(
        "work_ledger_text",
        sa.Column("number", KEY, autoincrement=False, nullable=False),
        sa.Column("name", sa.String(60), nullable=False),
        sa.Column("item_uid", sa.String(36), nullable=False),
        sa.Column("salt", sa.String(32), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("number", "name"),
    )
    op.create_index("ix_work_ledger_text_item_uid", "work_ledger_text", ["item_uid"])
    op.create_table(
        "work_foreign_ledger",
        sa.Column("id", KEY, nullable=False),
        sa.Column("store", sa.String(36), nullable=False),
        sa.Column("number", KEY, nullable=False),
        sa.Column("item_uid", sa.String(36), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("before", sa.String(64), nullable=False),
        sa.Column("digest", sa.String(64), nullable=False),
        sa.Column("texts", sa.Text(), server_default="", nullable=False),
        sa.Column("fault", sa.String(200), server_default="", nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("store", "number", "digest"),
    )
    op.create_index("ix_work_foreign_ledger_item_uid", "work_foreign_ledger", ["item_uid"])


def downgrade() -> None:
    op.execute("DROP VIEW work_item_inside")
    for table in (
        "work_item_grams",
        "work_item_fts",
        "work_field_value",
        "work_dependency",
        "work_confirmation",
        "agent_work_roles",
        "work_process",
        "work_foreign_ledger",
        "work_ledger_text",
        "work_ledger",
        "work_evidence",
        "work_item",
    ):
        op.drop_table(table)
