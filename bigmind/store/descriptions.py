"""What is handed to a database and comes back from it (`backend.py`), as records."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from pydantic import BaseModel, ConfigDict
from sqlalchemy import ColumnElement

from bigmind.core.kind import Operator, Where

TELLING_ROWS = 8_000
"""So many rows that match are ranked; more words than that takes, the commonest, are left out."""


@dataclass(frozen=True, slots=True)
class FullTextIndex:
    """A full-text index of a table, and of what stands inside its words.

    Attributes:
        table: whose rows are found.
        columns: of the table that it is made of, beside the split terms.
        weights: of the columns of the index in the ranking, from 0 on; the split terms are the last.
        lookup: the name of the table's index that has what most conditions ask for, so that a match need not read its
            whole row; empty leaves the choice to the database, and a database may choose for itself anyway.
    """

    table: str
    columns: tuple[str, ...]
    weights: tuple[float, ...]
    lookup: str = ""


@dataclass(frozen=True, slots=True)
class RowCondition:
    """What a row must hold to be found: `column operator value`; with `or_null`, nothing there will do as well.

    Column and operator are written by us, never by a caller; only the value may be. `IS` compares with NULL too.
    """

    column: str
    value: str | int | datetime | None
    operator: Operator = "="
    or_null: bool = False

    def written(self, table: str, parameter: str) -> str:
        """As SQL, with the value as a parameter of that name."""
        told = f"{table}.{self.column} {self.operator} :{parameter}"
        return f"({told} OR {table}.{self.column} IS NULL)" if self.or_null else told

    def over(self, table: Any) -> ColumnElement[bool]:
        """As an expression over the table's model."""
        told = Where(self.column, self.value, self.operator).over(table)
        return told | getattr(table, self.column).is_(None) if self.or_null else told


@dataclass(frozen=True, slots=True)
class TermCounts:
    """About how many rows there are, in how many each word stands, and the words that stand in each key with any."""

    rows: int
    counts: dict[str, int]
    terms: dict[int, set[str]]


class TableState(BaseModel):
    """How many rows a table has, and a SHA-256 over a sample of them; empty where it would tell a stranger."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    rows: int
    sample: str = ""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a database holds.

    Attributes:
        schema_revision: of its schema; empty when it has none of ours.
        store: the id of its first user; empty when it has none.
        change: the number of its last change.
        tables: the state of each table.
    """

    schema_revision: str
    store: str
    change: int
    tables: dict[str, TableState]
