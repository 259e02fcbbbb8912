"""Files of the first BigMind, built from its own table definitions, with what such files really hold."""

import sqlite3
from pathlib import Path

V1 = """
CREATE TABLE users(id TEXT PRIMARY KEY, username TEXT UNIQUE NOT NULL, display_name TEXT, role TEXT DEFAULT 'member',
    created_at DATETIME, last_seen DATETIME);
CREATE TABLE global_knowledge(id INTEGER PRIMARY KEY AUTOINCREMENT, category TEXT NOT NULL, title TEXT NOT NULL,
    content TEXT NOT NULL, importance INTEGER DEFAULT 5, status TEXT DEFAULT 'pending', promoted_by TEXT,
    source_session TEXT, approved_by TEXT, created_at DATETIME, updated_at DATETIME);
CREATE TABLE identity_profile(id TEXT PRIMARY KEY, user_id TEXT UNIQUE NOT NULL, role TEXT, preferences TEXT,
    pinned_facts TEXT, updated_at DATETIME);
CREATE TABLE sessions(id TEXT PRIMARY KEY, user_id TEXT NOT NULL, started_at DATETIME NOT NULL, ended_at DATETIME,
    one_liner TEXT NOT NULL, topics TEXT, outcome TEXT, importance INTEGER DEFAULT 5, has_tier2 INTEGER DEFAULT 0);
CREATE TABLE session_summaries(id TEXT PRIMARY KEY, summary TEXT NOT NULL, key_facts TEXT, code_refs TEXT,
    created_at DATETIME);
CREATE TABLE conversation_chunks(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL, user_id TEXT NOT NULL,
    role TEXT CHECK (role IN ('user','assistant','system')), content TEXT NOT NULL, flag_reason TEXT,
    seq INTEGER NOT NULL, created_at DATETIME);
CREATE TABLE facts(id INTEGER PRIMARY KEY AUTOINCREMENT, user_id TEXT NOT NULL, category TEXT NOT NULL,
    fact TEXT NOT NULL, source_session TEXT, confidence REAL DEFAULT 1.0, created_at DATETIME, updated_at DATETIME);
CREATE VIRTUAL TABLE conversation_chunks_fts USING fts5(content, content='conversation_chunks', content_rowid='id');
CREATE VIRTUAL TABLE global_knowledge_fts USING fts5(title, content, content='global_knowledge', content_rowid='id');
"""
V2 = """
ALTER TABLE facts ADD COLUMN deprecated INTEGER DEFAULT 0;
ALTER TABLE facts ADD COLUMN deprecation_reason TEXT;
"""
V3 = """
CREATE TABLE hypotheses(id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT, user_id TEXT NOT NULL,
    hypothesis TEXT NOT NULL, confidence REAL DEFAULT 0.7,
    status TEXT CHECK (status IN ('open','confirmed','refuted','abandoned')), resolution TEXT, created_at DATETIME,
    resolved_at DATETIME);
"""
SCHEMAS = {1: V1, 2: V1 + V2, 3: V1 + V2 + V3}

ADA = "6f1d2c3b-4a59-4e87-9c10-1a2b3c4d5e6f"
BOB = "7e2d3c4b-5a69-4f97-8d20-2b3c4d5e6f70"
FIRST = "11111111-2222-4333-8444-555555555551"
SECOND = "11111111-2222-4333-8444-555555555552"
OPEN = "11111111-2222-4333-8444-555555555553"
GONE = "11111111-2222-4333-8444-555555555554"

HEADLINE = "Moved the nightly import to streaming " * 6

