"""Full-text search in SQLite's FTS5: one query for moments, facts and knowledge, which differ in columns only."""

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from bigmind.core.past_mapper import Snapshot
from bigmind.store.descriptions import (
    COUNTED_TIMES,
    MOST_TERMS,
    TELLING_ROWS,
    FullTextIndex,
    Predicate,
    QuestionTerms,
    RowCondition,
    TermCounter,
    TermCounts,
)
from bigmind.store.sqlite.statements import rows
from bigmind.text.words import match_expression

PREFERRED = 1.1
"""A hit of the preferred project goes before others whose score is no more than a tenth better."""

# `+ 0`: at the value of a bare `LIMIT :most` SQLite looks, and plans the whole statement anew at each execution.
_SEARCH = """
SELECT {table}.id AS id, -bm25({table}_fts, {weights}){preference} AS score
FROM {table}_fts JOIN {table} {lookup} ON {table}.id = {table}_fts.rowid
WHERE {table}_fts MATCH :expression{among}
  {conditions}
ORDER BY score DESC, {table}.id DESC
LIMIT :most + 0
"""
# The index alone says which match best: ten thousand matches are ranked without a look into their rows.
_BEST = """
WITH best AS MATERIALIZED (
    SELECT id, score FROM (
        SELECT rowid AS id, -bm25({table}_fts, {weights}) AS score FROM {table}_fts
        WHERE {table}_fts MATCH :expression{among} ORDER BY rowid DESC LIMIT {ranked}
    ) ORDER BY score DESC, id DESC LIMIT :wider + 0
)
SELECT {table}.id AS id, best.score{preference} AS score,
    (SELECT count(*) FROM best) AS looked_at, (SELECT min(score) FROM best) AS lowest
FROM best CROSS JOIN {table} ON {table}.id = best.id
WHERE true
  {conditions}
ORDER BY best.score{preference} DESC, {table}.id DESC
LIMIT :most + 0
"""
# `+`: not as a way to the rows; SQLite would begin the search of the index anew for each of them.
_AMONG = " AND +{table}_fts.rowid IN (SELECT rowid FROM {table}_fts WHERE {table}_fts MATCH :among)"
_STANDS_IN = """
SELECT count(*) FROM (SELECT 1 FROM {table}_fts WHERE {table}_fts MATCH :expression LIMIT :most + 0)
"""
_STANDS_AFTER = "SELECT count(*) FROM {table}_fts WHERE {table}_fts MATCH :expression AND rowid > :after"
_STANDS_AMONG = """
SELECT count(*), json_group_array(rowid) FILTER (WHERE rowid IN (SELECT value FROM json_each(:keys)))
FROM {table}_fts WHERE {table}_fts MATCH :expression
"""
_STANDS = """
SELECT json_group_array(rowid) FROM {table}_fts WHERE {table}_fts MATCH :expression
"""
FEW_ROWS = 5_000
"""Of a table of no more rows, all that have a word are read: SQLite looks a key up among others in twice the time."""
WIDER = (5, 40)
"""So many times as many as are wanted are looked at, and so many where those may not be the best; else all."""
MOST_RANKED = 50_000
"""Of a word that stands in more rows than this, only the newest are ranked."""
MOSTLY_TRUE = frozenset(("user_id", "status", "deprecated_at", "noise_at"))
"""Columns of conditions that hold for most rows; others are looked at before the ranking."""


def search(
    session: Snapshot,
    index: FullTextIndex,
    terms: Sequence[str] | QuestionTerms,
    conditions: Sequence[Predicate],
    most: int,
    preferred: str | None = None,
) -> list[tuple[int, float]]:
    """Keys and scores (higher is better) of the rows that have any of the words, best first.

    Args:
        session: an open transaction.
        index: where to look.
        terms: as from `bigmind.text.words.query_terms`, or from `question_terms`; none finds nothing.
        conditions: all of them hold for a row that is found.
        most: how many at most.
        preferred: a project whose rows go before others that match about as well; nothing is hidden because of it.
    """
    asked = terms if isinstance(terms, QuestionTerms) else QuestionTerms(list(terms), list(terms))
    if not asked.counted:
        return []
    wheres, values = restricted(index.table, conditions)
    values |= {"expression": match_expression(asked.counted), "most": most}
    if is_among := len(asked.telling) < len(asked.counted):
        values["among"] = match_expression(asked.telling)
    preference = ""
    if preferred is not None:
        preference = f" * CASE WHEN {index.table}.project = :preferred THEN {PREFERRED} ELSE 1.0 END"
        values["preferred"] = preferred
    if hold_mostly(conditions):
        statement = _statement(_BEST, index, preference, wheres, is_among=is_among)
        for wider in (times * most for times in WIDER):
            best = rows(session, statement, {**values, "wider": wider})
            if _is_complete(best, most, wider, has_preference=preferred is not None):
                return [(key, score) for key, score, *_ in best]
    statement = _statement(_SEARCH, index, preference, wheres, is_among=is_among)
    return [(key, score) for key, score, *_ in rows(session, statement, values)]


def hold_mostly(conditions: Sequence[Predicate]) -> bool:
    """Whether all of them are such that hold for most rows: then what matches best is ranked first."""
    return all(isinstance(each, RowCondition) and each.column in MOSTLY_TRUE for each in conditions)


def _statement(written: str, index: FullTextIndex, preference: str, wheres: str, *, is_among: bool) -> str:
    weights = ", ".join(map(str, index.weights))
    return written.format(
        table=index.table,
        weights=weights,
        lookup=f"INDEXED BY {index.lookup}" if index.lookup else "",
        preference=preference,
        among=_AMONG.format(table=index.table) if is_among else "",
        conditions=wheres,
        ranked=MOST_RANKED,
    )


