"""Alembic's entry: runs migrations on the connection that `bigmind.store.migration` hands in."""

from alembic import context
from sqlmodel import SQLModel

from bigmind.clients import tables as client_tables
from bigmind.memory import tables as memory_tables
from bigmind.people import tables as people_tables
from bigmind.store import tables as store_tables


def is_ours(name: str | None, kind: str, _parents: object) -> bool:
    """Full-text tables and their shadows are made by hand and are not part of the models."""
    return not (kind == "table" and name is not None and ("_fts" in name or "_grams" in name))


# Importing them is what makes the models known.
TABLES = (client_tables, memory_tables, people_tables, store_tables)

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    include_name=is_ours,
    # The caller's transaction holds all of it: a failed migration leaves the schema as it was.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
