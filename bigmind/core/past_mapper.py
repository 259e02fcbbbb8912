"""What goes past the mapper: a transaction that need not be a session's, named tuples, and rows it does not know."""

from collections.abc import Callable, Iterable
from functools import partial
from types import SimpleNamespace
from typing import Any, Protocol, TypeVar, cast

Named = TypeVar("Named", bound=tuple[Any, ...])


class Snapshot(Protocol):
    """One transaction: a session of the mapper's, or, where none is loaded, a connection of the driver's in one."""

    def connection(self) -> Any:
        """What it runs on: `connection` is the driver's, `info` what was noted of that when it was opened."""
        ...


def made_of(kind: type[Named]) -> Callable[[Iterable[Any]], Named]:
    """Makes named tuples of all their values, in half the time of a call of the class: a search makes some hundreds."""
    return partial(cast("Any", tuple).__new__, kind)


class UnmappedRow(SimpleNamespace):
    """A new row whose columns are its attributes (`prepared_statements.new_row`).

    Attributes:
        table: whose row it is.
    """

    table: type[Any]


def table_of_row(row: Any) -> type[Any]:
    """The model whose row it is."""
    return cast("type[Any]", row.table if isinstance(row, UnmappedRow) else type(row))
