"""What is answered to persons about workspaces."""

import operator
from datetime import datetime

from pydantic import Field

from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import RECALLED, counted, part

_TOLD = {
    "opened": "BigMind looks into {path} for the protocol from now on.",
    "closed": "BigMind looks into {path} no more.",
    "taken": "The protocol of {path} holds as it was shown, for new runs.",
    "left": "The built-in protocol holds in {path}.",
    "approved": "The commands of {path} are run as they were shown.",
    "withdrawn_list": "No command of {path} is run any more.",
}


class WorkspaceAnswer(Answer):
    """What came of an act about a workspace."""

    id: str
    path: str
    project: str
    is_open: bool
    act: str

    def as_text(self) -> str:
        return _TOLD[self.act].format(path=self.path)


class RunLine(Part):
    """A run in a list."""

    id: str
    session_id: str
    objective: str
    project: str | None
    agent: str
    phase: str
    outcome: str
    started_at: datetime
    ended_at: datetime | None
    violations: int = Field(description="That were not made good.")

    def as_text(self) -> str:
        """One line."""
        objective = part(self.objective, 120) if self.objective else "⚠ left out: it waits for a person"
        stands = self.outcome or f"open, {self.phase}"
        unmet = f" · {counted(self.violations, 'violation')}" if self.violations else ""
        where = f" · {part(self.project)}" if self.project else ""
        return f"- `{self.session_id}` {objective} · {stands}{unmet} · {part(self.agent, 60)}{where}"


class RunList(Answer):
    """Runs, the newest first."""

    runs: list[RunLine]
    more: bool = False
    project: str = Field(default="", exclude_if=operator.not_, description="That alone was asked for.")

    def as_text(self) -> str:
        if not self.runs and self.project:
            return f"There is no protocol run for the project {part(self.project)!r}."
        if not self.runs:
            return "There is no protocol run yet."
        return "\n".join([RECALLED, *(each.as_text() for each in self.runs), *(["There are more."] * self.more)])


class RunCheck(Answer):
    """How a run stands, looked at once more."""

    session_id: str
    outcome: str
    good: bool
    is_open: bool
    altered: list[str] = Field(description="What of its evidence is no longer as it was when it ended.")
    failed: list[str] = Field(description="Of an open run, the gates that do not pass now.")

    def as_text(self) -> str:
        stands = f"is open; ended now it would be {self.outcome}" if self.is_open else f"ended {self.outcome}"
        lines = [f"{self.session_id} {stands}.", *(f"- {each}" for each in (*self.altered, *self.failed))]
        return "\n".join(lines if self.altered or self.failed else [*lines, "Its evidence is as it was."])
