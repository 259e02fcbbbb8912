"""The engine: whether an item may move, and what happens with it. Pure and total: every request has an answer."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from bigmind.flow.gates import Findings, GateResult, check
from bigmind.flow.workflow import (
    ACTORS,
    ANY,
    CALLED,
    FROM_FIELD,
    OWN,
    RESTORE,
    Actor,
    ActorKind,
    Gate,
    Interruption,
    Item,
    Level,
    Process,
    Severity,
    State,
    Transition,
)

BLOCKING = frozenset({Level.MUST})
STRICTEST_FIRST = (Level.MUST, Level.BY_END, Level.SHOULD, Level.MAY)
REMEMBERED = frozenset({Level.BY_END, Level.SHOULD})
"""Levels of gates that are looked at once more at the end."""


class Fault(StrEnum):
    """Why a move is refused."""

    STALE = "stale_revision"
    FINISHED = "finished"
    UNDECLARED = "undeclared"
    ROLE = "wrong_role"
    HELD = "held_by_another"
    GATES = "gates"


@dataclass(frozen=True, slots=True)
class MoveRequest:
    """What is asked for.

    Attributes:
        target: a state, or `restore`.
        actor: who asks.
        fields: written with the move.
        revision: of the item, as the one who asks knows it; None: whichever.
        force: past gates that fail, where the process allows it: a violation each.
    """

    target: str
    actor: Actor
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    revision: int | None = None
    force: bool = False


@dataclass(frozen=True, slots=True)
class Violation:
    """A gate that was passed by, or never made good."""

    gate: str
    severity: Severity
    reason: str


@dataclass(frozen=True, slots=True)
class Move:
    """A move that may be made, with the item as it is after it.

    Attributes:
        transition: that allows it.
        source: the state that it leaves.
        item: after it.
        actor: who makes it, with the role that counted.
        results: of all gates that were looked at.
        violations: what it leaves behind.
        cleared: the fields that it empties.
        events: what is told beside the change.
    """

    transition: Transition
    source: str
    item: Item
    actor: Actor
    results: tuple[GateResult, ...] = ()
    violations: tuple[Violation, ...] = ()
    cleared: tuple[str, ...] = ()
    events: tuple[str, ...] = ()

    @property
    def warnings(self) -> list[GateResult]:
        """The gates that failed and do not hinder it."""
        return [each for each in self.results if not each.passed]


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a move is not made: all that hinders it, each with its remedy."""

    fault: Fault
    message: str
    blocked_by: tuple[GateResult, ...] = ()
    results: tuple[GateResult, ...] = ()
    actor: Actor | None = None


Decision = Move | Refusal


@dataclass(frozen=True, slots=True)
class Option:
    """A move that the process knows from here, for one who looks on: who may make it, and what is met."""

    target: str
    transition: Transition
    decision: Decision


def decide(process: Process, item: Item, request: MoveRequest, findings: Findings) -> Decision:
    """Decide about a move.

    Args:
        process: of the item.
        item: as it stands.
        request: where to, by whom, with which fields.
        findings: what was looked up for this very move, by the names of gates.
    """
    if request.revision is not None and request.revision != item.revision:
        told = f"It was changed: it is at revision {item.revision}, not {request.revision}."
        return Refusal(Fault.STALE, told, actor=request.actor)
    if item.state not in process.states:
        return Refusal(Fault.UNDECLARED, f"{process.name} knows no state {item.state!r}.", actor=request.actor)
    actors = _as(request.actor, item)
    if not actors:
        return Refusal(Fault.ROLE, no_role(request.actor), actor=replace(request.actor, role=""))
    item = replace(item, fields={**item.fields, **request.fields})
    decisions = [_decided(process, item, replace(request, actor=each), findings) for each in actors]
    return min(decisions, key=_rank)


def options(process: Process, item: Item, actor: Actor, findings: Findings) -> list[Option]:
    """The moves that the process knows from here, in its order, each decided for that actor."""
    found: list[Option] = []
    for target in process.targets(item.state):
        decision = decide(process, item, MoveRequest(target, actor), findings)
        rule = decision.transition if isinstance(decision, Move) else None
        rule = rule or _rule_of(process, item, target, decision.actor or actor)
        if rule is not None:
            found.append(Option(target, rule, decision))
    return found


def gates_to(process: Process, item: Item, target: str) -> list[Gate]:
    """All gates that any rule for that move names, and those that are due where it ends: what has to be looked up."""
    rules = rules_to(process, item, target)
    gates = [gate for rule in rules for gate in rule.gates]
    if any(_is_final(process, _target(each, item)) for each in rules):
        gates.extend(item.due)
    return list(dict.fromkeys(part for gate in gates for part in gate.each()))


