"""Raw SQLite: what the same work costs with nothing around it."""

from pathlib import Path

from bigmind.store.sqlite.connection import PRAGMAS
from bigmind.store.sqlite.driver import sound_driver
from bigmind.text.words import match_expression, query_terms

SCHEMA = """
CREATE TABLE chunk (id INTEGER PRIMARY KEY, content TEXT NOT NULL);
CREATE VIRTUAL TABLE chunk_fts USING fts5(
    content, content='chunk', content_rowid='id', tokenize='porter unicode61 remove_diacritics 2'
);
CREATE TRIGGER chunk_fts_insert AFTER INSERT ON chunk BEGIN
    INSERT INTO chunk_fts(rowid, content) VALUES (new.id, new.content);
END;
"""

SEARCH = """
SELECT chunk.id, chunk.content, bm25(chunk_fts) AS score
FROM chunk_fts JOIN chunk ON chunk.id = chunk_fts.rowid
WHERE chunk_fts MATCH ? ORDER BY score LIMIT 5
"""


class RawSqlite:
    """One table and its full-text index, with BigMind's driver and pragmas: WAL, synchronous=FULL."""

    def __init__(self, file: Path) -> None:
        self._connection = sound_driver().connect(str(file), isolation_level=None)
        for name, (value, _) in PRAGMAS.items():
            self._connection.execute(f"PRAGMA {name}={value}").fetchall()
        self._connection.executescript(SCHEMA)

    def store(self, text: str) -> None:
        """One transaction, on disk when it returns."""
        self._connection.execute("BEGIN IMMEDIATE")
        self._connection.execute("INSERT INTO chunk(content) VALUES (?)", (text,))
        self._connection.execute("COMMIT")

    def search(self, query: str) -> list[tuple[int, str, float]]:
        """The very expression that BigMind makes of the query: its telling words, quoted, any of them."""
        return self._connection.execute(SEARCH, (match_expression(query_terms(query)),)).fetchall()

    def close(self) -> None:
        self._connection.close()
