"""Writes the thoughts that an import brings, with what hangs on them; their links once all are there."""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, cast

from sqlalchemy import delete, insert
from sqlmodel import Session, col, select

from bigmind.brain.kinds import about_of
from bigmind.brain.rules import FIRST_WEIGHT
from bigmind.brain.tables import Thought, ThoughtLink, ThoughtReader, ThoughtTag, ThoughtUse
from bigmind.core.operation import Mode, Space
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
    some_of,
)
from bigmind.portable.format.brain_records import ThoughtReaderRecord, ThoughtRecord
from bigmind.portable.others_rows import without_descent
from bigmind.portable.owners import may_handle_others
from bigmind.portable.staging import StagedRecord, StagingDatabase
from bigmind.portable.verdicts import Decision, ImportContext
from bigmind.portable.writing.hidden_rows import TO_BE_SHARED
from bigmind.store.tables import table_of

FIELDS = (
    *("agent_name", "space", "thought_type", "category", "topic", "temporal_scope", "source_type", "source_value"),
    *("source_project", "flags", "tags", "corrected_fact", "correct_fact", "alternatives", "context", "content"),
    *("noise_at", "gated_at"),
)


class WaitingLink(NamedTuple):
    """A link that waits until all thoughts are there: of which, and as the document tells it."""

    thought: int
    link: Link


