"""Things of any kind as a person reads them: what a kind is shown by that has no room of its own."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlmodel import and_, or_, select

from bigmind.core.kind import ORIGIN, Kind, LabeledText
from bigmind.core.shapes import is_list
from bigmind.kinds import of_caller, readable, told_by
from bigmind.memory.lookup import LookupSubject, count, find_among
from bigmind.store.work import Work

_OF_ORIGIN = frozenset(each.label for each in ORIGIN)


@dataclass(frozen=True, slots=True)
class Thing:
    """One of them.

    Attributes:
        id: its id.
        title: by what a person recognizes it.
        texts: its texts with their labels, without where it comes from.
        at: when it was.
        client: who wrote it.
        project: of which project it is; empty for none.
        caution: why it waits for a person; empty where it does not.
    """

    id: str
    title: str
    texts: Sequence[LabeledText]
    at: datetime
    client: str
    project: str
    caution: str


@dataclass(frozen=True, slots=True)
class ThingList:
    """The newest of a kind, and how many there are."""

    things: Sequence[Thing]
    total: int


def newest(work: Work, kind: Kind, most: int) -> ThingList:
    """The newest of what the caller may read of a kind, `most` at most."""
    which = _readable(work, kind)
    rows = work.session.exec(select(kind.table).where(which).order_by(kind.times.desc(), kind.keys.desc()).limit(most))
    return ThingList([_thing(work, kind, row) for row in rows], count(work, kind.table, which))


def thing(work: Work, kind: Kind, reference: str) -> Thing:
    """One of them, by its id or the beginning of it.

    Raises:
        BigMindError: `not_found`, also for what the caller may not read; `ambiguous`; `invalid_input`.
    """
    one = kind.words.one
    subject = LookupSubject(one, f"The page of {kind.words.many} shows what there is.", f"{kind.name}_id")
    rows: Any = select(kind.table).where(_readable(work, kind))
    return _thing(work, kind, find_among(work, kind.table, rows, reference, subject))


def _readable(work: Work, kind: Kind) -> Any:
    """What the caller may read: what they may judge, and of everybody's what is found."""
    return or_(and_(True, *of_caller(work, kind)), readable(work, kind))


def _thing(work: Work, kind: Kind, row: Any) -> Thing:
    waits = bool(row.caution) and row.accepted_at is None and all(each.holds(row) for each in kind.waits_when)
    recognized = (getattr(row, column) for column in kind.recognized_by)
    return Thing(
        id=kind.id_of(row),
        title=next((str(each) for each in recognized if each and not is_list(each)), kind.words.one),
        texts=[each for each in told_by(work, row) if each.label not in _OF_ORIGIN],
        at=getattr(row, kind.time),
        client=row.client,
        project=row.project or "",
        caution=row.caution if waits else "",
    )
