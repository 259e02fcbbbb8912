"""What leads on from where an item stands, as people see it: who may make each move, and what is met and missing."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from bigmind.core.shapes import is_list
from bigmind.flow.decision import Move, MoveRequest, decide, gates_to, options
from bigmind.flow.gates import Finding, Findings, check
from bigmind.flow.workflow import ANY, HUMAN, OWN, RESTORE, Actor, ActorKind, Gate, Item, Process, Transition
from bigmind.store.work import Work
from bigmind.work.in_person.confirmations import YES, needs_yes
from bigmind.work.items import as_item
from bigmind.work.memory_gates import ANY_CONNECTION, CONTRIBUTED, QUERIED, Relevance
from bigmind.work.moving import findings_for, seen_for_moves
from bigmind.work.tables import WorkItem

PERSON = Actor(ActorKind.HUMAN)
NOT_ASKED = Finding(
    passed=False,
    reason="The agent that makes this move asks the brain about the item first, within the hour.",
    remedy="Nothing for you to do: the agent is told so, and how.",
)
NOT_CONTRIBUTED = Finding(
    passed=False,
    reason="The agent that holds it contributes what it learned to the brain first.",
    remedy="Nothing for you to do: the agent is told so, and how.",
)
SHORT = {QUERIED: "a question", CONTRIBUTED: "a contribution", YES: "your yes", "dependencies_complete": "dependencies"}
"""What is missing, in a word or two; other gates go by their name."""


@dataclass(frozen=True, slots=True)
class FieldAsk:
    """A field that a move needs and the item lacks; of few values, where the process names them."""

    name: str
    values: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class GateView:
    """A gate of a move: its kind, the name that it has in the ledger, and how it stands."""

    kind: str
    name: str
    is_met: bool
    told: str
    remedy: str


@dataclass(frozen=True, slots=True)
class Step:
    """A move from here.

    Attributes:
        target: a state, or `restore`.
        label: what its button says.
        by: who may make it.
        is_yours: whether a person may.
        is_yes: whether a person who makes it confirms the item by that.
        is_aside: whether it is there from everywhere: blocking, cancelling.
        is_free: whether nothing hinders a person.
        gates: of it.
        asks: the fields that a person writes with it.
    """

    target: str
    label: str
    by: Sequence[str]
    is_yours: bool
    is_yes: bool
    is_aside: bool
    is_free: bool
    gates: Sequence[GateView]
    asks: Sequence[FieldAsk]


def steps(work: Work, row: WorkItem, process: Process) -> list[Step]:
    """The moves from where an item stands, those of persons first. Looks the memory gates up for who holds it."""
    item = as_item(row)
    gates = [gate for target in process.targets(row.state) for gate in gates_to(process, item, target)]
    findings = _findings(work, row, gates)
    found = [_step(process, item, rule, findings) for rule in _rules(process, item)]
    return sorted(found, key=lambda each: (each.is_aside, not each.is_yours))


def usual_rule(process: Process, item: Item) -> Transition | None:
    """The first move that leads on from here and needs something; None where all are free, or nothing leads on."""
    fitting = (each for each in process.leaving(item.state) if each.source != ANY and each.gates)
    return next((each for each in fitting if _fits(each, item)), None)


def _fits(rule: Transition, item: Item) -> bool:
    return rule.role in {None, item.role} and rule.worked_as in {None, item.worked_as}


def missing(rule: Transition, item: Item, findings: Findings) -> list[str]:
    """What a move still lacks, a word or two each; nothing where it lacks nothing.

    Args:
        rule: the usual move on from where the item stands.
        item: as it stands.
        findings: what is known of its gates, by their names; a gate that nobody looked up counts as missing.
    """
    who = _agent(item)
    lacking = [gate for gate in rule.gates if not check(gate, item, who, findings).passed]
    return list(dict.fromkeys(_short(part) for gate in lacking for part in gate.each()))


def _short(gate: Gate) -> str:
    return SHORT.get(gate.kind) or str(gate.options.get("name") or gate.kind.replace("_", " "))


def _rules(process: Process, item: Item) -> Iterator[Transition]:
    """The transition for each target, the one that lets a person move it where there is one."""
    agents = {each.target: each.transition for each in options(process, item, _agent(item), {})}
    persons = {each.target: each.transition for each in options(process, item, PERSON, {})}
    for target in process.targets(item.state):
        rule = persons.get(target)
        if rule is None or not rule.allows(PERSON, item):
            rule = agents.get(target) or rule
        if rule is not None:
            yield rule


def _agent(item: Item) -> Actor:
    return Actor(ActorKind.AGENT, item.holder, item.role, (item.role,))


def _step(process: Process, item: Item, rule: Transition, findings: Findings) -> Step:
    is_yours = rule.allows(PERSON, item)
    who = PERSON if is_yours else _agent(item)
    results = [(gate, check(gate, item, who, findings)) for gate in rule.gates]
    asks = [_ask(gate) for gate, each in results if is_yours and gate.kind == "field" and not each.passed]
    given = {each.name: each.values[0] if each.values else "…" for each in asks}
    request = MoveRequest(rule.target, PERSON, given)
    is_free = is_yours and isinstance(decide(process, replace(item), request, findings), Move)
    return Step(
        target=rule.target,
        label=rule.label,
        by=_by(rule, item),
        is_yours=is_yours,
        is_yes=is_yours and needs_yes(rule),
        is_aside=rule.source == ANY or rule.target == RESTORE,
        is_free=is_free,
        gates=[
            GateView(
                gate.kind, gate.name, each.passed, each.finding.evidence or each.finding.reason, each.finding.remedy
            )
            for gate, each in results
        ],
        asks=asks,
    )


def _ask(gate: Gate) -> FieldAsk:
    values = gate.options.get("one_of", [])
    return FieldAsk(str(gate.options["name"]), [str(each) for each in values] if is_list(values) else [])


def _by(rule: Transition, item: Item) -> list[str]:
    words = {OWN: item.role, HUMAN: "you", "holder": "its holder", "anyone": "anyone", "system": "BigMind"}
    return sorted(dict.fromkeys(words.get(each, each) for each in rule.actors), key=lambda each: (each != "you", each))


def _findings(work: Work, row: WorkItem, gates: Sequence[Gate]) -> Mapping[str, Finding]:
    """What the stores say; of the memory gates, what counts for who holds the item, in words for a person."""
    names = {each.kind for each in gates}
    caller, known = work.caller, Relevance()
    if row.holder:
        whose = row.holder_user_id or caller.user_id
        work.caller = replace(caller, client=row.holder_client, user_id=whose, connection=ANY_CONNECTION)
    try:
        if (row.holder and CONTRIBUTED in names) or "evidence" in names:
            known = seen_for_moves(work, row)
        found = findings_for(work, row, gates, known)
    finally:
        work.caller = caller
    if QUERIED in found:
        found[QUERIED] = NOT_ASKED
    if CONTRIBUTED in found and not row.holder:
        found[CONTRIBUTED] = NOT_CONTRIBUTED
    elif CONTRIBUTED in found and not found[CONTRIBUTED].passed:
        found[CONTRIBUTED] = replace(found[CONTRIBUTED], remedy=NOT_CONTRIBUTED.remedy)
    return found
