"""A tree from YAML: new nodes are made, others changed as their document says; what it says twice changes nothing.

States and results are believed in person alone, and of new nodes alone. A lease never travels: what was active or
paused has to be claimed anew. In the ledger stands one row of each that is new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.kinds import derive, flag
from bigmind.mindspace.amendment import NodeDraft, changed, words_of
from bigmind.mindspace.answers import ImportAnswer
from bigmind.mindspace.consequences import settle
from bigmind.mindspace.definitions import DoneForm, GateForm, OutputForm, ReadyForm
from bigmind.mindspace.nodes import (
    Node,
    checked_gates,
    children_of,
    gate_row,
    input_rows,
    next_position,
    output_row,
)
from bigmind.mindspace.planning import new_item, refuse_unless_planner, told
from bigmind.mindspace.rules import ACCEPTED, HUMAN, circle_in
from bigmind.mindspace.tree_document import TreeNode, fault_at, refuse
from bigmind.mindspace.tree_export import every_node
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.node_gates import COMPLETE, FAILED, PASSED
from bigmind.work.node_tables import WorkNode, WorkNodeInput
from bigmind.work.processes import OF_TASKS_ONLY
from bigmind.work.tables import WorkItem

BELIEVED = frozenset({"review", "rework", COMPLETE})
"""States that an import in person takes over as they are."""
AT_ONCE = 500


@dataclass(slots=True)
class _Import:
    """What an import knows: the nodes that are there, and those of the document, by their ids."""

    work: Work
    tops: Sequence[TreeNode]
    known: dict[str, Node]
    believes: bool
    records: dict[str, TreeNode] = field(default_factory=dict[str, TreeNode])
    new: list[Node] = field(default_factory=list[Node])
    changed: list[Node] = field(default_factory=list[Node])

    @property
    def every(self) -> list[TreeNode]:
        return [each for top in self.tops for each in top.each()]


def import_tree(work: Work, tops: Sequence[TreeNode]) -> ImportAnswer:
    """Take in a tree that was read.

    Raises:
        BigMindError: `forbidden` in other roles; `invalid_input`, naming line and node: of an id that a task has, a
            source that is nowhere, a circle, a state that does not fit; what `update_node` raises, likewise.
    """
    refuse_unless_planner(work)
    known = {each.row.slug: each for each in every_node(work).values()}
    taken = _Import(work, tops, known, work.caller.presence.is_in_person)
    _refuse_others(taken)
    _refuse_circles(taken)
    before = set(known)
    for each in taken.every:
        if each.record.id not in before:
            _begin(taken, each)
    _store(taken)
    for each in taken.every:
        if each.record.id in before:
            _change(taken, each)
    for each in taken.every:
        _place(taken, each)
    _refuse_places_below_themselves(taken)
    for each in taken.new:
        body = {"state": each.row.state, "revision": each.row.revision, "believed": taken.believes}
        append(work, Entry("imported", each.row.uid, body, words_of(each)), each.row)
        work.session.add(each.row)
    reviewed = [each.row for each in taken.new if each.row.state == "review"]
    moved = settle(work, [*(each.row for each in taken.changed), *reviewed])
    count = len(taken.every)
    created, edited = [each.row.slug for each in taken.new], [each.row.slug for each in taken.changed]
    left = count - len(created) - len(edited)
    return ImportAnswer(created=created, changed=edited, unchanged=left, moved=told(moved))


def _refuse_others(taken: _Import) -> None:
    """Refuse ids of what is no node, and sources that are nowhere."""
    ids = [each.record.id for each in taken.every]
    tasks: set[str] = set()
    for start in range(0, len(ids), AT_ONCE):
        named = col(WorkItem.slug).in_(ids[start : start + AT_ONCE])
        found = select(WorkItem.slug).where(named, WorkItem.process != OF_TASKS_ONLY)
        tasks |= set(taken.work.session.exec(found).all())
    there = taken.known.keys() | {*ids}
    faults = [fault_at(each, "id: a task has it") for each in taken.every if each.record.id in tasks]
    for each in taken.every:
        for number, given in enumerate(each.record.ready.inputs):
            if given.source and given.source not in there:
                faults.append(fault_at(each, f"ready.inputs[{number}].from: there is no node {given.source!r}"))
    if faults:
        refuse(faults)


def _refuse_circles(taken: _Import) -> None:
    leads_to = {each.row.slug: [one.source for one in each.inputs if one.source] for each in taken.known.values()}
    leads_to |= {each.record.id: [one.source for one in each.record.ready.inputs if one.source] for each in taken.every}
    slugs = {each.key: each.row.slug for each in taken.known.values()}
    for each in taken.known.values():
        if each.own.interrupts is not None and each.own.interrupts in slugs:
            leads_to[slugs[each.own.interrupts]] = [*leads_to[slugs[each.own.interrupts]], each.row.slug]
    if circle := circle_in(leads_to, (each.record.id for each in taken.every)):
        first = next(each for each in taken.every if each.record.id in circle)
        refuse([fault_at(first, f"ready.inputs: a circle: {' → '.join(circle)}")])


def _begin(taken: _Import, each: TreeNode) -> None:
    """Put a new node together, whole; nothing of it is in the store yet."""
    work, record = taken.work, each.record
    with _Line(each):
        row = new_item(work, NodeDraft(title=record.title, owner=record.owner, slug=record.id))
        own = WorkNode(item_id=0, type=record.type, phase=record.phase or "")
        own.plan_url, own.plan_path = record.plan.url, record.plan.path
        own.context, own.action, own.acceptance = record.ready.context, record.done.action, record.done.acceptance
        outputs = [output_row(0, number, one) for number, one in enumerate(record.done.outputs)]
        gates = [gate_row(0, number, one) for number, one in enumerate(checked_gates(_gates(each)))]
        node = Node(row, own, [], outputs, gates)
        if taken.believes:
            _believe(node, each)
    taken.known[record.id] = node
    taken.new.append(node)
    taken.records[record.id] = each


def _store(taken: _Import) -> None:
    """Store the new nodes, all at once: each where its inputs put it, or where a person says it stands."""
    work, roots = taken.work, {each.record.id for each in taken.tops}
    position = next_position(work, None)
    for node in taken.new:
        record = taken.records[node.row.slug].record
        inputs = record.ready.inputs
        if not taken.believes:
            inputs = [one.model_copy(update={"satisfied": False}) for one in inputs]
        sources = {one.source: taken.known[one.source].row for one in inputs if one.source}
        node.inputs = input_rows(0, inputs, sources)
        if node.row.state not in BELIEVED and all(_is_there(one, sources) for one in node.inputs):
            node.row.state = "ready"
        if node.row.slug in roots:
            node.own.position, position = position, position + 1
        node.row.description = node.words()
        flag(work, node.row)
        derive(work, node.row)
    work.session.flush()
    for node in taken.new:
        node.own.item_id = node.key
        for part in (*node.inputs, *node.outputs, *node.gates):
            part.item_id = node.key
        for given in node.inputs:
            given.source_id = taken.known[given.source].row.id if given.source else None
        work.session.add_all((node.own, *node.inputs, *node.outputs, *node.gates))
        work.changed("work_item", node.row.uid, Action.IMPORTED, is_shared=True)
    work.session.flush()


def _is_there(given: WorkNodeInput, sources: Mapping[str, WorkItem]) -> bool:
    return sources[given.source].state == COMPLETE if given.source else given.satisfied


def _change(taken: _Import, each: TreeNode) -> None:
    node = taken.known[each.record.id]
    with _Line(each):
        if changed(taken.work, node, _draft(node, each)):
            taken.changed.append(node)


def _draft(node: Node, each: TreeNode) -> NodeDraft:
    """What a document says of a node that is there; what was said of its inputs stays."""
    record = each.record
    said = {(one.source, one.type, one.description, one.path): one.satisfied for one in node.inputs}
    inputs = [
        one.model_copy(update={"satisfied": said.get((one.source, one.type, one.description, one.path), False)})
        for one in record.ready.inputs
    ]
    return NodeDraft(
        title=record.title,
        owner=record.owner,
        type=record.type,
        phase=record.phase or "",
        plan=record.plan,
        ready=ReadyForm(context=record.ready.context, inputs=inputs),
        done=DoneForm(
            action=record.done.action,
            acceptance=record.done.acceptance,
            outputs=[*map(_output, record.done.outputs)],
            quality_gates=_gates(each),
        ),
    )


def _output(given: OutputForm) -> OutputForm:
    return OutputForm(type=given.type, description=given.description, path=given.path)


def _gates(each: TreeNode) -> list[GateForm]:
    gates = [
        GateForm(name=one.name, verifier=one.verifier, independent=one.independent) for one in each.record.done.gates
    ]
    return gates or [GateForm(name=ACCEPTED, verifier=HUMAN)]


def _believe(node: Node, each: TreeNode) -> None:
    """Take over what a document says came of a new node."""
    record, row = each.record, node.row
    for output, told_ in zip(node.outputs, record.done.outputs, strict=True):
        output.produced_at, output.produced_by = told_.produced, told_.by if told_.produced else ""
        output.note, output.digest = told_.note, told_.digest
    for gate, told_ in zip(node.gates, record.done.gates, strict=False):
        gate.status, gate.evidence, gate.by, gate.at = told_.status, told_.evidence, told_.by, told_.at
        gate.in_person, gate.self_checked = told_.in_person, told_.self_checked
    node.own.was_claimed = record.state not in {"", "pending", "ready"}
    if record.state in BELIEVED:
        if fault := _misfit(node, record.state):
            raise BigMindError(Code.INVALID_INPUT, f"state: {record.state} does not fit: {fault}")
        row.state = record.state
        row.worked_by = next((one.produced_by for one in node.outputs if one.produced_by), "")
        row.worked_as = row.role
    row.is_imported = node.own.was_claimed or any(one.produced_at is not None for one in node.outputs)


def _misfit(node: Node, state: str) -> str:
    statuses = {each.status for each in node.gates}
    if state != "rework" and any(each.produced_at is None for each in node.outputs):
        return "an output was not produced"
    if state == COMPLETE and statuses != {PASSED}:
        return "a quality gate did not pass"
    return "a quality gate failed" if state == "review" and FAILED in statuses else ""


def _place(taken: _Import, each: TreeNode) -> None:
    """Put the children of a node of the document below it, in its order; others that stand there come behind."""
    work, parent = taken.work, taken.known[each.record.id]
    wanted = [taken.known[one.record.id].own for one in each.children]
    if not wanted:
        return
    there = children_of(work, parent.key)
    keys = {one.item_id for one in wanted}
    ordered = [*wanted, *(one for one in there if one.item_id not in keys)]
    if [one.item_id for one in there] == [one.item_id for one in ordered]:
        return
    by_key = {one.key: one for one in taken.known.values()} if len(there) != len(ordered) else {}
    new = {one.key for one in taken.new}
    for number, own in enumerate(ordered):
        is_moved = own.parent_id != parent.key and own.item_id not in new
        own.parent_id, own.position = parent.key, number
        work.session.add(own)
        if is_moved:
            node = by_key[own.item_id]
            body = {"parent": parent.row.uid, "position": number}
            append(work, Entry("placed", node.row.uid, body), node.row)
            taken.changed.extend([node] if node not in taken.changed else [])
    work.session.flush()


def _refuse_places_below_themselves(taken: _Import) -> None:
    slugs = {each.key: each.row.slug for each in taken.known.values()}
    above = {each.row.slug: [slugs[each.own.parent_id]] for each in taken.known.values() if each.own.parent_id in slugs}
    if circle := circle_in(above, (each.record.id for each in taken.every)):
        first = next(each for each in taken.every if each.record.id in circle)
        refuse([fault_at(first, f"children: it would stand below itself: {' → '.join(circle)}")])


class _Line:
    """Says line and node of what is wrong within."""

    def __init__(self, node: TreeNode) -> None:
        self._node = node

    def __enter__(self) -> None:
        return

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        del kind, trace
        if isinstance(error, BigMindError):
            about = "; ".join(str(each) for each in error.problems)
            told_ = f"line {self._node.line}, node {self._node.record.id}: {error.message}"
            raise BigMindError(error.code, f"{told_} {about}".rstrip(), error.hint) from None
