"""Moving an item: what it needs is looked up, the engine decides, and item, ledger and event are written together."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from sqlmodel import col, select

from bigmind.brain.evidence import newest_entry, rest_on
from bigmind.core.client_names import token_name
from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.core.lazy_module import LazyModule
from bigmind.flow.decision import Decision, Fault, Move, MoveRequest, Refusal, decide, gates_to
from bigmind.flow.gates import Finding, Findings, GateResult
from bigmind.flow.workflow import RESTORE, Actor, ActorKind, Gate, Item, Process
from bigmind.store.work import Work
from bigmind.work.holding.lease import held_in_words, lease_has_run_out, lease_of
from bigmind.work.items import (
    as_item,
    checked_fields,
    depends_on,
    fields_of,
    refuse_fields_of_others,
    tell,
    waiting_dependents,
    write_fields,
    write_item,
)
from bigmind.work.ledger.ledger_rows import Entry, agreeing, agrees, append
from bigmind.work.memory_gates import CONTRIBUTED, QUERIED, GateQuery, Relevance, contributed, find_relevance, queried
from bigmind.work.node_gates import node_findings
from bigmind.work.processes import process_of
from bigmind.work.roles import SYSTEM, actor_of, agent_of
from bigmind.work.rules import MEMORY_FIELDS
from bigmind.work.tables import WorkConfirmation, WorkEvidence, WorkItem

if TYPE_CHECKING:
    from bigmind.work import evidence_gates
else:
    evidence_gates = LazyModule("bigmind.work.evidence_gates")

WRITE_FIRST = Finding(
    passed=False,
    reason="What a person confirms is the item as it stands, and these fields would change it.",
    remedy="Write them with work_update_dna first; then a person confirms it.",
)
NOT_LOOKED = Finding(
    passed=False, reason="BigMind looks at it when the item is read or moved.", remedy="Read the item, or move it."
)
DEPENDENCIES = "dependencies_complete"
EVIDENCE = {"question": QUERIED, "thought": CONTRIBUTED}


@dataclass(frozen=True, slots=True)
class MoveOrder:
    """What a caller asks for: a state, or `restore`; with fields that are written with the move."""

    target: str
    role: str = ""
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    reason: str = ""
    revision: int | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of it, and where an item that another held went back to before."""

    decision: Decision
    returned_from: str = ""
    readied: tuple[str, ...] = ()


def move(work: Work, row: WorkItem, order: MoveOrder, known: Relevance) -> Outcome:
    """Move an item, or write down why not.

    Raises:
        BigMindError: `conflict`, when the item does not agree with the ledger; `invalid_input` for the fields.
    """
    refuse_unless_agreed(work, row)
    process = process_of(work, row.process, row.version)
    actor = actor_of(work, process, order.role)
    if actor.kind is ActorKind.HUMAN and order.revision is None:
        raise invalid("revision", None, f"the revision that was shown; it is at {row.revision}")
    fields = checked_fields(fields_of(row), order.fields)
    taken_over, holder = is_lapsed(work, row, process, actor, order.target), row.holder
    before = returned(row, process) if taken_over else as_item(row)
    refuse_fields_of_others(row.slug, process, before, actor, order.target, order.fields)
    request = MoveRequest(order.target, actor, {}, order.revision, order.force)
    item = replace(before, fields={**fields} if not taken_over else _without_memory(fields, order.fields))
    findings = findings_for(
        work, row, gates_to(process, item, order.target), known, given=order.fields, taken_over=taken_over
    )
    if "human_confirmed" in findings and _is_rewritten(row, fields):
        findings["human_confirmed"] = WRITE_FIRST
    decision = decide(process, item, request, findings)
    if isinstance(decision, Refusal):
        if decision.fault is Fault.HELD:
            decision = replace(decision, message=held_in_words(work, row, process))
        _write_refusal(work, row, order, decision, process)
        return Outcome(decision)
    if taken_over:
        _write_return(work, row, before)
    _write_move(work, row, order, decision, process)
    return Outcome(decision, holder if taken_over else "", tuple(ready_dependents(work, row, process)))


