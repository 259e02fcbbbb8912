"""The ledger as rows: what is written down of every move, tried or done, and of every act in person. Only added to."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Protocol

from sqlalchemy import bindparam, insert
from sqlalchemy import select as select_columns
from sqlmodel import col, func, select

from bigmind.core.clock import iso
from bigmind.flow.hash_chain import FIRST, Row, canonical, digest_of_text, new_salt, salted
from bigmind.store.driver_statements import carry_out, first_row, limit_of
from bigmind.store.tables import table_of
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


class Standing(Protocol):
    """A row that stands in a process: what of it its newest row in the ledger, of that number, has to agree with."""

    uid: str
    ledger_number: int

    def standing(self) -> dict[str, Any]:
        """State and all that decides about moves, as JSON has it."""
        ...


@dataclass(frozen=True, slots=True)
class Writer:
    """Who writes a row, when, from where, and by which operation."""

    at: datetime
    user: int
    client: str
    surface: str
    operation: str


@dataclass(frozen=True, slots=True)
class Link:
    """A place in the chain: the number and hash of a row; before the first one `START`."""

    number: int
    digest: str


START = Link(0, FIRST)
HEAD = "head of the ledger"
AT_ONCE = 500
"""Values in one statement."""
_OWN = table_of(WorkLedgerRow)
_ADD_ROW, _ADD_TEXT = insert(_OWN), insert(table_of(WorkLedgerText))
_NEWEST = select_columns(_OWN.c.number, _OWN.c.digest).order_by(_OWN.c.number.desc()).limit(limit_of(1))
_NEWEST_OF = (
    select_columns(_OWN.c.number, _OWN.c.body)
    .where(_OWN.c.item_uid == bindparam("item"))
    .order_by(_OWN.c.number.desc())
    .limit(limit_of(1))
)


@dataclass(frozen=True, slots=True)
class Fault:
    """What does not agree with the ledger: at which row (0: none), of which item, by slug or id, and how."""

    number: int
    item: str
    message: str


@dataclass(frozen=True, slots=True)
class BoundRow:
    """A row that is bound to the one before it, as it is stored: `texts` are names, salts and words, beside it."""

    number: int
    body: str
    before: str
    digest: str
    texts: tuple[tuple[str, str, str], ...]


def bound(entry: Entry, writer: Writer, newest: Link, after: Mapping[str, Any] | None = None) -> BoundRow:
    """A row that follows the newest one; `after` is how it leaves its item."""
    texts = tuple((name, new_salt(), text) for name, text in entry.texts.items() if text)
    body: dict[str, Any] = {
        "kind": entry.kind,
        "item": entry.item,
        "at": iso(writer.at),
        "user": writer.user,
        "client": writer.client,
        "surface": writer.surface,
        "operation": writer.operation,
        **entry.body,
        "texts": {name: salted(text, salt) for name, salt, text in texts},
    }
    if after is not None:
        body["after"] = after
    told = canonical(body)
    number = newest.number + 1
    return BoundRow(number, told, newest.digest, digest_of_text(number, told, newest.digest), texts)


def append(work: Work, entry: Entry, row: Standing | None = None) -> int:
    """Write a row, bound to the one before; `row` is the item as it stands after it. Returns the row's number."""
    caller = work.caller
    writer = Writer(work.now, caller.user_id, caller.client, caller.presence.value, work.operation)
    made = bound(entry, writer, newest_link(work), row.standing() if row is not None else None)
    if row is not None:
        row.ledger_number = made.number
    place = {"number": made.number, "item_uid": entry.item}
    told = {"at": work.now, "kind": entry.kind, "body": made.body, "before": made.before, "digest": made.digest}
    carry_out(work.session, _ADD_ROW, place | told)
    for name, salt, text in made.texts:
        carry_out(work.session, _ADD_TEXT, place | {"name": name, "salt": salt, "text": text})
    work.session.info[HEAD] = Link(made.number, made.digest)  # the next row of this unit of work needs no look
    return made.number


def newest_link(work: Work) -> Link:
    """The head of the chain."""
    known: Link | None = work.session.info.get(HEAD)
    if known is not None:
        return known
    head = first_row(work.session, _NEWEST, {})
    return Link(*head) if head is not None else START


def agreeing(work: Work, items: Sequence[WorkItem]) -> set[int]:
    """The keys of those items that stand as their newest rows in the ledger say; by two queries, however many."""
    known: dict[str, tuple[int, str]] = {}
    uids = [each.uid for each in items]
    for start in range(0, len(uids), AT_ONCE):
        some = uids[start : start + AT_ONCE]
        newest = select(func.max(WorkLedgerRow.number)).where(col(WorkLedgerRow.item_uid).in_(some))
        numbers = newest.group_by(col(WorkLedgerRow.item_uid)).scalar_subquery()
        found = select_columns(_OWN.c.item_uid, _OWN.c.number, _OWN.c.body).where(_OWN.c.number.in_(numbers))
        known |= {uid: (number, body) for uid, number, body in work.session.connection().execute(found)}
    return {each.id or 0 for each in items if (told := known.get(each.uid)) and _is_as_told(each, *told)}


def _is_as_told(row: Standing, number: int, body: str) -> bool:
    return number == row.ledger_number and json.loads(body).get("after") == json.loads(json.dumps(row.standing()))


def agrees(work: Work, row: Standing) -> bool:
    """Whether an item stands as its newest row in the ledger says."""
    newest = first_row(work.session, _NEWEST_OF, {"item": row.uid})
    return newest is not None and _is_as_told(row, *newest)


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
    return {(each.number, each.name): each.text for each in work.session.exec(found) if each.text}
