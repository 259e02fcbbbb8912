"""Whether the ledger, the items and what gates rested on still agree: what was changed behind the program's back.

Each fault names its row and its item. A program that can write the file can recompute a whole chain: that is why the
chain's heads are kept elsewhere too (`heads.py`), and are compared with it here.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import sqlalchemy
from sqlmodel import col, select

from bigmind.core.ids import short
from bigmind.core.operation import Presence
from bigmind.core.plain_text import shortened
from bigmind.core.shapes import as_object
from bigmind.flow.hash_chain import Row, broken, digest_of, salted
from bigmind.flow.workflow import ActorKind
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.ledger.evidence_check import GateRest, check_evidence, rests_of
from bigmind.work.ledger.forgotten_items import FORGOTTEN
from bigmind.work.ledger.heads import RESTORED, KnownHead, up_to
from bigmind.work.ledger.ledger_rows import START, Fault, Link, Standing
from bigmind.work.ledger.ledger_words import MASKED
from bigmind.work.tables import (
    WorkConfirmation,
    WorkForeignLedgerRow,
    WorkItem,
    WorkLedgerRow,
    WorkLedgerText,
)

AT_ONCE = 500
DELETED = "deleted"
"""Of a node that a person took out of the tree."""
IN_PERSON = frozenset({"confirmed", "withdrawn", "reviewed", "migrated", DELETED})
"""Kinds of rows that only a person makes."""
CONFIRMED = "confirmed"
LONGEST_VALUE = 60


@dataclass(frozen=True, slots=True)
class Verification:
    """What was looked at and found.

    Attributes:
        faults: what does not agree; none where all does.
        newest: the head of the chain.
        agreed: the known heads that the chain has.
    """

    faults: Sequence[Fault]
    newest: Link
    agreed: Sequence[KnownHead]


class _Words(NamedTuple):
    """Words beside a row."""

    number: int
    name: str
    item_uid: str
    salt: str
    text: str


@dataclass(slots=True)
class _Seen:
    """What was read of the ledger on the way along its chain."""

    newest: dict[str, tuple[int, str, Any]] = field(default_factory=dict[str, tuple[int, str, Any]])
    kinds: dict[int, tuple[str, str, Any]] = field(default_factory=dict[int, tuple[str, str, Any]])
    digests: dict[int, str] = field(default_factory=dict[int, str])
    salts: dict[int, Mapping[str, str]] = field(default_factory=dict[int, Mapping[str, str]])
    masked: set[tuple[int, str]] = field(default_factory=set[tuple[int, str]])
    gone: set[str] = field(default_factory=set[str])
    put_aside: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """Of each restore its row, and the last one that it put aside."""
    rests: list[GateRest] = field(default_factory=list[GateRest])
    faults: list[Fault] = field(default_factory=list[Fault])


def verify(work: Work, heads: Sequence[KnownHead] = ()) -> Verification:
    """Compare the ledger with itself, with the items, with what it names, and with heads that are known of it.

    Args:
        work: reads; all of the ledger is read.
        heads: of the chain, as backups and the system's log keep them.
    """
    seen = _Seen()
    chain = [Fault(each.number, "", each.message) for each in broken(_read(work, seen))]
    agreed, lost = _against_heads(seen, heads)
    found = [
        *chain,
        *seen.faults,
        *_items(work, seen),
        *check_evidence(work, seen.rests, was_restored=bool(seen.put_aside)),
        *_confirmations(work, seen),
        *_texts(work, seen),
        *_foreign(work),
        *lost,
    ]
    last = max(seen.digests, default=0)
    return Verification(found, Link(last, seen.digests[last]) if last else START, agreed)


def _read(work: Work, seen: _Seen) -> Iterator[Row]:
    """The rows of the chain in their order, with what the other checks need kept on the way."""
    told = table_of(WorkLedgerRow).c
    columns = (told.number, told.item_uid, told.kind, told.body, told.before, told.digest)
    rows = sqlalchemy.select(*columns).order_by(told.number).execution_options(yield_per=AT_ONCE)
    for number, item, kind, text, before, digest in work.session.connection().execute(rows):
        body = _body(text)
        seen.digests[number] = digest
        _keep(seen, number, item, kind, body)
        yield Row(number, body, before, digest)


def _body(told: str) -> dict[str, Any]:
    """What a row says; nothing where it cannot be read, which its hash then tells."""
    try:
        return as_object(json.loads(told))
    except ValueError:
        return {}


def _keep(seen: _Seen, number: int, item: str, kind: str, body: Mapping[str, Any]) -> None:
    if (body.get("item"), body.get("kind")) != (item, kind):
        seen.faults.append(Fault(number, item, "it stands under another item, or as another kind, than it says"))
    if (kind in IN_PERSON or body.get("actor") == ActorKind.HUMAN) and not _is_in_person(body.get("surface")):
        seen.faults.append(Fault(number, item, f"{kind} is a person's to say, and it came from {body.get('surface')}"))
    if item:
        seen.newest[item] = (number, kind, body.get("after"))
    if kind in {CONFIRMED, MASKED}:
        seen.kinds[number] = (kind, item, body.get("revision"))
    if kind == MASKED:
        seen.masked.add((int(body.get("of", 0)), str(body.get("name"))))
    if kind == RESTORED:
        seen.put_aside.append((number, up_to(body)))
        seen.gone.update(map(str, body.get("forgotten", ())))
    if texts := as_object(body.get("texts")):
        seen.salts[number] = texts
    seen.rests.extend(rests_of(number, item, body))


def _is_in_person(surface: Any) -> bool:
    return surface in {each.value for each in Presence if each.is_in_person}


def _items(work: Work, seen: _Seen) -> Iterator[Fault]:
    """Each item against its newest row, and each row's item: it is there, or was forgotten."""
    there: set[str] = set()
    for kind in (each for each in work.kinds if each.ledger_name):
        rows = select(kind.table).order_by(kind.keys).execution_options(yield_per=AT_ONCE)
        for row in work.session.exec(rows):
            there.add(row.uid)
            if kind.brought is not None and row.is_imported and row.uid not in seen.newest:
                continue  # of another store: no row of this ledger tells of it
            yield from _against_newest(row, getattr(row, kind.ledger_name), seen.newest.get(row.uid))
    for uid, (number, kind, _) in seen.newest.items():
        if uid not in there and kind not in {FORGOTTEN, DELETED} and uid not in seen.gone:
            yield Fault(number, uid, "its item is gone, and no row says that it was forgotten")