def refuse_unless_agreed(work: Work, row: WorkItem) -> None:
    """Raises BigMindError, `conflict`, for an item that was changed behind the program's back."""
    if not agrees(work, row):
        raise BigMindError(
            Code.CONFLICT,
            f"{row.slug} does not stand as the ledger says it was left.",
            "It moves no more until a person has looked: `bigmind work verify` says what differs.",
        )


def is_lapsed(work: Work, row: WorkItem, process: Process, actor: Actor, target: str) -> bool:
    """Whether another agent claims an item whose holder's lease has run out: any call of the holder's renews it."""
    state = process.states[row.state]
    if not (state.is_claimed and target == row.state and actor.kind is ActorKind.AGENT):
        return False
    return row.holder != actor.agent and lease_has_run_out(work, row)


def returned(row: WorkItem, process: Process) -> Item:
    """An item as it is once it went back to the state that it was claimed from."""
    back = row.claimed_from if row.claimed_from in process.states else process.begins_in[0]
    return replace(as_item(row), state=back, holder="")


def _without_memory(fields: dict[str, Any], given: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in fields.items() if name not in MEMORY_FIELDS or name in given}


def _is_rewritten(row: WorkItem, fields: dict[str, Any]) -> bool:
    before = fields_of(row)
    return any(before.get(name) != fields.get(name) for name in {*before, *fields} - {*MEMORY_FIELDS})


def findings_for(
    work: Work,
    row: WorkItem,
    gates: Sequence[Gate],
    known: Relevance,
    *,
    given: Mapping[str, Any] | None = None,
    taken_over: bool = False,
) -> dict[str, Finding]:
    """What the stores say of the gates that a move may need."""
    names = {each.kind for each in gates}
    found: dict[str, Finding] = {}
    queries = memory_queries(row, given or {}, gates, taken_over=taken_over)
    if QUERIED in queries:
        found[QUERIED] = queried(work, row, known, queries[QUERIED])
    if CONTRIBUTED in queries:
        found[CONTRIBUTED] = contributed(work, row, known, queries[CONTRIBUTED])
    if DEPENDENCIES in names:
        found[DEPENDENCIES] = _dependencies(work, row)
    if "human_confirmed" in names:
        found["human_confirmed"] = confirmed(work, row)
    found |= node_findings(work, row, names)
    return found | {each.name: _evidence(row, each, known) for each in gates if each.kind == "evidence"}


def _evidence(row: WorkItem, gate: Gate, known: Relevance) -> Finding:
    """What was seen for an evidence gate, where that was asked of the item as it stands."""
    asked = known.questions.get(gate.name)
    is_same = asked is not None and (asked.since, asked.project) == (row.entered_at, row.project or "")
    return known.evidence.get(gate.name, NOT_LOOKED) if is_same else NOT_LOOKED


def memory_queries(
    row: WorkItem, given: Mapping[str, Any], gates: Sequence[Gate], *, taken_over: bool = False
) -> dict[str, GateQuery]:
    """What the memory gates among these are asked with: what the fields that come with the move name.

    What stands in the DNA let an earlier move pass. Whoever takes an item over may have asked earlier.
    """
    names = {each.kind for each in gates}
    session, thought = (str(given.get(name) or "") for name in MEMORY_FIELDS)
    queries = {
        QUERIED: GateQuery(session, 0 if taken_over else row.entered_after),
        CONTRIBUTED: GateQuery(thought, row.claimed_after),
    }
    return {name: each for name, each in queries.items() if name in names}


def look_for_move(work: Work, row: WorkItem, target: str, fields: Mapping[str, Any]) -> Relevance:
    """Find out what a move may rest on, before anything is written; with no target, all that leads on from here.

    It may wait for the model. Without a memory gate on the way nothing is looked at. What evidence gates ask for is
    only noted: `see_evidence` then looks, while no unit of work is open.
    """
    process = process_of(work, row.process, row.version)
    item, taken_over = as_item(row), False
    if process.states[row.state].is_claimed and row.holder != agent_of(work) and lease_has_run_out(work, row):
        item, taken_over = returned(row, process), True
    targets = [target] if target else process.targets(item.state)
    gates = [gate for each in targets for gate in gates_to(process, item, each)]
    known = find_relevance(work, row, memory_queries(row, fields, gates, taken_over=taken_over))
    if any(each.kind == "evidence" for each in gates):
        return replace(known, questions=evidence_gates.evidence_questions(work, row, gates))
    return known


