"""Opens the store of one home, brings its schema up to date, and hands out units of work."""

import logging
import threading
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any, Self

from sqlalchemy.exc import DBAPIError
from sqlmodel import Session

from bigmind.core.clock import Clock, system_clock
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import EventBus
from bigmind.core.kind import NO_KINDS, Kinds
from bigmind.core.operation import Caller, Mode
from bigmind.core.progress import CancelledError, Progress, nobody_waits
from bigmind.core.toolsets import ToolTable
from bigmind.disk.open_files import briefly
from bigmind.host import Host
from bigmind.paths import backups_folder, damage_file, make_private_folder, store_file
from bigmind.settings.live import LiveSettings
from bigmind.store.backend import Backend
from bigmind.store.backup_keeping import BackupKeeping
from bigmind.store.condition import Condition, Damage, DamagedError, FileInPlace
from bigmind.store.disk_faults import DiskFaults
from bigmind.store.migration import is_older, migrate, refuse_strangers
from bigmind.store.ownership import Ownership
from bigmind.store.sqlite.backend import SQLITE
from bigmind.store.transaction import Transaction
from bigmind.store.work import ParallelQuery, Result, Work
from bigmind.store.writer_queue import WriterQueue

log = logging.getLogger(__name__)

LOG_TRIES, LOG_MILLISECONDS = 100, 50
"""How often, and how long each time, a scrub waits for readers of older snapshots; others may write in between."""

MEASURED_FIRST = 64
"""Units of work after which the tables are measured."""

MOST_WAITED_SECONDS = 60.0
"""How long a unit of work waits until it may write: what takes longer for others is told to whoever waits."""

LOOKED_APART_SECONDS = 600.0
"""How far apart whole files are looked through because of faults that nobody expected."""


