"""How often the texts of each table were changed or deleted.

Who holds words in memory follows what is added, and reads them anew where this number is another one
(bigmind/store/search_process/word_index.py).
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
TRIGGER = """CREATE TRIGGER {table}_text_{event} AFTER {event}{of} ON {table} BEGIN
        INSERT INTO store_property (name, value) VALUES ('{table}_text_changes', '1')
        ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1;
    END"""


def upgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table, columns in TEXTS.items():
            op.execute(TRIGGER.format(table=table, event="delete", of=""))
            op.execute(TRIGGER.format(table=table, event="update", of=f" OF {columns}"))


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for table in TEXTS:
            op.execute(f"DROP TRIGGER {table}_text_delete")
            op.execute(f"DROP TRIGGER {table}_text_update")
        op.execute("DELETE FROM store_property WHERE name LIKE '%!_text_changes' ESCAPE '!'")
