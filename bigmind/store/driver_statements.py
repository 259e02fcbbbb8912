"""The few statements of nearly every call, compiled once and run by the driver (docs/architecture.md, "Hot paths").

What SQLAlchemy does for each execution takes longer than what the database does. So values and rows go through the
types of the columns here. A statement that is built anew for each call belongs to `prepared_statements`, where it is
known by its shape. An `IN` over values that stand in the statement itself has one text; one over a list that comes with
a call has a text for each length of it.
"""

from collections import namedtuple
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import closing
from functools import cache, lru_cache
from typing import Any, cast

from sqlalchemy import Dialect, Insert, Integer, bindparam, insert, literal_column
from sqlalchemy.sql.compiler import SQLCompiler
from sqlmodel import SQLModel

from bigmind.core.past_mapper import Snapshot
from bigmind.core.shapes import is_list
from bigmind.store.tables import table_of

KEY = "id"
STATEMENTS_KEPT = 512
"""Of every database that is open."""

Convert = Callable[[Any], Any]


class PreparedStatement:
    """The text of a statement in one database's words, and what its values and rows have to go through."""

    def __init__(
        self, statement: Any, dialect: Dialect, keys: Sequence[str] | None, lengths: Mapping[str, int]
    ) -> None:
        """Compile it; `keys`: columns that an insert writes; `lengths`: of the lists that come with calls."""
        compiled: SQLCompiler = statement.compile(dialect=dialect, column_keys=keys)
        binds = compiled.binds
        late = {name for name, each in binds.items() if each.expanding or each.literal_execute}
        if any(binds[name].required and name not in lengths for name in late) or not compiled.positional:
            raise ValueError(
                f"the text of this statement depends on its values, or its driver names them: {compiled.string}"
            )
        nothing = {name: None for name, each in binds.items() if each.required}
        whole = compiled.construct_expanded_state(
            {**nothing, **{name: [None] * many for name, many in lengths.items()}}
        )
        self.text = whole.statement
        places = {each: (name, place) for name in lengths for place, each in enumerate(whole.parameter_expansion[name])}
        self._values = [
            (name, None, binds[name].required, binds[name].effective_value, _bound(binds[name].type, dialect))
            if name in binds
            else (*places[name], True, None, _bound(binds[places[name][0]].type, dialect))  # one of a list
            if name in places
            else (name, None, False, whole.parameters[name], whole.processors.get(name))  # one of those of an `IN`
            for name in whole.positiontup or ()
        ]
        columns: Sequence[Any] = list(getattr(statement, "exported_columns", None) or ())
        self._make = _row_of([str(each.key) for each in columns])
        read = [_read(each.type, dialect) for each in columns]
        self._read = [(place, convert) for place, convert in enumerate(read) if convert is not None]

    def values(self, given: Mapping[str, Any]) -> list[Any]:
        """The values in the order of their places, as the driver takes them."""
        taken: list[Any] = []
        for name, place, is_required, fixed, convert in self._values:
            value = given[name] if is_required else given.get(name, fixed)
            if place is not None:
                value = value[place]
            taken.append(value if convert is None else convert(value))
        return taken

    def row(self, found: Sequence[Any]) -> Any:
        """A row of the driver's, its values as the columns have them, by their names."""
        if not self._read:
            return self._make(found)
        values = list(found)
        for place, convert in self._read:
            values[place] = convert(values[place])
        return self._make(values)


def _row_of(names: Sequence[str]) -> Callable[[Iterable[Any]], Any]:
    """Makes rows of these names, which are the statement's own."""
    return namedtuple("Row", names, rename=True)._make  # noqa: PYI024 # pyright: ignore[reportUntypedNamedTuple]


def _bound(kind: Any, dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).bind_processor(dialect)


def _read(kind: Any, dialect: Dialect) -> Convert | None:
    return kind.dialect_impl(dialect).result_processor(dialect, None)


@lru_cache(STATEMENTS_KEPT)
def _prepared(
    statement: Any, dialect: Dialect, keys: Sequence[str] | None = None, lengths: tuple[tuple[str, int], ...] = ()
) -> PreparedStatement:
    return PreparedStatement(statement, dialect, keys, dict(lengths))


def limit_of(value: int | str) -> Any:
    """The limit of a statement that is kept: a number, or the name of a parameter.

    SQLite looks at the value that is bound to a bare `LIMIT ?`, and for that it plans the whole statement anew at each
    execution: the counts of a page took 0.6 ms so, and 0.04 with the number in the text. At a sum it does not look.
    """
    zero: Any = literal_column("0", Integer)
    return literal_column(str(value), Integer) if isinstance(value, int) else bindparam(value, type_=Integer) + zero


def all_rows(snapshot: Snapshot, statement: Any, values: Mapping[str, Any]) -> Sequence[Any]:
    """All rows of a statement in the transaction; a list among the values is that of an `IN`."""
    connection = snapshot.connection()
    lengths = tuple((name, len(each)) for name, each in values.items() if is_list(each))
    prepared = _prepared(statement, connection.dialect, None, lengths)
    with closing(_cursor(connection)) as cursor:
        return [prepared.row(each) for each in cursor.execute(prepared.text, prepared.values(values)).fetchall()]


def first_row(snapshot: Snapshot, statement: Any, values: Mapping[str, Any]) -> Any:
    """The first row; None where there is none."""
    connection = snapshot.connection()
    prepared = _prepared(statement, connection.dialect)
    with closing(_cursor(connection)) as cursor:
        found = cursor.execute(prepared.text, prepared.values(values)).fetchone()
        return None if found is None else prepared.row(found)


def carry_out(snapshot: Snapshot, statement: Any, values: Mapping[str, Any]) -> None:
    """Carry out a statement that writes."""
    connection = snapshot.connection()
    keys = tuple(values) if isinstance(statement, Insert) else None
    prepared = _prepared(statement, connection.dialect, keys)
    with closing(_cursor(connection)) as cursor:
        cursor.execute(prepared.text, prepared.values(values))


def insert_row(snapshot: Snapshot, model: type[SQLModel], values: Mapping[str, Any]) -> int:
    """Write a new row of a table that numbers its rows; its number."""
    connection = snapshot.connection()
    prepared = _prepared(_insert_into(cast("Any", model)), connection.dialect, tuple(values))
    with closing(_cursor(connection)) as cursor:
        return cursor.execute(prepared.text, prepared.values(values)).fetchone()[0]


@cache
def _insert_into(model: Any) -> Any:
    table = table_of(model)
    return insert(table).returning(table.c[KEY])


def _cursor(connection: Any) -> Any:
    return connection.connection.cursor()
