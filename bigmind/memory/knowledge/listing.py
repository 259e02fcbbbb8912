"""Company knowledge as people read and judge it: what waits for whom, and who may do what. Nothing here writes."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from sqlalchemy import func, tuple_
from sqlmodel import col, select

from bigmind.core.errors import BigMindError
from bigmind.memory.knowledge.answers import EntryRow
from bigmind.memory.knowledge.service import hands_on, rows_of, visible, weighed_of
from bigmind.memory.lookup import LookupSubject, find_among
from bigmind.memory.rules import EntryState, EntryStatus, Reviewer, edited, reviewed
from bigmind.memory.tables import Knowledge
from bigmind.people.passphrases import may_prove
from bigmind.search.row_filter import holding
from bigmind.store.work import Work

Order = Literal["importance", "newest"]

_NAMED = LookupSubject("entry", "The list shows those there are.", "entry_id")


@dataclass(frozen=True, slots=True)
class ListedEntry:
    """An entry, and what the caller may do with it.

    Attributes:
        entry: as everybody reads it.
        may_approve: the caller may make it company knowledge now; where that is done in person, with their passphrase.
        why_not: where it is not approved and the caller may not do it: why, and whom to ask.
        may_deprecate: the caller may take it out of company knowledge, or reject it while it is pending.
        may_bring_back: the caller could approve it again once it is deprecated.
        may_edit: the caller may write it anew.
    """

    entry: EntryRow
    may_approve: bool = False
    why_not: str = ""
    may_deprecate: bool = False
    may_bring_back: bool = False
    may_edit: bool = False


@dataclass(frozen=True, slots=True)
class EntryQuery:
    """Which entries are looked at: with all words of `text`, of `category`; each of them all when empty."""

    status: EntryStatus = "approved"
    text: str = ""
    category: str = ""
    order: Order = "importance"


@dataclass(frozen=True, slots=True)
class EntryPage:
    """A stretch of a list of entries, and how many there are in all."""

    entries: Sequence[ListedEntry]
    total: int
    has_more: bool


def entries(work: Work, query: EntryQuery, limit: int, after: str | None = None) -> EntryPage:
    """Entries that the caller may see; those behind the entry `after`, when it is given.

    Raises:
        BigMindError: `not_found`, when that one is gone.
    """
    conditions = _conditions(work, query)
    total = work.session.exec(select(func.count()).select_from(Knowledge).where(*conditions)).one()
    places = _places(query.order)
    if after is not None:
        last = _find(work, after)
        conditions.append(tuple_(*places) < tuple_(*(getattr(last, each.key) for each in places)))
    # The keys are ordered by themselves: an entry may be 20,000 characters long.
    keys = select(Knowledge.id).where(*conditions).order_by(*(each.desc() for each in places)).limit(limit + 1)
    chosen = work.session.exec(keys).all()
    rows = {each.id: each for each in work.session.exec(select(Knowledge).where(col(Knowledge.id).in_(chosen[:limit])))}
    found = [rows[key] for key in chosen[:limit]]
    return EntryPage(_told(work, found, query.status), total, len(chosen) > limit)


def entry_of(work: Work, reference: str) -> ListedEntry:
    """One entry that the caller may see.

    Raises:
        BigMindError: `not_found`, `ambiguous`, `invalid_input`.
    """
    return judged(work, [_find(work, reference)])[0]


def categories(work: Work, status: EntryStatus) -> Mapping[str, int]:
    """How many entries of a status there are by category, of those the caller may see."""
    counted = select(Knowledge.category, func.count()).where(Knowledge.status == status, visible(work))
    return dict(work.session.exec(counted.group_by(Knowledge.category).order_by(Knowledge.category)).all())


def by_status(work: Work) -> Mapping[str, int]:
    """How many entries there are by status, of those the caller may see."""
    counted = select(Knowledge.status, func.count()).where(visible(work)).group_by(Knowledge.status)
    return dict(work.session.exec(counted).all())


def _told(work: Work, found: Sequence[Knowledge], status: EntryStatus) -> list[ListedEntry]:
    """Entries of a list: only what waits is judged there, anything else on its own page."""
    if status == "pending":
        return judged(work, found)
    return [ListedEntry(row) for row in rows_of(work, found)]


def judged(work: Work, found: Sequence[Knowledge]) -> list[ListedEntry]:
    """The entries with what the caller may do with each."""
    hands, proves = hands_on(work, found), may_prove(work)
    return [
        _judged(row, each, hands[each.uid], proves=proves)
        for row, each in zip(rows_of(work, found), found, strict=True)
    ]


def _judged(row: EntryRow, entry: Knowledge, hand: Reviewer, *, proves: bool) -> ListedEntry:
    weighed, in_person = weighed_of(entry), replace(hand, in_person=hand.in_person or proves)
    why_not = _refusal(lambda: reviewed(weighed, in_person, "approve", has_notes=True))
    gone = EntryState("deprecated", weighed.is_cautioned)
    return ListedEntry(
        entry=row,
        may_approve=not why_not,
        why_not=why_not if row.status != "approved" else "",
        may_deprecate=not _refusal(lambda: reviewed(weighed, hand, "deprecate", has_notes=True)),
        may_bring_back=not _refusal(lambda: reviewed(gone, hand, "approve", has_notes=True)),
        may_edit=not _refusal(lambda: edited(weighed, hand, is_cautioned=False, has_new_words=True)),
    )


def _refusal(rule: Callable[[], EntryStatus]) -> str:
    """What a rule says against it; empty when nothing."""
    try:
        rule()
    except BigMindError as error:
        return f"{error.message} {error.hint}".strip()
    return ""


def _find(work: Work, reference: str) -> Knowledge:
    return find_among(work, Knowledge, select(Knowledge).where(visible(work)), reference, _NAMED)


def _conditions(work: Work, query: EntryQuery) -> list[Any]:
    told = (Knowledge.title, Knowledge.content, Knowledge.category)
    conditions: list[Any] = [Knowledge.status == query.status, visible(work), *holding(query.text, told)]
    return [*conditions, Knowledge.category == query.category] if query.category else conditions


def _places(order: Order) -> tuple[Any, ...]:
    """What a list is ordered by, all of it descending."""
    weight = (col(Knowledge.importance),) if order == "importance" else ()
    return (*weight, col(Knowledge.updated_at), col(Knowledge.id))
