"""What the tools of the session protocol answer."""

from collections.abc import Sequence
from typing import ClassVar, Literal

from pydantic import Field

from bigmind.core.ids import short
from bigmind.core.operation import Offer, first_offered, offered_part
from bigmind.core.plain_text import quoted, shortened
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import RECALLED, part

LONGEST_SHOWN = 600
MOST_HISTORY = 5


BY_END = "by the end"


def _level_told(level: str, *, is_by_end: bool) -> str:
    """A level, and whether it holds by the end alone: then it blocks no move but the last."""
    return f"{level} {BY_END}" if is_by_end else level


class ChecklistLine(Part):
    """A line of the checklist, and how it stands."""

    req: str
    step: str
    phase: str
    status: str = Field(description="PASS, FAIL, SKIPPED or PENDING.")
    evidence: str | None = None
    is_by_end: bool = False

    def as_text(self) -> str:
        """One line."""
        done = {"PASS": "x", "SKIPPED": "-"}.get(self.status, " ")
        why = f": {part(self.evidence, 160)}" if self.status == "SKIPPED" and self.evidence else ""
        level = _level_told(self.req, is_by_end=self.is_by_end)
        return f"- [{done}] {self.phase}: {part(self.step, 160)} ({level}){why}"


class BlockedPhase(Part):
    """A phase whose gate does not pass yet."""

    phase: str
    requirement_level: str
    reason: str
    evidence_needed: str
    is_by_end: bool = Field(default=False, description="Whether it blocks no move but the last.")

    def as_text(self) -> str:
        """One line."""
        return f"- {self.phase} ({_level_told(self.requirement_level, is_by_end=self.is_by_end)}): {self.reason}"


def _lines(title: str, phases: Sequence[BlockedPhase]) -> list[str]:
    """A title and a line for each; nothing where there are none."""
    return [title, *(each.as_text() for each in phases)] if phases else []


class ViolationLine(Part):
    """A gate that was passed by, or never made good."""

    phase: str
    requirement: str
    severity: str
    recovery: str = ""

    def as_text(self) -> str:
        """One line."""
        mended = f" Made good: {self.recovery}" if self.recovery else ""
        return f"- {self.severity} {self.phase}: {self.requirement}{mended}"


class PastRun(Part):
    """A run that ended, as the next one is told of it."""

    session_id: str
    objective: str
    outcome: str
    commit_sha: str = ""
    key_decisions: list[str]
    next_session_notes: str = ""
    is_from_file: bool = False

    def as_text(self) -> str:
        """A few lines."""
        where = f", commit {self.commit_sha[:12]}" if self.commit_sha else ""
        read = ", as read from a file" if self.is_from_file else ""
        lines = [f"{self.session_id} {self.outcome}{where}{read}: {shortened(self.objective, 160)}"]
        lines += [f"Decided: {shortened(each, 200)}" for each in self.key_decisions]
        lines += [f"Notes: {shortened(self.next_session_notes, LONGEST_SHOWN)}"] if self.next_session_notes else []
        return "\n".join(lines)


class OpenRun(Part):
    """A run that stays open on a connection while another begins there."""

    session_id: str
    since: str

    def as_text(self) -> str:
        """One line."""
        return f"{self.session_id} is still open on this connection, since {self.since}."

    def hint(self, offer: Offer) -> str:
        """How to go on with it, and how to end it, where that is offered."""
        tool = first_offered(offer, "session_end")
        end = f" To end it: {tool}(summary=…, session_id={self.session_id!r})." if tool else ""
        return f"What names no run means the one called last: name {self.session_id} to go on with that one.{end}"


class RunAnswer(Answer):
    """The base of what tools say of a run: `notice` is what every answer says of a changed protocol."""

    session_id: str
    notice: str = ""

    def told(self) -> str:
        """What this answer says, without the notice."""
        raise NotImplementedError(type(self).__name__)

    def as_text(self) -> str:
        return "\n".join(filter(None, [self.told(), self.notice]))


class StartedRun(RunAnswer):
    """A run that has begun."""

    phase: str
    blocked_until: list[BlockedPhase] = Field(description="Gates on the way to the work that do not pass yet.")
    checklist: list[ChecklistLine]
    branch: str = ""
    starting_commit: str = ""
    memory_session: str
    log: str = Field(description="Where the session log of this run is to be written.")
    workspace: str = Field(default="", description="The opened workspace, where a folder in it was asked for.")
    last: PastRun | None = None
    still_open: list[OpenRun] = Field(default_factory=list[OpenRun], description="Other runs of this connection.")

    def told(self) -> str:
        at = f" at {self.starting_commit[:12]}" if self.starting_commit else ""
        where = f" Git: {part(self.branch) or 'a detached head'}{at}." if at else ""
        lines = [f"Run {self.session_id} began in phase {self.phase}.{where} Its log: {part(self.log)}."]
        lines += [f"It runs in {part(self.workspace, 1_000)}: that is what a person opened."] if self.workspace else []
        lines += [f"Memory session: {short(self.memory_session)}.", *(each.as_text() for each in self.still_open)]
        lines += _lines("Before the work begins:", [each for each in self.blocked_until if not each.is_by_end])
        lines += _lines("By the end of the run:", [each for each in self.blocked_until if each.is_by_end])
        lines += ["Checklist:", *(each.as_text() for each in self.checklist)]
        if self.last is not None:
            lines += ["The run before, as recorded.", RECALLED, quoted(self.last.as_text())]
        return "\n".join(lines)

    def hints(self, offer: Offer) -> Sequence[str]:
        remedies = [f"{each.phase}: {each.evidence_needed}" for each in self.blocked_until if each.evidence_needed]
        tool = first_offered(offer, "advance_phase")
        then = [f"Then call {tool}; it moves on, or says what blocks."] if tool else []
        open_ones = [each.hint(offer) for each in self.still_open]
        return (
            *open_ones,
            "\n".join(filter(None, (offered_part(offer, each) for each in [*remedies, *then]))),
        )


