"""A consistent copy of a store that is in use, and what was in it."""

import hashlib
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.core.progress import BYTES, Phase, Progress, nobody_waits
from bigmind.disk.flushing import to_disk
from bigmind.disk.open_files import remove
from bigmind.paths import PRIVATE_FILE
from bigmind.store.contents import Contents, TableState
from bigmind.store.sqlite.driver import file_uri, sound_driver

PAGES_AT_A_TIME = 1_024
NO_ROOM = 1_048_576
"""Bytes: a disk on which SQLite could not write has less left."""
ANEW = ".written-anew.db"
"""The name of a scratch file beside the store."""
SAMPLE = 256
"""Rows of each table that are compared, spread evenly; all of a smaller table."""

# Ordinary tables only: what a virtual table holds is in its shadows, and FTS5's own check compares those.
_TABLES = """
SELECT name, wr FROM pragma_table_list
WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!'
"""


def connected(path: Path, *, read_only: bool = False, living: Path | None = None) -> Any:
    """A connection of its own to a database file, without the settings of the store's.

    Args:
        path: of the file.
        read_only: whether it writes nothing.
        living: another one that it reads as the schema `living`.
    """
    mode = "ro" if read_only else "rw"
    connection = sound_driver().connect(
        file_uri(path.absolute(), f"mode={mode}"), uri=True, isolation_level=None, check_same_thread=False
    )
    for pragma in ("trusted_schema=OFF", "cell_size_check=ON", "mmap_size=0", "temp_store=MEMORY", "busy_timeout=5000"):
        connection.execute(f"PRAGMA {pragma}")
    if living is not None:
        connection.execute("ATTACH ? AS living", (file_uri(living.absolute(), "mode=ro"),))
    return connection


def copy(source: Path, target: Path, progress: Progress = nobody_waits) -> Contents:
    """Copy the database at `source`, which others may write to meanwhile, into the new private file `target`.

    One read transaction holds the snapshot, so that the copy and the description are of the same moment; it takes no
    lock that a writer waits for. The copy is complete in itself, without a log, and is on disk when this returns.
    """
    reader = connected(source, read_only=True)
    try:
        reader.execute("BEGIN")
        found = contents(reader)
        _copy(reader, target, _told_of_pages(reader, progress, "Copying the memory"))
    finally:
        reader.close()
    return found


def copy_as_it_is(source: Path, target: Path) -> None:
    """Copy a database as it is into the new private file `target`, also one that is damaged."""
    reader = connected(source, read_only=True)
    try:
        _copy(reader, target, None)
    finally:
        reader.close()


def _copy(reader: Any, target: Path, told: Callable[[int, int, int], None] | None) -> None:
    file = os.open(target, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE)

    def synchronise(result: int, left: int, all_pages: int) -> None:
        os.fsync(file)
        if told is not None:
            told(result, left, all_pages)

    try:
        writer = connected(target)
        try:
            writer.execute("PRAGMA journal_mode=OFF")  # a copy that was cut short is thrown away
            writer.execute("PRAGMA synchronous=OFF")  # it is synchronised here, in steps:
            # The disk never has so much of ours to do that a writer's own synchronisation waits long.
            _write_pages(reader, writer, target.parent, synchronise)
            writer.execute("PRAGMA journal_mode=DELETE")  # else the copy says of itself that a log belongs to it
        finally:
            writer.close()
        to_disk(file)
    finally:
        os.close(file)


def put_in_place(prepared: Path, writer: Any, place: Path, progress: Progress) -> None:
    """Write the prepared pages over the store's, in the folder `place`, as one transaction.

    Raises:
        BigMindError: `storage_full` or `unavailable`; the store is then as it was.
    """
    source = connected(prepared)
    try:
        _same_page_size(source, writer)
        _write_pages(source, writer, place, _told_of_pages(source, progress, "Putting it in place"))
    finally:
        source.close()
    writer.execute("PRAGMA wal_checkpoint(PASSIVE)")


