"""A caller's way into the store, for operations that need more than one unit of work, or the store as a whole."""

from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import datetime

from bigmind.core.operation import Caller, Mode
from bigmind.core.progress import Cancellation, Progress, nobody_waits
from bigmind.store.backend import Backend
from bigmind.store.store import Store
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class Access:
    """What an operation that opens its own units of work is given instead of one.

    `progress` is told how far it has come, and raises `CancelledError` when it is to stop, as `cancellation` says;
    `beside` says that what it writes is not the memory (`Store.write`).
    """

    store: Store
    caller: Caller
    operation: str
    progress: Progress = nobody_waits
    beside: bool = False
    cancellation: Cancellation = field(default_factory=Cancellation)

    def read(self) -> AbstractContextManager[Work]:
        """A unit of work that only reads: one snapshot."""
        return self.store.read(self.caller, self.operation)

    def write(self) -> AbstractContextManager[Work]:
        """A unit of work that may write; committed when the block ends. Nobody else writes meanwhile: be short."""
        return self.store.write(self.caller, self.operation, beside=self.beside)

    @property
    def now(self) -> datetime:
        """The present moment."""
        return self.store.clock()

    @property
    def mode(self) -> Mode:
        """Whether the store is one person's or a team's."""
        return self.store.mode

    @property
    def backend(self) -> Backend:
        """The store's database."""
        return self.store.backend
