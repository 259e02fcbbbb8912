"""Makes a full-text index anew while others write and search.

A new index is filled beside the old one, in the order of the keys. How far it is filled stands in the store's property
of its name, and its triggers follow every row up to there: the others it meets when it comes to them. Full, it takes
the old one's name in one short unit. Whatever ends this in between leaves the old index as it was, and a spare that
the next start takes away (`spares.py`).
"""

import logging
import re
from collections.abc import Generator
from contextlib import closing
from dataclasses import dataclass
from time import monotonic
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.store.erasure import Alone, Undisturbed
from bigmind.store.sqlite.checks import rebuild
from bigmind.store.sqlite.connection import configure
from bigmind.store.sqlite.driver import sound_driver
from bigmind.store.sqlite.renewal.pace import Pace
from bigmind.store.sqlite.renewal.spares import EVENTS, NEW, OLD, discard, transaction
from bigmind.store.sqlite.scrub import MERGED_PAGES, merge_all, merge_some

log = logging.getLogger(__name__)

FILL_SECONDS = 0.05
"""How long a unit goes on taking rows; writing what came together takes some 10 ms more."""
FEW_ROWS, FEW_BYTES, FEW_PAGES = 100, 200_000, 100
"""An index of no more than that is rebuilt in one unit, in some 50 ms."""
MERGED_EVERY = 16
"""Units after which what they wrote is merged."""

WHILE_FILLED = {"secure-delete": 0, "automerge": 0, "usermerge": 16, "crisismerge": 1_999}
"""Nothing is merged in the middle of a unit, and words that are removed again leave with the last merging."""
AFTERWARDS = {"secure-delete": 1, "automerge": 4, "usermerge": 4, "crisismerge": 16}
"""What FTS5 has by itself, but for the first (https://sqlite.org/fts5.html#configuration_options_config_table_)."""
_ALL = 2**63 - 1
"""A key that no row is beyond."""


@dataclass(frozen=True, slots=True)
class IndexParts:
    """What an index is made of: its columns, the table or view of its rows, what it is made by, and its triggers."""

    name: str
    columns: str
    content: str
    using: str
    triggers: dict[str, str]

    @property
    def new(self) -> str:
        """The name of what is filled."""
        return self.name + NEW

    @property
    def old(self) -> str:
        """The name of what was replaced."""
        return self.name + OLD


def renew(alone: Alone, undisturbed: Undisturbed, index: str, seconds: float = FILL_SECONDS) -> Generator[int]:
    """Make an index anew from its rows, in units of at most some 100 ms; searches use the old one until the last.

    Args:
        alone: as for `scrub.overwrite`.
        undisturbed: for the length of a block nobody overwrites what was deleted; whoever does would miss what takes
            another name meanwhile.
        index: its name.
        seconds: how long a unit goes on taking rows; it takes one at least.

    Yields:
        After each unit, how many rows came in. Who stops in between, and closes this, has the old index as it was.

    Raises:
        One of the driver's errors, where the old index is too damaged to be replaced, or as anything that writes.
        BigMindError: `conflict`, when somebody else took away what was being filled.
    """
    with alone() as connection:
        if _is_small(connection, parts := _parts(connection, index)):
            rebuild(connection, index)
            return
    with undisturbed():
        discard(alone, [parts.new, parts.old])
    try:
        yield from _filled(alone, parts, seconds)
        yield from _merged(alone, parts)
        with undisturbed(), alone() as connection:
            _swap(connection, parts)
    finally:
        _tidy(alone, undisturbed, parts)


def _parts(connection: Any, index: str) -> IndexParts:
    [made] = connection.execute("SELECT sql FROM sqlite_master WHERE name = ?", (index,)).fetchone()
    content = re.search(r"content\s*=\s*'(\w+)'", made)
    named = [f"{index}_{event}" for event in EVENTS]
    query = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND name IN (?, ?, ?)"
    triggers = dict(connection.execute(query, named).fetchall())
    if content is None or len(triggers) != len(EVENTS):
        raise sound_driver().OperationalError(f"{index} is not made as BigMind makes an index")
    columns = ", ".join(name for _, name, *_ in connection.execute(f"PRAGMA table_info({index})"))
    return IndexParts(index, columns, content[1], made[made.lower().index("using") :], triggers)


def _is_small(connection: Any, parts: IndexParts) -> bool:
    sizes = " + ".join(f"coalesce(octet_length({column}), 0)" for column in parts.columns.split(", "))
    some = f"SELECT {parts.columns} FROM {parts.content} LIMIT {FEW_ROWS + 1}"  # noqa: S608 - names of our schema
    rows, size = connection.execute(f"SELECT count(*), total({sizes}) FROM ({some})").fetchone()  # noqa: S608
    if rows > FEW_ROWS or size > FEW_BYTES:
        return False
    some = f"SELECT 1 FROM {parts.name}_data LIMIT {FEW_PAGES + 1}"  # noqa: S608
    return connection.execute(f"SELECT count(*) FROM ({some})").fetchone()[0] <= FEW_PAGES  # noqa: S608