class ThoughtWriter:
    """Writes thoughts."""

    def __init__(self, session: Session, about: ImportContext, records: StagingDatabase) -> None:
        self._session = session
        self._connection = session.connection()
        self._about = about
        self._records = records
        self.waiting: list[WaitingLink] = []

    def columns(self, decision: Decision, record: ThoughtRecord) -> dict[str, Any]:
        """The columns of a thought's row.

        One that is here stays shared, for sharing goes one way; what a gate rests on keeps its flags; and an agent
        brings nothing back that a person keeps out of answers.
        """
        told = {name: getattr(record, name) for name in FIELDS} | {"about": about_of(record.topic, record.tags)}
        held = None if decision.key is None else self._session.get_one(Thought, decision.key)
        if held is None:
            return told | {"space": TO_BE_SHARED} if self._about.hides and record.space == Space.SHARED else told
        if held.space == Space.SHARED:
            told["space"] = held.space
        if held.gated_at is not None:
            told |= {"gated_at": held.gated_at, "flags": held.flags}
        if not self._about.caller.is_person:
            told["noise_at"] = held.noise_at
        return told

    def hang(self, key: int, decision: Decision, record: ThoughtRecord) -> None:
        """Write what hangs on a thought whose row was written; its links wait for `link`."""
        staged = decision.staged
        if decision.key is not None:
            for table in (ThoughtTag, ThoughtLink):
                self._connection.execute(delete(table).where(col(table.thought_id) == key))
        if decision.key is None or self._is_use_later(key, record):
            self._put_use(key, staged, self._with_use(record))
        self._put(ThoughtTag, [{"thought_id": key, "tag": each} for each in dict.fromkeys(record.tags)])
        self.waiting += [WaitingLink(key, each) for each in links_of(staged, record)]

    def _is_use_later(self, key: int, record: ThoughtRecord) -> bool:
        """Whether the document knows more of how a thought was used than is known here."""
        held = self._session.get(ThoughtUse, key)
        is_told = self._trusts_use and (
            self._about.replaces or (held is not None and record.weighed_at > held.weighed_at)
        )
        return held is None or is_told

    @property
    def _trusts_use(self) -> bool:
        """Whether a file tells how thoughts were used: in a team, where that decides what others find, to an admin."""
        return self._about.mode is Mode.PERSONAL or may_handle_others(self._about.caller)

    def _with_use(self, record: ThoughtRecord) -> ThoughtRecord:
        """The record with as much of its use as counts: where no file is trusted, as of one that nobody read."""
        if self._trusts_use:
            return record
        unread: dict[str, Any] = {
            "weight": min(record.weight, FIRST_WEIGHT),
            "reads": 0,
            "last_read_at": None,
            "readers": [],
        }
        return record.model_copy(update=unread)

    def _put_use(self, key: int, staged: StagedRecord, record: ThoughtRecord) -> None:
        """Weight and readers; what other users read stays."""
        user = self._about.written_under(staged.owner)
        mine = (col(ThoughtReader.thought_id) == key, col(ThoughtReader.user_id) == user)
        self._connection.execute(delete(ThoughtReader).where(*mine))
        self._connection.execute(delete(ThoughtUse).where(col(ThoughtUse.thought_id) == key))
        use = {"thought_id": key, "weight": record.weight, "weighed_at": record.weighed_at}
        self._put(ThoughtUse, [use | {"reads": record.reads, "last_read_at": record.last_read_at}])
        readers = {each.client: each for each in record.readers}  # two names may be one when they are masked
        self._put(ThoughtReader, [{"thought_id": key, "user_id": user, **_read(each)} for each in readers.values()])

    def _put(self, table: Any, rows: list[dict[str, Any]]) -> None:
        if rows:
            self._connection.execute(insert(table_of(table)), rows)

    def link(self) -> None:
        """Write the links, once all thoughts are there. One that leads to what was not taken is left out.

        Raises:
            BigMindError: `invalid_input`, where one leads to nothing that is here, or a chain of them closes.
        """
        for _, link in self._without_end(self.waiting):
            if not link.is_elsewhere and not self._records.has(THOUGHTS, link.other):
                raise not_linked(link.number)
        self._check_closed()
        self.waiting.clear()

    def link_early(self, waiting: Sequence[WaitingLink]) -> list[WaitingLink]:
        """Write links of new thoughts, where the other end is there too; those that wait on.

        No chain of them closes: nothing led to those thoughts before, and what the document tells was looked through.
        """
        return self._without_end(waiting)

    def _without_end(self, waiting: Sequence[WaitingLink]) -> list[WaitingLink]:
        """Write links; those whose other end is not there."""
        if not waiting:
            return []
        targets = LinkTargets(self._session, self._about, [each.link for each in waiting])
        rows: dict[tuple[int, int, str], None] = {}
        left: list[WaitingLink] = []
        for each in waiting:
            (key, link), other = each, targets.key(each.link) or self._twin(each.link)
            if other is None:
                left.append(each)
            elif other != key and not (link.relation == RELATED and (other, key, RELATED) in rows):
                rows[key, other, link.relation] = None
        new = self._new(rows)
        if not self._about.caller.is_person:
            new = without_descent(self._session, self._about.caller.client, new)
        self._put(ThoughtLink, [{"thought_id": one, "other_id": other, "relation": name} for one, other, name in new])
        return left

    def with_twins(self, staged: StagedRecord, record: ThoughtRecord) -> ThoughtRecord:
        """The record with links to what others share here, where they lead to what is not stored again for that."""
        links = links_of(staged, record)
        targets = LinkTargets(self._session, self._about, links)
        found = {each.other: self._twin(each) for each in links if targets.key(each) is None}
        twins = {uid: self._session.get_one(Thought, key).uid for uid, key in found.items() if key is not None}
        if not twins:
            return record
        told = [
            each.model_copy(update={"id": twins[each.id], "elsewhere": True}) if each.id in twins else each
            for each in record.links
        ]
        return record.model_copy(update={"links": told})

    def _twin(self, link: Link) -> int | None:
        """What others share here in the words of what a link leads to, which was not stored again for that."""
        staged = None if self._about.mode is Mode.PERSONAL else self._records.of_id(THOUGHTS, link.other)
        if staged is None or staged.owner not in self._about.mine:
            return None
        record = cast("ThoughtRecord", self._records.record(staged))
        if record.space != Space.SHARED:
            return None
        return self._about.shared.saying(self._session, self._about.importer.key, record.content)

    def _new(self, rows: Iterable[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Those links that are not here: a related one may stand the other way round."""
        rows = list(rows)
        query = select(ThoughtLink.thought_id, ThoughtLink.other_id, ThoughtLink.relation)
        held: set[tuple[int, int, str]] = set()
        for some in some_of(sorted({one for one, _, _ in rows} | {other for _, other, _ in rows})):
            held.update(self._session.exec(query.where(col(ThoughtLink.thought_id).in_(some))))
        return [
            (one, other, relation)
            for one, other, relation in rows
            if (one, other, relation) not in held and (relation != RELATED or (other, one, RELATED) not in held)
        ]

    def _check_closed(self) -> None:
        """Refuse what makes a thought rest on itself, by way of what was here before."""
        numbers = {each.thought: each.link.number for each in self.waiting if each.link.relation != RELATED}
        refuse_closed(reached(numbers, lambda keys: rests_on(self._session, keys)), numbers, not_linked)


def _read(reader: ThoughtReaderRecord) -> dict[str, Any]:
    return {"client": reader.client, "reads": reader.reads, "last_read_at": reader.last_read_at}
