"""The gates of nodes: what their inputs, outputs, quality gates and children say."""

from collections.abc import Callable, Iterable, Mapping

from sqlmodel import col, select

from bigmind.core.plain_text import shortened
from bigmind.flow.gates import Finding
from bigmind.store.work import Work
from bigmind.text.phrasing import counted
from bigmind.work.node_tables import WorkNode, WorkNodeGate, WorkNodeInput, WorkNodeOutput
from bigmind.work.tables import WorkItem

COMPLETE, PASSED, FAILED, PENDING = "complete", "pass", "fail", "pending"
SHOWN = 5
"""Of what is missing, so many are named."""


def inputs_of(work: Work, row: WorkItem) -> list[WorkNodeInput]:
    """A node's inputs, in their order."""
    found = select(WorkNodeInput).where(WorkNodeInput.item_id == row.id).order_by(col(WorkNodeInput.position))
    return list(work.session.exec(found).all())


def outputs_of(work: Work, row: WorkItem) -> list[WorkNodeOutput]:
    """A node's outputs, in their order."""
    found = select(WorkNodeOutput).where(WorkNodeOutput.item_id == row.id).order_by(col(WorkNodeOutput.position))
    return list(work.session.exec(found).all())


def quality_gates_of(work: Work, row: WorkItem) -> list[WorkNodeGate]:
    """A node's quality gates, in their order."""
    found = select(WorkNodeGate).where(WorkNodeGate.item_id == row.id).order_by(col(WorkNodeGate.position))
    return list(work.session.exec(found).all())


def is_satisfied(work: Work, given: WorkNodeInput) -> bool:
    """Whether an input is there: the node that it comes from is complete; from outside, somebody said so."""
    if not given.source:
        return given.satisfied
    source = work.session.get(WorkItem, given.source_id) if given.source_id is not None else None
    return source is not None and source.state == COMPLETE


def open_children(work: Work, row: WorkItem) -> list[WorkItem]:
    """What was opened for a node on the way and is not complete."""
    opened = (
        select(WorkItem)
        .join(WorkNode, col(WorkNode.item_id) == col(WorkItem.id))
        .where(WorkNode.interrupts == row.id, WorkItem.state != COMPLETE)
    )
    return list(work.session.exec(opened.order_by(col(WorkItem.id))).all())


def node_findings(work: Work, row: WorkItem, gates: set[str]) -> dict[str, Finding]:
    """What a node's own rows say of those gates that rest on them."""
    return {name: find(work, row) for name, find in FINDERS.items() if name in gates}


def _inputs_satisfied(work: Work, row: WorkItem) -> Finding:
    given = inputs_of(work, row)
    left = [each for each in given if not is_satisfied(work, each)]
    if not left:
        there = counted(len(given), "input is there", "inputs are there")
        return Finding(passed=True, evidence=there if given else "it needs none")
    return Finding(passed=False, reason=f"It waits for {_named(_input(each) for each in left)}.")


def _input_withdrawn(work: Work, row: WorkItem) -> Finding:
    left = [each for each in inputs_of(work, row) if not is_satisfied(work, each)]
    if left:
        return Finding(passed=True, evidence=f"it waits for {_named(_input(each) for each in left)}")
    return Finding(passed=False, reason="All its inputs are there.")


def _outputs_present(work: Work, row: WorkItem) -> Finding:
    outputs = outputs_of(work, row)
    left = [each for each in outputs if each.produced_at is None]
    remedy = "Submit them: mindspace_submit_output."
    if not outputs:
        return Finding(passed=False, reason="It declares no output.", remedy="A person adds one to its definition.")
    if left:
        return Finding(passed=False, reason=f"Not submitted: {_named(_output(each) for each in left)}.", remedy=remedy)
    seen = {f"output:{each.id}": each.digest for each in outputs if each.digest}
    return Finding(passed=True, evidence=f"{counted(len(outputs), 'output')}, as stated", seen=seen or None)


def _quality_gates_passed(work: Work, row: WorkItem) -> Finding:
    gates, outputs = quality_gates_of(work, row), _outputs_present(work, row)
    if not outputs.passed:
        return outputs
    left = [each for each in gates if each.status != PASSED]
    if not gates or left:
        told = _named(f"{each.name} ({each.status})" for each in left) or "it has none"
        return Finding(passed=False, reason=f"Quality gates: {told}.", remedy="Their verifiers judge them.")
    seen = {f"quality_gate:{each.id}": "self-checked" if each.self_checked else PASSED for each in gates}
    return Finding(passed=True, evidence=_named(each.name for each in gates), seen=seen)


def _quality_gate_failed(work: Work, row: WorkItem) -> Finding:
    failed = [each for each in quality_gates_of(work, row) if each.status == FAILED]
    if failed:
        seen = {f"quality_gate:{each.id}": FAILED for each in failed}
        return Finding(passed=True, evidence=_named(each.name for each in failed), seen=seen)
    return Finding(passed=False, reason="No quality gate failed.")


def _child_open(work: Work, row: WorkItem) -> Finding:
    opened = open_children(work, row)
    if opened:
        seen = {f"child:{each.uid}": each.state for each in opened[:SHOWN]}
        return Finding(passed=True, evidence=_named(each.slug for each in opened), seen=seen)
    reason = "No child is open that was found on the way."
    return Finding(passed=False, reason=reason, remedy="Open one below it: mindspace_create_node(parent_id=…).")


def _children_done(work: Work, row: WorkItem) -> Finding:
    opened = open_children(work, row)
    if opened:
        return Finding(passed=False, reason=f"It waits for {_named(each.slug for each in opened)}.")
    return Finding(passed=True, evidence="no child of it is open")


FINDERS: Mapping[str, Callable[[Work, WorkItem], Finding]] = {
    "inputs_satisfied": _inputs_satisfied,
    "input_withdrawn": _input_withdrawn,
    "outputs_present": _outputs_present,
    "quality_gates_passed": _quality_gates_passed,
    "quality_gate_failed": _quality_gate_failed,
    "child_open": _child_open,
    "children_done": _children_done,
}


def _input(given: WorkNodeInput) -> str:
    told = given.path or given.description or given.type
    return f"{told} of {given.source}" if given.source else told


def _output(output: WorkNodeOutput) -> str:
    return output.path or output.description or output.type


def _named(words: Iterable[str]) -> str:
    found = [shortened(each, 120) for each in words]
    more = f" and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
    return ", ".join(found[:SHOWN]) + more
