"""A private database beside the store, for what does not fit into memory: SQLite, whichever database the store is."""

import os
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

from bigmind.disk.open_files import remove
from bigmind.paths import PRIVATE_FILE
from bigmind.store.backend import DriverConnection
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.faults import meaning


@contextmanager
def scratch_database(path: Path, schema: str) -> Generator[DriverConnection]:
    """A connection to a new database in the new private file `path`; both are gone when the block ends.

    Args:
        path: where nothing is yet.
        schema: the statements that make its tables.

    Raises:
        BigMindError: `storage_full`, when the disk does not take what is put into it.
    """
    os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, PRIVATE_FILE))
    driver = sound_driver()
    try:
        with closing(driver.connect(str(path), isolation_level=None)) as connection:
            # Nothing in it outlives the process, so nothing need survive it; the journal would be another file.
            for pragma in ("journal_mode=OFF", "synchronous=OFF", "temp_store=MEMORY", "cache_size=-500"):
                connection.execute(f"PRAGMA {pragma}")
            connection.executescript(schema)
            yield connection
    except driver.Error as error:
        if (fault := meaning(error)) is None:
            raise
        raise fault from error
    finally:
        remove(path)


def add_row(connection: DriverConnection, statement: str, values: Sequence[object]) -> bool:
    """Run an INSERT; False, and nothing is added, when a row with that key is there already."""
    try:
        connection.execute(statement, values)
    except sound_driver().IntegrityError:
        return False
    return True
