"""Finding one's own rows by what people and models write: an id, or the beginning of one."""

from typing import Protocol, TypeVar, cast

from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code, invalid, not_found
from bigmind.core.ids import SHORT, as_prefix, prefix_range
from bigmind.memory.tables import Chunk, Fact, Hypothesis, MemorySession
from bigmind.store.work import Work


class _Keyed(Protocol):
    id: int | None


Row = TypeVar("Row", MemorySession, Chunk, Fact, Hypothesis)


def key_of(row: _Keyed) -> int:
    """The integer key of a stored row."""
    return cast("int", row.id)


def find_by_uid(work: Work, table: type[Row], reference: str, kind: str, hint: str, field: str = "") -> Row:
    """The caller's row of that id, or of that prefix when only one has it. `field` is the input's, where it is unusual.

    Somebody else's row is not found, exactly as if it did not exist.

    Raises:
        BigMindError: `invalid_input`, when it cannot be an id; `not_found`; `ambiguous`, naming the candidates.
    """
    prefix = as_prefix(reference)
    if prefix is None:
        raise invalid(
            field or f"{kind}_id", reference, f"the id of a {kind}, or at least its first {SHORT} characters (0-9, a-f)"
        )
    lowest, beyond = prefix_range(prefix)
    mine = select(table).where(table.user_id == work.caller.user_id, table.uid >= lowest, table.uid < beyond)
    found = work.session.exec(mine.order_by(col(table.uid)).limit(2)).all()
    if not found:
        raise not_found(kind, reference, hint)
    if len(found) > 1:
        raise BigMindError(
            Code.AMBIGUOUS,
            f"More than one {kind} begins with {prefix!r}.",
            f"Give more of the id: {found[0].uid} or {found[1].uid}?",
        )
    return found[0]
