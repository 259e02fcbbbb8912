"""What the usage of the memory is answered as."""

from datetime import datetime

from pydantic import Field

from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import part


class AgentLine(Part):
    """What one agent did in one project (docs/usage.md says what each number counts)."""

    agent: str
    client: str
    project: str
    by_model: int
    by_hook: int
    by_write: int
    never: int
    hookless: int
    unasked: int
    questions: int
    contributions: int
    claims: int
    asked_claims: int
    at_once: int
    after_refusal: int
    forced: int
    refused: int
    self_reviewed: int
    self_checked: int
    runs: int
    complete_runs: int
    violations: int
    made_good: int
    calls: int
    tokens: int
    spared: int

    def as_text(self) -> str:
        """A few lines."""
        where = f" in {part(self.project, 60)}" if self.project else ""
        started = f"{self.by_model} by its model, {self.by_hook} by a hook, {self.by_write} by a write"
        asked = f"{self.asked_claims} of {self.claims} claims asked before"
        judged = f"self-reviewed {self.self_reviewed}, self-checked {self.self_checked}"
        passed = f"{self.at_once} at once, {self.after_refusal} after refusal, {self.forced} forced"
        unmet = f"{self.violations} violations, {self.made_good} made good"
        served = f"{self.tokens:,} tokens served, about {self.spared:,} spared"
        lines = [
            f"- {part(self.agent, 60)}{where}: sessions {started}; {self.never} never",
            f"  brain: {self.questions} questions, {self.contributions} contributions; {asked}",
            f"  gates: {passed}; {judged}",
            f"  runs: {self.complete_runs} of {self.runs} complete; {unmet}; {served}",
        ]
        return "\n".join(lines)


class CommitLine(Part):
    """A commit that no claim and no run covers."""

    workspace: str
    commit: str
    at: datetime
    subject: str


class UsageAnswer(Answer):
    """What agents did, as recorded."""

    first: str
    last: str
    agents: list[AgentLine]
    yeses: dict[str, int] = Field(description="Confirmations, by the place where a person gave them.")
    commits: int
    uncovered: list[CommitLine]
    starts: int
    stops: int
    pauses: int
    altered_hooks: list[str]
    terminal_tokens: int
    estimate: str

    def as_text(self) -> str:
        lines = [f"From {self.first} to {self.last}, as recorded:"]
        lines += [each.as_text() for each in self.agents] or ["No assistant used the memory."]
        given = ", ".join(f"{count} {place}" for place, count in sorted(self.yeses.items())) or "none"
        lines.append(f"Confirmations: {given}.")
        lines.append(
            f"Commits in opened workspaces: {self.commits}, not covered by a claim or run: {len(self.uncovered)}."
        )
        lines.append(
            f"Server starts: {self.starts}, clean stops: {self.stops}, pauses: {self.pauses}. "
            f"Tokens made at the terminal: {self.terminal_tokens}."
        )
        if self.altered_hooks:
            lines.append(f"Altered connections: {', '.join(self.altered_hooks)}.")
        return "\n".join([*lines, self.estimate])
