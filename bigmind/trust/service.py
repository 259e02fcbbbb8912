"""The report of usage as the operation answers it."""

from collections.abc import Mapping
from datetime import date, timedelta

from bigmind.core.errors import invalid
from bigmind.store.work import Work
from bigmind.trust.answers import CommitRow, UsageAnswer, UsageCounts, UsageRow, WorkspaceRow
from bigmind.trust.count_sheet import CountedUsage, Totals, UsageQuery
from bigmind.trust.measures import MEASURES
from bigmind.trust.rules import MOST_DAYS
from bigmind.trust.uncovered_commits import WorkspaceCommits
from bigmind.trust.usage_report import commit_report, usage_report


def query_of(work: Work, days: int, since: date | None, until: date | None, client: str, project: str) -> UsageQuery:
    """The days that are asked for; today is the last one unless another is given.

    Raises:
        BigMindError: `invalid_input`, when they end before they begin, or are more than ten years.
    """
    last = until or work.now.date()
    first = since or last - timedelta(days=days - 1)
    if first > last:
        raise invalid("until", last.isoformat(), f"a day that is not before {first}")
    if (last - first).days >= MOST_DAYS:
        raise invalid("since", first.isoformat(), f"at most {MOST_DAYS:,} days before {last}")
    return UsageQuery(first, last, client, project)


def usage_answer(work: Work, query: UsageQuery, *, by_day: bool, commits: bool) -> UsageAnswer:
    """All that was counted."""
    counted = usage_report(work, query).counted
    return UsageAnswer(
        since=query.since,
        until=query.until,
        totals=_ordered(counted.totals),
        clients=_named(counted.by_client),
        agents=_named(counted.by_agent),
        projects=_named(counted.by_project),
        rows=_rows(counted) if by_day else [],
        workspaces=[_workspace(each) for each in commit_report(work, query)] if commits else [],
        client=query.client,
        project=query.project,
    )


def _named(counts: Mapping[str, Totals]) -> list[UsageCounts]:
    return [UsageCounts(name=name, counts=_ordered(totals)) for name, totals in counts.items()]


def _ordered(totals: Totals) -> dict[str, int]:
    return {name: totals[name] for name in MEASURES if totals[name]}


def _rows(counted: CountedUsage) -> list[UsageRow]:
    return [
        UsageRow(day=key.day, agent=key.agent, project=key.project, measure=key.measure, count=number)
        for key, number in sorted(counted.counts.items())
    ]


def _workspace(found: WorkspaceCommits) -> WorkspaceRow:
    return WorkspaceRow(
        path=found.path,
        project=found.project,
        commits=found.total,
        uncovered=_commit_rows(found),
        fault=found.fault,
    )


def _commit_rows(found: WorkspaceCommits) -> list[CommitRow]:
    return [CommitRow(commit=each.commit, at=each.at, subject=each.subject) for each in found.uncovered]
