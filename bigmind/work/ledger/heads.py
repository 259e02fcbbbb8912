"""The head of the ledger's chain, as it is kept elsewhere: so it is known whoever can write the file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from bigmind.core.shapes import as_object
from bigmind.work.ledger.ledger_rows import Link

RESTORED = "restored"
"""A row that says that a backup took the place of the memory, and where the chain stood before."""
_NEWEST = "SELECT number, digest FROM {database}.work_ledger ORDER BY number DESC LIMIT 1"
_THERE = "SELECT 1 FROM {database}.sqlite_master WHERE type = 'table' AND name = 'work_ledger'"


@dataclass(frozen=True, slots=True)
class KnownHead:
    """A head of the chain, as it is kept somewhere: `place` says where, in words."""

    number: int
    digest: str
    place: str


def head_in(connection: Any, database: str = "main") -> Link | None:
    """The head of the chain in a database of any schema revision; None where there is none yet.

    Args:
        connection: the driver's own.
        database: under which name it is attached; written by us.
    """
    if connection.execute(_THERE.format(database=database)).fetchone() is None:
        return None
    row = connection.execute(_NEWEST.format(database=database)).fetchone()
    return Link(*row) if row is not None else None


def up_to(restored: Mapping[str, Any]) -> int:
    """How far any chain went that a restore put aside, itself or by putting aside an earlier one, as its row says."""
    told = (restored.get("up_to"), as_object(restored.get("stood")).get("number"))
    return max((each for each in told if isinstance(each, int)), default=0)
