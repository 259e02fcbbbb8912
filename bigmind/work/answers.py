"""How answers tell where an item stands, what leads on from there, and what is missing."""

import re
from collections.abc import Sequence
from datetime import datetime

from pydantic import Field

from bigmind.caution.detect import cautions
from bigmind.core.operation import Offer, first_offered, offered_only, offered_part
from bigmind.core.plain_text import one_line, shortened
from bigmind.flow.workflow import CALLED, RESTORE, Level
from bigmind.operations.catalogue import Part
from bigmind.text.phrasing import part, warning
from bigmind.work.rules import LONGEST_REASON

_QUOTED = re.compile(r'"[^"]*"')

ASIDE = frozenset({"blocked", "cancelled", RESTORE})
"""Where a move leads that interrupts, ends or takes up again: none of them is the way on."""
LEFT_OUT = frozenset({"blocked", "cancelled"})
"""Of these, the ones that the words leave out for who may not make them: they are there from everywhere."""
FAILING: dict[str, str] = {
    Level.BY_END.value: " (by the end)",
    Level.SHOULD.value: " (only warns)",
    Level.MAY.value: " (only informs)",
}


class GateLine(Part):
    """A gate of a move, and whether it is met."""

    gate: str
    met: bool
    level: str = Field(default="", description="MUST_BY_END, SHOULD or MAY; empty where its failing refuses the move.")
    evidence: str = ""
    reason: str = ""
    remedy: str = ""

    def is_mended_by(self, offer: Offer) -> bool:
        """Whether there is a remedy, and its reader is offered what it calls; what it quotes may name any tool."""
        return bool(self.remedy and offered_only(offer, [_QUOTED.sub("", self.remedy)]))

    def in_short(self) -> str:
        """Its name, and whether it is met; where it is not, what that does if it does not refuse the move."""
        return f"{self.gate} {'met' if self.met else 'missing'}{'' if self.met else FAILING.get(self.level, '')}"

    def as_warning(self) -> str:
        """What its failing means beside a move that was made: closes the end, warns, or informs."""
        told = f"{self.gate}: {self.reason}"
        if self.level == Level.BY_END:
            return f"Owed by the end, which it closes until then: {told}"
        return f"Note: {told}" if self.level == Level.MAY else f"Warning: {told}"


class MoveLine(Part):
    """A move that leads on from here."""

    to: str
    label: str
    by: list[str] = Field(description="Who may make it: work roles, holder, human, system, anyone.")
    held_by: str = Field(default="", description="Another agent that holds the item, and alone makes it.")
    yours: bool = Field(description="Whether you may make it, once its gates are met.")
    gates: list[GateLine]
    prompt: str

    def as_text(self, offer: Offer) -> str:
        """One line."""
        gates = [each.in_short() for each in self.gates]
        told = f"- `{self.to}` ({self.label})"
        if self.held_by:
            return f"{told}: by {part(self.held_by)}, who holds it"
        if not self.yours:
            return f"{told}: by {', '.join(CALLED.get(each, each) for each in self.by)}"
        told += f": {', '.join(gates)}" if gates else ""
        is_open = not self.gates or any(not each.met for each in self.gates)
        prompt = offered_part(offer, self.prompt) if is_open else ""
        return f"{told}. {prompt}" if prompt else told


class WorkContext(Part):
    """Where an item stands, and what leads on from there."""

    state: str
    role: str
    holder: str = ""
    lease_until: datetime | None = None
    lapsed: bool = False
    moves: list[MoveLine]
    lost_at: datetime | None = Field(default=None, description="When the holder took it over from you.")
    due: list[GateLine] = Field(default_factory=list[GateLine], description="What failed, and is judged at the end.")

    def as_text(self, offer: Offer = None, mover: str = "work_transition") -> str:
        """A line for each move, and one for what the end still asks for; `mover` is the tool that makes them."""
        lines = [each.as_text(offer) for each in self.moves if each.yours or each.to not in LEFT_OUT]
        tool = first_offered(offer, mover)
        first = f"Next, by {tool}:" if tool else "Next:"
        owed = [f"{each.gate}{' (it closes the end)' if each.level == Level.BY_END else ''}" for each in self.due]
        due = [f"Owed by the end: {', '.join(owed)}."] if owed else []
        told = [first, *lines] if lines else ["Nothing leads on from here."]
        return "\n".join([*filter(None, [self.lost]), *told, *due])

    @property
    def lost(self) -> str:
        """Who took it over from the reader, and when; empty where nobody did."""
        return f"You held it; {part(self.holder)} took it over at {self.lost_at:%H:%M} UTC." if self.lost_at else ""

    @property
    def held(self) -> str:
        """By whom, and how long still; any call of the holder's renews it."""
        if not self.holder:
            return "held by nobody"
        if self.lapsed:
            return f"held by {part(self.holder)}, whose lease has run out"
        until = f" until {self.lease_until:%H:%M} UTC" if self.lease_until is not None else ""
        return f"held by {part(self.holder)}{until}"


def refusal_in_words(message: str, missing: Sequence[GateLine]) -> str:
    """Why a move was not made: all that is missing, else the message. What mends it is told apart."""
    if not missing:
        return f"Refused: {message}"
    lines = [f"- {each.gate}: {each.reason}" for each in missing]
    return "\n".join(["Refused. Missing:", *(shortened(each, 400) for each in lines)])


def sent_back_in_words(by: str, reason: str) -> str:
    """By whom work was sent back, and why: on a line of its own, which the reason ends."""
    told = f": {warning(cautions(reason))}{part(one_line(reason), LONGEST_REASON)}" if reason.strip() else "."
    return f"Sent back by {part(by)}{told}"
