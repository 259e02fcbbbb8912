"""What stands in the database's place, looked at before it is opened."""

import logging
import stat
from pathlib import Path

from bigmind.core.clock import Clock
from bigmind.core.errors import BigMindError, Code
from bigmind.disk.existence import seen
from bigmind.disk.open_files import replace

log = logging.getLogger(__name__)


def prepare(path: Path, clock: Clock) -> None:
    """Look at what is there, and keep a log without a database. Raises as `refuse_other_than_file`."""
    refuse_other_than_file(path)
    if kept := keep_lone_log(path, clock):
        log.warning("The database is gone, and its log was there: it is kept in %s", kept)


def refuse_other_than_file(path: Path) -> None:
    """Refuse a folder, a pipe, a device or a link to nothing in the database's place: SQLite waits, or says little.

    Raises:
        BigMindError: `store_unusable`.
    """
    found = seen(path)
    if found is None and path.is_symlink():
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"{path} is a link to {path.readlink()}, which is not there.",
            "If it is on another disk, connect that. Else remove the link and start BigMind again: when there are "
            "backups, it then offers the newest.",
        )
    if found is not None and not stat.S_ISREG(found.st_mode):
        raise BigMindError(
            Code.STORE_UNUSABLE,
            f"{path} is no file, where the memory's database should be.",
            "Move it away and start BigMind again: when there are backups, it then offers the newest.",
        )


def keep_lone_log(path: Path, clock: Clock) -> Path | None:
    """Keep a log whose database is gone or empty under another name, for SQLite deletes it when it makes a new one.

    Who moved the database away by mistake, and moves it back, needs the log: the last writes are in it.

    Returns:
        Where it is now; None when there was none.
    """
    left = path.with_name(f"{path.name}-wal")
    found = seen(path)
    if (found is not None and found.st_size) or not left.is_file() or left.stat().st_size == 0:
        return None
    kept = path.with_name(f"{left.name}.left-{clock():%Y%m%d-%H%M%S}")
    replace(left, kept)
    return kept
