"""A mindspace node as an export tells it, and as an import writes it beside its item."""

from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, RowMapping, delete, select
from sqlmodel import col
from sqlmodel import select as select_rows

from bigmind.kinds import derive
from bigmind.mindspace.nodes import Node
from bigmind.portable.format.node_records import NodeGateRecord, NodeInputRecord, NodeOutputRecord, NodeRecord
from bigmind.store.tables import table_of
from bigmind.store.work import Work
from bigmind.work.node_tables import WorkNode, WorkNodeGate, WorkNodeInput, WorkNodeOutput
from bigmind.work.tables import WorkItem

_LISTS = frozenset({"inputs", "outputs", "gates"})
_ITEMS = frozenset({"parent", "interrupts", "source"})
"""Fields that name another item."""


def node_of(connection: Connection, item: int) -> NodeRecord | None:
    """The node of an item; None where it has none."""
    nodes = table_of(WorkNode)
    row = connection.execute(select(nodes).where(nodes.c.item_id == item)).mappings().first()
    if row is None:
        return None
    told = {name: row[name] for name in NodeRecord.model_fields if name not in _LISTS | _ITEMS}
    inputs = [
        NodeInputRecord.model_construct(source=_uid(connection, each["source_id"]), **_told(each, NodeInputRecord))
        for each in _parts(connection, WorkNodeInput, item)
    ]
    return NodeRecord.model_construct(
        parent=_uid(connection, row["parent_id"]),
        interrupts=_uid(connection, row["interrupts"]),
        inputs=inputs,
        outputs=_all(connection, WorkNodeOutput, NodeOutputRecord, item),
        gates=_all(connection, WorkNodeGate, NodeGateRecord, item),
        **told,
    )


def _all(connection: Connection, table: Any, record: Any, item: int) -> list[Any]:
    return [record.model_construct(**_told(each, record)) for each in _parts(connection, table, item)]


def _parts(connection: Connection, table: Any, item: int) -> Sequence[RowMapping]:
    rows = table_of(table)
    found = select(rows).where(rows.c.item_id == item).order_by(rows.c.position, rows.c.id)
    return connection.execute(found).mappings().all()


def _told(row: RowMapping, record: Any) -> dict[str, Any]:
    return {name: row[name] for name in record.model_fields if name not in _ITEMS}


def _uid(connection: Connection, key: int | None) -> str | None:
    items = table_of(WorkItem)
    return None if key is None else connection.execute(select(items.c.uid).where(items.c.id == key)).scalar()


def write_node(work: Work, row: WorkItem, record: NodeRecord) -> None:
    """Write what only a node has, once all items are there; of what is not here, nothing is named."""
    key = row.id or 0
    for table in (WorkNode, WorkNodeInput, WorkNodeOutput, WorkNodeGate):
        rows = table_of(table)
        work.session.connection().execute(delete(rows).where(rows.c.item_id == key))
    work.session.expire_all()
    parent, interrupts = _item(work, record.parent), _item(work, record.interrupts)
    own = WorkNode(item_id=key, **_fields(record, NodeRecord))
    own.parent_id, own.interrupts = parent and parent.id, interrupts and interrupts.id
    inputs: list[WorkNodeInput] = []
    for place, each in enumerate(record.inputs):
        source = _item(work, each.source)
        given = WorkNodeInput(item_id=key, position=place, **_fields(each, NodeInputRecord))
        given.source, given.source_id = (source.slug, source.id) if source is not None else ("", None)
        inputs.append(given)
    outputs = [
        WorkNodeOutput(item_id=key, position=place, **_fields(each, NodeOutputRecord))
        for place, each in enumerate(record.outputs)
    ]
    gates = [
        WorkNodeGate(item_id=key, position=place, **_fields(each, NodeGateRecord))
        for place, each in enumerate(record.gates)
    ]
    work.session.add_all((own, *inputs, *outputs, *gates))
    row.description = Node(row, own, inputs, outputs, gates).words()
    derive(work, row)


def _fields(record: Any, kind: Any) -> dict[str, Any]:
    return {name: getattr(record, name) for name in kind.model_fields if name not in _LISTS | _ITEMS}


def _item(work: Work, uid: str | None) -> WorkItem | None:
    return None if uid is None else work.session.exec(select_rows(WorkItem).where(col(WorkItem.uid) == uid)).first()
