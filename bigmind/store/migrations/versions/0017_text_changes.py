"""How often the texts of each table were changed or deleted, and vectors deleted.

Who holds words and vectors in memory follows what is added, and looks again where these numbers are others
(bigmind/store/search_process).
"""

from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None

TEXTS = {
    "chunk": "content, flag_reason, terms",
    "fact": "text, terms",
    "hypothesis": "text, resolution, terms",
    "knowledge": "title, content, terms",
    "protocol_run": "objective, summary, next_session_notes, terms",
    "session": "one_liner, told, terms",
    "thought": "content, about, corrected_fact, correct_fact, terms",
    "work_item": "title, topic, description, dna, terms",
}
VECTORS = """CREATE TRIGGER embedding_delete AFTER DELETE ON embedding BEGIN
        INSERT INTO store_property (name, value) VALUES ('embedding_deletes', '1')
        ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1;
    END"""
TRIGGER = """CREATE TRIGGER {table}_text_{event} AFTER {event}{of} ON {table} BEGIN
        INSERT INTO store_property (name, value) VALUES ('{table}_text_changes', '1')
        ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1;
    END"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table, columns in TEXTS.items():
            op.execute(TRIGGER.format(table=table, event="delete", of=""))
            op.execute(TRIGGER.format(table=table, event="update", of=f" OF {columns}"))
        op.execute(VECTORS)


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in TEXTS:
            op.execute(f"DROP TRIGGER {table}_text_delete")
            op.execute(f"DROP TRIGGER {table}_text_update")
        op.execute("DROP TRIGGER embedding_delete")
        op.execute("DELETE FROM store_property WHERE name LIKE '%!_text_changes' ESCAPE '!'")
        op.execute("DELETE FROM store_property WHERE name = 'embedding_deletes'")
