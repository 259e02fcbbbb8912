"""Alembic's entry: runs migrations on the connection that `bigmind.store.migration` hands in."""

from alembic import context
from sqlmodel import SQLModel


def is_ours(name: str | None, kind: str, _parents: object) -> bool:
    """Full-text tables and their shadows are made by hand and are not part of the models."""
    return not (kind == "table" and name is not None and ("_fts" in name or "_grams" in name))


context.configure(
    connection=context.config.attributes["connection"],
    # The models that whoever runs them has imported: only a comparison with the schema asks for them.
    target_metadata=SQLModel.metadata,
    render_as_batch=True,
    include_name=is_ours,
    # The caller's transaction holds all of it: a failed migration leaves the schema as it was.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
