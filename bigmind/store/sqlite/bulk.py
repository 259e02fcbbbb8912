"""Deleting very many rows at once from tables with a full-text index."""

from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import Connection

INDEXES = ("chunk_fts", "fact_fts", "knowledge_fts")


@contextmanager
def deleting_many(connection: Connection) -> Generator[None]:
    """Within a transaction: the words of what the block deletes leave the full-text indexes at its end, all together.

    One by one, as for a single row (FTS5's `secure-delete`), the words of 20,000 moments would keep writers waiting for
    two minutes. Merging the whole index leaves nothing of them either (https://sqlite.org/fts5.html#the_optimize_command).
    """
    for index in INDEXES:
        connection.exec_driver_sql(f"INSERT INTO {index}({index}, rank) VALUES ('secure-delete', 0)")  # noqa: S608
    yield
    for index in INDEXES:
        connection.exec_driver_sql(f"INSERT INTO {index}({index}) VALUES ('optimize')")  # noqa: S608 - constants
        connection.exec_driver_sql(f"INSERT INTO {index}({index}, rank) VALUES ('secure-delete', 1)")  # noqa: S608
