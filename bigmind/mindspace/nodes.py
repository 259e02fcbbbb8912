"""Nodes: an item with what only a node has, read together and written back."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import func
from sqlmodel import col, delete, select

from bigmind.brain.evidence import newest_entry
from bigmind.caution.detect import pending
from bigmind.core.errors import BigMindError, Code, FieldProblem, invalid, unknown
from bigmind.core.events import Action
from bigmind.kinds import save, texts_of
from bigmind.mindspace.definitions import GateForm, InputForm, OutputForm
from bigmind.mindspace.rules import ACCEPTED, HUMAN, circle_in
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.work.answers import sent_back_in_words
from bigmind.work.items import item_named
from bigmind.work.ledger.gone_items import missing_hint
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.node_gates import FAILED, PENDING, inputs_of, outputs_of, quality_gates_of
from bigmind.work.node_tables import WorkNode, WorkNodeGate, WorkNodeInput, WorkNodeOutput
from bigmind.work.processes import OF_TASKS_ONLY, shipped
from bigmind.work.tables import WorkItem

FIND = "mindspace_get_tree shows the nodes."
IS_TASK = "It is a task; work_transition moves it."


@dataclass(slots=True)
class Node:
    """A node, whole."""

    row: WorkItem
    own: WorkNode
    inputs: list[WorkNodeInput]
    outputs: list[WorkNodeOutput]
    gates: list[WorkNodeGate]

    @property
    def key(self) -> int:
        """The key of its item."""
        return self.row.id or 0

    def words(self) -> str:
        """All its words, as they are searched and looked through; its title stands beside them."""
        own = self.own
        lines = [own.context, own.action, own.acceptance, own.plan_url, own.plan_path, own.type]
        lines += [f"{each.description} {each.path}" for each in self.inputs]
        lines += [f"{each.description} {each.path} {each.note}" for each in self.outputs]
        lines += [f"{each.name} {each.evidence}" for each in self.gates]
        return "\n".join(line for each in lines if (line := each.strip()))


def node_row(work: Work, reference: str) -> WorkItem:
    """The item of the node of that id.

    Raises:
        BigMindError: `not_found`, also for an item that is no node; `ambiguous`.
    """
    try:
        row = item_named(work, reference)
    except BigMindError as error:
        if error.code is Code.NOT_FOUND:
            raise unknown("node", reference, missing_hint(work, FIND)) from None
        raise
    if row.process != OF_TASKS_ONLY:
        raise unknown("node", reference, IS_TASK)
    return row


def node_of(work: Work, row: WorkItem) -> Node:
    """A node, whole."""
    own = work.session.get(WorkNode, row.id)
    if own is None:  # what it was made with was taken out by hand
        own = WorkNode(item_id=row.id or 0)
    return Node(row, own, inputs_of(work, row), outputs_of(work, row), quality_gates_of(work, row))


def node_named(work: Work, reference: str) -> Node:
    """The same by its id."""
    return node_of(work, node_row(work, reference))


def write_node(work: Work, node: Node, action: Action, before: Sequence[str] | None, entry: Entry) -> int:
    """Store a node whose parts were written: its words searched and looked through, the act in the ledger.

    Args:
        work: writes.
        node: as it is now.
        action: what happened.
        before: its texts (`words_before`) before they were written; None of a new one.
        entry: the row of the ledger.
    """
    row = node.row
    row.description, row.updated_at = node.words(), work.now
    save(work, row, action, before)
    number = append(work, entry, row)
    work.session.add(row)
    return number


def words_before(work: Work, node: Node) -> list[str]:
    """A node's texts as they stand."""
    return texts_of(work, node.row)


def is_rewritten(work: Work, node: Node) -> None:
    """Note that its title or definitions are others now: a question that was put before counts no more."""
    node.row.written_after = newest_entry(work)


