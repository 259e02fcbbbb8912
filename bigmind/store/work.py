"""The unit of work: one transaction for one use case, with what it changed."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from sqlalchemy import Connection
from sqlmodel import Session

from bigmind.core.events import Action, Change, changed_kind
from bigmind.core.kind import NO_KINDS, Kinds
from bigmind.core.operation import Caller, Mode
from bigmind.core.toolsets import ToolTable
from bigmind.host import Host
from bigmind.store.backend import Backend
from bigmind.store.backup_keeping import BackupKeeping
from bigmind.store.driver_statements import insert_row
from bigmind.store.tables import ChangeRow
from bigmind.store.transaction import Transaction

Result = TypeVar("Result")


class ParallelQuery(Protocol):
    """Runs a query on another thread; its session takes a connection only when it is used."""

    def __call__(self, query: Callable[[Session], Result]) -> "Future[Result]":
        """What the query answers, to come."""
        ...


class StoreFile(Protocol):
    """What a use case may ask of the store that it works in, beside its rows."""

    path: Path
    """Its file."""
    safekeeping: BackupKeeping
    """Where its backups are, and how the last one went."""
    measurings: int
    """How often it was found out since it was opened that its tables have grown."""

    def size_in_bytes(self) -> int:
        """The size of the database and its log on disk."""
        ...

    def log_in_bytes(self) -> int:
        """How much of it is the log."""
        ...


@dataclass(slots=True)
class Work:
    """What a use case works with.

    Attributes:
        transaction: that all of it is in; read only when the operation's effect is `read`.
        caller: for whom.
        now: one moment for everything that is written in it.
        operation: the use case's name, for the audit log.
        store: whose transaction it is.
        host: the process around it.
        backend: the database that the session is of.
        mode: whether the store is one person's or a team's.
        tools: what assistants can be offered.
        kinds: the kinds of things that the store remembers.
        aside: runs a query beside this one, in a session and a snapshot of its own; None where one session is all.
    """

    transaction: Transaction
    caller: Caller
    now: datetime
    operation: str
    store: StoreFile
    host: Host
    backend: Backend
    mode: Mode = Mode.PERSONAL
    tools: ToolTable = field(default_factory=ToolTable)
    aside: ParallelQuery | None = None
    kinds: Kinds = NO_KINDS
    _changes: list[Change] = field(default_factory=list[Change])

    @property
    def session(self) -> Session:
        """The mapper's, in the transaction."""
        return self.transaction.session

    def connection(self) -> Connection:
        """What the transaction runs on, for what goes past the mapper."""
        return self.transaction.connection()

    def changed(self, kind: str, entity: str, action: Action, *, is_shared: bool = False) -> None:
        """Note a change: an audit row in this transaction, an event after its commit; as in `Change`."""
        noted = {
            "at": self.now,
            "user_id": self.caller.user_id,
            "client": self.caller.client,
            "operation": self.operation,
            "kind": kind,
            "entity": entity,
            "action": action,
        }
        number = insert_row(self, ChangeRow, noted)
        change = Change(number, self.caller.user_id, changed_kind(kind), entity, action, is_shared)
        self._changes.append(change)

    def changes(self) -> list[Change]:
        """What was noted, in its order."""
        return list(self._changes)