class CheckOutput(Part):
    """The end of what a check printed that did not pass."""

    name: str
    end: str

    def as_text(self) -> str:
        """A line, and what was printed as a quotation."""
        return f"{part(self.name)} printed at last:\n{quoted(self.end)}"


class GateAnswer(RunAnswer):
    """How one gate stands."""

    phase: str
    requirement_level: str = Field(description="MUST, SHOULD or MAY.")
    status: Literal["PASS", "FAIL", "SKIPPED"]
    evidence: str | None
    blocking: bool = Field(description="Whether the run stays where it is while this fails.")
    message: str
    remedy: str = ""
    printed: list[CheckOutput] = Field(default_factory=list[CheckOutput], description="By checks that did not pass.")

    def told(self) -> str:
        blocks = " It blocks." if self.blocking and self.status == "FAIL" else ""
        level = _level_told(self.requirement_level, is_by_end=self.requirement_level == "MUST" and not self.blocking)
        lines = [f"{self.phase} ({level}): {self.status}.{blocks} {self.message}"]
        lines += [RECALLED, *(each.as_text() for each in self.printed)] if self.printed else []
        return "\n".join(lines)

    def hints(self, offer: Offer) -> Sequence[str]:
        return tuple(filter(None, [offered_part(offer, self.remedy)]))


class AdvanceAnswer(RunAnswer):
    """Whether a run moved on."""

    can_refuse: ClassVar[bool] = True

    previous_phase: str
    current_phase: str
    success: bool
    blocked_by: list[BlockedPhase]
    violations: list[ViolationLine]
    owed: list[BlockedPhase] = Field(default_factory=list[BlockedPhase], description="Passed by, and due by the end.")
    next_step: str = ""

    @property
    def is_refusal(self) -> bool:
        """Whether the run stayed where it was, though it was to move."""
        return not self.success

    def told(self) -> str:
        moved = f"{self.previous_phase} → {self.current_phase}."
        first = moved if self.previous_phase != self.current_phase else f"Still in {self.current_phase}."
        lines = [first if self.success else f"Blocked. {first}"]
        lines += [each.as_text() for each in (*self.blocked_by, *self.violations)]
        lines += _lines("Owed by the end of the run:", self.owed)
        return "\n".join(lines)

    def hints(self, offer: Offer) -> Sequence[str]:
        needed = [each.evidence_needed for each in self.blocked_by] or [self.next_step]
        return tuple(filter(None, ["\n".join(filter(None, (offered_part(offer, each) for each in needed)))]))


class EvidenceAnswer(RunAnswer):
    """What became of what was shown."""

    phase: str
    step: str | None = None
    evidence_recorded: bool
    auto_validated: bool = Field(description="Whether BigMind looked itself, and it is as was said.")
    gate_status: Literal["PASS", "FAIL", "PENDING"]
    message: str = Field(default="", description="What came of the comparison.")
    reason: str = Field(default="", description="Why the gate does not pass.")

    def told(self) -> str:
        how = "checked by BigMind" if self.auto_validated else "as stated"
        by_itself = self.gate_status == "PASS" and not self.auto_validated
        gate = f"The gate: {self.gate_status}{', by what BigMind itself looked at' if by_itself else ''}."
        return " ".join(filter(None, [f"Recorded for {self.phase}, {how}.", self.message, gate, self.reason]))


class EndedRun(RunAnswer):
    """A run that has ended."""

    status: Literal["COMPLETE", "INCOMPLETE"]
    checklist: list[ChecklistLine]
    violations: list[ViolationLine]
    handoff_updated: bool
    commit_sha: str | None = None
    memory_goes_on_for: str = Field(default="", description="The run that its memory session stays open for.")

    def told(self) -> str:
        at = f" at {self.commit_sha[:12]}" if self.commit_sha else ""
        handoff = "The handoff document is updated." if self.handoff_updated else "The handoff document is not updated."
        lines = [f"Run {self.session_id} ended {self.status}{at}. {handoff}"]
        if self.memory_goes_on_for:
            lines += [f"Its memory session stays open for the run {self.memory_goes_on_for}."]
        open_ones = [each for each in self.violations if not each.recovery]
        lines += [each.as_text() for each in open_ones]
        return "\n".join(lines)


class ServedText(RunAnswer):
    """A text of the workspace, as it was served in a run."""

    name: str
    path: str
    digest: str = Field(description="SHA-256 of the file.")
    text: str

    def told(self) -> str:
        return f"{self.path}, as it lies in the workspace.\n{RECALLED}\n{quoted(self.text)}"


class BlockedAnswer(RunAnswer):
    """What keeps a run from moving on, and from ending complete."""

    phase: str
    is_blocked: bool
    blocked_phases: list[BlockedPhase]
    suggested_actions: list[str]

    def told(self) -> str:
        lines = [f"Run {self.session_id} is in {self.phase}, and {'blocked' if self.is_blocked else 'not blocked'}."]
        if self.blocked_phases:
            lines += ["Not passed yet:", *(each.as_text() for each in self.blocked_phases)]
        return "\n".join(lines)

    def hints(self, offer: Offer) -> Sequence[str]:
        told = "\n".join(filter(None, (offered_part(offer, each) for each in self.suggested_actions)))
        return (told,) if told else ()