def _against_newest(row: Standing, name: str, newest: tuple[int, str, Any] | None) -> Iterator[Fault]:
    if newest is None:
        yield Fault(0, name, "no row of the ledger tells of it")
        return
    number, kind, after = newest
    if kind in {FORGOTTEN, DELETED}:
        yield Fault(number, name, f"it was {kind}, and is there")
    elif number != row.ledger_number:
        yield Fault(number, name, f"this is its newest row; the item says that it is row {row.ledger_number}")
    else:
        yield from _differences(row, name, number, as_object(after))


def _differences(row: Standing, name: str, number: int, after: Mapping[str, Any]) -> Iterator[Fault]:
    now = json.loads(json.dumps(row.standing()))
    for part in sorted({*now, *after}):
        if now.get(part) != after.get(part):
            told = f"{part} is {_shown(now.get(part))}, and this row left it {_shown(after.get(part))}"
            yield Fault(number, name, told)


def _shown(value: Any) -> str:
    return shortened(json.dumps(value, ensure_ascii=False), LONGEST_VALUE)


def _confirmations(work: Work, seen: _Seen) -> Iterator[Fault]:
    """Each yes against the row that wrote it down, and each move that rested on one."""
    given = select(WorkConfirmation, WorkItem.uid, WorkItem.slug).join(
        WorkItem, col(WorkItem.id) == col(WorkConfirmation.item_id)
    )
    for row, uid, slug in work.session.exec(given):
        kind, item, revision = seen.kinds.get(row.ledger_number, ("", "", None))
        if (kind, item) != (CONFIRMED, uid):
            yield Fault(row.ledger_number, slug, f"no row of the ledger wrote down its confirmation {row.id}")
        elif revision is not None and revision != row.revision:
            told = f"it confirmed revision {revision}, and the confirmation says {row.revision}"
            yield Fault(row.ledger_number, slug, told)
    for rest in seen.rests:
        if rest.kind == "confirmation":
            kind, item, _ = seen.kinds.get(int(rest.uid or 0), ("", "", None))
            if (kind, item) != (CONFIRMED, rest.item) or int(rest.uid) >= rest.number:
                yield Fault(rest.number, rest.item, f"it rests on a confirmation, and row {rest.uid} is none of it")


def _texts(work: Work, seen: _Seen) -> Iterator[Fault]:
    """The words beside the rows against their salted hashes; what was forgotten or masked is empty."""
    left = {(number, name) for number, texts in seen.salts.items() for name in texts}
    told = table_of(WorkLedgerText).c
    columns = (told.number, told.name, told.item_uid, told.salt, told.text)
    found = sqlalchemy.select(*columns).order_by(told.number).execution_options(yield_per=AT_ONCE)
    for row in work.session.connection().execute(found):
        text = _Words(*row)
        known = seen.salts.get(text.number, {}).get(text.name)
        left.discard((text.number, text.name))
        if known is None:
            yield Fault(text.number, text.item_uid, f"it has no words that are called {text.name}")
        elif not text.text and not text.salt:
            if not _may_be_empty(seen, text):
                yield Fault(text.number, text.item_uid, f"its words ({text.name}) were taken, and its item is there")
        elif salted(text.text, text.salt) != known:
            yield Fault(text.number, text.item_uid, f"its words ({text.name}) were changed")
    for number, name in sorted(left):
        yield Fault(number, "", f"its words ({name}) are missing")


def _may_be_empty(seen: _Seen, text: _Words) -> bool:
    kind = seen.newest.get(text.item_uid, (0, "", None))[1]
    is_forgotten = kind in {FORGOTTEN, DELETED} or text.item_uid in seen.gone
    return is_forgotten or (text.number, text.name) in seen.masked


def _foreign(work: Work) -> Iterator[Fault]:
    """What other stores' ledgers say is what they said when they came."""
    found = select(WorkForeignLedgerRow).where(WorkForeignLedgerRow.fault == "")
    for row in work.session.exec(found.execution_options(yield_per=AT_ONCE)):
        if digest_of(row.number, _body(row.body), row.before) != row.digest:
            yield Fault(row.number, row.item_uid, f"this row of the ledger of store {short(row.store)} was changed")


def _against_heads(seen: _Seen, heads: Sequence[KnownHead]) -> tuple[list[KnownHead], list[Fault]]:
    """The known heads that the chain has, and the faults of those that it does not have.

    What a restore put aside is written down in its row: from there on the chain is another one.
    """
    agreed, lost = list[KnownHead](), list[Fault]()
    for head in heads:
        if seen.digests.get(head.number) == head.digest:
            agreed.append(head)
        elif not any(first <= head.number <= last for first, last in seen.put_aside):
            lost.append(Fault(head.number, "", f"the chain lacks this row as {head.place} has it"))
    return agreed, lost
