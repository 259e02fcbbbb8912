"""What there is to see of a workspace for a run: documents, notes, the repository. Looked at once, and judged."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from bigmind.protocol.document.built_in import template_text
from bigmind.protocol.document.protocol_record import Protocol
from bigmind.protocol.judging.run_record import RunRecord
from bigmind.protocol.judging.session_log import content_digest, run_named
from bigmind.workspace.folder import FileText, Folder, WorkspaceFault
from bigmind.workspace.repository import Cleanliness, Commit, Repository

MOST_TEXT = 1_000_000
"""Bytes of a document that is read."""
MOST_NAMES = 20_000
"""Of logs, reports and notes in a folder: those with the first names, so that it has to be more than there will be."""
MOST_REPORTS = 200
"""Reports that are looked through for the one that names the run; the last by name first."""
MOST_COMMITS = 1_000
MOST_CHANGED = 5_000
NOTE = ".md"
DEGRADED = ".degraded.json"
"""Ends the name of a note that the check without the server leaves in the log folder."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document of the workspace as it was read, or why it was not."""

    path: str
    file: FileText | None = None
    fault: str = ""


@dataclass(frozen=True, slots=True)
class GitSight:
    """What git says of a workspace for a run.

    Attributes:
        repository: which one it is.
        branch, commit: where it stands.
        is_ancestor: whether the starting commit leads there.
        commits: since then, the newest first.
        cleanliness: of the working files.
        changed: the paths that differ from the starting commit.
        tree, committed: the digest of the working files, and of the committed ones; handoff, log and reports aside.
        not_judged: paths that are left out of all this, because a filter stands before them.
    """

    repository: str
    branch: str = ""
    commit: str = ""
    is_ancestor: bool = False
    commits: Sequence[Commit] = ()
    cleanliness: Cleanliness | None = None
    changed: Sequence[str] = ()
    tree: str = ""
    committed: str = ""
    not_judged: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Sight:
    """What was seen of a workspace for a run.

    Attributes:
        handoff, log: the documents; `log` is the run's own.
        template: of a log.
        notes: the digests of the skill notes by name; None where there is no such folder.
        reports: the QA reports that name this run first.
        git: None where there is none; `git_fault` says why.
    """

    handoff: Document
    log: Document
    template: str
    notes: Mapping[str, str] | None = None
    reports: Sequence[FileText] = field(default=())
    git: GitSight | None = None
    git_fault: str = ""


def aside(protocol: Protocol) -> tuple[str, ...]:
    """The paths that are no part of the tree that checks and reports hold for: handoff, logs and reports."""
    return (protocol.handoff, protocol.logs, protocol.reports)


def see(folder: Folder, record: RunRecord) -> Sight:
    """Look at a workspace for a run."""
    protocol = record.protocol
    git, fault = _git(folder, record)
    return Sight(
        handoff=read(folder, protocol.handoff),
        log=log_of(folder, protocol, record.name),
        template=template_of(folder, protocol),
        notes=notes_of(folder, protocol),
        reports=reports_of(folder, protocol, record.name),
        git=git,
        git_fault=fault,
    )


def read(folder: Folder, path: str) -> Document:
    """A document of the workspace."""
    try:
        return Document(path, folder.read(path, MOST_TEXT))
    except WorkspaceFault as fault:
        return Document(path, fault=str(fault))


def template_of(folder: Folder, protocol: Protocol) -> str:
    """The template of a session log; the built-in one where the protocol names none, or it cannot be read."""
    found = read(folder, protocol.template).file if protocol.template else None
    return found.text if found is not None else template_text()


def names_in(folder: Folder, path: str) -> list[str] | None:
    """The names in a folder of the workspace, in their order; None where there is none."""
    try:
        return folder.names(path, MOST_NAMES)
    except WorkspaceFault:
        return None


def log_of(folder: Folder, protocol: Protocol, name: str) -> Document:
    """The session log of a run: the one of which the file's name holds the run's."""
    names = [each for each in names_in(folder, protocol.logs) or () if run_named(each) == name and _is_log(each)]
    if not names:
        return Document(f"{protocol.logs}/{name}.md", fault=f"There is no {protocol.logs}/{name}.md.")
    return read(folder, f"{protocol.logs}/{names[0]}")


def _is_log(name: str) -> bool:
    return not name.endswith(DEGRADED)


def notes_of(folder: Folder, protocol: Protocol) -> dict[str, str] | None:
    """The digests of the skill notes by name; of a note that cannot be read an empty one."""
    names = names_in(folder, protocol.skills)
    if names is None:
        return None
    found = (note_of(folder, protocol, each).file for each in protocol.mandatory)
    digests = {name: file.digest if file else "" for name, file in zip(protocol.mandatory, found, strict=True)}
    bare = {f"{name}{NOTE}" for name in protocol.mandatory if name not in names}
    return dict.fromkeys((each for each in names if each not in bare), "") | digests


def note_of(folder: Folder, protocol: Protocol, name: str) -> Document:
    """A skill note by its file's name, of which `.md` may be left out."""
    whole = read(folder, f"{protocol.skills}/{name}")
    short = whole if whole.file is not None else read(folder, f"{protocol.skills}/{name}{NOTE}")
    return short if short.file is not None else whole


def names_of_runs(folder: Folder, protocol: Protocol) -> list[str]:
    """The runs that files among the logs and reports are called after."""
    files = (*(names_in(folder, protocol.logs) or ()), *(names_in(folder, protocol.reports) or ()))
    return [name for each in files if (name := run_named(each))]


def reports_of(folder: Folder, protocol: Protocol, name: str) -> list[FileText]:
    """The QA reports that name a run before any other."""
    names = sorted(names_in(folder, protocol.reports) or (), key=lambda each: (name not in each, each))
    files = (read(folder, f"{protocol.reports}/{each}").file for each in names[:MOST_REPORTS])
    return [each for each in files if each is not None and run_named(f"{each.path}\n{each.text}") == name]


def handoff_digest(folder: Folder, protocol: Protocol) -> str:
    """The digest of the handoff document, white space aside; empty where it cannot be read."""
    file = read(folder, protocol.handoff).file
    return content_digest(file.text) if file is not None else ""


def _git(folder: Folder, record: RunRecord) -> tuple[GitSight | None, str]:
    try:
        repository = Repository.of(folder)
        if repository is None:
            return None, "There is no git repository at the top of this workspace."
        return _seen(repository, record), ""
    except WorkspaceFault as fault:
        return None, str(fault)


def _seen(repository: Repository, record: RunRecord) -> GitSight:
    head, start, without = repository.head(), record.starting_commit, aside(record.protocol)
    is_known = bool(start and head.commit) and repository.full(start) == start
    is_ancestor = is_known and repository.is_ancestor(start, head.commit)
    working, committed = repository.tree(without), repository.committed_tree(without)
    return GitSight(
        repository=repository.identity,
        branch=head.branch,
        commit=head.commit,
        is_ancestor=is_ancestor,
        commits=repository.commits_since(start, MOST_COMMITS) if is_ancestor else (),
        cleanliness=repository.cleanliness(record.beginning.hiding),
        changed=repository.changed_since(start, MOST_CHANGED) if is_ancestor else (),
        tree=working.digest,
        committed=committed.digest,
        not_judged=working.not_judged,
    )
