"""What a database does for a store beside the SQL that all of them share: the seam that a second one fits into.

Every other module reads and writes through SQLAlchemy, and asks its unit of work (`Work.backend`) or its store
(`Store.backend`) for the rest. `bigmind/store/sqlite/backend.py` puts SQLite's together; tests/store/contract says of
each database that it keeps what is promised here.

Names of tables, columns and indexes are written by us, never by a caller; values are always parameters.
"""

from collections.abc import Collection, Generator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from sqlalchemy import Connection, Engine, TextClause

from bigmind.core.clock import Clock
from bigmind.core.past_mapper import Snapshot
from bigmind.core.progress import Progress, nobody_waits
from bigmind.embedding.vector_index import VectorIndex
from bigmind.store.condition import Damage
from bigmind.store.contents import Contents
from bigmind.store.descriptions import TELLING_ROWS, FullTextIndex, Predicate, QuestionTerms, TermCounter
from bigmind.store.disk_faults import Faults
from bigmind.store.erasure import Alone, DriverConnection, Erasure, Undisturbed


class TextSearch(Protocol):
    """Finds rows by their words. The indexes follow the rows in the same transaction, whoever writes them."""

    def search(
        self,
        session: Snapshot,
        index: FullTextIndex,
        terms: Sequence[str] | QuestionTerms,
        conditions: Sequence[Predicate],
        most: int,
        preferred: str | None = None,
    ) -> list[tuple[int, float]]:
        """Keys and scores (higher is better) of the rows that have any of the words, best first.

        Args:
            session: what it finds is what that transaction sees.
            index: where to look.
            terms: as from `bigmind.text.words.query_terms` or `question_terms`; none finds nothing. One of a script
                that is written without spaces finds what begins so, too.
            conditions: all of them hold for a row that is found.
            most: how many at most; the order does not depend on it.
            preferred: a project whose rows go before others that match about as well; nothing is hidden because of it.
        """
        ...

    def question_terms(
        self,
        session: Snapshot,
        index: FullTextIndex,
        terms: Sequence[str],
        most_rows: int = TELLING_ROWS,
        newest: int | None = None,
    ) -> QuestionTerms:
        """Which terms count for a row, and which it has one of: of few rows all, else the rarer, the rarest always."""
        ...

    def term_counter(self, session: Snapshot, index: FullTextIndex, newest: int, terms: Sequence[str]) -> TermCounter:
        """Tells in how many rows of everybody each of the first `MOST_TERMS` words stands, and in which of some keys.

        How rare a word is depends on no owner. Where there are few rows they are read before any keys are known: ask
        for it before you wait for something else. `newest` is the highest key of the table.
        """
        ...

    def common_terms(
        self, session: Snapshot, index: FullTextIndex, terms: Sequence[str], least: int, after: int
    ) -> list[str]:
        """Those of the terms that stand in at least so many rows of everybody whose keys are beyond `after`."""
        ...

    def newest_rows(self, session: Snapshot, tables: Sequence[str]) -> dict[str, int]:
        """The highest key of each table, 0 of an empty one: about how many rows it has had."""
        ...

    def containing(
        self, session: Snapshot, index: FullTextIndex, pieces: Sequence[str], conditions: Sequence[Predicate]
    ) -> dict[str, list[int]]:
        """Keys of the rows that contain each piece inside their words, newest first, some 200 of each at most.

        Args:
            session: what it finds is what that transaction sees.
            index: of the rows.
            pieces: as from `bigmind.text.substrings`: folded, three characters at least; marks on letters and their
                case do not count.
            conditions: all of them hold for a row that is found.
        """
        ...

    def unheard(self, session: Snapshot, table: str, terms: Sequence[str], keys: Sequence[int]) -> list[str]:
        """Those of the terms, as from `query_terms`, that are words of none of the rows with those keys."""
        ...


