"""What is looked at: one node, the nodes of a station, the tree, the scope stack."""

from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import and_, func, or_
from sqlmodel import col, select

from bigmind.caution.detect import pending
from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.mindspace.answers import ReadyNodes, ScopeAnswer, TreeAnswer, TreeLine
from bigmind.mindspace.node_part import DoneAnswer, InputLine, NodePart, OutputLine, PlanLinks, QualityLine, ReadyAnswer
from bigmind.mindspace.nodes import Node, ancestors_of, below, node_of, node_row, refuse_unless_station, sent_back
from bigmind.mindspace.rules import DEEPEST, MOST_IN_TREE, MOST_LISTED
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.text.phrasing import why_flagged
from bigmind.work.holding.lease import lease_has_run_out
from bigmind.work.memory_gates import Relevance
from bigmind.work.moving import seen_for_moves
from bigmind.work.node_gates import PASSED, is_satisfied
from bigmind.work.node_tables import WorkFocus, WorkNode, WorkNodeGate, WorkNodeOutput
from bigmind.work.processes import OF_TASKS_ONLY, process_of, shipped
from bigmind.work.roles import actor_of
from bigmind.work.tables import WorkItem
from bigmind.work.workflow_context import context_of

STATUSES = ("ready", "active", "rework", "paused", "review")


def node_part(work: Work, node: Node, known: Relevance | None = None) -> NodePart:
    """A node as answers tell it, for the caller."""
    row, own = node.row, node.own
    caution = pending(row)
    parents = ancestors_of(work, node.key)
    process = process_of(work, row.process, row.version)
    hidden, unnamed = bool(caution), _is_unnamed(work, row)
    return NodePart(
        node_id=row.slug,
        uid=row.uid,
        title="" if unnamed else row.title,
        owner=row.role,
        type="" if unnamed else own.type,
        phase=own.phase,
        project=None if unnamed else row.project,
        state=row.state,
        revision=row.revision,
        parent_id=parents[-1].slug if parents else "",
        parents=[each.slug if _is_unnamed(work, each) else each.title for each in parents],
        plan=PlanLinks(url="" if hidden else own.plan_url, path="" if hidden else own.plan_path),
        definition_of_ready=ReadyAnswer(context="" if hidden else own.context, inputs=_inputs(work, node, hidden)),
        definition_of_done=DoneAnswer(
            action="" if hidden else own.action,
            acceptance="" if hidden else own.acceptance,
            outputs=[] if hidden else [_output(each) for each in node.outputs],
            quality_gates=[] if hidden else [_gate(each) for each in node.gates],
        ),
        updated_at=row.updated_at,
        is_imported=row.is_imported,
        caution=why_flagged(caution) if caution else "",
        sent_back=sent_back(node),
        context=context_of(work, row, process, known or Relevance()),
    )


def _is_unnamed(work: Work, row: WorkItem) -> bool:
    """Whether title, type and project are left out too: a person's pages name what waits for them."""
    return bool(pending(row)) and not work.caller.is_person


def _inputs(work: Work, node: Node, hidden: bool) -> list[InputLine]:
    return [
        InputLine(
            source=each.source,
            type="" if hidden else each.type,
            description="" if hidden else each.description,
            path="" if hidden else each.path,
            satisfied=is_satisfied(work, each),
        )
        for each in node.inputs
    ]


def _output(output: WorkNodeOutput) -> OutputLine:
    return OutputLine(
        type=output.type,
        description=output.description,
        path=output.path,
        produced_at=output.produced_at,
        produced_by=shown_agent(output.produced_by),
        note=output.note,
    )


def _gate(gate: WorkNodeGate) -> QualityLine:
    return QualityLine(
        name=gate.name,
        verifier=gate.verifier,
        independent=gate.is_independent,
        status=gate.status,
        evidence=gate.evidence,
        by=shown_agent(gate.by),
        at=gate.at,
        in_person=gate.in_person,
        self_checked=gate.self_checked,
    )


