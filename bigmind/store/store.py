"""Opens the store of one home, brings its schema up to date, and hands out units of work."""

import logging
import threading
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from bigmind.core.clock import Clock, system_clock
from bigmind.core.events import EventBus
from bigmind.core.operation import Caller
from bigmind.paths import make_private_folder, store_file
from bigmind.store.migrate import migrate
from bigmind.store.ownership import Ownership
from bigmind.store.sqlite.engine import reading_engine, writing_engine
from bigmind.store.sqlite.faults import translated
from bigmind.store.work import Surroundings, Work

log = logging.getLogger(__name__)

CHECKS = (
    "PRAGMA integrity_check",
    "PRAGMA foreign_key_check",
    # rank = 1 compares the index with the content table, not only with itself.
    "INSERT INTO chunk_fts(chunk_fts, rank) VALUES ('integrity-check', 1)",
)


class Store:
    """The database of one home. Open it once per process, close it at the end.

    One thread writes at a time; readers see the last commit and wait for nobody.
    """

    def __init__(self, home: Path, clock: Clock = system_clock, ownership: Ownership | None = None) -> None:
        """Open the store, creating or migrating it.

        Args:
            home: the data folder.
            clock: tells the time of everything written.
            ownership: the right to open it, when the process took it before; given back when the store closes.

        Raises:
            BigMindError: `store_in_use`, when another process has it; `store_unusable`, when the SQLite library is not
                safe, the file is not a store, is damaged or comes from a newer BigMind.
        """
        make_private_folder(home)
        self.home = home
        self.path = store_file(home)
        self.events = EventBus()
        self.surroundings: Surroundings = StoreAlone(self)
        self._clock = clock
        self._writing = threading.Lock()
        self._ownership = ownership or Ownership(home, "bigmind")
        with ExitStack() as undo:
            undo.callback(self._ownership.release)
            self._writer = writing_engine(self.path)
            undo.callback(self._writer.dispose)
            self._readers = reading_engine(self.path)
            with _in_our_words():
                migrate(self._writer)
            undo.pop_all()

    @contextmanager
    def read(self, caller: Caller, operation: str) -> Generator[Work]:
        """A unit of work that only reads: one snapshot of the store."""
        with _in_our_words(), Session(self._readers) as session:
            yield Work(session, caller, self._clock(), operation, self.surroundings)

    @contextmanager
    def write(self, caller: Caller, operation: str) -> Generator[Work]:
        """A unit of work that may write. It is committed, on disk, when the block ends; undone when it raises.

        The changes it noted are published after the commit.
        """
        with self._writing, _in_our_words():
            with Session(self._writer, expire_on_commit=False) as session:
                work = Work(session, caller, self._clock(), operation, self.surroundings)
                yield work
                session.commit()
            self.events.publish(work.changes())

    def integrity(self) -> list[str]:
        """What SQLite's and FTS5's own checks find wrong; empty when all is well. Reads the whole file."""
        found: list[str] = []
        with self._writing, self._writer.connect() as connection:
            for check in CHECKS:
                try:
                    result = connection.execute(text(check))
                    if result.returns_rows:
                        found += [" ".join(map(str, row)) for row in result.all() if tuple(row) != ("ok",)]
                except DBAPIError as error:
                    found.append(f"{check}: {error.orig}")
            connection.rollback()
        return found

    def size_in_bytes(self) -> int:
        """The size of the database and its log on disk."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.exists())

    def close(self) -> None:
        """Fold the log into the database file, close every connection and give the store free."""
        with self._writing, ExitStack() as after:
            # Whatever the disk says to the checkpoint, the store is given free; the log is read at the next start.
            after.callback(self._ownership.release)
            after.callback(self._writer.dispose)
            self._readers.dispose()
            with self._writer.connect() as connection:
                cursor = connection.connection.cursor()
                cursor.execute("PRAGMA optimize")  # tells the planner how the tables have grown
                cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")


@contextmanager
def _in_our_words() -> Generator[None]:
    try:
        yield
    except DBAPIError as error:
        if (fault := translated(error)) is None:
            raise
        log.error("%s", fault.message, exc_info=error)  # noqa: TRY400 - the traceback is the driver's
        raise fault from error


class StoreAlone:
    """The surroundings of a store that no server has opened."""

    def __init__(self, store: Store) -> None:
        self._store = store

    def bytes_on_disk(self) -> int:
        """The size of the store."""
        return self._store.size_in_bytes()

    def profile_url(self) -> str:
        """Nowhere: no server runs."""
        return ""

    def open_profile(self, caller: Caller) -> bool:
        """Not possible without a server."""
        del caller
        return False

    def sign_in_url(self, caller: Caller) -> str:
        """Nowhere: no server runs."""
        del caller
        return ""

    def stop(self) -> None:
        """Nothing runs."""