def set_inputs(
    work: Work, node: Node, given: Sequence[InputForm], sources: Mapping[str, WorkItem] | None = None
) -> None:
    """Give a node these inputs and no others; `sources` are the nodes that they come from, where they are known.

    Raises:
        BigMindError: `invalid_input` for a source that is no node, or a circle, which is shown.
    """
    if sources is None:
        sources = {each.source: node_row(work, each.source) for each in given if each.source}
    if node.inputs:
        work.session.exec(delete(WorkNodeInput).where(col(WorkNodeInput.item_id) == node.key))
    node.inputs = input_rows(node.key, given, sources)
    work.session.add_all(node.inputs)
    work.session.flush()


def input_rows(key: int, given: Sequence[InputForm], sources: Mapping[str, WorkItem]) -> list[WorkNodeInput]:
    """The rows of inputs, new."""
    return [
        WorkNodeInput(
            item_id=key,
            position=number,
            source=sources[each.source].slug if each.source else "",
            source_id=sources[each.source].id if each.source else None,
            type=each.type,
            description=each.description,
            path=each.path,
            satisfied=each.satisfied and not each.source,
        )
        for number, each in enumerate(given)
    ]


def output_row(key: int, number: int, given: OutputForm) -> WorkNodeOutput:
    """The row of an output, new."""
    return WorkNodeOutput(item_id=key, position=number, type=given.type, description=given.description, path=given.path)


def gate_row(key: int, number: int, given: GateForm) -> WorkNodeGate:
    """The row of a quality gate, new."""
    return WorkNodeGate(
        item_id=key, position=number, name=given.name, verifier=given.verifier, is_independent=given.independent
    )


def set_outputs(work: Work, node: Node, given: Sequence[OutputForm]) -> None:
    """Give a node these outputs and no others; what was produced stays so.

    Raises:
        BigMindError: `invalid_input` where there is none, or where one that was produced would go.
    """
    if not given:
        raise invalid("definition_of_done.outputs", given, "at least one output")
    left = list(node.outputs)
    kept: list[WorkNodeOutput] = []
    for number, each in enumerate(given):
        same = next((one for one in left if _is_same(one, each)), None)
        if same is not None:
            left.remove(same)
        row = same or output_row(node.key, number, each)
        row.position = number
        kept.append(row)
    if gone := [each for each in left if each.produced_at is not None]:
        told = ", ".join(each.path or each.description or each.type for each in gone)
        raise invalid("definition_of_done.outputs", told, "what was produced already stays")
    for each in left:
        work.session.delete(each)
    work.session.add_all(kept)
    work.session.flush()
    node.outputs = kept


def _is_same(output: WorkNodeOutput, given: OutputForm) -> bool:
    return (output.type, output.description, output.path) == (given.type, given.description, given.path)


def set_gates(work: Work, node: Node, given: Sequence[GateForm]) -> None:
    """Give a node these quality gates and no others; what was judged stays so, where verifier and kind do.

    Raises:
        BigMindError: `invalid_input` for a verifier that is no station, or a name that stands there twice.
    """
    forms = checked_gates(given)
    known = {(each.name, each.verifier, each.is_independent): each for each in node.gates}
    kept: list[WorkNodeGate] = []
    for number, each in enumerate(forms):
        row = known.pop((each.name, each.verifier, each.independent), None) or gate_row(node.key, number, each)
        row.position = number
        kept.append(row)
    for each in known.values():
        work.session.delete(each)
    work.session.add_all(kept)
    work.session.flush()
    node.gates = kept


def checked_gates(given: Sequence[GateForm]) -> Sequence[GateForm]:
    """The quality gates that a node gets: where none is given, one that a person judges.

    Raises:
        BigMindError: `invalid_input` for a verifier that is no station, or a name that stands there twice.
    """
    forms = given or [GateForm(name=ACCEPTED, verifier=HUMAN)]
    for each in forms:
        refuse_unless_station("definition_of_done.quality_gates", each.verifier, or_human=True)
    if twice := sorted({each.name for each in forms if [one.name for one in forms].count(each.name) > 1}):
        raise invalid("definition_of_done.quality_gates", ", ".join(twice), "each name once")
    return forms


