"""The end of the server's log."""

import logging
import os
from dataclasses import dataclass
from datetime import datetime
from logging import FileHandler
from pathlib import Path

from bigmind.core.clock import moment_of
from bigmind.paths import log_file

READ_BYTES = 128 * 1_024
MOST_LINES = 300


@dataclass(frozen=True, slots=True)
class LogEnd:
    """The last lines of a log.

    Attributes:
        path: of the file.
        lines: the last of them, the newest last; empty where there is no log.
        is_cut: whether there are more before them.
        is_there: whether there is a log; a server that writes into a terminal makes none.
        ended_at: when an earlier run wrote its last line; None where this process writes it.
    """

    path: Path
    lines: list[str]
    is_cut: bool
    is_there: bool = True
    ended_at: datetime | None = None


def log_end(home: Path) -> LogEnd:
    """The last lines of a home's log, read from its end: at most 128 KiB and 300 lines."""
    path = log_file(home)
    try:
        with path.open("rb") as file:
            ended_at = None if _writes(path) else moment_of(os.fstat(file.fileno()).st_mtime)
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - READ_BYTES))
            lines = file.read(READ_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return LogEnd(path, [], is_cut=False, is_there=False)
    starts_inside = size > READ_BYTES
    lines = lines[1:] if starts_inside else lines
    return LogEnd(path, lines[-MOST_LINES:], is_cut=starts_inside or len(lines) > MOST_LINES, ended_at=ended_at)


def _writes(path: Path) -> bool:
    """Whether this process logs into that file; in a terminal it does not, and what is there is of an earlier run."""
    files = [each.baseFilename for each in logging.getLogger().handlers if isinstance(each, FileHandler)]
    return os.path.abspath(path) in files  # noqa: PTH100 - as logging itself names it