def get_ready_nodes(work: Work, station: str, status: str, parent: str) -> ReadyNodes:
    """The nodes of a station in a state, with all that whoever takes one up needs.

    Raises:
        BigMindError: `invalid_input` for what is no station or state; `forbidden` for a station that the agent may
            not take; `not_found` for the parent.
    """
    refuse_unless_station("station", station)
    if status not in STATUSES:
        raise invalid("status", status, f"one of {', '.join(STATUSES)}")
    actor = actor_of(work, shipped(OF_TASKS_ONLY))
    if not work.caller.presence.is_in_person and station not in actor.roles:
        told = ", ".join(actor.roles) or "none; a person gives you one"
        raise BigMindError(
            Code.FORBIDDEN, f"You may not act as {station}.", f"Your stations: {told}. {actor.limit}".strip()
        )
    here, top = of_station(station), node_row(work, parent).id or 0 if parent else 0
    if top:
        here.append(col(WorkItem.id).in_(below(work, top)))
    longest_waiting = (col(WorkItem.id) != top, col(WorkItem.entered_at), col(WorkItem.id))
    found = select(WorkItem).where(*here, WorkItem.state == status).order_by(*longest_waiting)
    rows = work.session.exec(found.limit(MOST_LISTED + 1)).all()
    nodes = [node_part(work, node_of(work, each), seen_for_moves(work, each)) for each in rows[:MOST_LISTED]]
    counted = select(WorkItem.state, func.count()).where(*here, WorkItem.state != status).group_by(col(WorkItem.state))
    known = dict(work.session.exec(counted).all())
    others = {each: known[each] for each in STATUSES if each in known}
    return ReadyNodes(
        station=station,
        status=status,
        nodes=nodes,
        more=len(rows) > MOST_LISTED,
        others=others,
        waiting=known.get("pending", 0),
        lapsed=_lapsed(work, here) if "active" in others else [],
    )


def _lapsed(work: Work, here: Sequence[Any]) -> list[str]:
    """Of those nodes the ones that may be taken over: their holder was not heard of for the length of a lease."""
    overdue = select(WorkItem).where(*here, WorkItem.state == "active", col(WorkItem.lease_until) <= work.now)
    rows = work.session.exec(overdue.order_by(col(WorkItem.lease_until)).limit(MOST_LISTED)).all()
    return [each.slug for each in rows if lease_has_run_out(work, each)]


def of_station(station: str) -> list[Any]:
    """The conditions of a node that a station works on or, while it is in review, judges."""
    judged = select(WorkNodeGate.item_id).where(WorkNodeGate.verifier == station)
    state = col(WorkItem.state)
    its_own = and_(state != "review", col(WorkItem.role) == station)
    to_judge = and_(state == "review", col(WorkItem.id).in_(judged))
    return [WorkItem.process == OF_TASKS_ONLY, or_(its_own, to_judge)]


def get_tree(work: Work, root: str = "", depth: int = DEEPEST, most: int = MOST_IN_TREE) -> TreeAnswer:
    """The tree, or a node and what is below it, to a depth.

    Raises:
        BigMindError: `not_found`, `ambiguous`.
    """
    start = node_row(work, root).id if root else None
    placed = work.session.exec(
        select(WorkNode).order_by(col(WorkNode.position).desc(), col(WorkNode.item_id).desc())
    ).all()
    children: dict[int | None, list[WorkNode]] = {}
    for each in placed:
        children.setdefault(each.parent_id, []).append(each)
    waiting = [(each, 0) for each in (children.get(None, []) if start is None else placed)]
    waiting = [(each, level) for each, level in waiting if start in {None, each.item_id}]
    found: list[tuple[WorkNode, int]] = []
    while waiting and len(found) <= most:
        here, level = waiting.pop()
        found.append((here, level))
        if level < depth:
            waiting.extend((each, level + 1) for each in children.get(here.item_id, ()))
    counts = {key or 0: len(each) for key, each in children.items()}
    return TreeAnswer(nodes=lines_of(work, found[:most], counts), more=len(found) > most)


