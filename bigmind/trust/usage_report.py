"""The numbers of a range of days, per agent and project; each is a count over rows that were written at the time."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import date, datetime

AGENT_FIELDS = ("agent", "client", "project")


@dataclass(frozen=True, slots=True)
class Period:
    """The days that are counted: from the beginning of the first to the end of the last, in UTC."""

    first: date
    last: date
    begin: datetime
    end: datetime


@dataclass(slots=True)
class AgentUse:
    """What one agent did in one project.

    Attributes:
        agent: the source as rows name it, with what it calls itself behind a slash; `client`: the name of its token.
        by_model, by_hook, by_write: memory sessions that its model started, that a hook wrote, that a write opened.
        never: conversations that hooks told of and for which no session was started.
        hookless, unasked: its sessions of which no hook told, and in which it put no question to the brain.
        questions, contributions: to the brain.
        claims: pieces of work that it claimed; `asked_claims` those with a question of its own in the hour before.
        at_once, after_refusal, forced: gates that it passed, by moves of items and of runs.
        refused: moves that were held back.
        self_reviewed, self_checked: reviews of its own work, quality gates of its own outputs.
        runs, complete_runs: protocol runs that it began, and those that ended COMPLETE.
        violations, made_good: of its runs.
        calls, tokens: it was served.
        spared: tokens, an estimate (`ESTIMATE`).
    """

    agent: str
    client: str
    project: str
    by_model: int = 0
    by_hook: int = 0
    by_write: int = 0
    never: int = 0
    hookless: int = 0
    unasked: int = 0
    questions: int = 0
    contributions: int = 0
    claims: int = 0
    asked_claims: int = 0
    at_once: int = 0
    after_refusal: int = 0
    forced: int = 0
    refused: int = 0
    self_reviewed: int = 0
    self_checked: int = 0
    runs: int = 0
    complete_runs: int = 0
    violations: int = 0
    made_good: int = 0
    calls: int = 0
    tokens: int = 0
    spared: int = 0

    @property
    def sessions(self) -> int:
        """The memory sessions, however they were opened."""
        return self.by_model + self.by_hook + self.by_write

    def as_row(self) -> dict[str, str | int]:
        """For CSV and JSON."""
        return asdict(self)


COLUMNS = tuple(each.name for each in fields(AgentUse))
COUNTED = tuple(name for name in COLUMNS if name not in AGENT_FIELDS)


@dataclass(slots=True)
class DayUse:
    """One day of one client, for the small pictures: sessions, questions, contributions, moves that were made."""

    day: str
    client: str
    sessions: int = 0
    questions: int = 0
    contributions: int = 0
    moves: int = 0

    @property
    def total(self) -> int:
        """All of it."""
        return self.sessions + self.questions + self.contributions + self.moves


@dataclass(frozen=True, slots=True)
class UncoveredCommit:
    """A commit of an opened workspace in whose time no claim of its project and no run of it lay."""

    workspace: str
    commit: str
    at: datetime
    subject: str


@dataclass(frozen=True, slots=True)
class UsageReport:
    """All that the page Usage tells.

    Attributes:
        agents: those that did anything, the busiest first.
        days: per client and day.
        yeses: confirmations by the place where they were given.
        commits: how many were looked at in opened workspaces; `uncovered` those that nothing covers.
        starts, stops: of the server; a start without a stop before it was a kill or a crash.
        pauses: how often it was paused.
        altered_hooks: connected clients whose files no longer hold what BigMind wrote, now.
        terminal_tokens: tokens that were made at the terminal.
        unread: workspaces that could not be looked into, each with the reason.
    """

    period: Period
    agents: Sequence[AgentUse]
    days: Sequence[DayUse]
    yeses: Mapping[str, int] = field(default_factory=dict[str, int])
    commits: int = 0
    uncovered: Sequence[UncoveredCommit] = ()
    starts: int = 0
    stops: int = 0
    pauses: int = 0
    altered_hooks: Sequence[str] = ()
    terminal_tokens: int = 0
    unread: Sequence[str] = ()


ESTIMATE = (
    "Spared is an estimate: for each session that was started, the words of the session before it in the same project "
    "(summary, key facts, moments), as characters divided by 4, less the 1,300 tokens that a start context takes at "
    "most; never below 0. It says what a conversation would have had to read to know the same."
)
"""How the tokens that were spared are estimated."""
