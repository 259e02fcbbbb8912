"""Writes the work that an import brings: items as new, or in person in their states; other ledgers apart."""

import json
from typing import Any

from sqlalchemy import delete, insert
from sqlmodel import col, select

from bigmind.brain.evidence import newest_entry
from bigmind.flow.workflow import Process
from bigmind.portable.brain.lineage_check import reached, refuse_closed
from bigmind.portable.format.node_records import NodeRecord
from bigmind.portable.format.work_records import LedgerRecord, WorkItemRecord
from bigmind.portable.staging import PreparedRecord, StagingDatabase
from bigmind.portable.verdicts import Decision, user_key
from bigmind.portable.work.node_parts import write_node
from bigmind.portable.work.work_parts import HIDDEN, words_as_kept
from bigmind.portable.work.work_verdicts import fault_of, free_slug, not_linked, process_for
from bigmind.store.tables import Forgotten, table_of
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.rules import GRANTED, MEMORY_FIELDS
from bigmind.work.tables import WorkDependency, WorkItem

IMPORTED = "imported"
NOT_BROUGHT = frozenset({*MEMORY_FIELDS, *GRANTED})
"""Fields of a DNA that no import brings: what gates rested on elsewhere, and what only the engine grants."""


class WorkWriter:
    """Writes work items and rows of other stores' ledgers; what items depend on once all are there."""

    def __init__(self, work: Work, records: StagingDatabase) -> None:
        self._work = work
        self._records = records
        self._in_person = work.caller.presence.is_in_person
        self._slugs: set[str] = set()
        self._waiting: list[tuple[int, int, list[str]]] = []
        self._written: list[WorkItem] = []
        self._nodes: list[tuple[WorkItem, NodeRecord]] = []
        self._forgotten: dict[str, bool] = {}

    def write_item(self, decision: Decision, ready: PreparedRecord) -> None:
        """Write an item that is new, or newer."""
        record = ready.record
        assert isinstance(record, WorkItemRecord)  # noqa: S101 - the section says so
        process = process_for(self._work, record)
        if process is None:  # it went meanwhile
            return
        row = self._row(decision, record, process)
        self._put_words(row, record, ready)
        self._put_place(row, record, process)
        self._work.session.add(row)
        self._work.session.flush()
        self._written.append(row)
        if record.node is not None:
            self._nodes.append((row, record.node))
        self._waiting.append((row.id or 0, decision.staged.number, record.depends_on))

    def _row(self, decision: Decision, record: WorkItemRecord, process: Process) -> WorkItem:
        work = self._work
        if decision.key is not None:
            return work.session.get_one(WorkItem, decision.key)
        maker = user_key(work.session, record.made_by) if self._in_person else None
        return WorkItem(
            uid=decision.uid,
            slug=free_slug(work.session, self._slugs, record),
            user_id=maker or work.caller.user_id,
            created_at=record.created_at,
            updated_at=record.updated_at,
            client=record.client,
            process=process.name,
            version=process.version,
            state=process.begins_in[0],
            role=process.first_role,
            revision=0,
            entered_at=work.now,
            title=record.title,
        )

    def _put_words(self, row: WorkItem, record: WorkItemRecord, ready: PreparedRecord) -> None:
        fields = {name: value for name, value in record.dna.items() if name not in NOT_BROUGHT}
        row.title, row.topic, row.description = record.title, record.topic, record.description
        row.project, row.dna = record.project, json.dumps(fields, ensure_ascii=False, sort_keys=True)
        row.terms, row.caution, row.updated_at = ready.terms, ready.caution, record.updated_at
        row.accepted_at = record.accepted_at if self._in_person else None

    def _put_place(self, row: WorkItem, record: WorkItemRecord, process: Process) -> None:
        """Where an item stands: as told in person, but held by nobody; else at the beginning."""
        row.revision = max(row.revision, record.revision if self._in_person else 0) + 1
        row.entered_at = self._work.now
        row.entered_after = row.written_after = row.claimed_after = newest_entry(self._work)
        row.holder, row.holder_client, row.holder_user_id, row.lease_until, row.claimed_from = "", "", None, None, ""
        if not self._in_person:
            return
        row.version, row.role, row.is_imported = process.version, record.role, True
        row.state = _unclaimed(process, record.state, record.claimed_from)
        row.worked_by, row.worked_as, row.self_reviewed = record.worked_by, record.worked_as, record.self_reviewed
        row.due, saved = record.due, record.saved
        row.saved = None
        if saved is not None:
            back = _unclaimed(process, saved.state, record.claimed_from)
            row.saved = {"state": back, "role": saved.role, "holder": ""}

    def ledger_row(self, record: LedgerRecord, *, hides: bool = False) -> dict[str, Any]:
        """A row of another store's ledger, as it is kept: words that were forgotten here do not come back.

        One that is hidden counts as one that is not in order, until it is shown.
        """
        words = "" if self._is_forgotten(record.item) else words_as_kept(record.words)
        told = {name: getattr(record, name) for name in ("store", "number", "kind", "body", "before", "digest")}
        fault = f"{HIDDEN if hides else ''}{fault_of(self._records, record)}"
        return {**told, "item_uid": record.item, "texts": words, "fault": fault}

    def _is_forgotten(self, uid: str) -> bool:
        if uid not in self._forgotten:
            self._forgotten[uid] = bool(uid) and self._work.session.get(Forgotten, uid) is not None
        return self._forgotten[uid]

    def link(self) -> None:
        """Write what items depend on, once all are there, and a row of the ledger for each.

        What was left out, or forgotten here, is not among what they depend on.

        Raises:
            BigMindError: `invalid_input`, where an item would depend on itself by way of what was here before.
        """
        session, links = self._work.session, table_of(WorkDependency)
        for key, _, uids in self._waiting:
            session.connection().execute(delete(links).where(links.c.item_id == key))
            found = session.exec(select(WorkItem.id).where(col(WorkItem.uid).in_(uids))).all() if uids else ()
            rows = [{"item_id": key, "other_id": other} for other in found]
            if rows:
                session.connection().execute(insert(links), rows)
        self._check_closed()
        self._waiting.clear()
        for row, node in self._nodes:
            write_node(self._work, row, node)
        self._nodes.clear()
        for row in self._written:
            body = {"state": row.state, "revision": row.revision, "believed": self._in_person}
            words = {"slug": row.slug, "title": row.title, "topic": row.topic, "description": row.description}
            append(self._work, Entry(IMPORTED, row.uid, body, words), row)
            session.add(row)
        self._written.clear()

    def _check_closed(self) -> None:
        numbers = {key: number for key, number, uids in self._waiting if uids}
        query = select(WorkDependency.item_id, WorkDependency.other_id)
        graph = reached(
            numbers, lambda keys: self._work.session.exec(query.where(col(WorkDependency.item_id).in_(keys)))
        )
        refuse_closed(graph, numbers, not_linked)


def _unclaimed(process: Process, state: str, claimed_from: str) -> str:
    """A state without a holder: no import brings a lease, so a claimed one goes back to where it was claimed from."""
    if not process.states[state].is_claimed:
        return state
    known = process.states.get(claimed_from)
    return claimed_from if known is not None and not (known.is_claimed or known.saves) else process.begins_in[0]