def see_evidence(known: Relevance) -> Relevance:
    """Look at what the evidence gates of a move ask for; needs no store, and may wait for a disk and for git."""
    return replace(known, evidence=evidence_gates.evidence_findings(known.questions)) if known.questions else known


def seen_for_moves(work: Work, row: WorkItem) -> Relevance:
    """What all moves that lead on from here may rest on; for what only reads."""
    return see_evidence(look_for_move(work, row, "", {}))


def confirmed(work: Work, row: WorkItem) -> Finding:
    """Whether a person said yes to an item as it is."""
    yes = select(WorkConfirmation).where(WorkConfirmation.item_id == row.id).order_by(col(WorkConfirmation.id).desc())
    newest = work.session.exec(yes.limit(1)).first()
    is_withdrawn = newest is not None and newest.withdrawn_at is not None
    if newest is not None and not is_withdrawn and newest.revision == row.revision:
        seen = {"confirmation": str(newest.ledger_number), "revision": str(newest.revision)}
        return Finding(passed=True, evidence=f"confirmed at revision {newest.revision} ({newest.place})", seen=seen)
    reason = "No person confirmed it." if newest is None else "It was changed since a person confirmed it."
    reason = "A person confirmed it, and took that back." if is_withdrawn else reason
    remedy = (
        "A person confirms it on the page Waiting for you. Write the fields that the move asks for first, then wait."
    )
    return Finding(passed=False, reason=reason, remedy=remedy)


def _dependencies(work: Work, row: WorkItem) -> Finding:
    others = depends_on(work, row)
    left = [each for each in others if each.state != "complete"]
    if not left:
        return Finding(passed=True, evidence=f"{len(others)} complete" if others else "depends on nothing")
    gone = [each.slug for each in left if each.state == "cancelled"]
    named = ", ".join(f"{each.slug} ({each.state})" for each in left[:5])
    more = f" and {len(left) - 5} more" if len(left) > 5 else ""  # noqa: PLR2004 - as many are named
    remedy = f"Take {', '.join(gone[:5])} out with work_edit_task." if gone else "Finish those first."
    return Finding(passed=False, reason=f"It waits for {named}{more}.", remedy=remedy)


def _write_move(
    work: Work, row: WorkItem, order: MoveOrder, done: Move, process: Process, newest: int | None = None
) -> None:
    source, holder = row.state, row.holder
    newest = newest_entry(work) if newest is None else newest
    seen = _seen(done.results)
    item = replace(done.item, fields=_with_evidence(done, seen))
    is_pause = process.states[item.state].saves or process.states[source].saves
    write_fields(work, row, item.fields)
    write_item(row, item)
    if not is_pause:
        row.entered_at, row.entered_after = work.now, newest
    _write_holder(work, row, done, source, newest, is_claim=process.states[row.state].is_claimed and not is_pause)
    if process.states[source].is_review and done.actor.kind is ActorKind.AGENT and row.worked_by:
        row.self_reviewed = row.self_reviewed or token_name(row.worked_by) == token_name(done.actor.agent)
    body = {
        "from": source,
        "to": row.state,
        "role": done.actor.called,
        "actor": done.actor.kind.value,
        "holder": holder,
        "process": _document_of(process),
        "log": newest,
        "gates": [_told(each) for each in done.results],
        "violations": [[each.gate, each.severity.value] for each in done.violations],
    }
    number = append(work, Entry("moved", row.uid, body, {"reason": order.reason, "slug": row.slug}), row)
    for kind, gate in EVIDENCE.items():
        if kind in seen and any(each.gate.kind == gate and each.passed for each in _parts(done.results)):
            work.session.add(WorkEvidence(kind=kind, uid=seen[kind], item_uid=row.uid, ledger_number=number))
            if kind == "thought":
                rest_on(work, seen[kind])
    tell(work, row)


def _write_holder(work: Work, row: WorkItem, done: Move, source: str, newest: int, *, is_claim: bool) -> None:
    if is_claim and done.actor.kind is ActorKind.AGENT:
        row.claimed_from, row.claimed_after = source, newest
        row.holder_user_id, row.holder_client, row.self_reviewed = work.caller.user_id, work.caller.client, False
    if row.holder:
        row.lease_until = work.now + lease_of(work)
    else:
        row.holder_user_id, row.holder_client, row.lease_until, row.claimed_from = None, "", None, ""


