"""What is wrong with a process before any item is in it; pure. Each fault names the place in the document."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from bigmind.core.shapes import is_list
from bigmind.flow.gates import COMBINED, GATES
from bigmind.flow.workflow import ACTORS, ANY, FROM_FIELD, RESTORE, Effect, Gate, Level, Process, Transition

EFFECTS = frozenset({"set_role", "clear_fields", "emit"})
"""The effects that a document may name; those of a state (claim, save, restore) are declared with the state."""

Place = tuple[str | int, ...]
"""Keys and indexes from the top of the document."""
Standing = tuple[str, str, str]
"""Where an item can be: state, role, and the role in which the work was handed over last."""


@dataclass(frozen=True, slots=True)
class ProcessFault:
    """A fault: where, and what is wrong."""

    place: Place
    message: str


def faults(process: Process) -> list[ProcessFault]:
    """All that is wrong with a process; nothing where it may be used."""
    found = [*_of_states(process), *_of_transitions(process), *_of_ranks(process)]
    return found or [*_of_paths(process)]


def _of_states(process: Process) -> Iterator[ProcessFault]:
    if not process.begins_in:
        yield ProcessFault(("states",), "no state begins: one needs `begins: true`")
    if not any(each.is_final for each in process.states.values()):
        yield ProcessFault(("states",), "no state is final: one needs `final: true`")
    if process.first_role not in process.roles:
        yield ProcessFault(("first_role",), f"no one has the role {process.first_role!r}")
    for name in process.states:
        if name in {ANY, RESTORE}:
            yield ProcessFault(("states", name), f"{name!r} is a word of the engine, and no state")
    for name in sorted(process.forced_by - {*process.roles, "human"}):
        yield ProcessFault(("forced_by",), f"no one has the role {name!r}")


def _of_transitions(process: Process) -> Iterator[ProcessFault]:
    for number, each in enumerate(process.transitions):
        place: Place = ("transitions", number)
        if each.source != ANY and each.source not in process.states:
            yield ProcessFault((*place, "from"), f"there is no state {each.source!r}")
        if each.target != RESTORE and each.target not in process.states:
            yield ProcessFault((*place, "to"), f"there is no state {each.target!r}")
        if each.target == RESTORE and not (each.source in process.states and process.states[each.source].saves):
            yield ProcessFault((*place, "to"), "restore leads from a state with `saves: true` alone")
        for name in sorted(each.actors - {*process.roles, *ACTORS}):
            yield ProcessFault((*place, "by"), f"no one has the role {name!r}")
        for key, role in (("role", each.role), ("worked_as", each.worked_as)):
            if role is not None and role not in process.roles:
                yield ProcessFault((*place, key), f"no one has the role {role!r}")
        yield from _of_gates(each.gates, (*place, "gates"))
        yield from _of_effects(process, each, (*place, "effects"))


def _of_gates(gates: Iterable[Gate], place: Place) -> Iterator[ProcessFault]:
    for number, gate in enumerate(gates):
        here: Place = (*place, number)
        kind = GATES.get(gate.kind)
        if kind is None:
            yield ProcessFault(here, f"there is no kind of gate {gate.kind!r}; there are {', '.join(sorted(GATES))}")
            continue
        if gate.kind in COMBINED:
            if not gate.parts:
                yield ProcessFault(here, f"{gate.kind} needs a list of gates")
            yield from _of_gates(gate.parts, (*here, gate.kind))
            continue
        for option in sorted(gate.options.keys() - kind.options):
            yield ProcessFault(here, f"{gate.kind} knows no {option!r}")
        missing = sorted(kind.required - gate.options.keys())
        for option in missing:
            yield ProcessFault(here, f"{gate.kind} needs {option!r}")
        if not missing and (fault := kind.fault(gate.options)):
            yield ProcessFault(here, fault)


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
    known: dict[tuple[str, ...], int] = {}
    for number, each in enumerate(process.transitions):
        keys = [(each.source, each.target, each.role or "", each.worked_as or "")]
        if each.source == ANY:
            keys = [(*keys[0], actor) for actor in sorted(each.actors)]
        for key in keys:
            if key in known:
                told = f"it says the same as transition {known[key] + 1}: {each.source} to {each.target}"
                yield ProcessFault(("transitions", number), f"two rules of equal rank: {told}")
                break
            known[key] = number


def _of_paths(process: Process) -> Iterator[ProcessFault]:
    """States that nothing leads to, and those that nothing leads on from."""
    ways = ways_of(process)
    reached = {state for state, _, _ in ways}
    for name in process.states:
        if name not in reached:
            yield ProcessFault(("states", name), "unreachable: no transition leads there")
    ending = _ending(process, ways)
    for standing in ways:
        if standing not in ending:
            state, role, _ = standing
            yield ProcessFault(("states", state), f"dead end: in the role {role} nothing leads from there to an end")
            return


def ways_of(process: Process) -> dict[Standing, set[Standing]]:
    """Where an item can come to be, and where it can go from each, by what the process declares; gates aside."""
    first: list[Standing] = [(state, process.first_role, "") for state in process.begins_in]
    found: dict[Standing, set[Standing]] = {}
    while first:
        standing = first.pop()
        if standing not in found:
            found[standing] = set(_next(process, *standing))
            first.extend(found[standing])
    return found


def _next(process: Process, state: str, role: str, worked_as: str) -> Iterator[Standing]:
    for rule in process.leaving(state):
        if rule.target == RESTORE or rule.role not in {None, role} or rule.worked_as not in {None, worked_as}:
            continue  # what is restored was reached before
        if not _somebody_may(rule, role):
            continue
        hands_over = process.states[state].is_claimed and not process.states[rule.target].saves
        for after in _roles_after(rule, role):
            yield rule.target, after, role if hands_over else worked_as


def _somebody_may(rule: Transition, role: str) -> bool:
    """Whether anybody can make a move where it is made in the item's own role."""
    return rule.is_open or role in rule.actors or bool(rule.actors & ACTORS)


def _roles_after(rule: Transition, role: str) -> list[str]:
    chosen = next((str(each.value) for each in rule.effects if each.kind == "set_role"), role)
    return _named(rule, chosen[1:]) if chosen.startswith(FROM_FIELD) else [chosen]


def _ending(process: Process, ways: dict[Standing, set[Standing]]) -> set[Standing]:
    """From where an end is reached by more than what interrupts from anywhere."""
    ending = {each for each in ways if process.states[each[0]].is_final or process.states[each[0]].saves}
    anywhere = {each.target for each in process.transitions if each.source == ANY}
    while True:
        more = {
            each
            for each, after in ways.items()
            if each not in ending and any(there in ending and there[0] not in anywhere for there in after)
        }
        if not more:
            return ending
        ending |= more
