"""What the operation of usage answers: the counts as data, and as tables for people."""

import csv
import io
import operator
from collections.abc import Iterable, Mapping
from datetime import date, datetime

from pydantic import Field

from bigmind.core.clock import local
from bigmind.operations.catalogue import Answer, Part
from bigmind.text.phrasing import part
from bigmind.trust.count_sheet import client_of
from bigmind.trust.measures import MEASURES, Theme

MOST_NAMED = 20
COLUMNS = ("day", "client", "agent", "project", "measure", "count")


class UsageCounts(Part):
    """The counts of a client, an agent or a project; what was not counted is left out."""

    name: str
    counts: dict[str, int]


class UsageRow(Part):
    """One count."""

    day: date
    agent: str = Field(description="Empty for what no agent did.")
    project: str
    measure: str
    count: int


class CommitRow(Part):
    """A commit that no claim and no run covers."""

    commit: str
    at: datetime
    subject: str


class WorkspaceRow(Part):
    """The commits of an opened workspace."""

    path: str
    project: str
    commits: int
    uncovered: list[CommitRow]
    fault: str = ""


class UsageAnswer(Answer):
    """What was recorded of each agent, client and project."""

    since: date
    until: date
    totals: dict[str, int]
    clients: list[UsageCounts]
    agents: list[UsageCounts]
    projects: list[UsageCounts]
    rows: list[UsageRow] = Field(description="Each day's counts, where they were asked for.")
    workspaces: list[WorkspaceRow] = Field(description="Where commits were asked for.")
    client: str = Field(default="", exclude_if=operator.not_, description="That alone was asked for.")
    project: str = Field(default="", exclude_if=operator.not_, description="That alone was asked for; - is none.")

    def as_text(self) -> str:
        head = f"What was recorded from {self.since} to {self.until} (days in UTC)."
        if not self.totals and not self.workspaces:
            return f"{head} Nothing was{self._narrowed()}."
        parts = [head]
        for theme in Theme:
            parts += [f"**{theme.value}**\n\n{table}" for table in self._tables(theme)]
        parts += [_commits(each) for each in self.workspaces]
        parts.append("“Tokens spared” is an estimate; docs/usage.md says what counts, and how it is estimated.")
        return "\n\n".join(parts)

    def _narrowed(self) -> str:
        """Of what alone was asked."""
        project = "no project" if self.project == "-" else repr(part(self.project))
        of_client = f" of the assistant {part(self.client)!r}" if self.client else ""
        return of_client + (f" for {project}" if self.project else "")

    def _tables(self, theme: Theme) -> Iterable[str]:
        """The measures of a theme as a table, clients below each other; nothing where nothing was counted."""
        shown = [each for each in MEASURES.values() if each.theme is theme and each.name in self.totals]
        if not shown:
            return
        titles = [each.title for each in shown]
        lines = [f"| | {' | '.join(titles)} |", f"|---|{'---:|' * len(titles)}"]
        rows: list[tuple[str, Mapping[str, int]]] = [(each.name, each.counts) for each in self.clients[:MOST_NAMED]]
        rows = [(part(name, 40), counts) for name, counts in rows if any(each.name in counts for each in shown)]
        for name, counts in [*rows, ("all", self.totals)]:
            lines.append(f"| {name} | {' | '.join(f'{counts.get(each.name, 0):,}' for each in shown)} |")
        yield "\n".join(lines)

    def as_csv(self) -> str:
        """The rows as CSV (RFC 4180), a header first; a cell never begins as a formula does."""
        file = io.StringIO()
        writer = csv.writer(file)
        writer.writerow(COLUMNS)
        for each in self.rows:
            names = (client_of(each.agent), each.agent, each.project)
            writer.writerow((each.day.isoformat(), *map(_harmless, names), each.measure, each.count))
        return file.getvalue()


def _harmless(text: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{text}" if text[:1] in {"=", "+", "-", "@", "\t", "\r"} else text


def _commits(row: WorkspaceRow) -> str:
    if row.fault:
        return f"**Commits in {part(row.path, 200)}**: {row.fault}"
    head = f"**Commits in {part(row.path, 200)}**: {row.commits:,}, {len(row.uncovered):,} without a claim or a run."
    lines = [f"- {each.commit[:12]} · {local(each.at)} · {part(each.subject, 120)}" for each in row.uncovered]
    more = [f"- and {len(lines) - MOST_NAMED:,} more"] if len(lines) > MOST_NAMED else []
    return "\n".join([head, "", *lines[:MOST_NAMED], *more] if lines else [head])