def _with_evidence(done: Move, seen: dict[str, str]) -> dict[str, Any]:
    """The fields after a move, with what let it pass named, where the agent did not name it."""
    fields = dict(done.item.fields)
    if "session" in seen:
        fields[MEMORY_FIELDS[0]] = seen["session"]
    if "thought" in seen:
        fields[MEMORY_FIELDS[1]] = seen["thought"]
    return fields


def _parts(results: Sequence[GateResult]) -> list[GateResult]:
    return [GateResult(part, each.finding) for each in results for part in each.gate.each()]


def _seen(results: Sequence[GateResult]) -> dict[str, str]:
    return {key: value for each in results if each.passed for key, value in (each.finding.seen or {}).items()}


def _told(result: GateResult) -> dict[str, Any]:
    seen = dict(result.finding.seen or {})
    return {"gate": result.gate.name, "level": result.gate.level.value, "passed": result.passed, "seen": seen}


def _document_of(process: Process) -> str:
    return f"{process.name}@{process.version}:{process.digest[:16]}"


def _write_refusal(work: Work, row: WorkItem, order: MoveOrder, refused: Refusal, process: Process) -> None:
    actor = refused.actor
    body = {
        "from": row.state,
        "to": order.target if order.target in {*process.states, RESTORE} else "",  # else it is the agent's own words
        "role": actor.called if actor is not None else "",
        "fault": refused.fault.value,
        "process": _document_of(process),
        "gates": [_told(each) for each in refused.results],
    }
    append(work, Entry("refused", row.uid, body, {"reason": order.reason, "message": refused.message}), row)
    work.session.add(row)


def _write_return(work: Work, row: WorkItem, back: Item) -> None:
    """The item of a holder whose lease has run out goes back first: in the ledger, and with its memory fields empty."""
    body = {"from": row.state, "to": back.state, "holder": row.holder, "actor": ActorKind.SYSTEM.value}
    write_item(row, back)
    write_fields(work, row, {k: v for k, v in fields_of(row).items() if k not in MEMORY_FIELDS})
    append(work, Entry("returned", row.uid, body), row)


def move_by_system(work: Work, row: WorkItem, target: str, reason: str) -> bool:
    """Make a move that is BigMind's own, where all that it needs is there; returns whether it was made.

    Nothing is written down of one that was not; an item that does not agree with the ledger moves no more.
    """
    if not agrees(work, row):
        return False
    gates = gates_to(process_of(work, row.process, row.version), as_item(row), target)
    findings = findings_for(work, row, gates, Relevance())
    return _moved_by_system(work, row, MoveOrder(target, reason=reason), findings, newest_entry(work))


def _moved_by_system(work: Work, row: WorkItem, order: MoveOrder, findings: Findings, newest: int) -> bool:
    process = process_of(work, row.process, row.version)
    decision = decide(process, as_item(row), MoveRequest(order.target, SYSTEM), findings)
    if isinstance(decision, Move):
        _write_move(work, row, order, decision, process, newest)
    return isinstance(decision, Move)


def ready_dependents(work: Work, row: WorkItem, process: Process) -> list[str]:
    """Make the pending items ready that waited for this one alone; returns their slugs."""
    if not process.states[row.state].is_final or row.state != "complete":
        return []
    waiting = waiting_dependents(work, row)
    agreed, newest = agreeing(work, waiting), newest_entry(work)
    order = MoveOrder("ready", reason="What it waited for is complete.")
    ready = (each for each in waiting if each.id in agreed)
    with work.session.no_autoflush:  # all of them are written at once
        return [each.slug for each in ready if _moved_by_system(work, each, order, _ready_findings(work, each), newest)]


def _ready_findings(work: Work, row: WorkItem) -> Findings:
    """What the stores say of an item whose dependencies are complete; a team's own process may ask for more."""
    gates = gates_to(process_of(work, row.process, row.version), as_item(row), "ready")
    if all(each.kind == DEPENDENCIES for each in gates):
        return {DEPENDENCIES: Finding(passed=True, evidence="all complete")}
    return findings_for(work, row, gates, Relevance())
