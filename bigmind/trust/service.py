"""Use cases of the page Usage: the numbers of a range of days, and the same as CSV and JSON."""

import csv
import io
import json
from datetime import UTC, date, datetime, time, timedelta

from sqlmodel import col, select

from bigmind.clients.service import listed
from bigmind.core.errors import invalid
from bigmind.people.tables import Token
from bigmind.store.tables import ChangeRow
from bigmind.store.work import Work
from bigmind.trust.answers import AgentLine, CommitLine, UsageAnswer
from bigmind.trust.commit_counts import uncovered_commits
from bigmind.trust.memory_counts import count_brain, count_served, count_sessions
from bigmind.trust.tally import Tally
from bigmind.trust.usage_report import COLUMNS, ESTIMATE, Period, UsageReport
from bigmind.trust.work_counts import count_moves, count_reviews, count_runs
from bigmind.usage.tables import UsageEvent
from bigmind.usage.usage_events import EventKind

MOST_DAYS = 366
TERMINAL = "token_create"


def period_of(now: datetime, days: int, until: date | None = None) -> Period:
    """So many days, the last of them today or the one that is named.

    Raises:
        BigMindError: `invalid_input`, for more than a year.
    """
    if not 1 <= days <= MOST_DAYS:
        raise invalid("days", days, f"from 1 to {MOST_DAYS}")
    last = until or now.astimezone(UTC).date()
    first = last - timedelta(days=days - 1)
    begin, end = (datetime.combine(each, time(), UTC) for each in (first, last + timedelta(days=1)))
    return Period(first, last, begin, end)


def report(work: Work, period: Period, *, project: str = "") -> UsageReport:
    """Count all of it; of one project, where one is named."""
    tally = Tally(period)
    count_sessions(work, tally)
    count_brain(work, tally)
    count_served(work, tally)
    count_moves(work, tally)
    yeses = count_reviews(work, tally)
    count_runs(work, tally)
    commits, uncovered, unread = uncovered_commits(work, period)
    events = _events(work, period)
    agents = [each for each in tally.agents() if not project or each.project == project]
    return UsageReport(
        period=period,
        agents=agents,
        days=tally.days(),
        yeses=yeses,
        commits=commits,
        uncovered=uncovered,
        starts=events.count(EventKind.STARTED),
        stops=events.count(EventKind.STOPPED),
        pauses=events.count(EventKind.PAUSED),
        altered_hooks=_altered(work),
        terminal_tokens=_terminal_tokens(work, period),
        unread=unread,
    )


def _events(work: Work, period: Period) -> list[str]:
    found = select(UsageEvent.kind).where(
        col(UsageEvent.at) >= period.begin, col(UsageEvent.at) < period.end, col(UsageEvent.user_id).is_(None)
    )
    return list(work.session.exec(found))


def _terminal_tokens(work: Work, period: Period) -> int:
    """Tokens that were made by the command line."""
    found = select(ChangeRow.id).where(
        ChangeRow.user_id == work.caller.user_id,
        ChangeRow.kind == "token",
        ChangeRow.operation == TERMINAL,
        ChangeRow.client == "cli",
        col(ChangeRow.at) >= period.begin,
        col(ChangeRow.at) < period.end,
    )
    return len(work.session.exec(found).all())


def _altered(work: Work) -> list[str]:
    """The connected clients whose files are no longer as BigMind wrote them."""
    if not work.session.exec(select(Token.id).limit(1)).first():
        return []
    return [each.client for each in listed(work).clients if each.state == "drifted"]


def show(work: Work, days: int, project: str) -> UsageAnswer:
    """The numbers, for a command or a program."""
    found = report(work, period_of(work.now, days), project=project)
    return UsageAnswer(
        first=found.period.first.isoformat(),
        last=found.period.last.isoformat(),
        agents=[AgentLine(**each.as_row()) for each in found.agents],  # pyright: ignore[reportArgumentType]
        yeses=dict(found.yeses),
        commits=found.commits,
        uncovered=[
            CommitLine(workspace=each.workspace, commit=each.commit, at=each.at, subject=each.subject)
            for each in found.uncovered
        ],
        starts=found.starts,
        stops=found.stops,
        pauses=found.pauses,
        altered_hooks=list(found.altered_hooks),
        terminal_tokens=found.terminal_tokens,
        estimate=ESTIMATE,
    )


def as_csv(found: UsageReport) -> str:
    """One row per agent and project, with a heading; lines end as CSV wants it (RFC 4180)."""
    file = io.StringIO()
    writer = csv.writer(file)
    writer.writerow(COLUMNS)
    writer.writerows([_safe(each.as_row()[name]) for name in COLUMNS] for each in found.agents)
    return file.getvalue()


def _safe(value: str | int) -> str | int:
    """A name as a spreadsheet shows it: one that begins as a formula does is none."""
    return f"'{value}" if isinstance(value, str) and value[:1] in {"=", "+", "-", "@", "\t", "\r"} else value


def as_json(found: UsageReport) -> str:
    """All of it."""
    told = {
        "first": found.period.first.isoformat(),
        "last": found.period.last.isoformat(),
        "agents": [each.as_row() for each in found.agents],
        "yeses": dict(found.yeses),
        "commits": found.commits,
        "uncovered": [[each.workspace, each.commit, each.at.isoformat(), each.subject] for each in found.uncovered],
        "starts": found.starts,
        "stops": found.stops,
        "pauses": found.pauses,
        "altered_hooks": list(found.altered_hooks),
        "terminal_tokens": found.terminal_tokens,
        "estimate": ESTIMATE,
    }
    return json.dumps(told, indent=2, ensure_ascii=False)