ROWS: dict[str, list[tuple[object, ...]]] = {
    "users(id, username, display_name, role, created_at, last_seen)": [
        (ADA, "ada.old", "Ada Lovelace", "admin", "2025-01-02 03:04:05", "2026-02-01 08:00:00"),
    ],
    "identity_profile(id, user_id, role, preferences, pinned_facts, updated_at)": [
        (
            "p1",
            ADA,
            "Backend engineer",
            "Short answers.\nNo emoji 🙃.",
            "- Lives in Köln\n- שלום",
            "2026-01-05 10:00:00",
        ),
    ],
    "sessions(id, user_id, started_at, ended_at, one_liner, topics, outcome, importance, has_tier2)": [
        (FIRST, ADA, "2025-03-01 09:00:00", "2025-03-01 10:30:00", "Fixed the pool", "db, Pool ,db", "merged", 8, 1),
        (SECOND, ADA, "2025-04-01T09:00:00+02:00", "2025-04-01T11:00:00+02:00", HEADLINE, None, None, None, 0),
        (OPEN, ADA, "2025-05-01 09:00:00", None, "[session in progress]", "", "", 99, 0),
    ],
    "session_summaries(id, summary, key_facts, code_refs, created_at)": [
        (
            FIRST,
            "# What\n\nThe pool was too small.",
            "- 20 is enough\n- see #12",
            "- src/pool.py",
            "2025-03-01 10:30:00",
        ),
    ],
    "conversation_chunks(session_id, user_id, role, content, flag_reason, seq, created_at)": [
        (FIRST, ADA, "user", "We use 20 connections from now on.", "decision", 1, "2025-03-01 09:10:00"),
        (FIRST, ADA, "assistant", "Noted: שלום 🚀 日本語", None, 2, "2025-03-01 09:11:00"),
        (FIRST, ADA, None, "said by nobody", "odd", 2, "not a time"),
        (GONE, ADA, "system", "its session is gone", "orphan", 7, "2025-06-01 09:11:00"),
        (SECOND, ADA, "user", "x" * 1_000_500, "long", 1, "2025-04-01 09:11:00"),
        (SECOND, ADA, "user", "   ", "nothing", 2, "2025-04-01 09:12:00"),
    ],
    "facts(user_id, category, fact, source_session, confidence, created_at, updated_at)": [
        (ADA, "preference", "Prefers tabs over spaces.", FIRST, 0.9, "2025-03-01 09:20:00", "2025-03-02 09:20:00"),
        (ADA, "Codebase", "The importer lives in billing/importer.", GONE, None, "2025-03-01 09:21:00", None),
        (ADA, "decision", "Deploys happen on Thursdays.", None, 7.5, "2025-03-01 09:22:00", "2025-03-01 09:22:00"),
        (ADA, "decision", "", None, 0.5, "2025-03-01 09:23:00", "2025-03-01 09:23:00"),
    ],
    "global_knowledge(category, title, content, importance, status, promoted_by, source_session, approved_by,"
    " created_at, updated_at)": [
        (
            "standard",
            "Reviews",
            "Two reviewers for migrations.",
            9,
            "approved",
            ADA,
            FIRST,
            ADA,
            "2025-03-01 09:30:00",
            None,
        ),
        ("habit", "T" * 100, "Its category is unknown today.", 0, "pending", "someone", None, None, None, None),
        ("pattern", "Old way", "No longer done.", 5, "deprecated", ADA, None, ADA, "2025-03-01 09:30:00", None),
    ],
}
HYPOTHESES = {
    "hypotheses(session_id, user_id, hypothesis, confidence, status, resolution, created_at, resolved_at)": [
        (FIRST, ADA, "The leak is in the cache.", 0.6, "open", None, "2025-03-01 09:40:00", None),
        (None, ADA, "DNS is slow.", 0.9, "refuted", "It was the proxy.", "2025-03-01 09:41:00", "2025-03-03 09:41:00"),
    ],
}


def older_file(path: Path, version: int, *, stated: str = "user_version", more: str = "") -> Path:
    """A file of that schema version.

    Args:
        path: where; its folder is made.
        version: 1, 2 or 3.
        stated: where the file says its version: `user_version`, `schema_version`, or `nowhere`.
        more: SQL to run at the end.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path)
    connection.executescript(SCHEMAS[version])
    for into, rows in {**ROWS, **(HYPOTHESES if version >= 3 else {})}.items():
        marks = ", ".join("?" * len(rows[0]))
        connection.executemany(f"INSERT INTO {into} VALUES ({marks})", rows)
    if version >= 2:
        connection.execute("UPDATE facts SET deprecated = 1, deprecation_reason = 'changed our mind' WHERE id = 3")
    if stated == "user_version":
        connection.execute(f"PRAGMA user_version = {version}")
    elif stated == "schema_version":
        connection.executescript(
            f"CREATE TABLE schema_version(version INTEGER); INSERT INTO schema_version VALUES ({version})"
        )
    connection.executescript(more)
    connection.commit()
    connection.close()
    return path
