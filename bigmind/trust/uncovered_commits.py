"""Commits in opened workspaces, against claims and protocol runs: which of them neither covers."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import col, or_, select

from bigmind.core.clock import moment_of
from bigmind.core.plain_text import one_line, shortened
from bigmind.core.shapes import is_object
from bigmind.protocol.tables import ProtocolRun
from bigmind.store.work import Work
from bigmind.trust.count_sheet import Cast, UsageQuery
from bigmind.work.tables import WorkItem, WorkLedgerRow
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.repository import Commit, Repository
from bigmind.workspace.tables import Workspace

MOST_COMMITS = 500
"""Of one workspace; its newest ones."""
MOST_RUNS = 50
LONGEST_SUBJECT = 120
AT_ONCE = 500
"""Values in one statement."""


@dataclass(frozen=True, slots=True)
class UncoveredCommit:
    """A commit during which nobody held work of the project, and that lies in no run."""

    commit: str
    at: datetime
    subject: str


@dataclass(frozen=True, slots=True)
class WorkspaceCommits:
    """The commits of a workspace's head on the days that are asked for.

    Attributes:
        path: of the workspace.
        project: of it.
        total: commits that change something.
        uncovered: those that no claim and no run covers, the newest first.
        fault: why they cannot be told; empty where they can.
    """

    path: str
    project: str
    total: int = 0
    uncovered: Sequence[UncoveredCommit] = ()
    fault: str = ""


@dataclass(frozen=True, slots=True)
class RunReach:
    """What a run reaches over: from its starting commit to the one that it ended at, empty while it is open."""

    start: str
    end: str


@dataclass(frozen=True, slots=True)
class WatchedWorkspace:
    """An opened workspace with what covers its commits: all that is asked of the store before git is asked.

    Attributes:
        path, project: of it.
        held: the stretches of time in which an agent held work of the project, or of none.
        runs: that began before the end of the days that are asked for, and had not ended before their start.
    """

    path: str
    project: str
    held: Sequence[tuple[datetime, datetime]]
    runs: Sequence[RunReach]


def watched_workspaces(work: Work, query: UsageQuery) -> list[WatchedWorkspace]:
    """The caller's opened workspaces that the query asks for."""
    mine = (Workspace.user_id == work.caller.user_id, col(Workspace.closed_at).is_(None))
    cast = Cast.of(work)
    found: list[WatchedWorkspace] = []
    for row in work.session.exec(select(Workspace).where(*mine).order_by(col(Workspace.path))):
        project = cast.project(row.project)
        if query.project in {"", project or "-"}:
            held = list(_held(work, query, cast, project))
            found.append(WatchedWorkspace(row.path, project, held, _reaches(work, query, row)))
    return found


def commits_of(workspace: WatchedWorkspace, query: UsageQuery) -> WorkspaceCommits:
    """The commits of a workspace, as git tells them; needs no store."""
    try:
        repository = Repository.of(Folder(Path(workspace.path)))
        if repository is None:
            return WorkspaceCommits(workspace.path, workspace.project, fault="It has no git repository.")
        found = repository.commits_after(int(query.start.timestamp()), MOST_COMMITS)
        in_runs = _in_runs(repository, workspace.runs)
    except (WorkspaceFault, OSError) as error:
        return WorkspaceCommits(workspace.path, workspace.project, fault=str(error))
    changing = [(each, at) for each, at in _dated(found, query) if each.changes]
    uncovered = [
        UncoveredCommit(each.id, at, shortened(one_line(each.subject), LONGEST_SUBJECT))
        for each, at in changing
        if each.id not in in_runs and not any(began <= at <= ended for began, ended in workspace.held)
    ]
    return WorkspaceCommits(workspace.path, workspace.project, len(changing), uncovered)


def _dated(commits: Sequence[Commit], query: UsageQuery) -> Iterator[tuple[Commit, datetime]]:
    for each in commits:
        at = moment_of(each.at)
        if query.holds(at):
            yield each, at


def _in_runs(repository: Repository, runs: Sequence[RunReach]) -> set[str]:
    """The commits of the head that lie in runs; a run of which the commits are gone covers none."""
    found: set[str] = set()
    for each in runs:
        try:
            since = {commit.id for commit in repository.commits_since(each.start, MOST_COMMITS)}
            after = (
                {commit.id for commit in repository.commits_since(each.end, MOST_COMMITS)} if each.end else set[str]()
            )
        except WorkspaceFault:
            continue
        found |= since - after
    return found


def _reaches(work: Work, query: UsageQuery, row: Workspace) -> list[RunReach]:
    open_then = or_(col(ProtocolRun.ended_at).is_(None), col(ProtocolRun.ended_at) >= query.start)
    mine = (
        ProtocolRun.workspace_id == row.id,
        col(ProtocolRun.is_imported).is_(False),
        ProtocolRun.starting_commit != "",
    )
    found = select(ProtocolRun).where(*mine, open_then, col(ProtocolRun.created_at) < query.end)
    newest = found.order_by(col(ProtocolRun.id).desc()).limit(MOST_RUNS)
    return [RunReach(each.starting_commit, each.commit_sha) for each in work.session.exec(newest)]


def _held(work: Work, query: UsageQuery, cast: Cast, project: str) -> Iterator[tuple[datetime, datetime]]:
    """When agents held items of a project, or of none, in whole seconds as git has them."""
    items = select(WorkItem.uid, WorkItem.project).where(col(WorkItem.updated_at) >= query.start)
    uids = [uid for uid, name in work.session.exec(items) if cast.project(name) in {"", project}]
    rows = select(WorkLedgerRow).order_by(col(WorkLedgerRow.number))
    since: dict[str, datetime] = {}
    for start in range(0, len(uids), AT_ONCE):
        for row in work.session.exec(rows.where(col(WorkLedgerRow.item_uid).in_(uids[start : start + AT_ONCE]))):
            body = json.loads(row.body)
            if not is_object(after := body.get("after")) or body.get("user") != work.caller.user_id:
                continue
            if after.get("holder"):
                since.setdefault(row.item_uid, row.at.replace(microsecond=0))
            elif row.item_uid in since:
                yield since.pop(row.item_uid), row.at
    for began in since.values():
        yield began, work.now
