"""Work as an export tells it: items with what they depend on, and the ledgers, with the words that still are."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Connection, RowMapping, bindparam, func, select

from bigmind.core.shapes import as_object
from bigmind.people.tables import User
from bigmind.portable.format.work_records import (
    InterruptionRecord,
    LedgerRecord,
    LedgerTextRecord,
    WorkItemRecord,
)
from bigmind.portable.work.node_parts import node_of
from bigmind.store.tables import table_of
from bigmind.work.node_tables import WorkNode
from bigmind.work.tables import WorkDependency, WorkForeignLedgerRow, WorkItem, WorkLedgerRow, WorkLedgerText

AT_ONCE = 500
HIDDEN = "hidden: "
"""How the fault of a row of another store's ledger begins until the import that brings it is whole."""
_TOLD_OTHERWISE = frozenset({"id", "user", "made_by", "saved", "dna", "depends_on", "node"})


def own_store(connection: Connection) -> str:
    """By what a store is known: the id of its first user, as its backups know it."""
    users = table_of(User)
    return connection.execute(select(users.c.uid).order_by(users.c.id).limit(1)).scalar_one()


def work_items(connection: Connection) -> Iterator[WorkItemRecord]:
    """All of them, in the order of their times and ids."""
    items, users = table_of(WorkItem), table_of(User)
    keys = select(items.c.id).order_by(items.c.created_at, items.c.uid)
    for key in _streamed(connection, keys):
        joined = select(items, users.c.username).join(users, users.c.id == items.c.user_id, isouter=True)
        row = connection.execute(joined.where(items.c.id == key)).mappings().one()
        yield _item(connection, row)


def nodes_among(connection: Connection) -> int:
    """How many of the work items are nodes of the mindspace."""
    return connection.execute(select(func.count()).select_from(table_of(WorkNode))).scalar_one()


def _item(connection: Connection, row: RowMapping) -> WorkItemRecord:
    links, items = table_of(WorkDependency), table_of(WorkItem)
    others = (
        select(items.c.uid)
        .join(links, links.c.other_id == items.c.id)
        .where(links.c.item_id == row["id"])
        .order_by(items.c.uid)
    )
    saved: Mapping[str, Any] | None = row["saved"]
    told = {name: row[name] for name in WorkItemRecord.model_fields if name not in _TOLD_OTHERWISE}
    return WorkItemRecord.model_construct(
        id=row["uid"],
        user=None,
        made_by=row["username"],
        saved=InterruptionRecord.model_construct(state=saved["state"], role=saved["role"]) if saved else None,
        dna=as_object(json.loads(row["dna"] or "{}")),
        depends_on=list(connection.execute(others).scalars()),
        node=node_of(connection, row["id"]),
        **told,
    )


def ledger_rows(connection: Connection) -> Iterator[LedgerRecord]:
    """This store's chain, and behind it those that were imported; each in its order."""
    own, store = table_of(WorkLedgerRow), own_store(connection)
    after = 0
    chunk = select(own).where(own.c.number > bindparam("after")).order_by(own.c.number).limit(AT_ONCE)
    while rows := connection.execute(chunk, {"after": after}).mappings().all():
        words = _words(connection, rows[0]["number"], rows[-1]["number"])
        yield from (_row(row, store, words.get(row["number"], [])) for row in rows)
        after = rows[-1]["number"]
    foreign = table_of(WorkForeignLedgerRow)
    order = (foreign.c.store, foreign.c.number, foreign.c.digest)
    shown = select(foreign.c.id).where(~foreign.c.fault.startswith(HIDDEN))
    for key in _streamed(connection, shown.order_by(*order)):
        row = connection.execute(select(foreign).where(foreign.c.id == key)).mappings().one()
        yield _row(row, row["store"], words_from(row["texts"]))


def _row(row: RowMapping, store: str, words: list[LedgerTextRecord]) -> LedgerRecord:
    told = {name: row[name] for name in ("number", "kind", "body", "before", "digest")}
    return LedgerRecord.model_construct(store=store, item=row["item_uid"], words=words, **told)


def _words(connection: Connection, first: int, last: int) -> dict[int, list[LedgerTextRecord]]:
    """What was not forgotten of the words beside those rows, by their numbers."""
    texts = table_of(WorkLedgerText)
    within = texts.c.number.between(first, last)
    found = select(texts).where(within, texts.c.text != "").order_by(texts.c.number, texts.c.name)
    words: dict[int, list[LedgerTextRecord]] = {}
    for row in connection.execute(found).mappings():
        told = LedgerTextRecord.model_construct(name=row["name"], salt=row["salt"], text=row["text"])
        words.setdefault(row["number"], []).append(told)
    return words


def words_from(texts: str) -> list[LedgerTextRecord]:
    """The words of a row of another store's ledger, as they are kept."""
    kept: dict[str, list[str]] = json.loads(texts) if texts else {}
    return [LedgerTextRecord.model_construct(name=name, salt=salt, text=text) for name, (salt, text) in kept.items()]


def words_as_kept(words: list[LedgerTextRecord]) -> str:
    """The reverse."""
    return json.dumps({each.name: [each.salt, each.text] for each in words}, ensure_ascii=False) if words else ""


def _streamed(connection: Connection, query: Any) -> Iterator[int]:
    for keys in connection.execute(query, execution_options={"yield_per": AT_ONCE}).scalars().partitions():
        yield from keys