class Store:
    """The database of one home. Open it once per process, close it at the end.

    One thread writes at a time; readers see the last commit and wait for nobody.
    """

    def __init__(
        self,
        home: Path,
        clock: Clock = system_clock,
        ownership: Ownership | None = None,
        mode: Mode = Mode.PERSONAL,
        backups: Path | None = None,
        before_migration: Callable[[Self], object] | None = None,
        file: Path | None = None,
        kinds: Kinds = NO_KINDS,
        backend: Backend = SQLITE,
    ) -> None:
        """Open the store, creating or migrating it.

        Args:
            home: the data folder.
            clock: tells the time of everything written.
            ownership: the right to open it, when the process took it before; given back when the store closes.
            mode: whether it is one person's or a team's.
            backups: the folder of its backups; one in the home, when none is given.
            before_migration: called with this store when it has an older schema; when it raises, nothing is migrated.
            file: the database; one in the home, when none is given.
            kinds: what is remembered in it.
            backend: which database it is.

        Raises:
            BigMindError: `store_in_use`, when another process has it; `store_unusable`, when the SQLite library is not
                safe, the file is not a store, is damaged or comes from a newer BigMind.
        """
        make_private_folder(home)
        self.home = home
        self.path = file or store_file(home)
        self.backend = backend
        self.events = EventBus()
        self.tools = ToolTable()
        self.after_restore: Callable[[Self], object] = _nothing_more
        self.host = Host(settings=LiveSettings(home, tools=lambda: self.tools.known))
        self.mode = mode
        self.kinds = kinds
        self.clock = clock
        self.condition = Condition(damage_file(home))
        self.safekeeping = BackupKeeping(backups or backups_folder(home), condition=self.condition)
        self._looking = threading.Lock()
        self._looked_at = -inf
        self._disk_faults = DiskFaults()
        self._writing = WriterQueue()
        self._erasing = threading.Lock()
        self.importing = threading.RLock()
        self._beside = ThreadPoolExecutor(backend.engines.readers, thread_name_prefix="reader")
        self._log_is_due = False
        self._units, self._measured_next, self.measurings = 0, MEASURED_FIRST, 0
        self._pages = backend.maintenance.pages(self.path)
        self._ownership = ownership or Ownership(home, "bigmind", file)
        self._open(before_migration)

    def _open(self, before_migration: Callable[[Self], object] | None) -> None:
        """Open the file and bring it up to date; where that fails, give back what was taken."""
        with ExitStack() as undo:
            undo.callback(self._ownership.release)
            undo.callback(self._pages.close)
            self.backend.engines.prepare(self.path, self.clock)
            refuse_strangers(self.backend.engines, self.path)
            self._writer = self.backend.engines.writing(self.path)
            undo.callback(self._writer.dispose)
            self.file = FileInPlace(self.path)
            self._readers = self.backend.engines.reading(self.path)
            undo.callback(self._readers.dispose)
            with _opened_in_our_words(self.backend):
                if is_older(self._writer):
                    self.backend.full_text.discard_unfinished(self.alone)  # whose triggers no migration knows
                    if before_migration is not None:
                        before_migration(self)
                migrate(self.backend.engines, self._writer)
                self._make_able_to_shrink()
                self.backend.maintenance.keep_sealed(self._writer)
            if self.condition.was_damaged():
                self.look()
            undo.pop_all()

    def _make_able_to_shrink(self) -> None:
        try:
            with self._writer.connect() as connection:
                self.backend.maintenance.make_able_to_shrink(self.path, connection.connection.driver_connection)
        except (BigMindError, OSError, *self.backend.faults.errors) as error:
            log.warning("The file gives no room back, before a later start finds more of it on the disk: %s", error)

    @contextmanager
    def read(self, caller: Caller, operation: str) -> Generator[Work]:
        """A unit of work that only reads: one snapshot of the store."""
        with self.in_our_words(of_reader=True), Transaction(self._readers) as transaction:
            yield self._work(transaction, caller, operation, self._aside)

    def _work(
        self, transaction: Transaction, caller: Caller, operation: str, aside: ParallelQuery | None = None
    ) -> Work:
        return Work(
            transaction=transaction,
            caller=caller,
            now=self.clock(),
            operation=operation,
            store=self,
            host=self.host,
            backend=self.backend,
            mode=self.mode,
            tools=self.tools,
            aside=aside,
            kinds=self.kinds,
        )

    def _aside(self, query: Callable[[Session], Result]) -> "Future[Result]":
        def read() -> Result:
            with self.in_our_words(of_reader=True), Session(self._readers) as session:
                return query(session)

        return self._beside.submit(read)

    @contextmanager
    def write(self, caller: Caller, operation: str, *, beside: bool = False) -> Generator[Work]:
        """A unit of work that may write. It is committed, on disk, when the block ends; undone when it raises.

        The changes it noted are published after the commit. Where the file is damaged only what is written `beside` the
        memory is let through: tokens, and what hooks answer without writing.

        Raises:
            BigMindError: `unavailable`, when others wrote for a minute on end, and `store_unusable`, when the file is
                away; nothing was written then.
        """
        with self._turn(), self.in_our_words():
            if not beside:
                self.condition.permit_writing()
            with Transaction(self._writer) as transaction:
                work = self._work(transaction, caller, operation)
                yield work
                transaction.commit()
            if self._log_is_due:
                self._empty_log(milliseconds=0)
            self._units += 1
            if self._units >= self._measured_next:
                self._measure_tables()
            self.events.publish(work.changes())

    @contextmanager
    def _turn(self) -> Generator[None]:
        if not self._writing.take(MOST_WAITED_SECONDS):
            what = self.host.activity.long_work
            raise BigMindError(
                Code.UNAVAILABLE,
                f"BigMind is busy{f' with “{what}”' if what else ''}, and writes nothing else meanwhile; nothing was "
                "stored.",
                "Try again in a minute. What is under way, and how far, is shown on its page in BigMind.",
            )
        try:
            with briefly():
                yield
        finally:
            self._writing.give_back()

    @contextmanager
    def alone(self) -> Generator[Any]:
        """The driver's own writing connection, outside of any transaction; nobody else writes until the block ends."""
        with self._writing, self.in_our_words(), self._writer.connect() as connection:
            self.file.permit()
            yield connection.connection.driver_connection

    @contextmanager
    def in_our_words(self, *, of_reader: bool = False) -> Generator[None]:
        """Tell the faults of the file in words, also those that come of what stands in it; see `look`.

        `of_reader`: whether what is in the block may not write.
        """
        try:
            yield
        except BigMindError:
            raise
        except Exception as error:
            if (fault := self._behind(error)) is None:
                raise
            told = error.orig if isinstance(error, DBAPIError) else error
            if self.backend.faults.is_of_disk(told, of_reader=of_reader):
                self._disk_faults.tell(fault, told)
            else:
                log.error("%s", fault.message, exc_info=error)  # noqa: TRY400 - the traceback is the driver's
            raise fault from error

    def _behind(self, error: Exception) -> BigMindError | None:
        """The fault of the file or the disk behind an error; None for a fault of ours.

        A damaged row makes whatever reads it fail: a date that is none, a name of a kind that does not exist. So after
        what nobody expected the file is looked through, though not over and over.
        """
        told = error.orig if isinstance(error, DBAPIError) else error
        if (away := self.file.fault) is not None:
            return away
        known, is_damage = self.backend.faults.meaning(told), self.backend.faults.is_damage(told)
        if known is not None and not is_damage:
            return known
        if not self.condition.damage and (is_damage or monotonic() - self._looked_at > LOOKED_APART_SECONDS):
            self._looked_at = monotonic()
            self.look()
        return self.condition.fault if self.condition.damage else known

    def look(self) -> tuple[Damage, ...]:
        """Read the whole file, and say in `condition` whether it is damaged; nobody waits for it.

        Where it cannot be read for another reason, as while it is away or another program holds it, nothing is said
        anew.

        Returns:
            What is damaged.
        """
        with self._looking:
            if self.file.fault is not None:
                return self.condition.damage
            try:
                self.condition.tell(self.backend.maintenance.damage(self.path))
            except self.backend.faults.errors as error:
                log.warning("whether the file is whole could not be found out: %s", error)
            return self.condition.damage

    def integrity(self) -> list[str]:
        """What the database's own checks find wrong; empty when all is well. Reads the whole file."""
        with self.alone() as connection:
            return self.backend.maintenance.problems(connection)

    @contextmanager
    def undisturbed(self) -> Generator[None]:
        """Until the block ends, nothing that was deleted is being overwritten; others write."""
        with self._erasing:
            yield

    def scrub(self, progress: Progress = nobody_waits) -> bool:
        """Leave no byte of what was deleted in the file and its log; call it after the commit of a deletion.

        Readers go on, and so do writers: each step takes less than a tenth of a second.

        Returns:
            Whether nothing is left. Not so when the disk is full, or when a reader needs the log for more than 5
            seconds; in that case it is emptied after the first write that finds no such reader, or by `close`.

        Raises:
            CancelledError: when `progress` was told to stop; something may be left then.
        """
        try:
            with self.undisturbed():
                is_clean = self.backend.maintenance.overwrite(self.alone, self._pages, progress)
        except CancelledError:
            raise
        except (BigMindError, *self.backend.faults.errors, OSError) as error:
            log.warning("What was deleted is not overwritten yet: %s", error)
            return False
        self._log_is_due = True
        for _ in range(LOG_TRIES):
            with self._writing:
                if self._empty_log(LOG_MILLISECONDS):
                    return is_clean
        return False

    def _empty_log(self, milliseconds: int) -> bool:
        with self._writer.connect() as connection:
            driver_connection: Any = connection.connection.driver_connection
            try:
                self._log_is_due = not self.backend.maintenance.empty_log(driver_connection, milliseconds)
            except self.backend.faults.errors as error:  # the write before it is committed, whatever this says
                log.warning("The log is not emptied yet: %s", error)
        return not self._log_is_due

    def measure_tables(self) -> None:
        """Have statements planned by how large the tables are, also where the process before this one was killed."""
        with self._turn(), self.in_our_words():
            self._measure_tables()

    def _measure_tables(self) -> None:
        """The same, within a turn; then again after twice as many units of work: what has grown tenfold is noticed."""
        self._measured_next = max(2 * self._units, MEASURED_FIRST)
        with self._writer.connect() as connection:
            try:
                is_new = self.backend.maintenance.measure_tables(connection.connection.driver_connection)
            except self.backend.faults.errors as error:  # the write before it is committed, whatever this says
                log.warning("How large the tables are was not found out: %s", error)
                return
        if is_new:
            self.measurings += 1
            self._readers.dispose()  # who reads goes on, and the next one opens a connection that knows

    def size_in_bytes(self) -> int:
        """The size of the database and its log on disk."""
        return self.backend.maintenance.size(self.path)

    def log_in_bytes(self) -> int:
        """The size of the log on disk."""
        return self.backend.maintenance.size_of_log(self.path)

    def close(self) -> None:
        """Fold the log into the database file, close every connection and give the store free."""
        with self._writing, ExitStack() as after:
            # Whatever the disk says to the checkpoint, the store is given free; the log is read at the next start.
            after.callback(self._ownership.release)
            after.callback(self._pages.close)
            after.callback(self._writer.dispose)
            self._beside.shutdown(cancel_futures=True)
            self._readers.dispose()
            with self._writer.connect() as connection:
                self.backend.maintenance.settle(connection.connection.driver_connection)


def _nothing_more(store: object) -> None:
    """After a restore, where nothing is derived from the rows."""


@contextmanager
def _opened_in_our_words(backend: Backend) -> Generator[None]:
    """While it is opened nobody can restore a backup from within: damage is told with what to do from outside."""
    try:
        yield
    except (DBAPIError, *backend.faults.errors) as error:
        told = error.orig if isinstance(error, DBAPIError) else error
        if (fault := backend.faults.meaning(told)) is None:
            raise
        # For the log alone: whoever opens it tells the fault, and a person at a terminal reads no traceback.
        log.info("%s", fault.message, exc_info=error)
        if backend.faults.is_damage(told):
            raise DamagedError(fault.code, fault.message, fault.hint) from error
        raise fault from error
