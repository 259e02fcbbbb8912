"""Full-text search in SQLite's FTS5."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Text as TextType
from sqlalchemy import bindparam, text
from sqlmodel import Session

from bigmind.store.types import Moment

# Weights of content, flag reason and split terms in the ranking (https://sqlite.org/fts5.html#the_bm25_function).
_SEARCH = """
SELECT chunk.id, -bm25(chunk_fts, 1.0, 1.0, 0.5) AS score
FROM chunk_fts JOIN chunk INDEXED BY ix_chunk_user ON chunk.id = chunk_fts.rowid
WHERE chunk_fts MATCH :expression AND chunk.user_id = :user_id
  {conditions}
ORDER BY score DESC, chunk.id DESC
LIMIT :most
"""


@dataclass(frozen=True, slots=True)
class ChunkFilter:
    """Which chunks may be found. `None` does not restrict."""

    user_id: int
    session_id: int | None = None
    project: str | None = None
    since: datetime | None = None


def search_chunks(session: Session, expression: str, only: ChunkFilter, most: int) -> list[tuple[int, float]]:
    """Keys and scores (higher is better) of the chunks that match an FTS5 expression, best first."""
    if not expression:
        return []
    conditions = ""
    values: dict[str, object] = {"expression": expression, "user_id": only.user_id, "most": most}
    for column, operator, value in (
        ("session_id", "=", only.session_id),
        ("project", "=", only.project),
        ("created_at", ">=", only.since),
    ):
        if value is not None:
            conditions += f" AND chunk.{column} {operator} :{column}"
            values[column] = value
    statement = text(_SEARCH.format(conditions=conditions)).bindparams(bindparam("expression", type_=TextType))
    if only.since is not None:
        statement = statement.bindparams(bindparam("created_at", type_=Moment))
    return [(row.id, row.score) for row in session.connection().execute(statement, values)]