def _filled(alone: Alone, parts: IndexParts, seconds: float) -> Generator[int]:
    with transaction(alone) as connection:
        connection.execute(f"CREATE VIRTUAL TABLE {parts.new} {parts.using}")
        _set(connection, parts.new, WHILE_FILLED)
        for written in parts.triggers.values():
            connection.execute(_following(written, parts))
        connection.execute("INSERT INTO store_property (name, value) VALUES (?, '0')", (parts.new,))
    yield 0
    units, is_full, pace = 0, False, Pace(MERGED_PAGES)
    while not is_full:
        with transaction(alone) as connection:
            rows, is_full = _fill(connection, parts, seconds)
        yield rows
        units += 1
        if units % MERGED_EVERY == 0:
            while merge_some(alone, parts.new, pace):
                yield 0


def _following(written: str, parts: IndexParts) -> str:
    """The trigger of the old index as one of the new, for the rows that it is filled with."""
    named = re.sub(rf"\b{parts.name}(?=(_({'|'.join(EVENTS)}))?\b)", parts.new, written)
    row = "new" if f"{parts.name}_insert" in written else "old"
    reached = f"SELECT CAST(value AS INTEGER) FROM store_property WHERE name = '{parts.new}'"  # noqa: S608 - ours
    return re.sub(r"\bBEGIN\b", f"WHEN {row}.id <= ({reached}) BEGIN", named, count=1)


def _fill(connection: Any, parts: IndexParts, seconds: float) -> tuple[int, bool]:
    """Take rows for a short time; how many, and whether there are no more."""
    until = monotonic() + seconds
    reached = connection.execute("SELECT value FROM store_property WHERE name = ?", (parts.new,)).fetchone()
    if reached is None:
        raise BigMindError(
            Code.CONFLICT, f"Somebody else took away what was to become {parts.name}.", "Begin once more."
        )
    query = f"SELECT id, {parts.columns} FROM {parts.content} WHERE id > ? ORDER BY id"  # noqa: S608 - our names
    values = ", ".join("?" for _ in f"id, {parts.columns}".split(","))
    # Row by row: at each INSERT … SELECT FTS5 writes a segment of its own, which takes three times as long in all.
    put = f"INSERT INTO {parts.new}(rowid, {parts.columns}) VALUES ({values})"  # noqa: S608
    rows, last, is_full = 0, int(reached[0]), True
    with closing(connection.execute(query, (last,))) as found:
        for row in found:
            connection.execute(put, row)
            rows, last = rows + 1, row[0]
            if monotonic() > until:
                is_full = False
                break
    if is_full:
        last = _ALL  # from then on the triggers follow every row
    connection.execute("UPDATE store_property SET value = ? WHERE name = ?", (str(last), parts.new))
    return rows, is_full


def _merged(alone: Alone, parts: IndexParts) -> Generator[int]:
    """Merge all of it, so that it is searched as fast as can be, and nothing is left of what was removed meanwhile."""
    with transaction(alone) as connection:
        _set(connection, parts.new, AFTERWARDS)
    for _ in merge_all(alone, parts.new):
        yield 0


def _swap(connection: Any, parts: IndexParts) -> None:
    """Give the new index the name of the old one.

    A connection of its own halves the time: to rename a table SQLite reads every trigger that a connection knows, ten
    times, and the one that writes has the temporary ones of the seals as well.
    """
    [path] = [file for _, name, file in connection.execute("PRAGMA database_list") if name == "main"]
    with closing(sound_driver().connect(path, isolation_level=None)) as other:
        configure(other)
        other.execute("BEGIN IMMEDIATE")
        for event in EVENTS:
            other.execute(f"DROP TRIGGER {parts.name}_{event}")
            other.execute(f"DROP TRIGGER {parts.new}_{event}")
        query = f"SELECT v FROM {parts.name}_config WHERE k = 'secure-delete'"  # noqa: S608 - a name of our schema
        if other.execute(query).fetchone() == (0,):  # put off: who did so sets it back
            _set(other, parts.new, {"secure-delete": 0})
        other.execute(f"ALTER TABLE {parts.name} RENAME TO {parts.old}")
        other.execute(f"ALTER TABLE {parts.new} RENAME TO {parts.name}")
        for written in parts.triggers.values():
            other.execute(written)
        other.execute("DELETE FROM store_property WHERE name = ?", (parts.new,))
        other.execute("COMMIT")


def _set(connection: Any, index: str, options: dict[str, int]) -> None:
    for option, value in options.items():
        connection.execute(f"INSERT INTO {index}({index}, rank) VALUES (?, ?)", (option, value))  # noqa: S608 - ours


def _tidy(alone: Alone, undisturbed: Undisturbed, parts: IndexParts) -> None:
    try:
        with undisturbed():
            discard(alone, [parts.new, parts.old])
    except (BigMindError, sound_driver().Error) as error:
        log.warning("What is left beside %s is taken away by the next start: %s", parts.name, error)
