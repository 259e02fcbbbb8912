"""What is handed to a database and comes back from it (`backend.py`), as records. No mapper is loaded for them."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from bigmind.core.kind import Operator, Where

if TYPE_CHECKING:
    from sqlalchemy import ColumnElement

MOST_TERMS = 24
"""Words of a question that are counted one by one; each costs a walk over the rows that it stands in."""

TELLING_ROWS = 8_000
"""The rarer words of a question tell, as long as they stand in so many rows together; no more than those are ranked."""
COUNTED_TIMES = 2
"""Words that stand in so many times as many rows count in what is ranked: counting one costs a tenth of ranking a row,
and more is found (docs/search.md)."""


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The words of a question that are looked for in a table, in their order.

    Attributes:
        counted: all that count for a row that is found; in a table of few rows all there are.
        telling: those of them that few rows have together; what is found has one of these.
    """

    counted: list[str]
    telling: list[str]


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

    Where `other` is given, that will do too. Columns and operators are written by us, never by a caller; only the value
    may be. `IS` compares with NULL too.
    """

    column: str
    value: str | int | datetime | None
    operator: Operator = "="
    or_null: bool = False
    other: Where | None = None

    def written(self, table: str, parameter: str) -> str:
        """As SQL, with the values as parameters of that name."""
        told = f"{table}.{self.column} {self.operator} :{parameter}"
        told = f"({told} OR {table}.{self.column} IS NULL)" if self.or_null else told
        if self.other is None:
            return told
        return f"({told} OR {table}.{self.other.column} {self.other.operator} :{parameter}_other)"

    def values(self, parameter: str) -> dict[str, object]:
        """The values of its parameters."""
        told: dict[str, object] = {parameter: self.value}
        return told if self.other is None else told | {f"{parameter}_other": self.other.value}

    def over(self, table: Any) -> "ColumnElement[bool]":
        """As an expression over the table's model."""
        told = Where(self.column, self.value, self.operator).over(table)
        told = told | getattr(table, self.column).is_(None) if self.or_null else told
        return told if self.other is None else told | self.other.over(table)


@dataclass(frozen=True, slots=True)
class ChildCondition:
    """What a row must hold to be found: a row of a child table belongs to it and has that value."""

    child: str
    parent: str
    column: str
    value: str
    of: str = "id"

    def written(self, table: str, parameter: str) -> str:
        """As SQL, with the value as a parameter of that name."""
        return f"{table}.{self.of} IN (SELECT {self.parent} FROM {self.child} WHERE {self.column} = :{parameter})"  # noqa: S608 - ours

    def values(self, parameter: str) -> dict[str, object]:
        """The value of its parameter."""
        return {parameter: self.value}

    def over(self, table: Any) -> "ColumnElement[bool]":
        """As an expression over the table's model."""
        child = table.metadata.tables[self.child]
        children = child.select().with_only_columns(child.c[self.parent]).where(child.c[self.column] == self.value)
        return getattr(table, self.of).in_(children)


@dataclass(frozen=True, slots=True)
class PathCondition:
    """What a row must hold to be found: that path in a column, with `/` between its parts, or one that lies below."""

    column: str
    path: str

    def written(self, table: str, parameter: str) -> str:
        """As SQL, with parameters of that name."""
        column = f"{table}.{self.column}"
        return f"({column} = :{parameter} OR ({column} >= :{parameter}_from AND {column} < :{parameter}_to))"

    def values(self, parameter: str) -> dict[str, object]:
        """The values of its parameters."""
        first, beyond = self._below()
        return {parameter: self.path, f"{parameter}_from": first, f"{parameter}_to": beyond}

    def over(self, table: Any) -> "ColumnElement[bool]":
        """As an expression over the table's model."""
        column, (first, beyond) = getattr(table, self.column), self._below()
        return (column == self.path) | ((column >= first) & (column < beyond))

    def holds(self, path: str) -> bool:
        """Whether a path is that one, or lies below it."""
        return path == self.path or path.startswith(f"{self.path}/")

    def _below(self) -> tuple[str, str]:
        """What begins with the path and a slash stands between these; the second is the sign behind the slash."""
        return f"{self.path}/", f"{self.path}{chr(ord('/') + 1)}"


Predicate = RowCondition | ChildCondition | PathCondition
"""What a row must hold to be found."""


@dataclass(frozen=True, slots=True)
class TermCounts:
    """About how many rows there are, in how many each word stands, and the words that stand in each key with any."""

    rows: int
    counts: dict[str, int]
    terms: dict[int, set[str]]


TermCounter = Callable[[Collection[int]], TermCounts]
"""Tells the same of some keys, for the words that it was made for."""
