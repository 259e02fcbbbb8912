"""What an agent is told with every answer about an item: where it stands, what leads on from there, what is missing."""

import json
from collections.abc import Iterator, Sequence
from datetime import datetime

from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code
from bigmind.core.shapes import as_object
from bigmind.flow.decision import Fault, Move, Option, Refusal, gates_to, options
from bigmind.flow.gates import Findings, GateResult, check
from bigmind.flow.workflow import ANYONE, HUMAN, OWN, SYSTEM, Actor, Item, Level, Process, Transition
from bigmind.people.agent_names import shown_agent
from bigmind.store.work import Work
from bigmind.work.answers import GateLine, MoveLine, WorkContext
from bigmind.work.holding.lease import lease_end
from bigmind.work.items import as_item
from bigmind.work.memory_gates import CONTRIBUTED, QUERIED, Relevance
from bigmind.work.moving import findings_for, returned
from bigmind.work.roles import actor_of, agent_of, roles_of
from bigmind.work.tables import WorkItem, WorkLedgerRow

NAMING = (
    (QUERIED, 'Name the question\'s brain session with the move: fields={"memory_query_session": "q-…"}.'),
    (CONTRIBUTED, 'Name the thought with the move: fields={"memory_contribution_id": "…"}.'),
)
"""For who comes over no connection, as Claude Code does: BigMind cannot tell which one is that conversation's."""
FIELDS_AGAIN = "Pass the same fields again: a refused move does not store them."


def context_of(work: Work, row: WorkItem, process: Process, known: Relevance, role: str = "") -> WorkContext:
    """The workflow context of an item, for the caller."""
    until = lease_end(work, row)
    lapsed = until is not None and until <= work.now
    item, actor = as_item(row), actor_of(work, process, role)
    gates = [gate for target in process.targets(row.state) for gate in gates_to(process, item, target)]
    gates += [part for each in item.due for part in each.each()]
    findings = findings_for(work, row, gates, known)
    found = options(process, item, actor, findings)
    lines = [_line(work, item, each) for each in found]
    if lapsed and row.holder != agent_of(work) and process.states[row.state].is_claimed:
        back = returned(row, process)
        gates = gates_to(process, back, row.state)
        anew = findings_for(work, row, gates, known, taken_over=True)
        back_again = options(process, back, actor, anew)
        lines = [_line(work, back, each) for each in back_again if each.target == row.state] + lines
    return WorkContext(
        state=row.state,
        role=row.role,
        holder=shown_agent(row.holder),
        lease_until=until,
        lapsed=lapsed,
        moves=lines,
        due=[gate_line(each) for each in _owed(item, actor, findings)],
        lost_at=_lost_at(work, row),
    )


def _lost_at(work: Work, row: WorkItem) -> datetime | None:
    """When another agent took an item over from the caller, while it has it."""
    if row.holder in {"", agent_of(work)}:
        return None
    taken = select(WorkLedgerRow).where(WorkLedgerRow.item_uid == row.uid, WorkLedgerRow.kind == "returned")
    newest = work.session.exec(taken.order_by(col(WorkLedgerRow.number).desc()).limit(1)).first()
    was_mine = newest is not None and as_object(json.loads(newest.body)).get("holder") == agent_of(work)
    return newest.at if newest is not None and was_mine else None


def _owed(item: Item, actor: Actor, findings: Findings) -> Iterator[GateResult]:
    """What let an item pass though it failed, and is looked at once more at the end, where it still fails."""
    judged = (check(each, item, actor, findings) for each in item.due)
    return (each for each in judged if not each.passed)


def as_refused(context: WorkContext, target: str, refusal: Refusal, *, has_fields: bool) -> WorkContext:
    """The context beside a refused move: of that move the gates as they were judged, with the fields that came along.

    A refused move writes none of them, so they have to come again.
    """
    if refusal.fault is not Fault.GATES or not has_fields:
        return context
    gates = gate_lines(refusal.results)

    def judged(move: MoveLine) -> MoveLine:
        prompt = " ".join(filter(None, (move.prompt, FIELDS_AGAIN)))
        return move.model_copy(update={"gates": gates, "prompt": prompt}) if move.to == target else move

    return context.model_copy(update={"moves": [judged(each) for each in context.moves]})


def refuse_unless_next(work: Work, row: WorkItem, process: Process, role: str) -> None:
    """Refuse who may not make the next move of an item that nobody holds.

    Raises:
        BigMindError: `forbidden`, naming the roles that may.
    """
    item = as_item(row)
    found = options(process, item, actor_of(work, process, role), {})
    onward = [each for each in found if not each.transition.is_aside]  # anybody may block an item
    if any(_is_open(each.decision) for each in onward):
        return
    by = {name for each in onward for name in _actors(item, each.transition)}
    named = [each for each in process.roles if each in by or ANYONE in by]
    if not named:
        raise BigMindError(Code.FORBIDDEN, f"{row.slug} is {row.state}: no agent moves it from there.")
    may = [each for each in named if each in roles_of(work, process)]
    told = f"{row.slug} is {row.state}: its next move, and so its DNA, is for {', '.join(named)}."
    raise BigMindError(Code.FORBIDDEN, told, f"Pass role={may[0]}." if may else "Leave it to an agent in that role.")


def _line(work: Work, item: Item, option: Option) -> MoveLine:
    decision, rule = option.decision, option.transition
    results: Sequence[GateResult] = decision.results
    asked = {part.kind for each in results if not each.passed for part in each.gate.each()}
    naming = [told for gate, told in NAMING if gate in asked and not work.caller.connection]
    return MoveLine(
        to=option.target,
        label=rule.label,
        by=sorted(_actors(item, rule)),
        held_by=_in_the_way(work, item, rule),
        yours=_is_open(decision),
        gates=gate_lines(results),
        prompt=" ".join([rule.prompt, *naming]).strip(),
    )


def _is_open(decision: Move | Refusal) -> bool:
    """Whether an actor may make a move, now or once its gates pass."""
    return isinstance(decision, Move) or decision.fault is Fault.GATES


def _actors(item: Item, rule: Transition) -> set[str]:
    """Who may make a move; the item's own role by its name."""
    return {item.role if each == OWN else each for each in rule.actors}


def _in_the_way(work: Work, item: Item, rule: Transition) -> str:
    """Another agent that holds the item, where that keeps the caller from a move of agents."""
    is_of_agents = bool(rule.actors - {HUMAN, SYSTEM})
    is_free = rule.by_others or item.holder in {"", agent_of(work)} or not is_of_agents
    return "" if is_free else shown_agent(item.holder)


def gate_lines(results: Sequence[GateResult]) -> list[GateLine]:
    """The gates of a move as answers tell them.

    Where a person has to confirm still, a field that came with the move would take that yes back: it is written before.
    """
    is_awaited = any(each.gate.kind == "human_confirmed" and not each.passed for each in results)
    return [_written_before(each) if is_awaited else gate_line(each) for each in results]


def _written_before(result: GateResult) -> GateLine:
    line = gate_line(result)
    if line.met or result.gate.kind != "field":
        return line
    remedy = f"Write it before that: work_update_dna(fields={{{result.gate.options['name']!r}: …}})."
    return line.model_copy(update={"remedy": remedy})


def gate_line(result: GateResult) -> GateLine:
    """A gate as answers tell it."""
    found = result.finding
    return GateLine(
        gate=result.gate.name,
        met=result.passed,
        level="" if result.gate.level is Level.MUST else result.gate.level.value,
        evidence=found.evidence,
        reason=found.reason,
        remedy=found.remedy,
    )