def reopen_gates(node: Node, *states: str) -> None:
    """Make the quality gates in these states pending again; all of them where no state is named."""
    for each in node.gates:
        if not states or each.status in states:
            each.status, each.evidence, each.by, each.at = PENDING, "", "", None
            each.in_person = each.self_checked = False


def sent_back(node: Node) -> str:
    """By whom a node was sent back, and why, in a line: while a gate that failed is not open again."""
    failed = next((each for each in node.gates if each.status == FAILED), None)
    if failed is None or pending(node.row):
        return ""
    return sent_back_in_words("a person" if failed.in_person else shown_agent(failed.by), failed.evidence)


def refuse_unless_station(field: str, station: str, *, or_human: bool = False) -> None:
    """Raises BigMindError, `invalid_input`, for what is no station."""
    known = [*shipped(OF_TASKS_ONLY).roles, *([HUMAN] if or_human else [])]
    if station not in known:
        raise invalid(field, station, f"one of {', '.join(known)}")


def refuse_circles(work: Work, field: str, starts: Sequence[int]) -> None:
    """Raises BigMindError, `invalid_input`, for inputs that lead back to where they begin; the circle is shown."""
    if circle := circle_of_inputs(work, starts):
        problem = FieldProblem(field, circle[-1], f"no circle: {' → '.join(circle)}")
        raise BigMindError(Code.INVALID_INPUT, "Inputs would go in a circle.", problems=(problem,))


def circle_of_inputs(work: Work, starts: Sequence[int]) -> list[str]:
    """The ids of the nodes of a circle of inputs: who waits for whom; empty where there is none."""
    leads_to: dict[int, list[int]] = {}
    given = select(WorkNodeInput.item_id, WorkNodeInput.source_id).where(col(WorkNodeInput.source_id).is_not(None))
    waiting = select(WorkNode.interrupts, WorkNode.item_id).where(col(WorkNode.interrupts).is_not(None))
    for item, other in (*work.session.exec(given).all(), *work.session.exec(waiting).all()):
        leads_to.setdefault(item or 0, []).append(other or 0)
    circle = circle_in(leads_to, starts)
    slugs = dict(work.session.exec(select(WorkItem.id, WorkItem.slug).where(col(WorkItem.id).in_(circle))).all())
    return [slugs.get(each, str(each)) for each in circle]


def children_of(work: Work, parent: int | None) -> list[WorkNode]:
    """What stands directly below a node, or the roots, in their order."""
    below = WorkNode.parent_id == parent if parent is not None else col(WorkNode.parent_id).is_(None)
    ordered = select(WorkNode).where(below).order_by(col(WorkNode.position), col(WorkNode.item_id))
    return list(work.session.exec(ordered).all())


def next_position(work: Work, parent: int | None) -> int:
    """The place behind the last child of a node."""
    below = WorkNode.parent_id == parent if parent is not None else col(WorkNode.parent_id).is_(None)
    last: Any = work.session.exec(select(func.max(WorkNode.position)).where(below)).one()
    return 0 if last is None else int(last) + 1


def ancestors_of(work: Work, key: int) -> list[WorkItem]:
    """The items above a node, the root first."""
    found: list[WorkItem] = []
    seen = {key}
    own = work.session.get(WorkNode, key)
    while own is not None and own.parent_id is not None and own.parent_id not in seen:
        seen.add(own.parent_id)
        row = work.session.get(WorkItem, own.parent_id)
        if row is None:
            break
        found.append(row)
        own = work.session.get(WorkNode, own.parent_id)
    return found[::-1]


def below(work: Work, key: int) -> list[int]:
    """The keys of a node and all below it, parents first."""
    placed = select(WorkNode.item_id, WorkNode.parent_id).where(col(WorkNode.parent_id).is_not(None))
    children: dict[int, list[int]] = {}
    for item, parent in work.session.exec(placed.order_by(col(WorkNode.position))).all():
        children.setdefault(parent or 0, []).append(item)
    found, waiting = list[int](), [key]
    while waiting:
        here = waiting.pop()
        found.append(here)
        waiting.extend(reversed(children.get(here, ())))
    return found
