"""Where a store's backups are kept, and how the last one went: made by `bigmind.backup`, asked by health checks."""

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path


@dataclass(frozen=True, slots=True)
class FailedBackup:
    """A backup that could not be made: when, for which reason it was wanted, and what went wrong, in words."""

    at: datetime
    reason: str
    message: str


@dataclass(slots=True)
class Safekeeping:
    """The keeping of one store's backups.

    Attributes:
        folder: where they are.
        turn: held while one is made, restored or removed, so that there is one at a time.
        failure: the last attempt, when it failed; None once one succeeded.
        every: how far apart backups are that are made by themselves; zero where none are.
        given: the names of all that this process made, also of those that are removed by now.
    """

    folder: Path
    turn: threading.RLock = field(default_factory=threading.RLock)
    failure: FailedBackup | None = None
    every: timedelta = timedelta(0)
    given: set[str] = field(default_factory=set[str])
