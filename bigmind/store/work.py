"""The unit of work: one transaction for one use case, with what it changed."""

from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Protocol, TypeVar

from sqlmodel import Session

from bigmind.core.activity import Activity
from bigmind.core.desktop import Desktop, Shown
from bigmind.core.events import Action, Change, changed_kind
from bigmind.core.kind import NO_KINDS, Kinds
from bigmind.core.operation import Caller, Mode
from bigmind.core.toolsets import ToolTable
from bigmind.embedding.meaning import Meaning
from bigmind.settings.live import LiveSettings
from bigmind.store.backend import Backend
from bigmind.store.backup_keeping import BackupKeeping
from bigmind.store.tables import ChangeRow

Result = TypeVar("Result")


class ParallelQuery(Protocol):
    """Runs a query on another thread; its session takes a connection only when it is used."""

    def __call__(self, query: Callable[[Session], Result]) -> "Future[Result]":
        """What the query answers, to come."""
        ...


class Host(Protocol):
    """What a use case may ask of the process it runs in; filled by the wiring."""

    def bytes_on_disk(self) -> int:
        """The size of the store."""
        ...

    def bytes_of_log(self) -> int:
        """How much of it is the log."""
        ...

    def database(self) -> Path:
        """The store's file."""
        ...

    def safekeeping(self) -> BackupKeeping:
        """Where the store's backups are, and how the last one went."""
        ...

    def backups_in_words(self) -> str:
        """How its backups are: the newest verified one, and the last failure."""
        ...

    def restorable_in_words(self) -> str:
        """While the store is damaged: which backup brings it back, and what would be lost. Else nothing."""
        ...

    def meaning(self) -> Meaning:
        """Search by meaning, as far as there is any."""
        ...

    def profile_url(self) -> str:
        """Where a person sees their memory."""
        ...

    def endpoint_url(self) -> str:
        """Where assistants reach it: the MCP endpoint."""
        ...

    def open_profile(self, caller: Caller) -> Shown:
        """Show it to them: in BigMind's window where there is one, else in their browser."""
        ...

    def activity(self) -> Activity:
        """Whether it is paused, and who called lately."""
        ...

    def desktop(self) -> Desktop:
        """The desktop around it, where there is one."""
        ...

    def settings(self) -> LiveSettings:
        """What a person has set."""
        ...

    def sign_in_url(self, caller: Caller, client: str = "browser") -> str:
        """An address that signs a browser in, once; its token is listed under the name `client`."""
        ...

    def runs_for(self, caller: Caller) -> bool:
        """Whether this server was started for the caller on their own machine."""
        ...

    def stop(self) -> None:
        """End the process after the answer was given."""
        ...


@dataclass(slots=True)
class Work:
    """What a use case works with.

    Attributes:
        session: the open transaction; read only when the operation's effect is `read`.
        caller: for whom.
        now: one moment for everything that is written in it.
        operation: the use case's name, for the audit log.
        surroundings: the process around it.
        backend: the database that the session is of.
        mode: whether the store is one person's or a team's.
        tools: what assistants can be offered.
        kinds: the kinds of things that the store remembers.
        aside: runs a query beside this one, in a session and a snapshot of its own; None where one session is all.
    """

    session: Session
    caller: Caller
    now: datetime
    operation: str
    surroundings: Host
    backend: Backend
    mode: Mode = Mode.PERSONAL
    tools: ToolTable = field(default_factory=ToolTable)
    aside: ParallelQuery | None = None
    kinds: Kinds = NO_KINDS
    _rows: list[ChangeRow] = field(default_factory=list["ChangeRow"])

    def changed(self, kind: str, entity: str, action: Action) -> None:
        """Note a change: an audit row in this transaction, an event after its commit."""
        row = ChangeRow(
            at=self.now,
            user_id=self.caller.user_id,
            client=self.caller.client,
            operation=self.operation,
            kind=kind,
            entity=entity,
            action=action,
        )
        self.session.add(row)
        self._rows.append(row)

    def changes(self) -> list[Change]:
        """What was noted, numbered; complete once the transaction was flushed."""
        return [
            Change(row.id or 0, row.user_id, changed_kind(row.kind), row.entity, Action(row.action))
            for row in self._rows
        ]