class FullText(TextSearch, Protocol):
    """The same, with what lists and upkeep ask of the indexes."""

    def typed_filter(self, table: str, columns: Sequence[str], typed: str) -> list[TextClause]:
        """The conditions of a row that holds every word of `typed`: its beginning or, from three letters on, any part.

        Args:
            table: one with an index of words, and one of what stands inside them.
            columns: its columns that those are made of.
            typed: of it, the first dozen words; nothing that stands in it is an operator.
        """
        ...

    def indexes(self, connection: DriverConnection) -> list[str]:
        """The names of all full-text indexes that there are."""
        ...

    def rebuild(self, connection: DriverConnection, index: str) -> None:
        """Make an index anew from its rows; writers wait (seconds for 100 MB). Raises one of `Faults.errors`."""
        ...

    def renew(self, alone: Alone, undisturbed: Undisturbed, index: str) -> Generator[int]:
        """The same in units of at most some 100 ms, one at each step, which yields how many rows came in.

        Searches use the old index until the last; who stops in between closes this, and has it as it was. Raises one of
        `Faults.errors`, also where it is too damaged to be replaced, which `rebuild` may be able to; `conflict`, when
        somebody else took away what was being made.
        """
        ...

    def discard_unfinished(self, alone: Alone) -> None:
        """Take away, in short units, what a process killed in `renew` left. Raises one of `Faults.errors`."""
        ...


class RowLookup(Protocol):
    """Reads some columns of rows that were found, in as few steps as the database can."""

    def with_id(
        self, session: Snapshot, table: str, lowest: str, beyond: str, conditions: Sequence[Predicate], most: int
    ) -> list[int]:
        """Keys of at most so many rows whose id is from `lowest` on and before `beyond`, the newest first."""
        ...

    def findable(
        self,
        session: Snapshot,
        table: str,
        conditions: Sequence[Predicate],
        among: Collection[int] | None = None,
        most: int | None = None,
    ) -> list[int]:
        """The keys of the rows for which all conditions hold, of `among` or of all; at most so many, in no order."""
        ...

    def places(
        self,
        session: Snapshot,
        table: str,
        columns: tuple[str, str],
        keys: Collection[int],
        characters: int,
        conditions: Sequence[Predicate],
    ) -> Sequence[Any]:
        """Of each of the things its key, 0, 0, its time as it is stored (see `moment`), and how its text begins.

        Args:
            session: an open transaction.
            table: of the things.
            columns: of their time and their text.
            keys: of the things.
            characters: of the text, at most.
            conditions: all of them hold for what is told.
        """
        ...

    def places_of_moments(
        self,
        session: Snapshot,
        keys: Collection[int],
        beside: Collection[int],
        reach: tuple[int, int],
        characters: int,
        conditions: Sequence[Predicate],
    ) -> Sequence[Any]:
        """Of the moments, and of those that stand beside some of them: key, session, place, time, and how they begin.

        Args:
            session: an open transaction.
            keys: of the moments.
            beside: of those whose neighbours are told too.
            reach: the first and the last place beside a moment that is looked at, relative to its own.
            characters: of the text, at most.
            conditions: all of them hold for what is told.
        """
        ...

    def moment(self, stored: Any) -> datetime:
        """A time as `places` gives it, as a moment in UTC."""
        ...


class Vectors(VectorIndex, Protocol):
    """Finds rows by their vectors; where it cannot, search goes by words alone."""

    def why_none(self) -> str:
        """Why there can be no search by meaning here; empty when there can."""
        ...


class Maintenance(Erasure, Protocol):
    """Keeps a database in order, and leaves nothing of what was deleted."""

    def damage(self, path: Path) -> list[Damage]:
        """What of the store at `path` cannot be read, or is not as it was written; empty when it is whole.

        Reads all of it, in place; nobody waits for it. An index that can be made anew is no damage.

        Raises:
            One of `Faults.errors`, when the file cannot be read for another reason.
        """
        ...

    def problems(self, connection: DriverConnection) -> list[str]:
        """What the database's own checks, the full-text indexes' and the seals find wrong; empty when all is well."""
        ...

    def full_text_problems(self, connection: DriverConnection) -> list[str]:
        """Of these, what is wrong with the full-text indexes, also against their rows."""
        ...

    def out_of_step(self, connection: Connection) -> int:
        """How many rows are in a table and not in a full-text index of it, or the reverse. Reads only."""
        ...

    def broken_references(self, connection: Connection) -> list[str]:
        """The table of each row that refers to what does not exist, one for each such reference. Reads only."""
        ...

    def measure_tables(self, connection: DriverConnection) -> bool:
        """Plan by how large the tables are now; whether open connections lack that. Raises one of `Faults.errors`."""
        ...

    def settle(self, connection: DriverConnection) -> None:
        """Before the store is closed: tell the planner how the tables have grown, and fold the log into the file.

        What cannot be done, as on a full disk, is logged; nothing is lost by it.
        """
        ...

    def keep_sealed(self, engine: Engine) -> None:
        """Give each row that the writing engine writes from now on a checksum, and those that lack one."""
        ...

    def seal_all(self, connection: DriverConnection) -> None:
        """Give every row of a database that was written without that engine its checksum."""
        ...

    def size(self, path: Path) -> int:
        """Bytes of the store on disk, its log among them."""
        ...

    def size_of_log(self, path: Path) -> int:
        """Bytes of its log on disk."""
        ...


