"""What may be changed of a node, and by whom: what is done already stays."""

from dataclasses import dataclass, field

from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.mindspace.definitions import DoneForm, PlanForm, ReadyForm
from bigmind.mindspace.nodes import (
    Node,
    is_rewritten,
    refuse_unless_station,
    reopen_gates,
    set_gates,
    set_inputs,
    set_outputs,
    words_before,
    write_node,
)
from bigmind.store.work import Work
from bigmind.work.ledger_rows import Entry
from bigmind.work.moving import refuse_unless_agreed
from bigmind.work.node_gates import COMPLETE
from bigmind.work.roles import shown_agent


@dataclass(frozen=True, slots=True)
class NodeDraft:
    """A node as it is asked for; what is None stays as it is."""

    title: str | None = None
    owner: str | None = None
    type: str | None = None
    phase: str | None = None
    plan: PlanForm | None = None
    ready: ReadyForm = field(default_factory=ReadyForm)
    done: DoneForm = field(default_factory=DoneForm)
    slug: str = ""


def changed(work: Work, node: Node, draft: NodeDraft) -> bool:
    """Write what a draft changes of a node, with a row in the ledger; returns whether it changed anything.

    Raises:
        BigMindError: `forbidden`, `in_person`, `conflict`, `invalid_input`, as `planning.update_node`.
    """
    row, before = node.row, _standing(node)
    _refuse_unless_open(work, node, draft)
    texts = words_before(work, node)
    if draft.owner is not None:
        refuse_unless_station("owner", draft.owner)
        row.role = draft.owner
    row.title = draft.title or row.title
    own = node.own
    for name in ("type", "phase"):
        value = getattr(draft, name)
        setattr(own, name, getattr(own, name) if value is None else value)
    if draft.plan is not None:
        own.plan_url, own.plan_path = draft.plan.url, draft.plan.path
    _write_ready(work, node, draft.ready)
    _write_done(work, node, draft.done)
    after = _standing(node)
    if after == before:
        return False
    row.revision += 1
    if after[0] != before[0]:
        is_rewritten(work, node)
    work.session.add(own)
    write_node(work, node, Action.UPDATED, texts, Entry("edited", row.uid, {"revision": row.revision}, words_of(node)))
    return True


def _write_ready(work: Work, node: Node, given: ReadyForm) -> None:
    if given.context is not None:
        node.own.context = given.context
    if given.inputs is not None and [*map(_input_as_given, node.inputs)] != [
        (each.source, each.type, each.description, each.path, each.satisfied) for each in given.inputs
    ]:
        set_inputs(work, node, given.inputs)


def _write_done(work: Work, node: Node, given: DoneForm) -> None:
    before = _promised(node)
    node.own.action = node.own.action if given.action is None else given.action
    node.own.acceptance = node.own.acceptance if given.acceptance is None else given.acceptance
    if given.outputs is not None:
        set_outputs(work, node, given.outputs)
    if given.quality_gates is not None:
        set_gates(work, node, given.quality_gates)
    if _promised(node) != before:
        reopen_gates(node)  # they were judged by another definition


def _promised(node: Node) -> object:
    outputs = [(each.type, each.description, each.path) for each in node.outputs]
    return node.own.action, node.own.acceptance, outputs


def _input_as_given(given: object) -> tuple[object, ...]:
    return tuple(getattr(given, name) for name in ("source", "type", "description", "path", "satisfied"))


def _standing(node: Node) -> tuple[object, object]:
    """What of a node a draft can change: what it is about, and the rest."""
    row, own = node.row, node.own
    gates = [(each.name, each.verifier, each.is_independent) for each in node.gates]
    about = (row.title, own.context, _promised(node))
    inputs = [_input_as_given(each) for each in node.inputs]
    return about, (row.role, own.type, own.phase, own.plan_url, own.plan_path, inputs, gates)


def _refuse_unless_open(work: Work, node: Node, draft: NodeDraft) -> None:
    """Refuse a change of what is complete, or held, or, by an agent, of a definition of done that was claimed."""
    row, in_person = node.row, work.caller.presence.is_in_person
    refuse_unless_agreed(work, row)
    if row.state == COMPLETE:
        raise BigMindError(Code.CONFLICT, f"{row.slug} is complete, and stays as it is.")
    if in_person:
        return
    if row.holder:
        who = shown_agent(row.holder)
        raise BigMindError(Code.CONFLICT, f"{who} holds {row.slug}.", "A person changes it, or it waits.")
    done = draft.done
    if node.own.was_claimed and done != DoneForm() and _is_other(node, done):
        raise BigMindError(
            Code.IN_PERSON,
            f"{row.slug} was claimed: its definition of done is changed in person.",
            "A person does it on the node's page, in BigMind's window.",
        )


def _is_other(node: Node, done: DoneForm) -> bool:
    """Whether a definition of done says anything else than the node's own."""
    own = node.own
    outputs = [(each.type, each.description, each.path) for each in done.outputs or ()]
    gates = [(each.name, each.verifier, each.independent) for each in done.quality_gates or ()]
    return (
        done.action not in {None, own.action}
        or done.acceptance not in {None, own.acceptance}
        or (done.outputs is not None and outputs != [(each.type, each.description, each.path) for each in node.outputs])
        or (
            done.quality_gates is not None
            and gates != [(each.name, each.verifier, each.is_independent) for each in node.gates]
        )
    )


def words_of(node: Node) -> dict[str, str]:
    """The words of a node, for the ledger."""
    return {"slug": node.row.slug, "title": node.row.title, "description": node.words()}
