"""Statements that are built once: what SQLAlchemy does for each call takes longer than what the database does."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeVar, cast

from sqlmodel import SQLModel

from bigmind.core.past_mapper import UnmappedRow, table_of_row
from bigmind.core.shapes import is_list
from bigmind.store.driver_statements import KEY, all_rows, insert_row
from bigmind.store.tables import table_of
from bigmind.store.work import Work

Row = TypeVar("Row", bound=SQLModel)

MOST_LISTED = 64
"""Values of a list for which the driver keeps a text for each number of them; SQLAlchemy writes out longer ones."""


def rows(work: Work, statement: Any, **values: Any) -> Sequence[Any]:
    """All rows of a statement in this transaction, with values for its parameters; `keys` may be many."""
    return work.connection().execute(statement, values).all()


def kept_rows(work: Work, statement: Any, **values: Any) -> Sequence[Any]:
    """The same by the driver, for a statement that is kept: one that is built for each call would be compiled for each.

    What stands in an `IN` is a list.
    """
    is_long = any(len(each) > MOST_LISTED for each in values.values() if is_list(each))
    return rows(work, statement, **values) if is_long else all_rows(work, statement, values)


def rows_once(work: Work, statement: Any) -> Sequence[Any]:
    """All rows of a statement without parameters, by the driver; read once until this unit of work changes something.

    The frame of a page and what stands in it ask for the same.
    """
    changes = len(work.changes())
    known = work.session.info.get(statement)
    if known is None or known[0] != changes:
        known = work.session.info[statement] = (changes, all_rows(work.session, statement, {}))
    return known[1]


def first(work: Work, statement: Any, **values: Any) -> Any:
    """The first row; None where there is none."""
    return work.connection().execute(statement, values).first()


def run(work: Work, statement: Any, **values: Any) -> None:
    """Carry out a statement that writes."""
    work.connection().execute(statement, values)


def new_row(table: type[Row], **values: Any) -> Row:
    """A row for `add`, with what its columns hold where nothing else is given.

    The mapper notes each value of a row that it makes, which takes a tenth of a millisecond. Nobody keeps this one in a
    session, or changes it once it was added.

    Raises:
        TypeError: the table has no such column, or one whose value is made anew for each row.
    """
    left_out = _left_out(cast("Any", table))
    if unknown := values.keys() - cast("Any", table).model_fields.keys():
        raise TypeError(f"{table.__name__} has no {', '.join(sorted(unknown))}")
    return cast("Row", UnmappedRow(table=table, **{**left_out, **values}))


@cache
def _left_out(table: Any) -> Mapping[str, Any]:
    """What the columns hold that need not be given."""
    if made := [name for name, each in table.model_fields.items() if each.default_factory is not None]:
        raise TypeError(f"{table.__name__} makes {', '.join(made)} anew for each row")
    return {name: each.default for name, each in table.model_fields.items() if not each.is_required()}


def add(work: Work, row: SQLModel) -> None:
    """Write a new row of a table with a key of its own, past the mapper: it gets its key, and is in no session.

    Who changes it later in the same unit of work reads it first.
    """
    model = table_of_row(row)
    setattr(row, KEY, insert_row(work, model, {name: getattr(row, name) for name in _written(model)}))


@cache
def _written(model: Any) -> Sequence[str]:
    """The columns that are written of a new row."""
    return [column.name for column in table_of(model).columns if not column.primary_key]
