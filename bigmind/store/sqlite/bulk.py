"""Deleting very many rows at once from tables with a full-text index."""

from collections.abc import Generator
from contextlib import contextmanager

from sqlalchemy import Connection

from bigmind.store.sqlite.checks import FULL_TEXT_TABLES
from bigmind.store.sqlite.scrub import remove_words_at_once


@contextmanager
def deleting_many(connection: Connection) -> Generator[None]:
    """Within a transaction: the words of what the block deletes leave the full-text indexes at its end, all together.

    One by one, as for a single row (FTS5's `secure-delete`), the words of 20,000 moments would keep writers waiting for
    two minutes. Merging the whole index leaves nothing of them either (https://sqlite.org/fts5.html#the_optimize_command).
    """
    driver = connection.connection
    indexes = [name for (name,) in connection.exec_driver_sql(FULL_TEXT_TABLES)]
    for index in indexes:
        remove_words_at_once(driver.cursor(), index, at_once=False)
    yield
    for index in indexes:
        driver.cursor().execute(f"INSERT INTO {index}({index}) VALUES ('optimize')")  # noqa: S608 - our schema's names
        remove_words_at_once(driver.cursor(), index, at_once=True)
