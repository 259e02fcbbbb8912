"""A new row, before it is written past the mapper."""

from types import SimpleNamespace
from typing import Any


class UnmappedRow(SimpleNamespace):
    """A new row whose columns are its attributes, and of which no mapper knows (`prepared_statements.new_row`).

    Attributes:
        table: whose row it is.
    """

    table: type[Any]
