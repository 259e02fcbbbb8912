"""What a database holds, as backups write it down and compare it."""

from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict


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
