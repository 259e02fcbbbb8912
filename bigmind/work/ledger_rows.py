"""The ledger as rows: what is written down of every move, tried or done, and of every act in person. Only added to."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from sqlmodel import col, delete, select

from bigmind.core.clock import iso
from bigmind.flow.hash_chain import FIRST, Row, digest_of, new_salt, salted
from bigmind.store.work import Work
from bigmind.work.tables import WorkItem, WorkLedgerRow, WorkLedgerText


@dataclass(frozen=True, slots=True)
class Entry:
    """What is to be written down.

    Attributes:
        kind: `created`, `edited`, `moved`, `refused`, `returned`, `confirmed`, `withdrawn`, `taken`, `imported`, …
        item: the item's id; empty where it concerns none.
        body: what happened, as JSON has it; nobody's words.
        texts: the words, by their names; they stand beside the row.
    """

    kind: str
    item: str = ""
    body: Mapping[str, Any] = field(default_factory=dict[str, Any])
    texts: Mapping[str, str] = field(default_factory=dict[str, str])


def standing_of(row: WorkItem) -> dict[str, Any]:
    """What of an item its newest row in the ledger has to agree with."""
    return {
        "process": row.process,
        "version": row.version,
        "state": row.state,
        "role": row.role,
        "holder": row.holder,
        "worked_by": row.worked_by,
        "worked_as": row.worked_as,
        "saved": row.saved,
        "due": row.due,
    }


def append(work: Work, entry: Entry, row: WorkItem | None = None) -> int:
    """Write a row, bound to the one before; `row` is the item as it stands after it. Returns the row's number."""
    head = work.session.exec(
        select(WorkLedgerRow.number, WorkLedgerRow.digest).order_by(col(WorkLedgerRow.number).desc()).limit(1)
    ).first()
    number, before = (head[0] + 1, head[1]) if head is not None else (1, FIRST)
    texts = {name: (text, new_salt()) for name, text in entry.texts.items() if text}
    caller = work.caller
    body: dict[str, Any] = {
        "kind": entry.kind,
        "item": entry.item,
        "at": iso(work.now),
        "user": caller.user_id,
        "client": caller.client,
        "surface": caller.presence.value,
        "operation": work.operation,
        **entry.body,
        "texts": {name: salted(text, salt) for name, (text, salt) in texts.items()},
    }
    if row is not None:
        body["after"] = standing_of(row)
        row.ledger_number = number
    told = json.dumps(body, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    digest = digest_of(number, json.loads(told), before)
    work.session.add(
        WorkLedgerRow(
            number=number, at=work.now, item_uid=entry.item, kind=entry.kind, body=told, before=before, digest=digest
        )
    )
    work.session.add_all(
        WorkLedgerText(number=number, name=name, item_uid=entry.item, salt=salt, text=text)
        for name, (text, salt) in texts.items()
    )
    work.session.flush()
    return number


def agrees(work: Work, row: WorkItem) -> bool:
    """Whether an item stands as its newest row in the ledger says."""
    newest = work.session.exec(
        select(WorkLedgerRow)
        .where(WorkLedgerRow.item_uid == row.uid)
        .order_by(col(WorkLedgerRow.number).desc())
        .limit(1)
    ).first()
    if newest is None or newest.number != row.ledger_number:
        return False
    return json.loads(newest.body).get("after") == json.loads(json.dumps(standing_of(row)))


def rows(work: Work, item: str = "") -> Iterator[Row]:
    """The rows of the chain, in their order; of one item, where one is named."""
    found = select(WorkLedgerRow).order_by(col(WorkLedgerRow.number))
    if item:
        found = found.where(WorkLedgerRow.item_uid == item)
    for each in work.session.exec(found.execution_options(yield_per=500)):
        yield Row(each.number, json.loads(each.body), each.before, each.digest)


def texts_of(work: Work, item: str) -> dict[tuple[int, str], str]:
    """The words of an item's rows, by number and name; what was forgotten is not there."""
    found = select(WorkLedgerText).where(WorkLedgerText.item_uid == item)
    return {(each.number, each.name): each.text for each in work.session.exec(found)}


def forget_texts(work: Work, item: str) -> None:
    """Take the words of an item's rows, and leave the chain."""
    work.session.exec(delete(WorkLedgerText).where(col(WorkLedgerText.item_uid) == item))


def head(work: Work) -> str:
    """The hash of the newest row; of an empty ledger, what its first row will be bound to."""
    newest = select(WorkLedgerRow.digest).order_by(col(WorkLedgerRow.number).desc()).limit(1)
    return work.session.exec(newest).first() or FIRST
