"""What the whole store holds, and what of it was written after a moment: what a backup of then does not hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlmodel import col, func, select

from bigmind.memory.tables import Chunk, Fact, Hypothesis, Knowledge, MemorySession
from bigmind.people.tables import User
from bigmind.store.sqlite.damage import is_damage
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work

_CHANGEABLE: Mapping[str, Any] = {
    "sessions": MemorySession,
    "facts": Fact,
    "hypotheses": Hypothesis,
    "knowledge": Knowledge,
}


@dataclass(frozen=True, slots=True)
class StoreGrowth:
    """Everybody's things, by kind: sessions, moments, facts, hypotheses, knowledge.

    Attributes:
        now: how many there are; None of a kind that cannot be read, because the file is damaged.
        later: how many are of a later time than that moment, or were changed after it.
        changes: how often the memory was changed since then; what was imported since may be of earlier times.
    """

    now: Mapping[str, int | None]
    later: Mapping[str, int | None]
    changes: int | None


def written_since(work: Work, moment: datetime, change: int | None) -> StoreGrowth:
    """What was written after `moment`, at which the last change had the number `change`."""
    now = {kind: _count(work, table) for kind, table in {**_CHANGEABLE, "moments": Chunk}.items()}
    later = {kind: _count(work, table, table.updated_at > moment) for kind, table in _CHANGEABLE.items()}
    later["moments"] = _moments_after(work, moment)
    after = ChangeRow.at > moment if change is None else col(ChangeRow.id) > change
    return StoreGrowth(now, later, _count(work, ChangeRow, after))


def _moments_after(work: Work, moment: datetime) -> int | None:
    """By the index of each user's moments: there may be a million."""
    try:
        users = work.session.exec(select(User.id)).all()
    except DBAPIError as error:
        if not is_damage(error.orig):
            raise
        return None
    counts = [_count(work, Chunk, Chunk.user_id == user, Chunk.created_at > moment) for user in users]
    return None if None in counts else sum(filter(None, counts))


def _count(work: Work, table: Any, *conditions: Any) -> int | None:
    try:
        return work.session.exec(select(func.count()).select_from(table).where(*conditions)).one()
    except DBAPIError as error:
        if not is_damage(error.orig):
            raise
        return None
