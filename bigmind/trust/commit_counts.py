"""Commits of opened workspaces that no claim and no run covers. Git is asked outside of any count over rows."""

import json
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlmodel import col, select

from bigmind.core.shapes import as_object
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.trust.usage_report import Period, UncoveredCommit
from bigmind.work.tables import WorkItem, WorkLedgerRow
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.opened import workspaces
from bigmind.workspace.repository import Repository
from bigmind.workspace.tables import Workspace

MOST_COMMITS = 500
"""That are looked at in one workspace, the newest first."""
SLACK = timedelta(minutes=1)
"""Clocks of commits count in seconds, and are set by whoever commits."""
CLAIMED = "active"

Stretch = tuple[datetime, datetime]


def uncovered_commits(work: Work, period: Period) -> tuple[int, list[UncoveredCommit], list[str]]:
    """How many commits there are, those that nothing covers, and the workspaces that cannot be looked into."""
    count, found, unread = 0, list[UncoveredCommit](), list[str]()
    for row in workspaces(work):
        if row.closed_at is not None:
            continue
        covered = [*_runs(work, row, period), *_claims(work, row.project, period)]
        try:
            repository = Repository.of(Folder(Path(row.path)))
            begun = max(period.begin, row.opened_at)
            commits = repository.commits_after(int(begun.timestamp()), MOST_COMMITS) if repository else []
        except WorkspaceFault as fault:
            unread.append(f"{row.path}: {fault}")
            continue
        for commit in commits:
            at = datetime.fromtimestamp(commit.at, UTC)
            if at >= period.end:
                continue
            count += 1
            if not any(first - SLACK <= at <= last + SLACK for first, last in covered):
                found.append(UncoveredCommit(row.path, commit.id, at, commit.subject))
    return count, found, unread


def _runs(work: Work, row: Workspace, period: Period) -> Sequence[Stretch]:
    found = select(ProtocolRun.created_at, ProtocolRun.ended_at).where(
        ProtocolRun.workspace_id == row.id, col(ProtocolRun.created_at) < period.end
    )
    return [(begun, ended or work.now) for begun, ended in work.session.exec(found)]


def _claims(work: Work, project: str, period: Period) -> Sequence[Stretch]:
    """The stretches in which an item of the project was held."""
    items = select(WorkItem.uid).where(WorkItem.project == project)
    rows = select(WorkLedgerRow).where(
        col(WorkLedgerRow.item_uid).in_(items),
        col(WorkLedgerRow.at) < period.end,
        col(WorkLedgerRow.kind).in_(["moved", "returned"]),
    )
    begun: dict[str, datetime] = {}
    found: list[Stretch] = []
    for row in work.session.exec(rows.order_by(col(WorkLedgerRow.number))):
        body = as_object(json.loads(row.body))
        if row.item_uid in begun:
            found.append((begun.pop(row.item_uid), row.at))
        if body.get("to") == CLAIMED:
            begun[row.item_uid] = row.at
    return [*found, *((each, work.now) for each in begun.values())]
