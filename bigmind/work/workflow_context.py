"""What an agent is told with every answer about an item: where it stands, what leads on from there, what is missing."""

from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from bigmind.core.clock import local
from bigmind.core.plain_text import shortened
from bigmind.flow.decision import Fault, Move, Option, Refusal, gates_to, options
from bigmind.flow.gates import GateResult
from bigmind.flow.workflow import RESTORE, Process
from bigmind.operations.catalogue import Part
from bigmind.store.work import Work
from bigmind.text.phrasing import part
from bigmind.work.items import as_item
from bigmind.work.memory_gates import Relevance
from bigmind.work.moving import findings_for, lease_has_run_out, returned
from bigmind.work.roles import actor_of, agent_of, shown_agent
from bigmind.work.tables import WorkItem

ASIDE = frozenset({"blocked", "cancelled", RESTORE})
"""Where a move leads that is always there: named without its gates."""


class GateLine(Part):
    """A gate of a move, and whether it is met."""

    gate: str
    met: bool
    evidence: str = ""
    reason: str = ""
    remedy: str = ""


class MoveLine(Part):
    """A move that leads on from here."""

    to: str
    label: str
    by: list[str] = Field(description="Who may make it: work roles, own (the item's role), holder, human, system.")
    yours: bool = Field(description="Whether you may make it, once its gates are met.")
    gates: list[GateLine]
    prompt: str

    def as_text(self) -> str:
        """One line."""
        gates = [f"{each.gate} {'met' if each.met else 'missing'}" for each in self.gates]
        told = f"- `{self.to}` ({self.label})"
        if not self.yours:
            return f"{told}: by {', '.join(self.by)}"
        told += f": {', '.join(gates)}" if gates else ""
        is_open = not self.gates or any(not each.met for each in self.gates)
        return f"{told}. {self.prompt}" if self.prompt and is_open else told


class WorkContext(Part):
    """Where an item stands, and what leads on from there."""

    state: str
    role: str
    holder: str = ""
    lease_until: datetime | None = None
    lapsed: bool = False
    moves: list[MoveLine]

    def as_text(self) -> str:
        """A few lines; moves that are always there are named in one."""
        lines = [each.as_text() for each in self.moves if each.to not in ASIDE]
        aside = [f"`{each.to}`" for each in self.moves if each.to in ASIDE and each.yours]
        if aside:
            lines.append(f"- always: {', '.join(aside)}")
        return "\n".join(["Next, by work_transition:", *lines]) if lines else "Nothing leads on from here."

    @property
    def held(self) -> str:
        """By whom, and how long still."""
        if not self.holder:
            return "held by nobody"
        if self.lapsed:
            return f"held by {part(self.holder)}, whose lease has run out"
        until = f" until {local(self.lease_until, '%H:%M')}" if self.lease_until is not None else ""
        return f"held by {part(self.holder)}{until}"


def context_of(work: Work, row: WorkItem, process: Process, known: Relevance, role: str = "") -> WorkContext:
    """The workflow context of an item, for the caller."""
    lapsed = bool(row.holder) and lease_has_run_out(work, row)
    item, actor = as_item(row), actor_of(work, process, role)
    gates = [gate for target in process.targets(row.state) for gate in gates_to(process, item, target)]
    found = options(process, item, actor, findings_for(work, row, item, gates, known))
    lines = [_line(each) for each in found]
    if lapsed and row.holder != agent_of(work) and process.states[row.state].is_claimed:
        back = returned(row, process)
        gates = gates_to(process, back, row.state)
        findings = findings_for(work, row, back, gates, known, taken_over=True)
        lines = [_line(each) for each in options(process, back, actor, findings) if each.target == row.state] + lines
    return WorkContext(
        state=row.state,
        role=row.role,
        holder=shown_agent(row.holder),
        lease_until=row.lease_until,
        lapsed=lapsed,
        moves=lines,
    )


def _line(option: Option) -> MoveLine:
    decision, rule = option.decision, option.transition
    is_yours = isinstance(decision, Move) or decision.fault is Fault.GATES
    results: Sequence[GateResult] = decision.results
    return MoveLine(
        to=option.target,
        label=rule.label,
        by=sorted(rule.actors),
        yours=is_yours,
        gates=[gate_line(each) for each in results],
        prompt=rule.prompt,
    )


def gate_line(result: GateResult) -> GateLine:
    """A gate as answers tell it."""
    found = result.finding
    return GateLine(
        gate=result.gate.name, met=result.passed, evidence=found.evidence, reason=found.reason, remedy=found.remedy
    )


def refusal_in_words(refused: Refusal) -> str:
    """Why a move was not made: all that is missing, each with what mends it."""
    if refused.fault is not Fault.GATES:
        return f"Refused: {refused.message}"
    lines = [f"- {each.gate.name}: {each.finding.reason} {each.finding.remedy}".rstrip() for each in refused.blocked_by]
    return "\n".join(["Refused. Missing:", *(shortened(each, 400) for each in lines)])
