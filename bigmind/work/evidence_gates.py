"""Gates that rest on a file or a commit of the item's project: looked at where a person opened its workspace here."""

from collections.abc import Mapping
from pathlib import Path

from bigmind.flow.gates import Finding
from bigmind.flow.workflow import Gate
from bigmind.store.work import Work
from bigmind.work.tables import WorkItem
from bigmind.workspace.folder import FileText, Folder, WorkspaceFault
from bigmind.workspace.opened import workspace_of_project
from bigmind.workspace.repository import Repository

FILE, COMMITS = "file_exists", "commit_since"
LARGEST = 20_000_000
MOST_COMMITS = 100
CLOSED = "BigMind looks into a workspace only once a person opened it for that."
OPEN_IT = "A person opens the workspace of the item's project: in BigMind's window, page Protocol."


def workspace_folder(work: Work, project: str | None) -> Folder | None:
    """The opened workspace of a project; None where there is none, or it is gone."""
    row = workspace_of_project(work, project)
    if row is None:
        return None
    try:
        return Folder(Path(row.path))
    except WorkspaceFault:
        return None


def file_in(folder: Folder, path: str) -> tuple[FileText | None, str]:
    """A file of a workspace, or why it is none, in a sentence."""
    try:
        return folder.read(path, LARGEST), ""
    except WorkspaceFault as fault:
        return None, str(fault)


def evidence_finding(work: Work, row: WorkItem, gate: Gate) -> Finding:
    """What there is to see for an evidence gate of an item."""
    folder = workspace_folder(work, row.project)
    if folder is None:
        return Finding(passed=False, reason=CLOSED, remedy=OPEN_IT)
    kind, options = str(gate.options["kind"]), gate.options
    if kind == FILE:
        return _file(folder, str(options.get("path") or gate.options["name"]))
    if kind == COMMITS:
        return _commits(folder, row)
    reason = f"Evidence of the kind {kind[:40]} is looked at in protocol runs alone."
    return Finding(passed=False, reason=reason, remedy=f"Use {FILE} or {COMMITS} in the process.")


def _file(folder: Folder, path: str) -> Finding:
    file, fault = file_in(folder, path)
    if file is None:
        return Finding(passed=False, reason=fault, remedy=f"Write {path}.")
    seen: Mapping[str, str] = {f"file {file.path}"[:60]: file.digest}
    return Finding(passed=True, evidence=f"{file.path} is there", seen=seen)


def _commits(folder: Folder, row: WorkItem) -> Finding:
    """A commit that changes something, since the item came into its state; by git's own times."""
    try:
        repository = Repository.of(folder)
        commits = repository.commits_after(int(row.entered_at.timestamp()), MOST_COMMITS) if repository else []
    except WorkspaceFault as fault:
        return Finding(passed=False, reason=str(fault), remedy="Mend the repository.")
    telling = next((each for each in commits if each.changes), None)
    if telling is None:
        told = "No commit since the item came into its state changes anything."
        return Finding(passed=False, reason=told, remedy="Commit the work.")
    return Finding(passed=True, evidence=f"commit {telling.id[:12]}", seen={"commit": telling.id})
