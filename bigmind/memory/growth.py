"""What the whole store holds, and what of it was written after a moment: what a backup of then does not hold."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy.exc import DBAPIError
from sqlmodel import col, func, select

from bigmind.core.kind import Kind
from bigmind.people.tables import User
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work


@dataclass(frozen=True, slots=True)
class StoreGrowth:
    """Everybody's things, by the plural of their kind: sessions, moments, facts, hypotheses, knowledge.

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
    now = {each.plural: _count(work, each.table) for each in work.kinds.with_ids}
    later = {each.plural: _later(work, each, moment) for each in work.kinds.with_ids}
    after = ChangeRow.at > moment if change is None else col(ChangeRow.id) > change
    return StoreGrowth(now, later, _count(work, ChangeRow, after))


def _later(work: Work, kind: Kind, moment: datetime) -> int | None:
    """What is never changed is counted by the index of each user's: there may be a million."""
    if kind.changed:
        return _count(work, kind.table, getattr(kind.table, kind.changed) > moment)
    try:
        users = work.session.exec(select(User.id)).all()
    except DBAPIError as error:
        if not work.backend.faults.is_damage(error.orig):
            raise
        return None
    counts = [_count(work, kind.table, kind.owners == user, kind.times > moment) for user in users]
    return None if None in counts else sum(filter(None, counts))


def _count(work: Work, table: Any, *conditions: Any) -> int | None:
    try:
        return work.session.exec(select(func.count()).select_from(table).where(*conditions)).one()
    except DBAPIError as error:
        if not work.backend.faults.is_damage(error.orig):
            raise
        return None
