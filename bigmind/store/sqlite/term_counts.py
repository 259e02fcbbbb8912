"""In which rows, of some that were found, a word stands, and in how many at all."""

import json
from collections.abc import Collection, Sequence

from sqlmodel import Session

from bigmind.store.backend import MOST_TERMS
from bigmind.store.descriptions import FullTextIndex, TermCounts
from bigmind.store.sqlite.statements import rows
from bigmind.text.words import match_expression

_STANDS_IN = """
SELECT count(*), json_group_array(rowid) FILTER (WHERE rowid IN (SELECT value FROM json_each(:keys)))
FROM {table}_fts WHERE {table}_fts MATCH :expression
"""


def term_counts(
    session: Session, index: FullTextIndex, newest: int, terms: Sequence[str], keys: Collection[int]
) -> TermCounts:
    """Look for each of the words by itself, in rows of everybody: how rare a word is depends on no owner.

    `newest` is the highest key of the table.
    """
    found = TermCounts(newest, {}, {})
    statement = _STANDS_IN.format(table=index.table)
    values = {"keys": json.dumps(sorted(keys))}
    for term in terms[:MOST_TERMS]:
        ((count, among),) = rows(session, statement, {**values, "expression": match_expression([term])})
        found.counts[term] = count
        for key in json.loads(among):
            found.terms.setdefault(key, set()).add(term)
    return found
