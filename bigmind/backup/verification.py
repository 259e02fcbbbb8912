"""Restoring a backup to a scratch file, and looking whether all of it is there."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from bigmind.backup.encryption import CHUNK, ProgressReader, Writable, is_sealed, unseal
from bigmind.backup.files import sha256_of
from bigmind.backup.scratch_files import require_room, scratch
from bigmind.core.errors import BigMindError, Code
from bigmind.core.progress import BYTES, Phase, Progress, nobody_waits
from bigmind.store.backend import Backend
from bigmind.store.contents import Contents, TableState
from bigmind.store.store import Store

MOST_SHOWN = 3
ANOTHER = "`bigmind backup list --verify` shows which backups are whole: restore another one."


def unpacked(
    path: Path, target: Writable, secrets: list[str], sha256: str | None, progress: Progress = nobody_waits
) -> None:
    """Write the database that is in the backup at `path` to `target`.

    Args:
        path: of the backup.
        target: the file to write to.
        secrets: the keys to try on an encrypted one.
        sha256: of the backup, when it is known.
        progress: is told how many bytes are read.

    Raises:
        BigMindError: `conflict`, when a byte of it is not as it was written, or no key fits.
        OSError: it cannot be read, or the disk did not take it.
    """
    size = path.stat().st_size
    if sha256 is not None and sha256_of(path, Phase(progress, "Reading the backup", size, BYTES)) != sha256:
        raise damaged(path.name, "its bytes are not those that were written")
    with path.open("rb") as file:
        is_encrypted = is_sealed(file)
        source = ProgressReader(file, Phase(progress, "Unpacking the backup", size, BYTES))
        if is_encrypted:
            unseal(source, target, secrets)
        else:
            while block := source.read(CHUNK):
                target.write(block)


def examined(backend: Backend, database: Path, name: str) -> Contents:
    """Run every check on a scratch file; returns what it holds.

    Raises:
        BigMindError: `conflict`, when a check finds something.
    """
    try:
        connection = backend.snapshots.connected(database)
        try:
            if found := backend.maintenance.problems(connection):
                raise damaged(name, "; ".join(found[:MOST_SHOWN]))
            return backend.snapshots.contents(connection)
        finally:
            connection.close()
    except (UnicodeDecodeError, *backend.faults.errors) as error:  # the first where a text is none any more
        raise damaged(name, str(error)) from error


def index_problems(store: Store) -> list[str]:
    """What is wrong with the full-text indexes, compared with their rows on a copy, so that nobody waits.

    Raises:
        BigMindError: `storage_full`, when there is no room for a copy; `unavailable`, when none can be made.
    """
    return _checked(store, store.backend.maintenance.full_text_problems)


def file_problems(store: Store) -> list[str]:
    """What `Store.integrity` finds, found on a copy, so that nobody waits. Raises as `index_problems`."""
    return _checked(store, store.backend.maintenance.problems)


def _checked(store: Store, check: Callable[[Any], list[str]]) -> list[str]:
    require_room(store.home, store.home, store.size_in_bytes())
    with scratch(store.home) as place:
        # Of one moment: where somebody writes, one that is not begins anew over and over.
        store.backend.snapshots.copy(store.path, place / "checked.db")
        connection = store.backend.snapshots.connected(place / "checked.db")
        try:
            return check(connection)
        finally:
            connection.close()


def compare(name: str, found: Contents, expected: dict[str, TableState]) -> None:
    """Raises BigMindError `conflict` when a table does not hold what it held in the snapshot."""
    for table in sorted(found.tables.keys() | expected.keys()):
        now, then = found.tables.get(table), expected.get(table)
        if now is None or then is None or now.rows != then.rows:
            counts = [each.rows if each else "no table" for each in (then, now)]
            raise damaged(name, f"{table}: {counts[0]} rows were backed up, {counts[1]} came back")
        if then.sample and now.sample != then.sample:
            raise damaged(name, f"{table}: rows came back changed")


def damaged(name: str, what: str) -> BigMindError:
    """A backup cannot be trusted."""
    return BigMindError(Code.CONFLICT, f"The backup {name} is damaged: {what}.", ANOTHER)
