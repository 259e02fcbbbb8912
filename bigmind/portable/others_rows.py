"""What of an assistant's file would add to what others wrote here: only a person's import does that."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlmodel import Session, col, select

from bigmind.brain.finding.lineage import DESCENT
from bigmind.brain.tables import Thought
from bigmind.core.client_names import is_own
from bigmind.memory.tables import MemorySession

MOMENTS_LEFT = (
    "Moments of sessions that others wrote here were left out: only a person adds to them by an import, "
    "on the Export & import page or with `bigmind memory import`."
)
LINKS_KEPT_BACK = (
    "Links by which a thought of the file would take the place of one that others wrote here were left out: "
    "only a person's import brings them."
)
AT_ONCE = 400
"""Ids in one statement."""


def of_others(session: Session, table: Any, client: str, column: Any, values: Iterable[Any]) -> set[Any]:
    """Those of the values of a column that stand in rows which are not by this client.

    Args:
        session: reads.
        table: that says by whom its rows are.
        client: who imports.
        column: of the table.
        values: that are looked for.
    """
    wanted = sorted(set(values))
    found: set[Any] = set()
    for start in range(0, len(wanted), AT_ONCE):
        query = select(column, table.client).where(col(column).in_(wanted[start : start + AT_ONCE]))
        found.update(value for value, written in session.exec(query) if not is_own(written, client))
    return found


def sessions_of_others(session: Session, client: str, keys: Iterable[int]) -> set[int]:
    """Those of the sessions of these keys that others wrote."""
    return of_others(session, MemorySession, client, MemorySession.id, keys)


def without_descent(session: Session, client: str, rows: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
    """Links of thoughts, each with what it leads to, without those that take the place of what others wrote."""
    others = of_others(session, Thought, client, Thought.id, [other for _, other, name in rows if name in DESCENT])
    return [each for each in rows if each[2] not in DESCENT or each[1] not in others]


def thoughts_of_others(session: Session, client: str, uids: Iterable[str]) -> set[str]:
    """Those of the thoughts of these ids that others wrote."""
    return of_others(session, Thought, client, Thought.uid, uids)