def make_able_to_shrink(path: Path, writer: Any) -> None:
    """Have the database at `path` keep what it takes to give free pages back in steps, where an older BigMind made it.

    It is written anew into a file beside it, and from there over itself, as one transaction; once, for the mode stays.
    A plain VACUUM would hold all of it in memory.

    Raises:
        BigMindError: as `put_in_place`; what the driver raises. The store is then as it was.
    """
    if _one(writer, "PRAGMA auto_vacuum", 0):
        return
    anew = path.with_name(ANEW)
    remove(anew)  # of a process that was killed
    os.close(os.open(anew, os.O_CREAT | os.O_EXCL | os.O_RDWR, PRIVATE_FILE))
    try:
        reader = connected(path)
        try:
            reader.execute("PRAGMA auto_vacuum=INCREMENTAL")
            reader.execute("VACUUM INTO ?", (str(anew),))
        finally:
            reader.close()
        put_in_place(anew, writer, path.parent, nobody_waits)
        writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()  # the log holds the whole file now
    finally:
        remove(anew)


def _same_page_size(source: Any, writer: Any) -> None:
    """A database in WAL mode keeps its page size, so the source has to have the same one."""
    [[wanted], [found]] = (each.execute("PRAGMA page_size").fetchall()[0] for each in (writer, source))
    if wanted != found:
        source.execute("PRAGMA journal_mode=DELETE")
        source.execute(f"PRAGMA page_size={wanted}")
        source.execute("VACUUM")


def _told_of_pages(source: Any, progress: Progress, what: str) -> Callable[[int, int, int], None]:
    """For `_write_pages`: tells how much of the database of `source` is copied, in bytes."""
    size, count = _one(source, "PRAGMA page_size", 0), _one(source, "PRAGMA page_count", 0)
    phase = Phase(progress, what, size * count, BYTES)

    def told(_result: int, left: int, pages: int) -> None:
        phase.reach((pages - left) * size)

    return told


def _write_pages(source: Any, target: Any, place: Path, told: Callable[[int, int, int], object] | None = None) -> None:
    """Write every page of one connection's database over another's, as one transaction.

    Args:
        source: a connection, whose open transaction, if there is one, is what is copied.
        target: a connection outside of any transaction.
        place: the folder that is written to.
        told: called after every few megabytes.

    Raises:
        BigMindError: `storage_full` or `unavailable`; the target is then as it was, when it keeps a log.
    """
    try:
        source.backup(target, pages=PAGES_AT_A_TIME, progress=told)
    except sound_driver().OperationalError as error:
        # The driver gives no result code here (https://sqlite.org/c3ref/backup_finish.html: none is kept).
        if shutil.disk_usage(place).free < NO_ROOM:
            raise BigMindError(
                Code.STORAGE_FULL, f"There is no room for a copy of the store in {place}.", "Make room there."
            ) from error
        raise BigMindError(
            Code.UNAVAILABLE,
            f"The store cannot be copied to {place}: {error}.",
            "Check the disk of that folder, and that it allows files of the store's size.",
        ) from error


def contents(connection: Any) -> Contents:
    """What a database holds; in a transaction of the connection, when one is open."""
    tables = dict(connection.execute(_TABLES).fetchall())
    names = sorted(tables)
    return Contents(
        schema_revision=_one(connection, "SELECT version_num FROM alembic_version", "")
        if "alembic_version" in names
        else "",
        store=_one(connection, "SELECT uid FROM user ORDER BY id LIMIT 1", "") if "user" in names else "",
        change=_one(connection, "SELECT max(id) FROM change", 0) if "change" in names else 0,
        tables={name: _state(connection, name, has_rowid=not tables[name]) for name in names},
    )


def _one(connection: Any, statement: str, otherwise: Any) -> Any:
    row = connection.execute(statement).fetchone()
    return otherwise if row is None or row[0] is None else row[0]


def _state(connection: Any, table: str, *, has_rowid: bool) -> TableState:
    quoted = '"' + table.replace('"', '""') + '"'
    rows = _one(connection, f"SELECT count(*) FROM {quoted}", 0)  # noqa: S608 - a name of the schema, quoted
    if not has_rowid:
        return TableState(rows=rows, sample="")
    apart = max(1, rows // SAMPLE)
    digest = hashlib.sha256()
    for row in connection.execute(f"SELECT * FROM {quoted} WHERE rowid % ? = 0 ORDER BY rowid", (apart,)):  # noqa: S608
        digest.update(repr(row).encode("utf-8", "surrogatepass"))
    return TableState(rows=rows, sample=digest.hexdigest())
