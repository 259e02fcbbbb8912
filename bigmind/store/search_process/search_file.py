"""A store's file, opened for a process that only searches it. No mapper is loaded for it."""

from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from bigmind.core.past_mapper import Snapshot
from bigmind.store.search_process.postings import open_vocabularies
from bigmind.store.search_process.sign_index import SignIndex
from bigmind.store.search_process.word_index import WordIndex
from bigmind.store.sqlite.connection import ReadingConnection
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.search_parts import SqliteRowLookup

Result = TypeVar("Result")


class SearchFile:
    """The file, and what a search asks of a database; for one thread at a time, and another one beside it.

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
        self.text = WordIndex()
        self.rows = SqliteRowLookup()
        self.vectors = SignIndex()
        self._path = path
        self._connection = ReadingConnection(path, open_vocabularies)
        self._beside: ReadingConnection | None = None

    @contextmanager
    def snapshot(self) -> Generator[Snapshot]:
        """A transaction: all that is read in it is of one moment."""
        with self._connection.snapshot() as snapshot:
            yield snapshot

    def look_beside(self, look: Callable[[Snapshot], Result]) -> Result:
        """What a query answers in a snapshot of its own, on another thread; one at a time.

        Raises:
            BigMindError, one of `file_errors`: as at the opening; the connection is opened when it is first used.
        """
        if self._beside is None:
            self._beside = ReadingConnection(self._path)
        with self._beside.snapshot() as snapshot:
            return look(snapshot)

    def open_anew(self) -> None:
        """Open it once more, to plan by how large the tables are by now; what is held of vectors and words stays.

        Raises:
            BigMindError, one of `file_errors`: as at the opening.
        """
        self.close()
        self._connection, self._beside = ReadingConnection(self._path, open_vocabularies), None

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()
        if self._beside is not None:
            self._beside.close()


def file_errors() -> tuple[type[Exception], ...]:
    """What reading the file may raise."""
    return (OSError, sound_driver().Error)
