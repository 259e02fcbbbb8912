"""Where a store's backups are kept, and how the last one went: made by `bigmind.backup`, asked by health checks."""

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.core.operation import Caller, Operation
from bigmind.store.condition import Condition


@dataclass(frozen=True, slots=True)
class FailedBackup:
    """A backup that could not be made: when, for which reason it was wanted, and what went wrong, in words."""

    at: datetime
    reason: str
    message: str


MISSING = "BigMind's memory is missing: its database is gone or empty."


@dataclass(frozen=True, slots=True)
class MemoryLoss:
    """The memory is gone or empty, and backups of it are there.

    Attributes:
        backup: the name of the newest of them that holds something and was verified.
        taken_at: when that was.
        holds: what is in it, in words.
    """

    backup: str
    taken_at: datetime
    holds: str

    @property
    def in_words(self) -> str:
        """What is wrong, and what there is."""
        return f"{MISSING} The newest backup holds {self.holds}."

    @property
    def remedy(self) -> str:
        """What a person does about it."""
        return (
            f"`bigmind backup restore {self.backup}` (or the page Export & import) brings it back, with the tokens of "
            "connected assistants. `bigmind backup start-empty` begins a new memory; the backups stay."
        )

    @property
    def fault(self) -> BigMindError:
        """What is answered instead."""
        return BigMindError(Code.UNAVAILABLE, self.in_words, self.remedy)


@dataclass(slots=True)
class BackupKeeping:
    """The keeping of one store's backups.

    Attributes:
        folder: where they are.
        turn: held while one is made, restored or removed, so that there is one at a time.
        failure: the last attempt, when it failed; None once one succeeded.
        every: how far apart backups are that are made by themselves; zero where none are.
        given: the names of all that this process made, also of those that are removed by now.
        loss: what the store lacks that its backups hold; None where nothing is missing.
        condition: whether the store is damaged, so that one of them is wanted.
    """

    folder: Path
    turn: threading.RLock = field(default_factory=threading.RLock)
    failure: FailedBackup | None = None
    every: timedelta = timedelta(0)
    given: set[str] = field(default_factory=set[str])
    loss: MemoryLoss | None = None

    def permit(self, operation: Operation, caller: Caller) -> None:
        """Let an operation through, unless the memory is missing: nothing is answered as if it were a new one.

        People may use what stands beside it, to choose what becomes of it; hooks answer for themselves.

        Raises:
            BigMindError: `unavailable`, saying what is missing and how it comes back.
        """
        if operation.mends or operation.toolset == "hooks":
            return
        self.permit_reading(caller)
        if self.loss is not None and not (operation.beside_memory and operation.while_paused):
            raise self.loss.fault

    def permit_reading(self, caller: Caller) -> None:
        """Let a person's page look, for each says above all that the memory is missing; an assistant is told so.

        Raises as `permit`.
        """
        if self.loss is not None and not caller.is_person:
            raise self.loss.fault

    condition: Condition = field(default_factory=Condition)
