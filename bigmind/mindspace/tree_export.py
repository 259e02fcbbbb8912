"""The tree as the values of its YAML: definitions, and what came of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmodel import col, select

from bigmind.core.clock import iso
from bigmind.mindspace.answers import DocumentAnswer
from bigmind.mindspace.nodes import Node, node_row
from bigmind.mindspace.tree_document import CHILDREN, write_tree
from bigmind.store.work import Work
from bigmind.work.node_gates import COMPLETE
from bigmind.work.node_tables import WorkNode, WorkNodeGate, WorkNodeInput, WorkNodeOutput
from bigmind.work.processes import OF_TASKS_ONLY
from bigmind.work.tables import WorkItem


def export_tree(work: Work, root: str = "") -> DocumentAnswer:
    """The whole tree, or a node and what is below it.

    Raises:
        BigMindError: `not_found`, `ambiguous`.
    """
    start = node_row(work, root).id if root else None
    nodes = every_node(work)
    children: dict[int | None, list[Node]] = {}
    for each in sorted(nodes.values(), key=lambda each: (each.own.position, each.key)):
        children.setdefault(each.own.parent_id, []).append(each)
    tops = [nodes[start]] if start is not None else children.get(None, [])
    is_complete = {each.key: each.row.state == COMPLETE for each in nodes.values()}
    told: list[Mapping[str, Any]] = []
    waiting: list[tuple[Node, list[Any]]] = [(each, told) for each in reversed(tops)]
    count = 0
    while waiting:
        node, into = waiting.pop()
        below: list[Any] = []
        into.append(_record(node, is_complete) | {CHILDREN: below})
        count += 1
        waiting.extend((each, below) for each in reversed(children.get(node.key, [])))
    return DocumentAnswer(text=write_tree(told), nodes=count)


def every_node(work: Work) -> dict[int, Node]:
    """All nodes, whole, by the keys of their items."""
    items = work.session.exec(select(WorkItem).where(WorkItem.process == OF_TASKS_ONLY)).all()
    own = {each.item_id: each for each in work.session.exec(select(WorkNode)).all()}
    found = {row.id or 0: Node(row, own[row.id or 0], [], [], []) for row in items if (row.id or 0) in own}
    for table, part in ((WorkNodeInput, "inputs"), (WorkNodeOutput, "outputs"), (WorkNodeGate, "gates")):
        ordered = select(table).order_by(col(table.item_id), col(table.position))
        for each in work.session.exec(ordered).all():
            if each.item_id in found:
                getattr(found[each.item_id], part).append(each)
    return found


def _record(node: Node, is_complete: Mapping[int, bool]) -> dict[str, Any]:
    row, own = node.row, node.own
    return {
        "id": row.slug,
        "title": row.title,
        "owner": row.role,
        "type": own.type,
        "phase": own.phase,
        "state": row.state,
        "plan": _filled({"url": own.plan_url, "path": own.plan_path}),
        "ready": _filled({"context": own.context, "inputs": [_input(each, is_complete) for each in node.inputs]}),
        "done": {
            "action": own.action,
            "acceptance": own.acceptance,
            "outputs": _outputs(node.outputs),
            "gates": _gates(node.gates),
        },
    }


def _filled(told: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in told.items() if value}


def _input(given: WorkNodeInput, is_complete: Mapping[int, bool]) -> dict[str, Any]:
    satisfied = is_complete.get(given.source_id or 0, False) if given.source else given.satisfied
    told = {"from": given.source, "type": given.type, "description": given.description, "path": given.path}
    return _filled(told | {"satisfied": satisfied})


def _outputs(outputs: Sequence[WorkNodeOutput]) -> list[dict[str, Any]]:
    return [
        _filled(
            {
                "type": each.type,
                "description": each.description,
                "path": each.path,
                "produced": iso(each.produced_at) if each.produced_at is not None else "",
                "by": each.produced_by,
                "note": each.note,
                "digest": each.digest,
            }
        )
        for each in outputs
    ]


def _gates(gates: Sequence[WorkNodeGate]) -> list[dict[str, Any]]:
    return [
        _filled(
            {
                "name": each.name,
                "verifier": each.verifier,
                "independent": each.is_independent,
                "status": each.status,
                "evidence": each.evidence,
                "by": each.by,
                "at": iso(each.at) if each.at is not None else "",
                "in_person": each.in_person,
                "self_checked": each.self_checked,
            }
        )
        for each in gates
    ]