def rules_to(process: Process, item: Item, target: str) -> list[Transition]:
    """The rules that lead an item from where it stands to a state, or back by `restore`, for whichever role."""
    return [each for each in process.leaving(item.state) if _leads_to(process, each, item, target)]


def _as(actor: Actor, item: Item) -> Sequence[Actor]:
    """The actor in each role that it may take, the item's own first; where it named one, in that. `human` is none."""
    if actor.kind is not ActorKind.AGENT:
        return [actor]
    roles = sorted(_roles(actor), key=lambda each: each != item.role)
    return [replace(actor, role=each) for each in roles if actor.role in {"", each}]


def _roles(actor: Actor) -> list[str]:
    return [each for each in actor.roles if each and each not in ACTORS]


def no_role(actor: Actor) -> str:
    """What an agent is told that acts in a role which it may not take, or may take none."""
    roles = ", ".join(_roles(actor))
    told = "You have no work role; a person gives you one, on the page Work → Roles."
    if roles:
        told = f"You may not act as {actor.role[:40]}; you may as {roles}."
    return f"{told} {actor.limit}".strip()


def _rank(decision: Decision) -> int:
    """What is answered first of what one agent could do in several roles: a move, then what only gates hinder."""
    if isinstance(decision, Move):
        return 0
    order = (Fault.GATES, Fault.HELD, Fault.ROLE)
    return 1 + order.index(decision.fault) if decision.fault in order else len(order) + 1


def _decided(process: Process, item: Item, request: MoveRequest, findings: Findings) -> Decision:
    actor = request.actor
    rule = _rule_of(process, item, request.target, actor)
    if rule is None:
        return _undeclared(process, item, request)
    if not rule.allows(actor, item):
        return Refusal(Fault.ROLE, _who_may(rule, item, request), actor=actor)
    is_agent = actor.kind is ActorKind.AGENT
    if is_agent and not rule.is_open and actor.role != item.role:
        told = f"This move is made in the item's own role, {item.role}; you act as {actor.role or 'nobody'}."
        return Refusal(Fault.ROLE, told, actor=actor)
    if is_agent and item.holder and actor.agent != item.holder and not rule.by_others:
        return Refusal(Fault.HELD, _held(item), actor=actor)
    gates = _each_once([*rule.gates, *(item.due if _is_final(process, _target(rule, item)) else ())])
    results = tuple(check(each, item, actor, findings) for each in gates)
    blocked = tuple(each for each in results if not each.passed and _blocks(process, rule, item, each.gate))
    if blocked and not (request.force and actor.called in process.forced_by):
        return Refusal(Fault.GATES, "What it needs is not there.", blocked, results, actor)
    return _moved(process, item, rule, actor, results)


def _each_once(gates: Sequence[Gate]) -> list[Gate]:
    """Each gate once, at its strictest level: what is due may stand in the rule too, since a migration in another."""
    strictest: dict[Gate, Gate] = {}
    for each in gates:
        alike = replace(each, level=Level.MUST)
        known = strictest.get(alike, each)
        strictest[alike] = min(known, each, key=lambda one: STRICTEST_FIRST.index(one.level))
    return list(strictest.values())


def _blocks(process: Process, rule: Transition, item: Item, gate: Gate) -> bool:
    after = process.states.get(_target(rule, item))
    is_done = after is not None and after.is_final and not after.is_unfinished
    return gate.level in BLOCKING or (gate.level is Level.BY_END and is_done)


def _moved(process: Process, item: Item, rule: Transition, actor: Actor, results: tuple[GateResult, ...]) -> Move:
    failed = [each for each in results if not each.passed]
    ends = _is_final(process, _target(rule, item))
    violations = tuple(_violations(process, rule, item, failed, ends=ends))
    due = () if ends else tuple(dict.fromkeys([*item.due, *(each.gate for each in failed if _stays(each.gate))]))
    cleared = tuple(name for each in rule.effects if each.kind == "clear_fields" for name in each.value)
    fields = {name: value for name, value in item.fields.items() if name not in cleared}
    after = replace(_placed(process, item, rule, actor), fields=fields, due=due, revision=item.revision + 1)
    events = tuple(str(each.value) for each in rule.effects if each.kind == "emit")
    return Move(rule, item.state, after, actor, results, violations, cleared, events)


def _stays(gate: Gate) -> bool:
    return gate.level in REMEMBERED


