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
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry
from bigmind.work.moving import refuse_unless_agreed
from bigmind.work.node_gates import COMPLETE


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
    if not differs(node, draft):
        return False
    _refuse_unless_open(work, node, draft)
    row, own, about = node.row, node.own, _about(node)
    texts = words_before(work, node)
    if draft.owner is not None:
        refuse_unless_station("owner", draft.owner)
        row.role = draft.owner
    row.title = draft.title or row.title
    for name in ("type", "phase"):
        value = getattr(draft, name)
        setattr(own, name, getattr(own, name) if value is None else value)
    if draft.plan is not None:
        own.plan_url, own.plan_path = draft.plan.url, draft.plan.path
    _write_ready(work, node, draft.ready)
    _write_done(work, node, draft.done)
    row.revision += 1
    if _about(node) != about:
        is_rewritten(work, node)
    work.session.add(own)
    write_node(work, node, Action.UPDATED, texts, Entry("edited", row.uid, {"revision": row.revision}, words_of(node)))
    return True


def differs(node: Node, draft: NodeDraft) -> bool:
    """Whether a draft says anything else than a node does."""
    row, own, ready = node.row, node.own, draft.ready
    told = (
        (draft.title or None, row.title),
        (draft.owner, row.role),
        (draft.type, own.type),
        (draft.phase, own.phase),
        (None if draft.plan is None else (draft.plan.url, draft.plan.path), (own.plan_url, own.plan_path)),
        (ready.context, own.context),
        (None if ready.inputs is None else [*map(_input_as_given, ready.inputs)], [*map(_input_as_given, node.inputs)]),
    )
    return any(wanted is not None and wanted != have for wanted, have in told) or _is_other(node, draft.done)


def _about(node: Node) -> object:
    """What a node is about: a question that was put before another was said counts no more."""
    return node.row.title, node.own.context, _promised(node)


def _write_ready(work: Work, node: Node, given: ReadyForm) -> None:
    if given.context is not None:
        node.own.context = given.context
    if given.inputs is not None and [*map(_input_as_given, node.inputs)] != [*map(_input_as_given, given.inputs)]:
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
    return node.own.action, node.own.acceptance, [*map(_output_as_given, node.outputs)]


def _output_as_given(output: object) -> tuple[object, ...]:
    return tuple(getattr(output, name) for name in ("type", "description", "path"))


def _input_as_given(given: object) -> tuple[object, ...]:
    return tuple(getattr(given, name) for name in ("source", "type", "description", "path", "satisfied"))


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
    if node.own.was_claimed and _is_other(node, done):
        raise BigMindError(
            Code.IN_PERSON,
            f"{row.slug} was claimed: its definition of done is changed in person.",
            "A person does it on the node's page, in BigMind's window.",
        )


def _is_other(node: Node, done: DoneForm) -> bool:
    """Whether a definition of done says anything else than the node's own."""
    own = node.own
    outputs, gates = done.outputs, done.quality_gates
    told = (
        (done.action, own.action),
        (done.acceptance, own.acceptance),
        (None if outputs is None else [*map(_output_as_given, outputs)], [*map(_output_as_given, node.outputs)]),
        (
            None if gates is None else [(each.name, each.verifier, each.independent) for each in gates],
            [(each.name, each.verifier, each.is_independent) for each in node.gates],
        ),
    )
    return any(wanted is not None and wanted != have for wanted, have in told)


def words_of(node: Node) -> dict[str, str]:
    """The words of a node, for the ledger."""
    return {"slug": node.row.slug, "title": node.row.title, "description": node.words()}
