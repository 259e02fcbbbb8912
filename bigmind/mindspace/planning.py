"""Planning: nodes are made, changed, placed and deleted, and somebody says where attention is."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from sqlalchemy import text
from sqlmodel import delete

from bigmind.brain.evidence import newest_entry
from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.events import Action
from bigmind.core.ids import new_id
from bigmind.mindspace.amendment import NodeDraft, changed, words_of
from bigmind.mindspace.answers import DeletionAnswer, NodeAnswer, ScopeAnswer
from bigmind.mindspace.consequences import settle, waiting_for_any
from bigmind.mindspace.listing import get_scope_stack, node_part
from bigmind.mindspace.nodes import (
    Node,
    below,
    children_of,
    circle_of_inputs,
    next_position,
    node_named,
    node_of,
    node_row,
    refuse_circles,
    refuse_unless_station,
    set_gates,
    set_inputs,
    set_outputs,
    write_node,
)
from bigmind.mindspace.rules import DEEPEST, PLANNERS
from bigmind.store.erasure import erasing
from bigmind.store.tables import Receipt
from bigmind.store.work import Work
from bigmind.work.items import free_slug
from bigmind.work.ledger.ledger_rows import Entry, append
from bigmind.work.memory_gates import Relevance
from bigmind.work.moving import MoveOrder, look_for_move, move, refuse_unless_agreed
from bigmind.work.node_gates import open_children
from bigmind.work.node_tables import WorkFocus, WorkNode, WorkNodeInput
from bigmind.work.processes import OF_TASKS_ONLY, shipped
from bigmind.work.roles import actor_of, agent_of
from bigmind.work.tables import WorkItem

AT_WORK = frozenset({"ready", "active"})
"""States of a node whose owner may pause it for a child that is opened below it; of one that is paused, its holder."""


def create_node(work: Work, parent_id: str, draft: NodeDraft) -> NodeAnswer:
    """Make a node below another, or a root; it is ready at once where it needs nothing.

    Where the caller holds the parent, that one is paused until the new node is complete or deleted.

    Raises:
        BigMindError: `forbidden` in other roles; `not_found` for the parent or a source; `invalid_input`.
    """
    refuse_unless_planner(work)
    parent = node_row(work, parent_id) if parent_id else None
    node = made(work, parent, draft)
    refuse_circles(work, "definition_of_ready.inputs", [node.key])
    moved = settle(work, [node.row])
    if parent is not None and _is_held_by_caller(work, parent, "active") and node.own.interrupts is not None:
        _wait_for(work, parent, node)
        moved.append(parent)
    return answer_of(work, node.row, moved, note="Made.")


def _is_held_by_caller(work: Work, row: WorkItem, state: str) -> bool:
    return row.state == state and bool(row.holder) and row.holder == agent_of(work)


def _wait_for(work: Work, parent: WorkItem, node: Node) -> None:
    """Pause a node, which its holder asks for, until the one that it opened below it is done."""
    for other in open_children(work, parent):
        own = work.session.get(WorkNode, other.id)
        if own is not None and other.id != node.key:  # it was planned there, not found on the way
            own.interrupts = None
            work.session.add(own)
    work.session.flush()
    move(work, parent, MoveOrder("paused", reason=f"{node.row.slug} was found on the way"), Relevance())


def made(work: Work, parent: WorkItem | None, draft: NodeDraft) -> Node:
    """A new node, pending, written with its parts and its row in the ledger; nothing moved yet."""
    above = parent.id if parent is not None else None
    if parent is not None and len(_path(work, parent.id or 0)) >= DEEPEST:
        raise invalid("parent_id", parent.slug, f"at most {DEEPEST} levels")
    row = new_item(work, replace(draft, slug=free_slug(work, draft.slug, draft.title or "")))
    work.session.add(row)
    work.session.flush()
    node = Node(row, WorkNode(item_id=row.id or 0), [], [], [])
    node.own.parent_id, node.own.position = above, next_position(work, above)
    work.session.add(node.own)
    _write_parts(work, node, draft)
    if parent is not None and (parent.state in AT_WORK or _is_held_by_caller(work, parent, "paused")):
        _note_interruption(work, node, parent)
    body = {"parent": parent.uid if parent is not None else "", "on_the_way": node.own.interrupts is not None}
    write_node(work, node, Action.UPDATED, None, Entry("created", node.row.uid, body, words_of(node)))
    return node


def _note_interruption(work: Work, node: Node, parent: WorkItem) -> None:
    """Note that a node was opened while work on its parent goes on; not of one that waits for that very parent."""
    node.own.interrupts = parent.id
    work.session.flush()
    if circle_of_inputs(work, [node.key]):
        node.own.interrupts = None
        work.session.flush()


def new_item(work: Work, draft: NodeDraft) -> WorkItem:
    """A new node's item, pending, not yet in the store; its slug is the draft's.

    Raises:
        BigMindError: `invalid_input` for an owner that is no station.
    """
    process = shipped(OF_TASKS_ONLY)
    owner = draft.owner or ""
    refuse_unless_station("owner", owner)
    newest = newest_entry(work)
    return WorkItem(
        uid=new_id(),
        slug=draft.slug,
        user_id=work.caller.user_id,
        created_at=work.now,
        updated_at=work.now,
        project=work.caller.project,
        client=work.caller.client,
        process=process.name,
        version=process.version,
        state=process.begins_in[0],
        role=owner,
        entered_at=work.now,
        entered_after=newest,
        written_after=newest,
        title=draft.title or "",
    )


def _write_parts(work: Work, node: Node, draft: NodeDraft) -> None:
    """Write what the draft says of a node, and its first definitions."""
    own = node.own
    own.type, own.phase = draft.type or "", draft.phase or ""
    if draft.plan is not None:
        own.plan_url, own.plan_path = draft.plan.url, draft.plan.path
    own.context = draft.ready.context or ""
    own.action, own.acceptance = draft.done.action or "", draft.done.acceptance or ""
    work.session.flush()
    set_inputs(work, node, draft.ready.inputs or [])
    set_outputs(work, node, draft.done.outputs or [])
    set_gates(work, node, draft.done.quality_gates or [])


def update_node(work: Work, node_id: str, draft: NodeDraft, revision: int | None = None) -> NodeAnswer:
    """Change a node: what is done already stays; its definition of done, once it was claimed, in person alone.

    Raises:
        BigMindError: `forbidden` in other roles; `in_person`; `conflict` while it is held, complete or was changed;
            `not_found`; `invalid_input`.
    """
    refuse_unless_planner(work)
    node = node_named(work, node_id)
    refuse_stale(node.row, revision)
    if not changed(work, node, draft):
        return answer_of(work, node.row, [], note="Nothing changed.")
    refuse_circles(work, "definition_of_ready.inputs", [node.key])
    return answer_of(work, node.row, settle(work, [node.row]), note="Changed.")


def move_node(work: Work, node_id: str, parent_id: str, position: int) -> NodeAnswer:
    """Place a node below another, or as a root, before the child that stands at that position.

    Raises:
        BigMindError: `forbidden` in other roles; `not_found`; `invalid_input` for a place below itself.
    """
    refuse_unless_planner(work)
    node = node_named(work, node_id)
    refuse_unless_agreed(work, node.row)
    parent = node_row(work, parent_id) if parent_id else None
    place(work, node, parent, position)
    return answer_of(work, node.row, [], note="Moved.")


def place(work: Work, node: Node, parent: WorkItem | None, position: int) -> bool:
    """Place a node among the children of another; returns whether that changed anything."""
    above = parent.id if parent is not None else None
    if parent is not None:
        path = _path(work, parent.id or 0)
        if node.key in path:
            raise invalid("parent_id", parent.slug, f"a node that is not below {node.row.slug} itself")
        if len(path) >= DEEPEST:
            raise invalid("parent_id", parent.slug, f"at most {DEEPEST} levels")
    others = [each for each in children_of(work, above) if each.item_id != node.key]
    wanted = [*others[:position], node.own, *others[position:]]
    if node.own.parent_id == above and [each.position for each in wanted] == sorted(each.position for each in wanted):
        return False
    node.own.parent_id = above
    for number, each in enumerate(wanted):
        each.position = number
        work.session.add(each)
    body = {"parent": parent.uid if parent is not None else "", "position": position}
    append(work, Entry("placed", node.row.uid, body), node.row)
    work.session.add(node.row)
    work.changed("work_item", node.row.uid, Action.PLACED, is_shared=True)
    return True


def delete_node(work: Work, node_id: str, revision: int | None = None) -> DeletionAnswer:
    """Delete a node and all below it, in person; the ledger keeps that they were there, and loses their words.

    What waits for one of them waits until it is changed; what was paused for one goes on.

    Raises:
        BigMindError: `not_found`, `ambiguous`; `conflict` where it was changed since `revision` was shown.
    """
    node = node_named(work, node_id)
    refuse_stale(node.row, revision)
    keys = below(work, node.key)
    waiting = [each.id or 0 for each in waiting_for_any(work, keys)]
    gone = [row for key in reversed(keys) if (row := work.session.get(WorkItem, key)) is not None]
    slugs = [each.slug for each in reversed(gone)]
    for row in gone:
        body = {"from": row.state, "below": node.row.uid, "holder": row.holder}
        append(work, Entry("deleted", row.uid, body))
        work.changed("work_item", row.uid, Action.FORGOTTEN, is_shared=True)
        work.session.delete(row)
        work.session.flush()
        _take_words(work, row.uid)
    for each in [each for each in work.session if isinstance(each, WorkNode | WorkNodeInput)]:
        work.session.expire(each)  # the database took what they named
    left = [row for key in waiting if (row := work.session.get(WorkItem, key)) is not None]
    return DeletionAnswer(deleted=slugs, moved=told(settle(work, left)))


def _take_words(work: Work, uid: str) -> None:
    """Take what repeats the words of a node that is gone, beside the ledgers and in answers that are kept."""
    _, *elsewhere = erasing(work.kinds["work_item"])
    for statement in elsewhere:
        work.session.connection().execute(text(statement), {"uid": uid})
    work.session.exec(delete(Receipt))
    work.host.activity.forget_deliveries()


def set_focus(work: Work, node_id: str) -> ScopeAnswer:
    """Say which node the user's attention is on.

    Raises:
        BigMindError: `forbidden` in other roles; `not_found`, `ambiguous`.
    """
    refuse_unless_planner(work)
    row = node_row(work, node_id)
    work.session.merge(WorkFocus(user_id=work.caller.user_id, item_id=row.id or 0, at=work.now))
    work.session.flush()
    work.changed("work_item", row.uid, Action.NOTED, is_shared=True)
    return get_scope_stack(work)


def get_node(work: Work, node_id: str) -> NodeAnswer:
    """A node, whole, with what leads on from there.

    Raises:
        BigMindError: `not_found`, `ambiguous`.
    """
    return answer_of(work, node_row(work, node_id), [])


def refuse_unless_planner(work: Work) -> None:
    """Raises BigMindError, `forbidden`, for an agent that may neither plan nor orchestrate."""
    actor = actor_of(work, shipped(OF_TASKS_ONLY))
    if not work.caller.presence.is_in_person and not PLANNERS & {*actor.roles}:
        who = " or ".join(sorted(PLANNERS))
        raise BigMindError(
            Code.FORBIDDEN,
            f"Nodes are made and changed by {who}, or by a person.",
            f"A person gives roles, on the page Work → Roles. {actor.limit}".strip(),
        )


def refuse_stale(row: WorkItem, revision: int | None) -> None:
    """Raises BigMindError, `conflict`, where the node has another revision than the one that was shown."""
    if revision is not None and revision != row.revision:
        raise BigMindError(
            Code.CONFLICT, f"{row.slug} is at revision {row.revision}, not {revision}.", "Look at it again first."
        )


def told(rows: Iterable[WorkItem]) -> list[str]:
    """Nodes that moved, each once, with its state."""
    return [f"{slug} ({state})" for slug, state in {each.slug: each.state for each in rows}.items()]


def answer_of(work: Work, row: WorkItem, moved: Sequence[WorkItem], note: str = "") -> NodeAnswer:
    """A node as its tools answer."""
    node = node_of(work, row)
    return NodeAnswer(node=node_part(work, node, look_for_move(work, row, "", {})), moved=told(moved), note=note)


def _path(work: Work, key: int) -> list[int]:
    """The keys from a node up to its root."""
    found: list[int] = []
    here: int | None = key
    while here is not None and here not in found:
        found.append(here)
        own = work.session.get(WorkNode, here)
        here = own.parent_id if own is not None else None
    return found
