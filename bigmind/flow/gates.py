"""The kinds of gates. A new one is a class with a name, registered below; a process may then name it.

A gate is judged by the item, by who asks, and by findings: what was looked up in the stores for this very move. What
nobody looked up did not pass.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from urllib.parse import urlsplit

from bigmind.core.client_names import token_name
from bigmind.core.shapes import is_list
from bigmind.flow.workflow import Actor, ActorKind, Gate, Item

URL_SCHEMES = frozenset({"http", "https"})


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found.

    Attributes:
        passed: whether it holds.
        evidence: what was seen, with its id; said also where it does not hold.
        reason: why it does not hold.
        remedy: the call, or the act, that mends it.
        seen: ids and hashes of what was seen, for the ledger.
    """

    passed: bool
    evidence: str = ""
    reason: str = ""
    remedy: str = ""
    seen: Mapping[str, str] | None = None


Findings = Mapping[str, Finding]
"""What was looked up, by the name of the gate."""


@dataclass(frozen=True, slots=True)
class GateResult:
    """How a gate was judged."""

    gate: Gate
    finding: Finding

    @property
    def passed(self) -> bool:
        """Whether it holds."""
        return self.finding.passed


class GateKind(Protocol):
    """A kind of gate.

    Attributes:
        options: the options that a document may give it, and those that it must.
    """

    options: frozenset[str]
    required: frozenset[str]

    def check(self, gate: Gate, item: Item, actor: Actor, findings: Findings) -> Finding:
        """Judge one gate of this kind."""
        ...

    def fault(self, options: Mapping[str, Any]) -> str:
        """What is wrong with the options of a document; empty where nothing is."""
        ...


class FieldGate:
    """A field of the item is there: not empty, and as its options want it (`url`, `least`, `one_of`)."""

    options = frozenset({"name", "url", "least", "one_of"})
    required = frozenset({"name"})

    def check(self, gate: Gate, item: Item, actor: Actor, findings: Findings) -> Finding:
        del actor, findings
        name, value = str(gate.options["name"]), item.fields.get(str(gate.options["name"]))
        remedy = f"Pass fields={{{name!r}: …}} with the move."
        text = value.strip() if isinstance(value, str) else value
        if text in (None, "", [], {}):
            return Finding(passed=False, reason=f"{name} is missing.", remedy=remedy)
        if fault := self._wrong(gate.options, text):
            return Finding(passed=False, reason=f"{name} {fault}", remedy=remedy)
        return Finding(passed=True, evidence=f"{name}, as stated")

    def _wrong(self, options: Mapping[str, Any], value: Any) -> str:
        least, one_of = options.get("least", 0), options.get("one_of")
        if one_of and value not in one_of:
            return f"is none of {', '.join(map(str, one_of))}."
        if options.get("url") and not _is_url(value):
            return "is no address: one begins with http:// or https://."
        if least and not (isinstance(value, str) and len(value) >= least):
            return f"is no text of at least {least} characters."
        return ""

    def fault(self, options: Mapping[str, Any]) -> str:
        if not _is_text(options["name"]):
            return "name is the name of a field"
        if not isinstance(options.get("url", True), bool):
            return "url is true or false"
        if type(options.get("least", 0)) is not int or options.get("least", 0) < 0:
            return "least is a number of characters"
        return "" if "one_of" not in options or _are_values(options["one_of"]) else "one_of is a list of values"


class RecordedGate:
    """What only the stores can tell: it is looked up for the move, and judged by that alone."""

    options: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()

    def check(self, gate: Gate, item: Item, actor: Actor, findings: Findings) -> Finding:
        del item, actor
        return findings.get(gate.name) or Finding(passed=False, reason=f"{gate.name} was not looked up.")

    def fault(self, options: Mapping[str, Any]) -> str:
        del options
        return ""


class EvidenceGate(RecordedGate):
    """Something in the workspace, which BigMind looks at itself (protocol.md); `name` tells which."""

    options = frozenset({"name", "kind", "path"})
    required = frozenset({"name", "kind"})

    def fault(self, options: Mapping[str, Any]) -> str:
        wrong = sorted(name for name, value in options.items() if not _is_text(value))
        return f"{wrong[0]} is a text" if wrong else ""


