"""Process documents: YAML (`assets/processes`), with a published JSON Schema; a fault names file, line and key."""

import hashlib
import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, ConfigDict, Field, ValidationError
from pydantic.json_schema import GenerateJsonSchema

from bigmind.core.errors import BigMindError, Code, shown
from bigmind.core.shapes import as_object, is_list, is_object
from bigmind.flow.checks import Place, ProcessFault, faults
from bigmind.flow.gates import COMBINED
from bigmind.flow.workflow import ANY, Effect, Gate, Level, Process, State, Transition
from bigmind.flow.yaml_tree import YamlFault, position, read_tree

LONGEST = 200_000
"""Characters of a document."""
MOST_FAULTS = 10
SCHEMA_ID = "urn:bigmind:process:1"
"""The name of the published schema, `assets/process.schema.json`."""

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_-]{0,39}$", description="Small letters, digits, - and _.")]
GateForm = str | dict[str, Any]
"""A kind of gate, or one key, the kind, with its options (and `level`); of all_of and any_of a list of gates, which
`level` may stand beside."""
EffectForm = Annotated[dict[str, Any], Field(min_length=1, max_length=1, description="One key: the kind of effect.")]


class StateForm(BaseModel):
    """One state."""

    model_config = ConfigDict(extra="forbid", defer_build=True, strict=True)

    begins: bool = Field(default=False, description="An item may begin here; the last such state is the usual one.")
    final: bool = Field(default=False, description="The work ends here.")
    unfinished: bool = Field(default=False, description="Of a final state: the work ends here without being done.")
    claimed: bool = Field(default=False, description="Whoever moves an item here holds it, under a lease.")
    keeps_holder: bool = Field(default=False, description="Whoever held the item still holds it.")
    saves: bool = Field(default=False, description="Interrupts: `restore` leads back to what stood before.")
    reviews: bool = Field(default=False, description="Whoever moves it on from here judges the work.")
    title: str = Field(default="", max_length=60, description="As people read it.")


class TransitionForm(BaseModel):
    """One transition."""

    model_config = ConfigDict(extra="forbid", defer_build=True, strict=True)

    source: str = Field(alias="from", description="A state, or `any`.")
    target: str = Field(alias="to", description="A state, or `restore`.")
    by: list[str] = Field(
        min_length=1,
        description="Work roles, and `own` (in the item's own role), `holder`, `anyone`, `human`, `system`.",
    )
    role: str | None = Field(default=None, description="The role that the item must have.")
    worked_as: str | None = Field(default=None, description="The role in which the work was handed over.")
    open: bool = Field(default=False, description="Not only in the item's own role.")
    by_others: bool = Field(default=False, description="Also by an agent that does not hold the item.")
    gates: list[GateForm] = Field(default_factory=list[GateForm])
    effects: list[EffectForm] = Field(default_factory=list[EffectForm])
    label: str = Field(default="", max_length=60)
    prompt: str = Field(default="", max_length=600, description="What an agent is told to do to get there.")


class ProcessForm(BaseModel):
    """A process document."""

    model_config = ConfigDict(extra="forbid", defer_build=True, strict=True)

    process: Name
    version: int = Field(ge=1)
    title: str = Field(default="", max_length=60)
    roles: list[Name] = Field(min_length=1)
    first_role: str = Field(default="", description="Of a new item; the first role, where none is named.")
    forced_by: list[str] = Field(default_factory=list[str])
    states: dict[Name, StateForm | None] = Field(min_length=1)
    transitions: list[TransitionForm] = Field(min_length=1)
    format: Literal["bigmind-process"] = "bigmind-process"


def schema() -> dict[str, Any]:
    """The published JSON Schema (2020-12) of a process document."""
    found = ProcessForm.model_json_schema(by_alias=True)
    found["properties"]["states"]["additionalProperties"] = False  # beside the pattern of their names
    return {"$schema": GenerateJsonSchema.schema_dialect, "$id": SCHEMA_ID, **found}


def read_process(text: str, file: str, granted: Collection[str] = (), form: re.Pattern[str] | None = None) -> Process:
    """Read and check a process document.

    Args:
        text: YAML of at most 200,000 characters.
        file: what faults call it.
        granted: names that no field of an item may have.
        form: of the names that one may have; None for any.

    Raises:
        BigMindError: `invalid_input`, naming file, line and key of what is wrong, at most ten faults at once.
    """
    if len(text) > LONGEST:
        raise BigMindError(Code.TOO_LARGE, f"{file} has more than {LONGEST:,} characters.")
    tree = _tree(text, file)
    try:
        read = ProcessForm.model_validate(tree)
    except ValidationError as error:
        _refuse(file, tree, (ProcessFault(_place(each["loc"]), each["msg"]) for each in error.errors()))
    process = _process(read, hashlib.sha256(text.encode()).hexdigest())
    if found := faults(process, granted, form):
        _refuse(file, tree, found)
    return process


def _tree(text: str, file: str) -> Any:
    try:
        return read_tree(text, "a process document")
    except YamlFault as fault:
        line = f", line {fault.line}" if fault.line else ""
        raise _fault(f"{file}{line}: {fault}.") from None


def _fault(message: str) -> BigMindError:
    return BigMindError(Code.INVALID_INPUT, message, "docs/processes.md shows how a process document is written.")


def _refuse(file: str, tree: Any, found: Sequence[ProcessFault] | Iterator[ProcessFault]) -> NoReturn:
    lines = [f"{file}, line {position(tree, each.place)[0]}: {_key(each.place)}: {each.message}." for each in found]
    more = f"\nand {len(lines) - MOST_FAULTS} more." if len(lines) > MOST_FAULTS else ""
    raise _fault("\n".join(lines[:MOST_FAULTS]) + more)


