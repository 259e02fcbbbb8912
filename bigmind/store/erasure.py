"""What a database does so that nothing is left of what was deleted: a part of `backend.py`."""

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, Protocol

from bigmind.core.kind import ORIGIN, Kind
from bigmind.core.progress import Progress, nobody_waits

DriverConnection = Any
"""A connection as the database's driver has it, of no type that drivers share: it is only handed from one of these
calls to another. Where nothing else is said it may write, and is outside of any transaction (`Store.alone`)."""

Pages = Any
"""A database's own way into its file, of no type that databases share: it is made, handed back, and closed."""

Alone = Callable[[], AbstractContextManager[DriverConnection]]
"""Gives a connection that may write, for the length of a block in which nobody else does: a short one."""

Undisturbed = Callable[[], AbstractContextManager[None]]
"""A block in which nobody overwrites what was deleted; who is at it is waited for, and others write meanwhile."""


class Erasure(Protocol):
    """Leaves nothing of what was deleted."""

    def put_off_words(self, connection: DriverConnection, tables: Sequence[str]) -> None:
        """Have the words of rows of those tables that are deleted from now on leave their indexes with `overwrite`.

        It holds for every process, until then: deleting thousands of rows one by one is some ten times as fast.
        """
        ...

    def make_able_to_shrink(self, path: Path, writer: DriverConnection) -> None:
        """Have the store at `path` give room back in `overwrite`, where an older one was not made for it; once.

        Raises:
            BigMindError or one of `Faults.errors`: it is then as it was.
        """
        ...

    def pages(self, path: Path) -> Pages:
        """What `overwrite` needs beside a connection. It is closed after every connection of the process is."""
        ...

    def overwrite(self, alone: Alone, pages: Pages, progress: Progress = nobody_waits) -> bool:
        """Leave no byte of what was deleted in the store, and give the room back, in short steps; readers read.

        Returns:
            Whether nothing is left; not so when a reader needs the log for some seconds.

        Raises:
            One of `Faults.errors`, or what `progress` raises: nothing is lost then, and something may be left.
        """
        ...

    def shrink(self, alone: Alone, progress: Progress = nobody_waits) -> None:
        """Give free room of the store's file back to the disk, in short steps.

        Raises:
            One of `Faults.errors`, or what `progress` raises.
        """
        ...

    def empty_log(self, connection: DriverConnection, milliseconds: int) -> bool:
        """Leave nothing in the log of writes; False when a reader needs it for longer than that."""
        ...


def erasing(kind: Kind) -> list[str]:
    """The statements that take one of a kind's things, with the id `:uid`, or its words alone where the row is left.

    The first tells by its count whether it was there; what repeats its words elsewhere loses them.
    """
    own = tuple(each.column for each in kind.texts if each not in ORIGIN)
    found = f"DELETE FROM {kind.name} WHERE uid = :uid"  # noqa: S608 - ours
    if kind.leaves_row:
        found = _emptied(kind.name, "uid", (*own, "caution"))
    return [found, *(_emptied(*each) for each in kind.echoes)]


def _emptied(table: str, column: str, words: Sequence[str]) -> str:
    """The statement that empties columns of a row where they are not empty; all names are of our schema."""
    told = ", ".join(f"{each} = ''" for each in words)
    full = " OR ".join(f"{each} != ''" for each in words)
    return f"UPDATE {table} SET {told} WHERE {column} = :uid AND ({full})"  # noqa: S608
