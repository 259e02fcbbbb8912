"""What is wrong with a process before any item is in it; pure. Each fault names the place in the document."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from bigmind.core.shapes import is_list
from bigmind.flow.gates import COMBINED, faults_of
from bigmind.flow.workflow import (
    ACTORS,
    ANY,
    ANYONE,
    FROM_FIELD,
    HOLDER,
    HUMAN,
    OWN,
    RESTORE,
    SYSTEM,
    Effect,
    Gate,
    Level,
    Process,
    State,
    Transition,
)

EFFECTS = frozenset({"set_role", "clear_fields", "emit"})
"""The effects that a document may name; those of a state (claim, save, restore) are declared with the state."""

LONGEST_EXAMPLE = 60
"""Characters of a name that a fault shows."""

Place = tuple[str | int, ...]
"""Keys and indexes from the top of the document."""
Standing = tuple[str, str, str]
"""Where an item can be: state, role, and the role in which the work was handed over last."""


@dataclass(frozen=True, slots=True)
class ProcessFault:
    """A fault: where, and what is wrong."""

    place: Place
    message: str


def faults(process: Process, granted: Collection[str] = (), form: re.Pattern[str] | None = None) -> list[ProcessFault]:
    """All that is wrong with a process; nothing where it may be used.

    Args:
        process: that was read.
        granted: names that no field may have.
        form: of the names that a field may have; None for any.
    """
    found = [*_of_states(process), *_of_transitions(process), *_of_evidence(process), *_of_ranks(process)]
    found += _of_fields(process, granted, form)
    return found or [*_of_paths(process)]


def _of_states(process: Process) -> Iterator[ProcessFault]:
    if not process.begins_in:
        yield ProcessFault(("states",), "no state begins: one needs `begins: true`")
    if not any(each.is_final for each in process.states.values()):
        yield ProcessFault(("states",), "no state is final: one needs `final: true`")
    if process.first_role not in process.roles:
        yield ProcessFault(("first_role",), f"no one has the role {process.first_role!r}")
    for number, name in enumerate(process.roles):
        if name in ACTORS:
            yield ProcessFault(("roles", number), f"{name!r} is a word of the engine, and no role")
    for name, state in process.states.items():
        if name in {ANY, RESTORE}:
            yield ProcessFault(("states", name), f"{name!r} is a word of the engine, and no state")
        yield from (ProcessFault(("states", name), each) for each in _contradictions(state))
    for name in sorted(process.forced_by - {*process.roles, HUMAN}):
        yield ProcessFault(("forced_by",), f"no one has the role {name!r}")


def _contradictions(state: State) -> Iterator[str]:
    if state.is_unfinished and not state.is_final:
        yield "`unfinished` is said of a final state: it needs `final: true`"
    if state.is_claimed and state.saves:
        yield "what interrupts is not claimed: `claimed` or `saves`"


def _of_transitions(process: Process) -> Iterator[ProcessFault]:
    for number, each in enumerate(process.transitions):
        place: Place = ("transitions", number)
        if each.source != ANY and each.source not in process.states:
            yield ProcessFault((*place, "from"), f"there is no state {each.source!r}")
        if each.target != RESTORE and each.target not in process.states:
            yield ProcessFault((*place, "to"), f"there is no state {each.target!r}")
        if each.target == RESTORE and not (each.source in process.states and process.states[each.source].saves):
            yield ProcessFault((*place, "to"), "restore leads from a state with `saves: true` alone")
        if _saves(process, each.source) and _saves(process, each.target):
            yield ProcessFault((*place, "to"), "a state that saves leads to no other that saves")
        for name in sorted(each.actors - {*process.roles, *ACTORS}):
            yield ProcessFault((*place, "by"), f"no one has the role {name!r}")
        for key, role in (("role", each.role), ("worked_as", each.worked_as)):
            if role is not None and role not in process.roles:
                yield ProcessFault((*place, key), f"no one has the role {role!r}")
        if each.role in process.roles and not _somebody_may(process, each, each.source, each.role):
            yield ProcessFault((*place, "by"), f"none of these can make it in the role {each.role!r} of the item")
        yield from _of_gates(each.gates, (*place, "gates"))
        yield from _of_effects(process, each, (*place, "effects"))


def _of_gates(gates: Iterable[Gate], place: Place) -> Iterator[ProcessFault]:
    for number, gate in enumerate(gates):
        here: Place = (*place, number)
        yield from (ProcessFault(here, each) for each in faults_of(gate))
        if any(each.level is not Level.MUST for each in gate.parts):
            yield ProcessFault(here, f"the level of {gate.kind} stands beside it; its parts have none")
        if gate.kind in COMBINED:
            yield from _of_gates(gate.parts, (*here, gate.kind))


def _of_evidence(process: Process) -> Iterator[ProcessFault]:
    """What was looked up is told by the name of a gate, so one name of evidence means one thing."""
    known: dict[str, Mapping[str, Any]] = {}
    for number, rule in enumerate(process.transitions):
        for gate in (part for each in rule.gates for part in each.each() if part.kind == "evidence"):
            if known.setdefault(gate.name, gate.options) != gate.options:
                yield ProcessFault(("transitions", number, "gates"), f"{gate.name} looks at something else elsewhere")


def _of_fields(process: Process, granted: Collection[str], form: re.Pattern[str] | None) -> Iterator[ProcessFault]:
    """Fields that nobody could write: what holds one is never passed, or would read as if its name were granted."""
    for number, rule in enumerate(process.transitions):
        asked = [("gates", place, _fields_asked(gate)) for place, gate in enumerate(rule.gates)]
        cleared = [("effects", place, _fields_cleared(effect)) for place, effect in enumerate(rule.effects)]
        for part, place, names in [*asked, *cleared]:
            for name in sorted(names):
                if told := _fault_of_field(name, granted, form):
                    yield ProcessFault(("transitions", number, part, place), told)


def _fault_of_field(name: str, granted: Collection[str], form: re.Pattern[str] | None) -> str:
    if name in granted:
        return f"{name} is no field: BigMind itself keeps it; call yours otherwise, such as own_{name}"
    if form is None or form.fullmatch(name):
        return ""
    other = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:LONGEST_EXAMPLE]
    such = f", such as {other}" if name.isascii() and form.fullmatch(other) else ""
    right = "small letters, digits and _, at most 60, a letter first"
    return f"no item can have a field {name[:LONGEST_EXAMPLE]!r}: {right}{such}"


def _fields_asked(gate: Gate) -> set[str]:
    return {str(each.options.get("name")) for each in gate.each() if each.kind == "field"}


def _fields_cleared(effect: Effect) -> set[str]:
    is_list_of_names = effect.kind == "clear_fields" and is_list(effect.value)
    return {str(each) for each in effect.value} if is_list_of_names else set()


def _of_effects(process: Process, rule: Transition, place: Place) -> Iterator[ProcessFault]:
    for number, effect in enumerate(rule.effects):
        if message := _fault_of(process, rule, effect):
            yield ProcessFault((*place, number), message)


def _fault_of(process: Process, rule: Transition, effect: Effect) -> str:
    value = effect.value
    match effect.kind:
        case "set_role" if not isinstance(value, str):
            return "set_role takes a role, or $ and the name of a field"
        case "set_role" if value.startswith(FROM_FIELD):
            roles = _named(rule, value[1:])
            return "" if roles and set(roles) <= set(process.roles) else f"no gate says which roles {value[1:]} may be"
        case "set_role":
            return "" if value in process.roles else f"no one has the role {value!r}"
        case "clear_fields":
            is_names = is_list(value) and all(isinstance(each, str) for each in value)
            return "" if is_names else "clear_fields takes a list of names of fields"
        case "emit":
            return "" if isinstance(value, str) else "emit takes the name of an event"
        case _:
            return f"there is no effect {effect.kind!r}; there are {', '.join(sorted(EFFECTS))}"


def _named(rule: Transition, field: str) -> list[str]:
    """The values that a gate of a transition lets a field have."""
    musts = (each for each in rule.gates if each.kind == "field" and each.level is Level.MUST)
    named = (each.options.get("one_of", []) for each in musts if each.options.get("name") == field)
    return [str(value) for values in named for value in values]


def _of_ranks(process: Process) -> Iterator[ProcessFault]:
    """Two rules of which none is the more specific."""
    numbered = enumerate(process.transitions)
    for (first, one), (number, other) in combinations(numbered, 2):
        if (one.source, one.target) == (other.source, other.target) and _rank_alike(one, other):
            told = f"it says the same as transition {first + 1}: {one.source} to {one.target}"
            yield ProcessFault(("transitions", number), f"two rules of equal rank: {told}")


def _rank_alike(one: Transition, other: Transition) -> bool:
    """Whether there is an item for which neither comes before the other (decision.py, `specificity`)."""
    if not all(None in pair or pair[0] == pair[1] for pair in zip(_about(one), _about(other), strict=True)):
        return False
    if one.source != ANY:
        return _how_narrow(one) == _how_narrow(other)
    if ANYONE in one.actors or ANYONE in other.actors:
        return ANYONE in one.actors and ANYONE in other.actors
    agents = [bool(each.actors - {SYSTEM, HUMAN}) for each in (one, other)]
    whoever = bool((one.actors | other.actors) & {OWN, HOLDER})
    return bool(one.actors & other.actors) or (whoever and all(agents))


def _about(rule: Transition) -> tuple[str | None, str | None]:
    return rule.role, rule.worked_as


def _how_narrow(rule: Transition) -> int:
    return 0 if rule.worked_as is not None else 1 if rule.role is not None else 2


def _of_paths(process: Process) -> Iterator[ProcessFault]:
    """States that nothing leads to, and those that nothing leads on from."""
    ways = ways_of(process)
    reached = {state for state, _, _ in ways}
    for name in process.states:
        if name not in reached:
            yield ProcessFault(("states", name), "unreachable: no transition leads there")
    ending = _ending(process, ways)
    for standing in ways:
        if standing not in ending and not _is_restored(process, *standing):
            state, role, _ = standing
            yield ProcessFault(("states", state), f"dead end: in the role {role} nothing leads from there to an end")
            return


def ways_of(process: Process) -> dict[Standing, set[Standing]]:
    """Where an item can come to be, and where it can go from each, by what the process declares; gates aside."""
    waiting: list[Standing] = [(state, process.first_role, "") for state in process.begins_in]
    found: dict[Standing, set[Standing]] = {}
    while waiting:
        standing = waiting.pop()
        if standing not in found:
            found[standing] = set(_next(process, process.transitions, *standing))
            waiting.extend(found[standing])
    return found


def _next(process: Process, rules: Iterable[Transition], state: str, role: str, worked_as: str) -> Iterator[Standing]:
    for rule in rules:
        if rule.target == RESTORE or not process.is_source(rule, state) or not rule.fits(role, worked_as):
            continue  # what is restored was reached before
        if _somebody_may(process, rule, state, role):
            worked = role if process.hands_over(state, rule.target) else worked_as
            yield from ((rule.target, after, worked) for after in _roles_after(rule, role))


def _is_restored(process: Process, state: str, role: str, worked_as: str) -> bool:
    rules = [each for each in process.leaving(state) if each.target == RESTORE and each.fits(role, worked_as)]
    return any(_somebody_may(process, each, state, role) for each in rules)


def _somebody_may(process: Process, rule: Transition, state: str, role: str) -> bool:
    """Whether anybody can make a move there; an agent makes it in the item's own role, where it is not open."""
    known = process.states.get(state, State(state))
    anywhere = rule.source == ANY or known.is_claimed or known.keeps_holder
    words = rule.actors & (ACTORS if anywhere else ACTORS - {HOLDER})
    return bool(words) or role in rule.actors or (rule.is_open and bool(rule.actors - ACTORS))


def _saves(process: Process, state: str) -> bool:
    return process.states.get(state, State(state)).saves


def _roles_after(rule: Transition, role: str) -> list[str]:
    chosen = next((str(each.value) for each in rule.effects if each.kind == "set_role"), role)
    return _named(rule, chosen[1:]) if chosen.startswith(FROM_FIELD) else [chosen]


def _ending(process: Process, ways: Mapping[Standing, set[Standing]]) -> set[Standing]:
    """From where the work comes to an end; by more than what leads there from anywhere, where there is more."""
    ending = {each for each in ways if process.states[each[0]].is_final}
    named = [each for each in process.transitions if each.source != ANY]
    is_named = any(each.target in process.states and process.states[each.target].is_final for each in named)
    rules = [each for each in (named if is_named else process.transitions) if not _saves(process, each.target)]
    after = {each: set(_next(process, rules, *each)) for each in ways}
    while more := {each for each in ways if each not in ending and after[each] & ending}:
        ending |= more
    return ending
