"""A tree from YAML: new nodes are made, others changed as their document says; what it says twice changes nothing.

States and results are believed in person alone, and of new nodes alone. A lease never travels: what was active or
paused has to be claimed anew. In the ledger stands one row for all that is new.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.kinds import save
from bigmind.mindspace.amendment import NodeDraft, changed
from bigmind.mindspace.answers import ImportAnswer
from bigmind.mindspace.consequences import settle
from bigmind.mindspace.definitions import DoneForm, GateForm, InputForm, OutputForm, ReadyForm
from bigmind.mindspace.nodes import Node, children_of, next_position, set_gates, set_inputs, set_outputs
from bigmind.mindspace.planning import begun, refuse_unless_planner, told
from bigmind.mindspace.rules import ACCEPTED, HUMAN, circle_in
from bigmind.mindspace.tree_document import TreeNode, fault_at, refuse
from bigmind.mindspace.tree_export import every_node
from bigmind.store.work import Work
from bigmind.work.ledger_rows import Entry, append, append_import
from bigmind.work.node_gates import COMPLETE, FAILED, PASSED, is_satisfied
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
    work.session.flush()
    for each in taken.every:
        _write(taken, each, is_new=each.record.id not in before)
    for top in taken.tops:
        for each in top.each():
            _place(taken, each)
    _refuse_places_below_themselves(taken)
    _finish(taken)
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
    record = each.record
    with _Line(each):
        draft = NodeDraft(title=record.title, owner=record.owner, slug=record.id)
        taken.known[record.id] = begun(taken.work, draft)
    taken.work.session.add(taken.known[record.id].own)


def _write(taken: _Import, each: TreeNode, *, is_new: bool) -> None:
    node = taken.known[each.record.id]
    with _Line(each):
        if is_new:
            _write_new(taken, node, each)
            taken.new.append(node)
        elif changed(taken.work, node, _draft(node, each)):
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


def _write_new(taken: _Import, node: Node, each: TreeNode) -> None:
    work, own, record = taken.work, node.own, each.record
    own.type, own.phase = record.type, record.phase or ""
    own.plan_url, own.plan_path = record.plan.url, record.plan.path
    own.context, own.action, own.acceptance = record.ready.context, record.done.action, record.done.acceptance
    inputs: list[InputForm] = record.ready.inputs
    if not taken.believes:
        inputs = [one.model_copy(update={"satisfied": False}) for one in inputs]
    sources = {one.source: taken.known[one.source].row for one in inputs if one.source}
    set_inputs(work, node, inputs, sources)
    set_outputs(work, node, [*map(_output, record.done.outputs)])
    set_gates(work, node, _gates(each))
    if taken.believes:
        _believe(node, each)


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


def _finish(taken: _Import) -> None:
    """Roots of their own behind those that are there; states by the inputs; words; and the one row of the ledger."""
    work = taken.work
    new = {each.key: each for each in taken.new}
    position = next_position(work, None)
    roots = [taken.known[each.record.id] for each in taken.tops if taken.known[each.record.id].key in new]
    for number, node in enumerate(roots):
        node.own.position = position + number
    for node in taken.new:
        if node.row.state not in BELIEVED:
            node.row.state = "ready" if all(is_satisfied(work, each) for each in node.inputs) else "pending"
        node.row.description = node.words()
        save(work, node.row, Action.IMPORTED)
    if taken.new:
        append_import(work, [each.row for each in taken.new])


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
