"""The statements that make what a kind is found by, for the next migration that adds one.

Such a migration keeps what comes out of `statements_for` today: a released schema never changes, whatever this says.
"""

from collections.abc import Iterator

from bigmind.core.kind import Kind

WORDS = "tokenize='porter unicode61 remove_diacritics 2'"
GRAMS = "tokenize='trigram remove_diacritics 1', detail='none', columnsize=0"
MOST_INSIDE = 20_000
"""Characters of a text whose trigrams are indexed."""
_MOVED = "\n        DELETE FROM embedding_queue WHERE kind = '{table}' AND item = old.id;"

_INDEX = (
    "CREATE VIRTUAL TABLE {index} USING fts5({columns}, content='{content}', content_rowid='id', {how})",
    "INSERT INTO {index}({index}, rank) VALUES ('secure-delete', 1)",
    """CREATE TRIGGER {index}_insert AFTER INSERT ON {table} BEGIN
        INSERT INTO {index}(rowid, {columns}) VALUES (new.id, {new});
    END""",
    """CREATE TRIGGER {index}_delete AFTER DELETE ON {table} BEGIN
        INSERT INTO {index}({index}, rowid, {columns}) VALUES ('delete', old.id, {old});
    END""",
    """CREATE TRIGGER {index}_update AFTER UPDATE OF {watched} ON {table} BEGIN
        INSERT INTO {index}({index}, rowid, {columns}) VALUES ('delete', old.id, {old});
        INSERT INTO {index}(rowid, {columns}) VALUES (new.id, {new});
    END""",
)
_TEXT_CHANGES = """CREATE TRIGGER {table}_text_{event} AFTER {event}{of} ON {table} BEGIN
        INSERT INTO store_property (name, value) VALUES ('{table}_text_changes', '1')
        ON CONFLICT (name) DO UPDATE SET value = CAST(value AS INTEGER) + 1;
    END"""
_QUEUE = (
    """CREATE TRIGGER {table}_embedding_insert AFTER INSERT ON {table} BEGIN
        INSERT OR REPLACE INTO embedding_queue(kind, item, owner) VALUES ('{table}', new.id, {owner});
    END""",
    """CREATE TRIGGER {table}_embedding_update AFTER UPDATE OF {columns} ON {table} BEGIN
        DELETE FROM embedding WHERE kind = '{table}' AND item = old.id;{moved}
        INSERT OR REPLACE INTO embedding_queue(kind, item, owner) VALUES ('{table}', new.id, {owner});
    END""",
    """CREATE TRIGGER {table}_embedding_delete AFTER DELETE ON {table} BEGIN
        DELETE FROM embedding WHERE kind = '{table}' AND item = old.id;
        DELETE FROM embedding_queue WHERE kind = '{table}' AND item = old.id;
    END""",
)


def statements_for(kind: Kind) -> Iterator[str]:
    """The index of words, that of trigrams with its view, and the triggers that keep both and queue for vectors.

    With the triggers that count how often a text was changed or deleted, for who holds words in memory. The key of what
    each user has one of is its user's, to whom a restore may give another number: the indexes follow it.
    """
    table, columns, moving = kind.name, kind.searched, (kind.key,) if kind.is_single else ()
    yield from _index(f"{table}_fts", table, (*columns, "terms"), moving, content=table, how=WORDS, value="{}")
    yield _TEXT_CHANGES.format(table=table, event="delete", of="")
    yield _TEXT_CHANGES.format(table=table, event="update", of=f" OF {', '.join((*columns, 'terms', *moving))}")
    begins = ", ".join(f"substr({column}, 1, {MOST_INSIDE}) AS {column}" for column in columns)
    yield f"CREATE VIEW {table}_inside AS SELECT id, {begins} FROM {table}"  # noqa: S608 - names of our schema
    begin = f"substr({{}}, 1, {MOST_INSIDE})"
    yield from _index(f"{table}_grams", table, columns, moving, content=f"{table}_inside", how=GRAMS, value=begin)
    owner = "0" if kind.is_everybodys else f"new.{kind.owner}"
    deciding = [*kind.found_when]
    if (shared := kind.shared_when) is not None:
        deciding.append(shared)
        owner = f"CASE WHEN new.{shared.column} {shared.operator} '{shared.value}' THEN 0 ELSE {owner} END"
    watched = dict.fromkeys((*kind.embedded, *(moving or ("project",)), *(each.column for each in deciding)))
    moved = _MOVED.format(table=table) if moving else ""
    yield from (each.format(table=table, columns=", ".join(watched), owner=owner, moved=moved) for each in _QUEUE)


def _index(
    index: str, table: str, columns: tuple[str, ...], moving: tuple[str, ...], *, content: str, how: str, value: str
) -> Iterator[str]:
    parts = {
        "index": index,
        "table": table,
        "content": content,
        "how": how,
        "columns": ", ".join(columns),
        "watched": ", ".join((*columns, *moving)),
        "new": ", ".join(value.format(f"new.{column}") for column in columns),
        "old": ", ".join(value.format(f"old.{column}") for column in columns),
    }
    yield from (each.format(**parts) for each in _INDEX)