def _violations(
    process: Process, rule: Transition, item: Item, failed: Sequence[GateResult], *, ends: bool
) -> Iterator[Violation]:
    for each in failed:
        is_left = ends and each.gate.level is Level.BY_END
        if is_left or _blocks(process, rule, item, each.gate):  # forced, or never made good
            yield Violation(each.gate.name, Severity.CRITICAL, each.finding.reason)
        elif ends and each.gate.level is Level.SHOULD:
            yield Violation(each.gate.name, Severity.WARNING, each.finding.reason)


def _placed(process: Process, item: Item, rule: Transition, actor: Actor) -> Item:
    """The item in the state that it is moved to: role, holder, and what is kept of where it comes from."""
    if rule.target == RESTORE and item.saved is not None:
        saved = item.saved
        return replace(item, state=saved.state, role=saved.role, holder=saved.holder, saved=None)
    target, hands_over = process.states[rule.target], process.hands_over(item.state, rule.target)
    return replace(
        item,
        state=target.name,
        role=_role_after(process, rule, item),
        holder=_holder(target, item, actor),
        saved=Interruption(item.state, item.role, item.holder) if target.saves else None,
        worked_by=item.holder or item.worked_by if hands_over else item.worked_by,
        worked_as=item.role if hands_over else item.worked_as,
    )


def _holder(target: State, item: Item, actor: Actor) -> str:
    if target.is_claimed:
        return actor.agent if actor.kind is ActorKind.AGENT else item.holder
    return item.holder if target.keeps_holder else ""


def _role_after(process: Process, rule: Transition, item: Item) -> str:
    """The role that the move sets; where it was forced past a field that names none, the item keeps its own."""
    chosen = next((str(each.value) for each in rule.effects if each.kind == "set_role"), item.role)
    if chosen.startswith(FROM_FIELD):
        chosen = str(item.fields.get(chosen[1:])).strip()
    return chosen if chosen in process.roles else item.role


def _target(rule: Transition, item: Item) -> str:
    return item.saved.state if rule.target == RESTORE and item.saved is not None else rule.target


def _is_final(process: Process, state: str) -> bool:
    known = process.states.get(state)
    return known is not None and known.is_final


def _leads_to(process: Process, rule: Transition, item: Item, target: str) -> bool:
    if rule.target == RESTORE:
        saved = item.saved
        return saved is not None and saved.state in process.states and target in {RESTORE, saved.state}
    return rule.target == target


def _rule_of(process: Process, item: Item, target: str, actor: Actor) -> Transition | None:
    """The most specific rule: for the item's role and work, for its role, for the states, for the actor, for any."""
    fitting = [each for each in rules_to(process, item, target) if each.fits(item.role, item.worked_as)]
    return min(fitting, key=lambda each: specificity(each, actor, item), default=None)


def specificity(rule: Transition, actor: Actor, item: Item) -> int:
    """Where a rule stands among those that fit, the first 0 (work.md, "Transition")."""
    if rule.source != ANY:
        return 0 if rule.worked_as is not None else 1 if rule.role is not None else 2
    return 3 if rule.names(actor, item) else 4 if rule.allows(actor, item) else 5


def _undeclared(process: Process, item: Item, request: MoveRequest) -> Refusal:
    state = process.states[item.state]
    if state.is_claimed and request.target == state.name and item.holder not in {"", request.actor.agent}:
        return Refusal(Fault.HELD, _held(item), actor=request.actor)  # it was to be claimed
    others = process.targets(item.state)
    if state.is_final and not others:
        return Refusal(Fault.FINISHED, f"It is {item.state}; nothing leads on from there.", actor=request.actor)
    where = f"From {item.state} it can go to {', '.join(others)}." if others else f"Nothing leads on from {item.state}."
    if request.target not in process.states and request.target != RESTORE:
        return Refusal(Fault.UNDECLARED, f"There is no state {request.target[:40]!r}. {where}", actor=request.actor)
    told = f"{process.name} does not lead from {item.state} to {request.target} in the role {item.role}. {where}"
    return Refusal(Fault.UNDECLARED, told, actor=request.actor)


def _held(item: Item) -> str:
    return f"{item.holder} holds it, and moves it until the lease has run out."


def _who_may(rule: Transition, item: Item, request: MoveRequest) -> str:
    """Who makes the move, as what the actor asked, and as what it may."""
    actor = request.actor
    names = sorted(item.role if each == OWN else each for each in rule.actors)
    by = ", ".join(CALLED.get(each, each) for each in names)
    you = CALLED.get(actor.called, actor.called) or "no role of this process"
    told = f"{item.state} to {request.target} is made by {by}; you act as {you}."
    taken = (each for each in _roles(actor) if rule.is_open or each == item.role)
    may = [each for each in taken if rule.allows(replace(actor, role=each), item)]
    return f"{told} Pass role={may[0]}." if may else f"{told} {actor.limit}".strip()
