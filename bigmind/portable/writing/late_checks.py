"""Refuses, before an import is settled, what comes late and would rest on itself by way of what is here."""

from collections.abc import Iterable, Sequence
from typing import cast

from sqlalchemy.orm import aliased
from sqlmodel import col, select

from bigmind.portable.brain.lineage_check import (
    RELATED,
    THOUGHTS,
    Link,
    LinkTargets,
    links_of,
    not_linked,
    reached,
    refuse_closed,
    rests_on,
)
from bigmind.portable.format.brain_records import ThoughtRecord
from bigmind.portable.format.work_records import WorkItemRecord
from bigmind.portable.replacement import FoundRows
from bigmind.portable.staging import StagingDatabase
from bigmind.portable.verdicts import Decider, ImportContext
from bigmind.portable.work.work_verdicts import ITEMS
from bigmind.portable.work.work_verdicts import not_linked as item_not_linked
from bigmind.store.work import Work
from bigmind.work.tables import WorkDependency, WorkItem


def check_late(work: Work, about: ImportContext, records: StagingDatabase) -> None:
    """Refuse late thoughts, and late items, that rest on themselves.

    Raises:
        BigMindError: `invalid_input`, naming the record.
    """
    _check_thoughts(work, about, records)
    _check_items(work, records)


def _check_thoughts(work: Work, about: ImportContext, records: StagingDatabase) -> None:
    numbers: dict[int, int] = {}
    leading: list[tuple[int, Link]] = []
    decider = Decider(work.session, about, FoundRows(records), records)
    for batch in records.put_off_of(THOUGHTS):
        for each in decider.decide(batch):
            key = each.key or 0
            record = cast("ThoughtRecord", records.record(each.staged))
            numbers[key] = each.staged.number
            leading += [(key, link) for link in links_of(each.staged, record) if link.relation != RELATED]
    targets = LinkTargets(work.session, about, [link for _, link in leading])
    told: dict[int, list[int]] = {key: [] for key in numbers}
    for key, link in leading:
        other = targets.key(link)
        told[key] += [] if other is None else [other]
    refuse_closed(reached((), lambda keys: rests_on(work.session, keys), told), numbers, not_linked)


def _check_items(work: Work, records: StagingDatabase) -> None:
    numbers: dict[str, int] = {}
    told: dict[str, list[str]] = {}
    for batch in records.put_off_of(ITEMS):
        for staged in batch:
            numbers[staged.uid] = staged.number
            told[staged.uid] = cast("WorkItemRecord", records.record(staged)).depends_on
    refuse_closed(reached((), lambda uids: _depends_on(work, uids), told), numbers, item_not_linked)


def _depends_on(work: Work, uids: Sequence[str]) -> Iterable[tuple[str, str]]:
    """Which items those of these ids depend on, in the store."""
    item, other = aliased(WorkItem), aliased(WorkItem)
    query = (
        select(item.uid, other.uid)
        .join(WorkDependency, col(WorkDependency.item_id) == item.id)
        .join(other, col(WorkDependency.other_id) == other.id)
    )
    return work.session.exec(query.where(col(item.uid).in_(uids)))