def lines_of(work: Work, placed: Sequence[tuple[WorkNode, int]], counts: dict[int, int]) -> list[TreeLine]:
    """Nodes as lines of a tree, each with its depth."""
    keys = [each.item_id for each, _ in placed]
    rows = {each.id: each for each in _rows(work, {*keys, *(each.parent_id or 0 for each, _ in placed)})}
    outputs = _shares(work, WorkNodeOutput, col(WorkNodeOutput.produced_at).is_not(None), keys)
    gates = _shares(work, WorkNodeGate, WorkNodeGate.status == PASSED, keys)
    found: list[TreeLine] = []
    for own, depth in placed:
        row = rows[own.item_id]
        parent, unnamed = rows.get(own.parent_id), _is_unnamed(work, row)
        found.append(
            TreeLine(
                node_id=row.slug,
                title="" if unnamed else row.title,
                owner=row.role,
                type="" if unnamed else own.type,
                phase=own.phase,
                state=row.state,
                holder=shown_agent(row.holder),
                parent_id=parent.slug if parent is not None else "",
                depth=depth,
                children=counts.get(own.item_id, 0),
                outputs=outputs.get(own.item_id, "0/0"),
                quality_gates=gates.get(own.item_id, "0/0"),
            )
        )
    return found


MOST_AT_ONCE = 500


def _rows(work: Work, keys: Iterable[int]) -> list[WorkItem]:
    wanted = sorted(keys)
    found: list[WorkItem] = []
    for start in range(0, len(wanted), MOST_AT_ONCE):
        some = wanted[start : start + MOST_AT_ONCE]
        found += work.session.exec(select(WorkItem).where(col(WorkItem.id).in_(some))).all()
    return found


def _shares(
    work: Work, table: type[WorkNodeOutput] | type[WorkNodeGate], done: object, keys: list[int]
) -> dict[int, str]:
    """Of each node, how many of its rows are done, of how many."""
    found: dict[int, str] = {}
    for start in range(0, len(keys), MOST_AT_ONCE):
        some = keys[start : start + MOST_AT_ONCE]
        counted = (
            select(table.item_id, func.count(), func.count().filter(done))  # pyright: ignore[reportArgumentType]
            .where(col(table.item_id).in_(some))
            .group_by(col(table.item_id))
        )
        found |= {item: f"{ready}/{every}" for item, every, ready in work.session.exec(counted).all()}
    return found


def get_scope_stack(work: Work) -> ScopeAnswer:
    """From the root to the node that the caller's user attends to; empty where nobody said which."""
    focus = work.session.get(WorkFocus, work.caller.user_id)
    row = work.session.get(WorkItem, focus.item_id) if focus is not None else None
    if row is None:
        return ScopeAnswer(stack=[])
    path = [*ancestors_of(work, row.id or 0), row]
    placed = [(work.session.get(WorkNode, each.id) or WorkNode(item_id=each.id or 0), n) for n, each in enumerate(path)]
    counted = select(WorkNode.parent_id, func.count()).group_by(col(WorkNode.parent_id))
    counts = {parent or 0: number for parent, number in work.session.exec(counted).all()}
    return ScopeAnswer(stack=lines_of(work, placed, counts))


def node_ids(work: Work, beginning: str, most: int) -> list[str]:
    """The ids of nodes that begin so, the latest changed first."""
    found = select(WorkItem.slug).where(WorkItem.process == OF_TASKS_ONLY)
    found = found.where(col(WorkItem.slug).startswith(beginning, autoescape=True))
    return list(work.session.exec(found.order_by(col(WorkItem.updated_at).desc()).limit(most)).all())
