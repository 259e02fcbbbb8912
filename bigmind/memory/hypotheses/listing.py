"""The board of hypotheses: by how they turned out, narrowed down, page by page. Nothing here writes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, get_args

from sqlalchemy import func, tuple_
from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.memory.hypotheses.service import Status
from bigmind.memory.lookup import find_by_uid
from bigmind.memory.tables import Hypothesis, MemorySession
from bigmind.search.row_filter import holding
from bigmind.store.work import Work

STATUSES: tuple[Status, ...] = get_args(Status)

Order = Literal["newest", "surest"]


@dataclass(frozen=True, slots=True)
class ListedHypothesis:
    """A hypothesis, with where it was born. `caution` names what in it waits for a person."""

    uid: str
    text: str
    confidence: float
    status: str
    resolution: str
    project: str | None
    client: str
    session_id: str | None
    created_at: datetime
    updated_at: datetime
    resolved_at: datetime | None
    caution: str


@dataclass(frozen=True, slots=True)
class BoardQuery:
    """Which hypotheses are looked at: with all words of `text`, of `project`; each of them all when empty."""

    text: str = ""
    project: str = ""
    order: Order = "newest"


@dataclass(frozen=True, slots=True)
class Column:
    """Hypotheses of one status: those from some place on, and how many there are in all."""

    status: Status
    beliefs: Sequence[ListedHypothesis]
    total: int
    has_more: bool


def board(work: Work, query: BoardQuery, limits: Mapping[Status, int]) -> list[Column]:
    """The caller's hypotheses by status, at most `limits[status]` of each."""
    counts = _counts(work, query)
    return [_column(work, query, status, limits[status], None, counts.get(status, 0)) for status in STATUSES]


def more_of(work: Work, query: BoardQuery, status: Status, limit: int, after: str) -> Column:
    """What follows in a column behind the hypothesis `after`.

    Raises:
        BigMindError: `not_found`, when that one was forgotten meanwhile.
    """
    total = _counts(work, query).get(status, 0)
    return _column(work, query, status, limit, _one(work, after), total)


def belief(work: Work, reference: str) -> ListedHypothesis:
    """One hypothesis of the caller.

    Raises:
        BigMindError: `not_found`, `ambiguous`, `invalid_input`.
    """
    return _beliefs(work, [_one(work, reference)])[0]


def hypothesis_projects(work: Work) -> list[str]:
    """The projects that the caller's hypotheses are of, by name."""
    own = (Hypothesis.user_id == work.caller.user_id, col(Hypothesis.project).is_not(None))
    names = work.session.exec(select(Hypothesis.project).where(*own).distinct().order_by(col(Hypothesis.project)))
    return [name for name in names if name]


def _one(work: Work, reference: str) -> Hypothesis:
    return find_by_uid(work, Hypothesis, reference, "hypothesis", "The board shows those there are.", "id")


def _conditions(work: Work, query: BoardQuery) -> list[Any]:
    told = (Hypothesis.text, Hypothesis.resolution, Hypothesis.client, Hypothesis.project)
    conditions: list[Any] = [Hypothesis.user_id == work.caller.user_id, *holding(query.text, told)]
    return [*conditions, Hypothesis.project == query.project] if query.project else conditions


def _counts(work: Work, query: BoardQuery) -> dict[str, int]:
    counted = select(Hypothesis.status, func.count()).where(*_conditions(work, query)).group_by(Hypothesis.status)
    return dict(work.session.exec(counted).all())


def _column(work: Work, query: BoardQuery, status: Status, limit: int, after: Hypothesis | None, total: int) -> Column:
    places = _places(query.order)
    conditions = [*_conditions(work, query), Hypothesis.status == status]
    if after is not None:
        conditions.append(tuple_(*places) < tuple_(*_place_of(after, query.order)))
    page = select(Hypothesis).where(*conditions).order_by(*(each.desc() for each in places)).limit(limit + 1)
    found = work.session.exec(page).all()
    return Column(status, _beliefs(work, found[:limit]), total, len(found) > limit)


def _places(order: Order) -> tuple[Any, ...]:
    """What a column is ordered by, all of it descending: what was resolved last stands first, too."""
    moment = func.coalesce(col(Hypothesis.resolved_at), col(Hypothesis.created_at))
    sureness = (col(Hypothesis.confidence),) if order == "surest" else ()
    return (*sureness, moment, col(Hypothesis.id))


def _place_of(row: Hypothesis, order: Order) -> tuple[Any, ...]:
    sureness = (row.confidence,) if order == "surest" else ()
    return (*sureness, row.resolved_at or row.created_at, row.id)


def _beliefs(work: Work, rows: Sequence[Hypothesis]) -> list[ListedHypothesis]:
    keys = {each.session_id for each in rows}
    own = select(MemorySession.id, MemorySession.uid).where(
        col(MemorySession.id).in_(keys), MemorySession.user_id == work.caller.user_id
    )
    sessions: dict[int | None, str] = dict(work.session.exec(own).all())
    return [
        ListedHypothesis(
            uid=each.uid,
            text=each.text,
            confidence=each.confidence,
            status=each.status,
            resolution=each.resolution,
            project=each.project,
            client=each.client,
            session_id=sessions.get(each.session_id),
            created_at=each.created_at,
            updated_at=each.updated_at,
            resolved_at=each.resolved_at,
            caution=pending(each),
        )
        for each in rows
    ]