class HumanConfirmedGate(RecordedGate):
    """A person said yes to the item as it is; a person who makes the move says it by that."""

    def check(self, gate: Gate, item: Item, actor: Actor, findings: Findings) -> Finding:
        if actor.kind is ActorKind.HUMAN:
            return Finding(passed=True, evidence="moved in person")
        return super().check(gate, item, actor, findings)


class OtherAgentGate:
    """Who asks is another agent than the one that held the work; a name behind the slash makes no other."""

    options: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()

    def check(self, gate: Gate, item: Item, actor: Actor, findings: Findings) -> Finding:
        del gate, findings
        if actor.kind is ActorKind.HUMAN:
            return Finding(passed=True, evidence="a person")
        if item.worked_by and token_name(item.worked_by) == token_name(actor.agent):
            reason = f"{actor.agent} held the work itself."
            return Finding(passed=False, reason=reason, remedy="Leave it to another agent, or to a person.")
        return Finding(passed=True, evidence=f"{actor.agent or actor.called}, not {item.worked_by or 'the holder'}")

    def fault(self, options: Mapping[str, Any]) -> str:
        del options
        return ""


class CombinedGate:
    """`all_of` or `any_of` of other gates."""

    options: frozenset[str] = frozenset()
    required: frozenset[str] = frozenset()

    def __init__(self, combine: Callable[[Sequence[bool]], bool]) -> None:
        self._combine = combine

    def check(self, gate: Gate, item: Item, actor: Actor, findings: Findings) -> Finding:
        results = [check(each, item, actor, findings) for each in gate.parts]
        passed = self._combine([each.passed for each in results])
        told = [each for each in results if each.passed is passed]
        return Finding(
            passed=passed,
            evidence="; ".join(each.finding.evidence for each in told if each.finding.evidence),
            reason="" if passed else " ".join(each.finding.reason for each in told),
            remedy="" if passed else " ".join(each.finding.remedy for each in told if each.finding.remedy),
            seen={key: value for each in told for key, value in (each.finding.seen or {}).items()} or None,
        )

    def fault(self, options: Mapping[str, Any]) -> str:
        del options
        return ""


GATES: Mapping[str, GateKind] = {
    "field": FieldGate(),
    "memory_queried": RecordedGate(),
    "memory_contributed": RecordedGate(),
    "dependencies_complete": RecordedGate(),
    "inputs_satisfied": RecordedGate(),
    "input_withdrawn": RecordedGate(),
    "outputs_present": RecordedGate(),
    "quality_gates_passed": RecordedGate(),
    "quality_gate_failed": RecordedGate(),
    "child_open": RecordedGate(),
    "children_done": RecordedGate(),
    "human_confirmed": HumanConfirmedGate(),
    "other_agent": OtherAgentGate(),
    "evidence": EvidenceGate(),
    "all_of": CombinedGate(all),
    "any_of": CombinedGate(any),
}
COMBINED = frozenset({"all_of", "any_of"})


def check(gate: Gate, item: Item, actor: Actor, findings: Findings) -> GateResult:
    """Judge a gate; one that is not understood does not pass."""
    if fault := next(faults_of(gate), ""):
        return GateResult(gate, Finding(passed=False, reason=f"The process is not understood: {fault}."))
    return GateResult(gate, GATES[gate.kind].check(gate, item, actor, findings))


def faults_of(gate: Gate) -> Iterator[str]:
    """What is wrong with a gate as a document writes it, its parts aside; nothing where it can be judged."""
    kind = GATES.get(gate.kind)
    if kind is None:
        yield f"there is no kind of gate {gate.kind[:80]!r}; there are {', '.join(sorted(GATES))}"
        return
    if (gate.kind in COMBINED) != bool(gate.parts):
        yield f"{gate.kind} needs a list of gates" if gate.kind in COMBINED else f"{gate.kind} is made of no others"
    for option in sorted(gate.options.keys() - kind.options):
        yield f"{gate.kind} knows no {option!r}"
    missing = sorted(kind.required - gate.options.keys())
    for option in missing:
        yield f"{gate.kind} needs {option!r}"
    if not missing and (fault := kind.fault(gate.options)):
        yield fault


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _are_values(value: Any) -> bool:
    return is_list(value) and bool(value) and all(isinstance(each, str | int | float) for each in value)


def _is_url(value: Any) -> bool:
    if not isinstance(value, str) or any(each.isspace() for each in value):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme in URL_SCHEMES and bool(parts.hostname)