def _place(location: Sequence[str | int]) -> Place:
    """Of pydantic's location, what is the document's: it names the branch of a union too."""
    return tuple(each for each in location if isinstance(each, int) or each not in {"str", "dict[str,any]", "[key]"})


def _key(place: Place) -> str:
    told = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in place)
    return told.lstrip(".") or "the document"


def _process(form: ProcessForm, digest: str) -> Process:
    states = {name: _state(name, each or StateForm()) for name, each in form.states.items()}
    return Process(
        name=form.process,
        version=form.version,
        title=form.title or form.process.capitalize(),
        roles=tuple(form.roles),
        first_role=form.first_role or form.roles[0],
        states=states,
        transitions=tuple(_transition(each) for each in form.transitions),
        forced_by=frozenset(form.forced_by),
        digest=digest,
    )


def _state(name: str, form: StateForm) -> State:
    return State(
        name,
        begins=form.begins,
        is_final=form.final,
        is_unfinished=form.unfinished,
        is_claimed=form.claimed,
        keeps_holder=form.keeps_holder,
        saves=form.saves,
        is_review=form.reviews,
        title=form.title or name.replace("_", " ").capitalize(),
    )


def _transition(form: TransitionForm) -> Transition:
    return Transition(
        source=form.source,
        target=form.target,
        actors=frozenset(form.by),
        role=form.role,
        worked_as=form.worked_as,
        is_open=form.open,
        by_others=form.by_others,
        gates=tuple(gate_from(each) for each in form.gates),
        effects=tuple(Effect(str(kind), value) for each in form.effects for kind, value in each.items()),
        label=form.label or f"To {form.target}",
        prompt=form.prompt,
    )


def gate_from(form: Any) -> Gate:
    """A gate as a document writes it; what is not understood is left for the checks to name."""
    if not is_object(form):
        return Gate(form if isinstance(form, str) else shown(form))
    level = form.get("level", Level.MUST) if COMBINED & form.keys() else Level.MUST
    kind, *others = [str(each) for each in form if each != "level" or not COMBINED & form.keys()] or [""]
    told: Any = form.get(kind)
    if kind in COMBINED:
        parts = tuple(gate_from(each) for each in told) if is_list(told) else ()
        return _levelled(Gate(kind, parts=parts), level, others)
    options = {str(name): value for name, value in as_object(told).items()}
    if told is not None and not is_object(told):
        others.append(shown(told))
    return _levelled(Gate(kind, options), options.pop("level", level), others)


def _levelled(gate: Gate, level: Any, others: Sequence[str]) -> Gate:
    if level not in list(Level):
        others = [*others, f"level {shown(level)}"]
    if others:
        return Gate(f"{gate.kind} with {', '.join(others)}")
    return replace(gate, level=Level(level))


def gate_as_form(gate: Gate) -> GateForm:
    """A gate as a document writes it; `gate_from` gives it back."""
    level: dict[str, Any] = {} if gate.level is Level.MUST else {"level": gate.level.value}
    if gate.parts:
        return {gate.kind: [gate_as_form(each) for each in gate.parts], **level}
    return {gate.kind: {**gate.options, **level}} if gate.options or level else gate.kind


def dropped_gates(before: Process, after: Process, places: Collection[str] | None = None) -> list[str]:
    """The gates that fall away when one document takes the place of another, each with its transition, in words.

    One that asks for something else than before falls away too: what it asked for is told. So does what a new way asks
    no more for: a transition that was not there, past gates that every one had which led to its target from there, or
    from wherever.

    Args:
        before: the document that there is.
        after: the one that takes its place.
        places: the states that an item stands in: then only what lies ahead of it; None: all of them.
    """
    known = {_between(each) for each in before.transitions}
    lost = [(each, gate) for each in before.transitions for gate in _lost(each, after)]
    new = [each for each in after.transitions if _between(each) not in known]
    lost += [(each, gate) for each in new for gate in sorted(_asked_before(each, before) - _words(each))]
    if places is not None:
        ahead = {ANY, *_reachable(before, places), *_reachable(after, places)}
        lost = [(rule, gate) for rule, gate in lost if rule.source in ahead]
    return list(dict.fromkeys(f"{_named_move(rule)}: {gate}" for rule, gate in lost))


def _reachable(process: Process, places: Collection[str]) -> set[str]:
    """The states that moves lead to from some of them, these with them."""
    found: set[str] = set()
    left = [*places]
    while left:
        state = left.pop()
        if state not in found:
            found.add(state)
            left.extend(process.targets(state))
    return found


def _lost(rule: Transition, after: Process) -> list[str]:
    left = [each for each in after.transitions if _between(each) == _between(rule)]
    return sorted(_words(rule) - {words for each in left for words in _words(each)})


def _asked_before(rule: Transition, before: Process) -> set[str]:
    there = [each for each in before.transitions if each.target == rule.target]
    ways = [_words(each) for each in there if each.source in {rule.source, ANY}] or [_words(each) for each in there]
    return set[str].intersection(*ways) if ways else set()


def _words(rule: Transition) -> set[str]:
    return {each.words for each in rule.gates}


def _between(rule: Transition) -> tuple[str, str, str | None, str | None, frozenset[str]]:
    """What tells a transition from others; from anywhere, the actors do too."""
    return rule.source, rule.target, rule.role, rule.worked_as, rule.actors if rule.source == ANY else frozenset()


def _named_move(rule: Transition) -> str:
    about = [*([rule.role] if rule.role else []), *([f"work of {rule.worked_as}"] if rule.worked_as else [])]
    return f"{rule.source} to {rule.target}" + (f" ({', '.join(about)})" if about else "")
