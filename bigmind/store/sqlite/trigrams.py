"""Looks for text inside words, by SQLite's trigram indexes: `<table>_grams`, three characters at a time.

They keep no places (`detail=none`), so what they find contains all of those trigrams somewhere; whether it contains
the piece is looked up in the row.
"""

import json
from collections.abc import Sequence
from itertools import chain, zip_longest

from bigmind.core.past_mapper import Snapshot
from bigmind.store.descriptions import FullTextIndex, Predicate
from bigmind.store.sqlite.fulltext import restricted
from bigmind.store.sqlite.statements import opened, rows
from bigmind.text.substrings import grams
from bigmind.text.word_edges import contains
from bigmind.text.words import folded

MOST_LOOKED_AT = 200
"""Rows that are read for one piece, newest first."""
MOST_READ = 4_000_000
"""Characters of all rows that are read for one question; the newest of each piece go first."""

_WITH_TRIGRAMS = """
SELECT {table}.id
FROM {table}_grams CROSS JOIN {table} ON {table}.id = {table}_grams.rowid
WHERE {table}_grams MATCH :expression{conditions}
ORDER BY {table}_grams.rowid DESC
LIMIT :most + 0
"""
# Out of the view that the index is made of: what of a long text is not indexed is not read either.
_SAID = """
SELECT {table}_inside.id AS id, {texts} AS said
FROM json_each(:keys) AS wanted CROSS JOIN {table}_inside ON {table}_inside.id = wanted.value
"""
_UNHEARD = """
SELECT value FROM json_each(:terms) AS terms WHERE NOT EXISTS (
    SELECT 1 FROM {table}_fts WHERE {table}_fts MATCH '"' || terms.value || '"'
    AND rowid IN (SELECT value FROM json_each(:keys))
)
"""


def containing(
    session: Snapshot, index: FullTextIndex, pieces: Sequence[str], conditions: Sequence[Predicate]
) -> dict[str, list[int]]:
    """Keys of the rows that contain each piece, newest first; marks on letters and their case do not count.

    Args:
        session: an open transaction.
        index: of the rows.
        pieces: as from `bigmind.text.substrings`: folded, at least three characters.
        conditions: all of them hold for a row that is found.
    """
    table = index.table
    likely = {piece: _with_trigrams(session, table, piece, conditions) for piece in pieces}
    # By turns, so that no piece takes the room of another.
    turns = chain.from_iterable(zip_longest(*likely.values()))
    keys = dict.fromkeys(key for key in turns if key is not None)
    if not keys:
        return {}
    held: dict[int, set[str]] = {}
    texts = " || char(10) || ".join(f"{table}_inside.{column}" for column in index.columns)
    read = 0
    with opened(session, _SAID.format(table=table, texts=texts), {"keys": json.dumps(list(keys))}) as those:
        for key, text in those:
            said = folded(text)
            held[key] = {piece for piece in likely if contains(said, piece)}
            read += len(said)
            if read > MOST_READ:
                break
    return {piece: [key for key in found if piece in held.get(key, ())] for piece, found in likely.items()}


def _with_trigrams(session: Snapshot, table: str, piece: str, conditions: Sequence[Predicate]) -> list[int]:
    wheres, values = restricted(table, conditions)
    values |= {"expression": " AND ".join(_quoted(each) for each in grams(piece)), "most": MOST_LOOKED_AT}
    return [key for (key,) in rows(session, _WITH_TRIGRAMS.format(table=table, conditions=wheres), values)]


def unheard(session: Snapshot, table: str, terms: Sequence[str], keys: Sequence[int]) -> list[str]:
    """Those of the terms, as from `query_terms`, that are words of none of the rows with those keys."""
    if not terms or not keys:
        return list(terms)
    values = {"terms": json.dumps(terms), "keys": json.dumps(keys)}
    return [term for (term,) in rows(session, _UNHEARD.format(table=table), values)]


def _quoted(gram: str) -> str:
    doubled = gram.replace('"', '""')
    return f'"{doubled}"'
