"""A store's file, opened for a process that only searches it. No mapper is loaded for it."""

from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from bigmind.core.snapshot import Snapshot
from bigmind.store.sign_index import SignIndex
from bigmind.store.sqlite.connection import ReadingConnection
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.search_parts import SqliteRowLookup, SqliteTextSearch


class SearchFile:
    """The file, and what a search asks of a database; for one thread at a time.

    Attributes:
        text: as `backend.TextSearch`.
        rows: as `backend.RowLookup`.
        vectors: as `backend.Vectors`.
    """

    def __init__(self, path: Path) -> None:
        """Open it; it has to be there.

        Raises:
            BigMindError: `store_unusable`.
            One of `file_errors`: it cannot be opened.
        """
        self.text = SqliteTextSearch()
        self.rows = SqliteRowLookup()
        self.vectors = SignIndex()
        self._connection = ReadingConnection(path)

    @contextmanager
    def snapshot(self) -> Generator[Snapshot]:
        """A transaction: all that is read in it is of one moment."""
        with self._connection.snapshot() as snapshot:
            yield snapshot

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()


def file_errors() -> tuple[type[Exception], ...]:
    """What reading the file may raise."""
    return (OSError, sound_driver().Error)
