"""A process as data: states, transitions, gates, effects, roles; and an item that stands in one. Pure."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from bigmind.core.shapes import is_list

ANY = "any"
"""As the source of a transition: every state but those that are final or save what they interrupt."""
RESTORE = "restore"
"""As the target of a transition: the state and role that a saving state interrupted."""
SYSTEM, HUMAN = "system", "human"
OWN, ANYONE, HOLDER = "own", "anyone", "holder"
"""Among the actors of a transition: who acts in the item's own role; whoever; the agent that holds the item."""
CALLED = {HUMAN: "a person", SYSTEM: "BigMind", HOLDER: "its holder"}
"""How answers call those actors that are no work roles."""
ACTORS = frozenset({SYSTEM, HUMAN, OWN, ANYONE, HOLDER})
FROM_FIELD = "$"
"""Begins what `set_role` takes from a field: `$rework_target_role`."""


class Level(StrEnum):
    """What a gate that fails does to the move."""

    MUST = "MUST"
    """The move is refused."""
    BY_END = "MUST_BY_END"
    """The move is made; the final state cannot be reached until it passes."""
    SHOULD = "SHOULD"
    """A warning; a violation when it still fails at the end."""
    MAY = "MAY"
    """It is told."""


class Severity(StrEnum):
    """How bad a violation is."""

    CRITICAL = "CRITICAL"
    WARNING = "WARNING"


@dataclass(frozen=True, slots=True)
class Gate:
    """A check that a transition names.

    Attributes:
        kind: the name of its kind (`gates.py`).
        options: what that kind is told, as JSON has it; for `all_of` and `any_of` the gates stand in `parts`.
        level: what its failing does.
        parts: the gates that it is made of.
    """

    kind: str
    options: Mapping[str, Any] = field(default_factory=dict[str, Any], hash=False)
    level: Level = Level.MUST
    parts: tuple["Gate", ...] = ()

    @property
    def name(self) -> str:
        """As answers and the ledger name it: its kind, and what it looks at."""
        if self.parts:
            joined = (" and " if self.kind == "all_of" else " or ").join(each.name for each in self.parts)
            return f"({joined})"
        about = self.options.get("name")
        return f"{self.kind}:{about}" if about else self.kind

    @property
    def words(self) -> str:
        """As people read it: its name, what its options ask for, and its level where it is not MUST."""
        if self.parts:
            told = [f"({(' and ' if self.kind == 'all_of' else ' or ').join(each.words for each in self.parts)})"]
        else:
            asked = {name: value for name, value in self.options.items() if name != "name" and value}
            told = [self.name, *(_option_words(name, value) for name, value in asked.items())]
        return ", ".join(told if self.level is Level.MUST else [*told, self.level.value.replace("_", " ")])

    def each(self) -> Iterator["Gate"]:
        """It, or the gates that it is made of."""
        if not self.parts:
            yield self
        for part in self.parts:
            yield from part.each()


def _option_words(name: str, value: Any) -> str:
    values: list[Any] = value if is_list(value) else [value]
    return name if value is True else f"{name.replace('_', ' ')} {' '.join(map(str, values))}"


@dataclass(frozen=True, slots=True)
class Effect:
    """What happens with a move: its kind, and what it concerns."""

    kind: str
    value: Any = field(default=None, hash=False)


@dataclass(frozen=True, slots=True)
class State:
    """A state.

    Attributes:
        name: unique in its process.
        begins: whether an item may begin in it.
        is_final: whether the work ends there.
        is_unfinished: whether it ends there without being done: what had to pass by the end hinders nothing, and is a
            violation where it does not.
        is_claimed: whether the agent that moves an item there holds it from then on.
        keeps_holder: whether whoever held the item when it came there still holds it.
        saves: whether it interrupts: what stood before is kept, and `restore` leads back to it.
        is_review: whether who moves it on judges what another handed over.
        title: as people read it.
    """

    name: str
    begins: bool = False
    is_final: bool = False
    is_unfinished: bool = False
    is_claimed: bool = False
    keeps_holder: bool = False
    saves: bool = False
    is_review: bool = False
    title: str = ""


