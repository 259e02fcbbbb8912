"""The words beside the rows of the ledger, where they hold a secret: they go, and a new row has them masked."""

import json
from collections.abc import Callable, Iterator
from typing import NamedTuple

from sqlmodel import col, select

from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, agrees, append
from bigmind.work.tables import WorkForeignLedgerRow, WorkItem, WorkLedgerText

MASKED = "masked"
"""A row that holds the words of another one with their secrets masked; its body names which."""


def words_of(work: Work) -> Iterator[WorkLedgerText]:
    """The words beside the rows of the caller's items, and of rows that concern no item."""
    mine = select(WorkItem.uid).where(WorkItem.user_id == work.caller.user_id)
    of_caller = col(WorkLedgerText.item_uid).in_(mine) | (WorkLedgerText.item_uid == "")
    found = select(WorkLedgerText).where(of_caller, WorkLedgerText.text != "")
    yield from work.session.exec(found.order_by(col(WorkLedgerText.number)))


def put_in_place_of(work: Work, number: int, name: str, masked: Callable[[str], str]) -> None:
    """Take the words of a row, with their salt, and write them masked into a row of their own."""
    told = work.session.get(WorkLedgerText, (number, name))
    if told is None or not told.text:  # forgotten meanwhile
        return
    row = work.session.exec(select(WorkItem).where(WorkItem.uid == told.item_uid)).first()
    entry = Entry(MASKED, told.item_uid, {"of": number, "name": name}, {name: masked(told.text)})
    told.text = told.salt = ""
    work.session.add(told)
    if row is not None and agrees(work, row):
        append(work, entry, row)
        work.session.add(row)
    else:
        append(work, Entry(MASKED, "", entry.body, entry.texts))


class ForeignWords(NamedTuple):
    """Words of a row of another store's ledger: the key of the row here, its store, number and item, their name."""

    key: int
    store: str
    number: int
    item: str
    name: str
    text: str


def foreign_words_of(work: Work) -> Iterator[ForeignWords]:
    """The words of other stores' ledgers about the caller's items, and about items that are not here."""
    others = select(WorkItem.uid).where(WorkItem.user_id != work.caller.user_id)
    found = select(WorkForeignLedgerRow).where(
        col(WorkForeignLedgerRow.item_uid).not_in(others), WorkForeignLedgerRow.texts != ""
    )
    for row in work.session.exec(found.order_by(col(WorkForeignLedgerRow.id))):
        for name, (_, text) in _kept(row).items():
            yield ForeignWords(row.id or 0, row.store, row.number, row.item_uid, name, text)


def mask_foreign(work: Work, key: int, name: str, masked: Callable[[str], str]) -> None:
    """Mask words of another store's ledger in their place, without the salt: they prove nothing more."""
    row = work.session.get(WorkForeignLedgerRow, key)
    words = _kept(row) if row is not None else {}
    if row is None or name not in words:  # forgotten meanwhile
        return
    row.texts = json.dumps(words | {name: ["", masked(words[name][1])]}, ensure_ascii=False)
    work.session.add(row)


def _kept(row: WorkForeignLedgerRow) -> dict[str, list[str]]:
    return json.loads(row.texts) if row.texts else {}