class Snapshots(Protocol):
    """Copies of a store that is in use, looking into them, and putting one in the store's place."""

    def copy(self, source: Path, target: Path, progress: Progress = nobody_waits) -> Contents:
        """Copy the store at `source`, which others may write to meanwhile, into the new private file `target`.

        The copy and the description are of one moment; no writer waits. It is complete in itself, and is on disk when
        this returns.

        Raises:
            BigMindError: `storage_full` or `unavailable`.
        """
        ...

    def copy_as_it_is(self, source: Path, target: Path) -> None:
        """Copy the store, also one that is damaged. Raises as `copy`."""
        ...

    def connected(self, path: Path, *, read_only: bool = False, living: Path | None = None) -> DriverConnection:
        """A connection of its own to a store or a copy, to read a `living` one beside it; the caller closes it.

        Raises:
            One of `Faults.errors`.
        """
        ...

    def contents(self, connection: DriverConnection) -> Contents:
        """What a database holds; in a transaction of the connection, when one is open."""
        ...

    def put_in_place(self, prepared: Path, writer: DriverConnection, place: Path, progress: Progress) -> None:
        """Make what the copy `prepared` holds what the living store holds, in one transaction.

        Readers go on reading the old store until the new one is there; who is killed leaves one of them, whole.

        Args:
            prepared: a copy that nobody else uses.
            writer: the living store's.
            place: the folder that is written to.
            progress: is told how many bytes are done.

        Raises:
            BigMindError: `storage_full` or `unavailable`; the living store is then as it was.
        """
        ...


class Engines(Protocol):
    """Ways into one database: one connection that writes, a few that only read."""

    @property
    def readers(self) -> int:
        """How many units of work may read at once."""
        ...

    def version(self) -> str:
        """The version of the database, as it says itself."""
        ...

    def prepare(self, path: Path, clock: Clock) -> None:
        """Look at what is at `path` before it is opened; what an accident left there is kept under another name.

        Raises:
            BigMindError: `store_unusable`, when no store can be there.
        """
        ...

    def writing(self, path: Path) -> Engine:
        """The engine of the one writing connection; a transaction that begins is the only one that writes.

        An answered commit survives a power cut. What is deleted is overwritten.
        """
        ...

    def reading(self, path: Path) -> Engine:
        """The engine of the readers; its connections refuse to write, and each transaction is one snapshot.

        It has two connections for each of `readers`, and spare ones for finding out who calls.
        """
        ...

    def glancing(self, path: Path) -> Engine:
        """The engine for a look at what may not be ours: reading through it changes nothing at all."""
        ...

    def rebuilding(self, engine: Engine) -> AbstractContextManager[Connection]:
        """A transaction of the writing engine that may rebuild tables; committed when the block ends.

        Raises:
            BigMindError: `store_unusable`, when rows would refer to nothing; it is then undone.
        """
        ...


@dataclass(frozen=True, slots=True)
class Backend:
    """One database: all that a store asks of it beside shared SQL.

    `is_one_file`: whether another process of this machine may open a store by its path (`search_file.py`).
    """

    name: str
    engines: Engines
    full_text: FullText
    rows: RowLookup
    vectors: Vectors
    maintenance: Maintenance
    snapshots: Snapshots
    faults: Faults
    is_one_file: bool