@dataclass(frozen=True, slots=True)
class Transition:
    """A move that is declared.

    Attributes:
        source: a state, or `any`.
        target: a state, or `restore`.
        actors: the work roles that may make it, and words of `ACTORS`.
        role: the role that the item must have; None: whichever.
        worked_as: the role that the item had when work on it was handed over; None: whichever.
        is_open: made by the actors whatever the item's role is; else an agent acts in the item's own.
        by_others: made by who does not hold the item too, where somebody does.
        gates: what must hold.
        effects: what happens with it.
        label: what a button says.
        prompt: what an agent is told to do to get there.
    """

    source: str
    target: str
    actors: frozenset[str]
    role: str | None = None
    worked_as: str | None = None
    is_open: bool = False
    by_others: bool = False
    gates: tuple[Gate, ...] = ()
    effects: tuple[Effect, ...] = ()
    label: str = ""
    prompt: str = ""

    @property
    def is_aside(self) -> bool:
        """Whether it is there from everywhere, as blocking and cancelling are: no step on the way of an item."""
        return self.source == ANY

    def fits(self, role: str, worked_as: str) -> bool:
        """Whether it is about an item of that role, whose work was handed over in that one."""
        return self.role in {None, role} and self.worked_as in {None, worked_as}

    def allows(self, actor: "Actor", item: "Item") -> bool:
        """Whether the actors name this one."""
        return ANYONE in self.actors or self.names(actor, item)

    def names(self, actor: "Actor", item: "Item") -> bool:
        """Whether the actors name this one by more than `anyone`."""
        if actor.kind is not ActorKind.AGENT:
            return actor.kind.value in self.actors
        if HOLDER in self.actors and item.holder and item.holder == actor.agent:
            return True
        return actor.role in self.actors or (OWN in self.actors and actor.role == item.role)


@dataclass(frozen=True, slots=True)
class Process:
    """A process, as its document declares it; checked (`checks.py`).

    Attributes:
        name: unique; an item keeps it for good.
        version: counts up; an item finishes under the one that it entered with.
        title: as people read it.
        roles: the work roles that its items can have.
        first_role: of a new item.
        states: by name, in their order.
        transitions: in their order.
        forced_by: the work roles, and `human`, that may force a move past a gate; a violation each time.
        digest: SHA-256 of the document, in hexadecimal.
    """

    name: str
    version: int
    title: str
    roles: tuple[str, ...]
    first_role: str
    states: Mapping[str, State]
    transitions: tuple[Transition, ...]
    forced_by: frozenset[str] = frozenset()
    digest: str = ""
    _leaving: Mapping[str, tuple[Transition, ...]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Sort the transitions by where they lead away from: each decision asks several times."""
        leaving = {
            state: tuple(each for each in self.transitions if self.is_source(each, state)) for state in self.states
        }
        object.__setattr__(self, "_leaving", leaving)

    @property
    def begins_in(self) -> tuple[str, ...]:
        """The states that an item may begin in, the usual one first."""
        return tuple(each.name for each in self.states.values() if each.begins)[::-1]

    def is_source(self, transition: Transition, state: str) -> bool:
        """Whether a transition leads away from a state."""
        if transition.source != ANY:
            return transition.source == state
        known = self.states.get(state)
        return known is not None and not (known.is_final or known.saves)

    def leaving(self, state: str) -> tuple[Transition, ...]:
        """The transitions that lead away from a state; none from one that is not the process's."""
        return self._leaving.get(state, ())

    def hands_over(self, source: str, target: str) -> bool:
        """Whether a move ends a phase of work: out of a claimed state, and not only interrupted."""
        after = self.states[target]
        return self.states[source].is_claimed and not after.is_claimed and not after.saves

    def leads_back(self, source: str, target: str) -> bool:
        """Whether a move goes back: to a state that is declared earlier, and that nobody works in."""
        order = list(self.states)
        known = source in self.states and target in self.states
        return known and order.index(target) < order.index(source) and not self.states[target].is_claimed

    def targets(self, state: str) -> list[str]:
        """Where they lead, each once."""
        return list(dict.fromkeys(each.target for each in self.leaving(state)))


class ActorKind(StrEnum):
    """Who makes a move."""

    AGENT = "agent"
    HUMAN = "human"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True)
class Actor:
    """Who asks for a move.

    Attributes:
        kind: an agent, a person in person, or BigMind.
        agent: the agent's name; empty for the others.
        role: the work role that it acts in; empty where that is to be found among `roles`.
        roles: the work roles that it may take.
        limit: in a sentence, what keeps it from others, where that is more than what a person gave it.
    """

    kind: ActorKind
    agent: str = ""
    role: str = ""
    roles: Sequence[str] = ()
    limit: str = ""

    @property
    def called(self) -> str:
        """What it acts as: its role, `human` or `system`."""
        return self.role if self.kind is ActorKind.AGENT else self.kind.value


@dataclass(frozen=True, slots=True)
class Interruption:
    """What stood before a state that saves: `restore` leads back to exactly this."""

    state: str
    role: str
    holder: str = ""


@dataclass(frozen=True, slots=True)
class Item:
    """An item, as far as the engine reads it.

    Attributes:
        state: of its process.
        role: the work role whose turn it is.
        revision: counts what was changed.
        holder: the agent that holds it; empty where nobody does.
        fields: its DNA: names and values, as JSON has them.
        worked_by: the agent that held it when the work was handed over last.
        worked_as: the item's role then.
        saved: what a saving state interrupted.
        due: the gates that have to pass by the end.
    """

    state: str
    role: str
    revision: int = 0
    holder: str = ""
    fields: Mapping[str, Any] = field(default_factory=dict[str, Any])
    worked_by: str = ""
    worked_as: str = ""
    saved: Interruption | None = None
    due: tuple[Gate, ...] = ()
