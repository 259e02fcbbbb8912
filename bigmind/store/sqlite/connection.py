"""A connection to a store's file: how it is set up, and sqlite-vec in it. No mapper is loaded for it."""

import importlib.util
import logging
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.store.sqlite.driver import file_uri, sound_driver

log = logging.getLogger(__name__)

WHY_NO_VECTORS = "why_no_vectors"
"""Where a connection's `info` has the answer of `load_vectors`."""
SNAPSHOT = "snapshot"
"""Where the `info` of a connection that only reads has what stands for its snapshot, and for no other one."""
BUSY_MILLISECONDS = 5_000

CACHED_STATEMENTS = 512
"""Compiled statements that a connection keeps, in place of the driver's 128. A full cache of pysqlite3 (0.6.1) puts
what is new into the place of what was new last, so that of two statements that take turns neither stays: until then
each store compiled its own anew, with the triggers of their tables, in a seventh of its time."""

PRAGMAS: dict[str, tuple[str, object]] = {
    # name: (what is set, what must then be read back)
    "journal_mode": ("WAL", "wal"),
    "synchronous": ("FULL", 2),  # an answered write survives a power cut; NORMAL loses the last ones
    "foreign_keys": ("ON", 1),
    "busy_timeout": (str(BUSY_MILLISECONDS), BUSY_MILLISECONDS),
    "secure_delete": ("ON", 1),  # what is deleted is overwritten
    "trusted_schema": ("OFF", 0),  # a tampered schema cannot call functions with side effects
    "cell_size_check": ("ON", 1),  # a damaged page is noticed early
    "mmap_size": ("0", 0),  # a stray pointer cannot write into the file
    "temp_store": ("MEMORY", 2),  # no text in temporary files
    "cache_size": ("-2000", -2000),  # kibibytes per connection; the system caches the file besides
    "fullfsync": ("ON", 1),  # macOS: fsync alone does not reach the platter; elsewhere without effect
    "checkpoint_fullfsync": ("ON", 1),
}


def connecting() -> dict[str, Any]:
    """What the driver is told of each connection that stays open, beside the file."""
    # SQLite serialises each connection; it is handed to a single thread at a time.
    return {"check_same_thread": False, "cached_statements": CACHED_STATEMENTS}


def configure(connection: Any) -> None:
    """Set every pragma and read it back: one that did not take is a reason not to start.

    Raises:
        BigMindError: `store_unusable`.
    """
    connection.isolation_level = None  # transactions begin where they are begun, not where the driver guesses
    for name, (value, expected) in PRAGMAS.items():
        connection.cursor().execute(f"PRAGMA {name}={value}")
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA {name}")
        row = cursor.fetchone()
        actual = row[0] if row else None
        if actual != expected:
            raise BigMindError(
                Code.STORE_UNUSABLE,
                f"SQLite refused PRAGMA {name}={value} (it says {actual!r}).",
                "Is the data folder on a network drive, or read-only? BigMind needs a local, writable file system.",
            )


def forbid_writing(connection: Any) -> None:
    """Have it refuse to write."""
    connection.cursor().execute("PRAGMA query_only=ON")


def load_vectors(connection: Any) -> str:
    """Give a driver's connection sqlite-vec's functions; answers why it could not, or nothing.

    The package is not imported, only found: importing it would load Python's own SQLite beside the driver's.
    """
    found = importlib.util.find_spec("sqlite_vec")
    if found is None or found.origin is None:
        return "sqlite-vec is not installed (it has no build for this system)"
    if not hasattr(connection, "enable_load_extension"):
        return "this Python's SQLite loads no extensions"
    connection.enable_load_extension(True)
    try:
        connection.load_extension(str(Path(found.origin).parent / "vec0"))
    except Exception as error:  # noqa: BLE001 - the drivers' own errors have no common base but this
        log.warning("sqlite-vec does not load: %s", error)
        return f"sqlite-vec does not load: {error}"
    finally:
        connection.enable_load_extension(False)
    return ""


@dataclass(frozen=True, slots=True)
class OpenedFile:
    """A store's file, opened to be read by one thread: what `Snapshot.connection` gives."""

    connection: Any
    info: dict[str, Any]


class ReadingConnection:
    """A connection that only reads, without a mapper; within `snapshot` it is one (`bigmind.core.past_mapper`)."""

    def __init__(self, path: Path, prepare: Callable[[Any], None] | None = None) -> None:
        """Open a store's file, which has to be there.

        Args:
            path: the file.
            prepare: is given the driver's connection before it refuses to write, for what it needs of temporary tables.

        Raises:
            BigMindError: `store_unusable`.
            The driver's `Error`: it cannot be opened.
        """
        driver = sound_driver()
        opened = driver.connect(file_uri(path.absolute(), "mode=rw"), uri=True, **connecting())
        try:
            configure(opened)
            if prepare is not None:
                prepare(opened)
            forbid_writing(opened)
            self._opened = OpenedFile(opened, {WHY_NO_VECTORS: load_vectors(opened)})
        except BaseException:
            opened.close()
            raise

    def connection(self) -> OpenedFile:
        """As `Snapshot` has it."""
        return self._opened

    @contextmanager
    def snapshot(self) -> Generator["ReadingConnection"]:
        """A transaction: all that is read in it is of one moment."""
        self._opened.info[SNAPSHOT] = object()
        self._opened.connection.execute("BEGIN")
        try:
            yield self
        finally:
            self._opened.connection.execute("ROLLBACK")

    def close(self) -> None:
        """Let go of the file."""
        self._opened.connection.close()
