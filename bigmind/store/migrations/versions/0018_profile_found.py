"""A profile is found by words and by meaning, by its user alone.

Its key is its user's, whom a restore may give another number: its indexes follow that.
"""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None

KEY = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
COMPUTED = (
    ("id", KEY, "user_id"),
    ("uid", sa.String(36), "'profile'"),
    ("project", sa.String(200), "NULL"),
    ("client", sa.String(120), "''"),
)
"""What a search asks of each thing. SQLite adds no column with a stored value."""
DERIVED = ("pinned_text", "terms")
"""The next start derives the terms; the pinned facts stand in a list."""
TOLD = """
UPDATE profile SET pinned_text = coalesce(
    (SELECT group_concat(value, char(10)) FROM (SELECT value FROM json_each(pinned_facts) ORDER BY key)), '')
"""
QUEUED = """
INSERT INTO embedding_queue(kind, item, owner) SELECT 'profile', user_id, user_id FROM profile ORDER BY user_id
"""
TRIGGERS = (
    *("fts_insert", "fts_delete", "fts_update", "text_delete", "text_update"),
    *("grams_insert", "grams_delete", "grams_update", "embedding_insert", "embedding_update", "embedding_delete"),
)

# What `store/sqlite/schema.py` made of the kind when it was released.
STATEMENTS = (
    """
    CREATE VIRTUAL TABLE profile_fts USING fts5(role, preferences, pinned_text, terms, content='profile',
    content_rowid='id', tokenize='porter unicode61 remove_diacritics 2')
    """,
    "INSERT INTO profile_fts(profile_fts, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER profile_fts_insert AFTER INSERT ON profile BEGIN INSERT INTO profile_fts(rowid, role,
    preferences, pinned_text, terms) VALUES (new.id, new.role, new.preferences, new.pinned_text, new.terms);
    END
    """,
    """
    CREATE TRIGGER profile_fts_delete AFTER DELETE ON profile BEGIN INSERT INTO profile_fts(profile_fts,
    rowid, role, preferences, pinned_text, terms) VALUES ('delete', old.id, old.role, old.preferences,
    old.pinned_text, old.terms); END
    """,
    """
    CREATE TRIGGER profile_fts_update AFTER UPDATE OF role, preferences, pinned_text, terms, user_id ON
    profile BEGIN INSERT INTO profile_fts(profile_fts, rowid, role, preferences, pinned_text, terms) VALUES
    ('delete', old.id, old.role, old.preferences, old.pinned_text, old.terms); INSERT INTO profile_fts(rowid,
    role, preferences, pinned_text, terms) VALUES (new.id, new.role, new.preferences, new.pinned_text,
    new.terms); END
    """,
    """
    CREATE TRIGGER profile_text_delete AFTER delete ON profile BEGIN INSERT INTO store_property (name, value)
    VALUES ('profile_text_changes', '1') ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1;
    END
    """,
    """
    CREATE TRIGGER profile_text_update AFTER update OF role, preferences, pinned_text, terms, user_id ON
    profile BEGIN INSERT INTO store_property (name, value) VALUES ('profile_text_changes', '1') ON CONFLICT
    (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1; END
    """,
    """
    CREATE VIEW profile_inside AS SELECT id, substr(role, 1, 20000) AS role, substr(preferences, 1, 20000) AS
    preferences, substr(pinned_text, 1, 20000) AS pinned_text FROM profile
    """,
    """
    CREATE VIRTUAL TABLE profile_grams USING fts5(role, preferences, pinned_text, content='profile_inside',
    content_rowid='id', tokenize='trigram remove_diacritics 1', detail='none', columnsize=0)
    """,
    "INSERT INTO profile_grams(profile_grams, rank) VALUES ('secure-delete', 1)",
    """
    CREATE TRIGGER profile_grams_insert AFTER INSERT ON profile BEGIN INSERT INTO profile_grams(rowid, role,
    preferences, pinned_text) VALUES (new.id, substr(new.role, 1, 20000), substr(new.preferences, 1, 20000),
    substr(new.pinned_text, 1, 20000)); END
    """,
    """
    CREATE TRIGGER profile_grams_delete AFTER DELETE ON profile BEGIN INSERT INTO profile_grams(profile_grams,
    rowid, role, preferences, pinned_text) VALUES ('delete', old.id, substr(old.role, 1, 20000),
    substr(old.preferences, 1, 20000), substr(old.pinned_text, 1, 20000)); END
    """,
    """
    CREATE TRIGGER profile_grams_update AFTER UPDATE OF role, preferences, pinned_text, user_id ON profile
    BEGIN INSERT INTO profile_grams(profile_grams, rowid, role, preferences, pinned_text) VALUES ('delete',
    old.id, substr(old.role, 1, 20000), substr(old.preferences, 1, 20000), substr(old.pinned_text, 1, 20000));
    INSERT INTO profile_grams(rowid, role, preferences, pinned_text) VALUES (new.id, substr(new.role, 1,
    20000), substr(new.preferences, 1, 20000), substr(new.pinned_text, 1, 20000)); END
    """,
    """
    CREATE TRIGGER profile_embedding_insert AFTER INSERT ON profile BEGIN INSERT OR REPLACE INTO
    embedding_queue(kind, item, owner) VALUES ('profile', new.id, new.user_id); END
    """,
    """
    CREATE TRIGGER profile_embedding_update AFTER UPDATE OF role, preferences, pinned_text, user_id ON profile
    BEGIN DELETE FROM embedding WHERE kind = 'profile' AND item = old.id; DELETE FROM embedding_queue WHERE
    kind = 'profile' AND item = old.id; INSERT OR REPLACE INTO embedding_queue(kind, item, owner) VALUES
    ('profile', new.id, new.user_id); END
    """,
    """
    CREATE TRIGGER profile_embedding_delete AFTER DELETE ON profile BEGIN DELETE FROM embedding WHERE kind =
    'profile' AND item = old.id; DELETE FROM embedding_queue WHERE kind = 'profile' AND item = old.id; END
    """,
)


def upgrade() -> None:
    for name in DERIVED:
        op.add_column("profile", sa.Column(name, sa.Text(), server_default="", nullable=False))
    for name, form, told in COMPUTED:
        op.add_column("profile", sa.Column(name, form, sa.Computed(told, persisted=False)))
    op.create_index("ix_profile_id", "profile", ["id"], unique=True)
    op.execute(TOLD)
    for statement in STATEMENTS:
        op.execute(statement)
    op.execute("INSERT INTO profile_fts(profile_fts) VALUES ('rebuild')")
    op.execute("INSERT INTO profile_grams(profile_grams) VALUES ('rebuild')")
    op.execute(QUEUED)


def downgrade() -> None:
    for name in TRIGGERS:
        op.execute(f"DROP TRIGGER profile_{name}")
    op.execute("DELETE FROM embedding WHERE kind = 'profile'")
    op.execute("DELETE FROM embedding_queue WHERE kind = 'profile'")
    op.execute("DELETE FROM store_property WHERE name = 'profile_text_changes'")
    for index in ("profile_grams", "profile_fts"):
        op.drop_table(index)
    op.execute("DROP VIEW profile_inside")
    op.drop_index("ix_profile_id", "profile")
    for name, *_ in reversed(COMPUTED):
        op.drop_column("profile", name)
    for name in reversed(DERIVED):
        op.drop_column("profile", name)