def newest_rows(session: Snapshot, tables: Sequence[str]) -> dict[str, int]:
    """The highest key of each table, 0 of an empty one: about how many rows it has had."""
    told = ", ".join(f"(SELECT max(id) FROM {table})" for table in tables)  # noqa: S608 - ours
    return {table: newest or 0 for table, newest in zip(tables, rows(session, f"SELECT {told}")[0], strict=True)}


def question_terms(
    session: Snapshot,
    index: FullTextIndex,
    terms: Sequence[str],
    most_rows: int = TELLING_ROWS,
    newest: int | None = None,
) -> QuestionTerms:
    """Which of the terms count, and which of them what is found must have one of.

    A word that stands in every fifth of 100,000 rows says little beside one that stands in ten, and ranking the rows
    that have it takes most of the time. Where there are no more than `most_rows` rows, all terms are telling; the
    rarest that stands in any always is. `newest` is the highest key, if it is known.
    """
    if len(terms) <= 1 or _highest_key(session, index, newest) <= most_rows:
        return QuestionTerms(list(terms), list(terms))
    return telling_terms(terms, {term: stands_in(session, index, term) for term in terms}, most_rows)


def telling_terms(terms: Sequence[str], counts: Mapping[str, int], most_rows: int) -> QuestionTerms:
    """As `question_terms`, of so many rows that each of the terms stands in."""
    return QuestionTerms(_rarest(terms, counts, COUNTED_TIMES * most_rows), _rarest(terms, counts, most_rows))


def _highest_key(session: Snapshot, index: FullTextIndex, newest: int | None) -> int:
    return newest_rows(session, [index.table])[index.table] if newest is None else newest


def common_terms(session: Snapshot, index: FullTextIndex, terms: Sequence[str], least: int, after: int) -> list[str]:
    """Those of the terms that stand in at least so many rows of everybody whose keys are beyond `after`."""
    statement = _STANDS_AFTER.format(table=index.table)
    return [
        term
        for term in terms
        if rows(session, statement, {"expression": match_expression([term]), "after": after})[0][0] >= least
    ]


def stands_in(session: Snapshot, index: FullTextIndex, term: str) -> int:
    """In how many rows a term stands; in more than are ranked of one word: so many."""
    values = {"expression": match_expression([term]), "most": MOST_RANKED}
    return int(rows(session, _STANDS_IN.format(table=index.table), values)[0][0])


def _rarest(terms: Sequence[str], counts: Mapping[str, int], most_rows: int) -> list[str]:
    """The rarer of the terms, in their order: as long as they stand in few rows together; always the rarest in any."""
    kept, together = set[str](), 0
    for term in sorted(terms, key=counts.__getitem__):
        if together and together + counts[term] >= most_rows:
            break
        kept.add(term)
        together += counts[term]
    return [term for term in terms if term in kept]


def term_counter(session: Snapshot, index: FullTextIndex, newest: int, terms: Sequence[str]) -> TermCounter:
    """Looks for each of the words by itself, in rows of everybody: how rare a word is depends on no owner.

    `newest` is the highest key of the table. Of few rows, all that have a word are read here already.
    """
    few = {term: _standing(session, index.table, term) for term in terms[:MOST_TERMS]} if newest <= FEW_ROWS else {}

    def counted(keys: Collection[int]) -> TermCounts:
        found, wanted = TermCounts(newest, {}, {}), {*keys}
        told = json.dumps(sorted(wanted)) if newest > FEW_ROWS else ""
        for term in terms[:MOST_TERMS]:
            found.counts[term], those = few.get(term) or _standing_among(session, index.table, term, told)
            for key in wanted.intersection(those):
                found.terms.setdefault(key, set()).add(term)
        return found

    return counted


def _standing(session: Snapshot, table: str, term: str) -> tuple[int, list[int]]:
    """How many rows a word stands in, and in which."""
    ((told,),) = rows(session, _STANDS.format(table=table), {"expression": match_expression([term])})
    those = json.loads(told)
    return len(those), those


def _standing_among(session: Snapshot, table: str, term: str, keys: str) -> tuple[int, list[int]]:
    """How many rows a word stands in, and in which of those keys."""
    statement = _STANDS_AMONG.format(table=table)
    ((count, among),) = rows(session, statement, {"keys": keys, "expression": match_expression([term])})
    return count, json.loads(among)


def _is_complete(best: Sequence[Any], most: int, wider: int, *, has_preference: bool) -> bool:
    """Whether nothing that was not looked at can stand among the best, even if it is of the preferred project."""
    if not best:
        return False
    _, _, looked_at, lowest = best[0]
    if looked_at < wider:
        return True
    _, last_score, *_ = best[-1]
    return len(best) == most and (not has_preference or last_score > lowest * PREFERRED)


def restricted(table: str, conditions: Sequence[Predicate]) -> tuple[str, dict[str, object]]:
    """The conditions as what follows a `WHERE …`, and their values."""
    wheres = "".join(f" AND {each.written(table, f'value{number}')}" for number, each in enumerate(conditions))
    values: dict[str, object] = {}
    for number, each in enumerate(conditions):
        values |= each.values(f"value{number}")
    return wheres, values


def numbers(record: bytes) -> Iterator[int]:
    """SQLite's variable-length integers: seven bits in a byte, the highest first; the last byte has no eighth bit."""
    number = 0
    for byte in record:
        number = number << 7 | byte & 0x7F
        if byte < 0x80:  # noqa: PLR2004 - the eighth bit
            yield number
            number = 0
