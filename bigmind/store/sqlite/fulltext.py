"""Full-text search in SQLite's FTS5: one query for moments, facts and knowledge, which differ in columns only."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import Text as TextType
from sqlalchemy import bindparam, text
from sqlmodel import Session

from bigmind.store.types import Moment

PREFERRED = 1.1
"""A hit of the preferred project goes before others whose score is no more than a tenth better."""


@dataclass(frozen=True, slots=True)
class Index:
    """A full-text index, `<table>_fts`, over a table of that name.

    `weights` are of its columns in the ranking (https://sqlite.org/fts5.html#the_bm25_function), the split terms last.
    """

    table: str
    weights: tuple[float, ...]
    lookup: str = ""


# The index covers the owner check: without it, each match reads its whole row.
MOMENTS = Index("chunk", (1.0, 1.0, 0.5), "INDEXED BY ix_chunk_user")
FACTS = Index("fact", (1.0, 0.5))
KNOWLEDGE = Index("knowledge", (2.0, 1.0, 0.5))


@dataclass(frozen=True, slots=True)
class Condition:
    """What a row must hold to be found: `column operator value`; with `or_null`, nothing there will do as well.

    Column and operator are written by us, never by a caller; only the value may be. `IS` compares with NULL too.
    """

    column: str
    value: str | int | datetime | None
    operator: Literal["=", ">=", "IS", "!="] = "="
    or_null: bool = False

    def written(self, table: str, parameter: str) -> str:
        """As SQL, with the value as a parameter of that name."""
        told = f"{table}.{self.column} {self.operator} :{parameter}"
        return f"({told} OR {table}.{self.column} IS NULL)" if self.or_null else told


_SEARCH = """
SELECT {table}.id AS id, -bm25({table}_fts, {weights}){preference} AS score
FROM {table}_fts JOIN {table} {lookup} ON {table}.id = {table}_fts.rowid
WHERE {table}_fts MATCH :expression
  {conditions}
ORDER BY score DESC, {table}.id DESC
LIMIT :most
"""


def search(
    session: Session,
    index: Index,
    expression: str,
    conditions: Sequence[Condition],
    most: int,
    preferred: str | None = None,
) -> list[tuple[int, float]]:
    """Keys and scores (higher is better) of the rows that match an FTS5 expression, best first.

    Args:
        session: an open transaction.
        index: where to look.
        expression: as from `bigmind.search.words.match_expression`; nothing matches an empty one.
        conditions: all of them hold for a row that is found.
        most: how many at most.
        preferred: a project whose rows go before others that match about as well; nothing is hidden because of it.
    """
    if not expression:
        return []
    values: dict[str, object] = {"expression": expression, "most": most}
    preference = ""
    if preferred is not None:
        preference = f" * CASE WHEN {index.table}.project = :preferred THEN {PREFERRED} ELSE 1.0 END"
        values["preferred"] = preferred
    wheres = ""
    for number, each in enumerate(conditions):
        wheres += f" AND {each.written(index.table, f'value{number}')}"
        values[f"value{number}"] = each.value
    written = _SEARCH.format(
        table=index.table,
        weights=", ".join(map(str, index.weights)),
        lookup=index.lookup,
        preference=preference,
        conditions=wheres,
    )
    moments = [
        bindparam(f"value{number}", type_=Moment)
        for number, each in enumerate(conditions)
        if isinstance(each.value, datetime)
    ]
    statement = text(written).bindparams(bindparam("expression", type_=TextType), *moments)
    return [(row.id, row.score) for row in session.connection().execute(statement, values)]


@dataclass(frozen=True, slots=True)
class ChunkFilter:
    """Which chunks may be found. `None` does not restrict; `preferred` is a project that goes first."""

    user_id: int
    session_id: int | None = None
    project: str | None = None
    since: datetime | None = None
    preferred: str | None = None


def search_chunks(session: Session, expression: str, only: ChunkFilter, most: int) -> list[tuple[int, float]]:
    """Keys and scores (higher is better) of the chunks that match an FTS5 expression, best first."""
    conditions = [Condition("user_id", only.user_id)]
    if only.session_id is not None:
        conditions.append(Condition("session_id", only.session_id))
    if only.project is not None:
        conditions.append(Condition("project", only.project))
    if only.since is not None:
        conditions.append(Condition("created_at", only.since, ">="))
    return search(session, MOMENTS, expression, conditions, most, only.preferred)
