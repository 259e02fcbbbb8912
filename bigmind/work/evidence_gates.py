"""Gates that rest on a file or a commit of the item's project: looked at where a person opened its workspace here.

Where to look is read from the store; the look itself needs none, so that nobody who writes waits for a disk or for git.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from bigmind.flow.gates import Finding
from bigmind.flow.workflow import Gate
from bigmind.store.work import Work
from bigmind.work.evidence_question import EvidenceQuestion
from bigmind.work.tables import WorkItem
from bigmind.workspace.folder import FileText, Folder, WorkspaceFault
from bigmind.workspace.opened import workspace_of_project
from bigmind.workspace.repository import Repository

FILE, COMMITS = "file_exists", "commit_since"
LARGEST = 20_000_000
MOST_COMMITS = 100
CLOSED = "BigMind looks into a workspace only once a person opened it for that."
OPEN_IT = "A person opens the workspace of the item's project: in BigMind's window, page Protocol."


def workspace_root(work: Work, project: str | None) -> str:
    """The path of the opened workspace of a project; empty where there is none."""
    row = workspace_of_project(work, project)
    return row.path if row is not None else ""


def evidence_questions(work: Work, row: WorkItem, gates: Iterable[Gate]) -> dict[str, EvidenceQuestion]:
    """What the evidence gates among these ask for, by their names."""
    asking = [each for each in gates if each.kind == "evidence"]
    root = workspace_root(work, row.project) if asking else ""
    found: dict[str, EvidenceQuestion] = {}
    for each in asking:
        path = str(each.options.get("path") or each.options["name"])
        found[each.name] = EvidenceQuestion(root, row.project or "", str(each.options["kind"]), path, row.entered_at)
    return found


def evidence_findings(questions: Mapping[str, EvidenceQuestion]) -> dict[str, Finding]:
    """What there is to see for evidence gates; needs no store."""
    return {name: _finding(each) for name, each in questions.items()}


def digests_in(root: str, paths: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Of each of some files of a workspace its digest, or why it is none, in a sentence; needs no store."""
    folder = _folder(root)
    if folder is None:
        return dict.fromkeys(paths, ("", f"The workspace {root} is not there."))
    files = {each: _file_in(folder, each) for each in paths}
    return {path: (file.digest if file is not None else "", fault) for path, (file, fault) in files.items()}


def _folder(root: str) -> Folder | None:
    """A workspace; None where it is gone."""
    if not root:
        return None
    try:
        return Folder(Path(root))
    except WorkspaceFault:
        return None


def _file_in(folder: Folder, path: str) -> tuple[FileText | None, str]:
    try:
        return folder.read(path, LARGEST), ""
    except WorkspaceFault as fault:
        return None, str(fault)


def _finding(question: EvidenceQuestion) -> Finding:
    folder = _folder(question.root)
    if folder is None:
        return Finding(passed=False, reason=CLOSED, remedy=OPEN_IT)
    if question.kind == FILE:
        return _file(folder, question.path)
    if question.kind == COMMITS:
        return _commits(folder, question.since)
    reason = f"Evidence of the kind {question.kind[:40]} is looked at in protocol runs alone."
    return Finding(passed=False, reason=reason, remedy=f"Use {FILE} or {COMMITS} in the process.")


def _file(folder: Folder, path: str) -> Finding:
    file, fault = _file_in(folder, path)
    if file is None:
        return Finding(passed=False, reason=fault, remedy=f"Write {path}.")
    seen: Mapping[str, str] = {f"file {file.path}"[:60]: file.digest}
    return Finding(passed=True, evidence=f"{file.path} is there", seen=seen)


def _commits(folder: Folder, since: datetime) -> Finding:
    """A commit that changes something, since the item came into its state; by git's own times."""
    try:
        repository = Repository.of(folder)
        commits = repository.commits_after(int(since.timestamp()), MOST_COMMITS) if repository else []
    except WorkspaceFault as fault:
        return Finding(passed=False, reason=str(fault), remedy="Mend the repository.")
    telling = next((each for each in commits if each.changes), None)
    if telling is None:
        told = "No commit since the item came into its state changes anything."
        return Finding(passed=False, reason=told, remedy="Commit the work.")
    return Finding(passed=True, evidence=f"commit {telling.id[:12]}", seen={"commit": telling.id})
