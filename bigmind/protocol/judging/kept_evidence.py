"""What of a run that ended has to stay as it was: its log, its report, its commit. An alteration is found by it."""

from collections.abc import Iterator, Mapping
from typing import Any

from bigmind.protocol.document.protocol_record import Protocol
from bigmind.protocol.judging.sight import Sight, log_of, reports_of
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.repository import Repository


def kept_of(sight: Sight) -> dict[str, str]:
    """What is kept of a run as it ends: the digests of its log and its report, and where git stood."""
    kept: dict[str, str] = {}
    if sight.log.file is not None:
        kept |= {"log": sight.log.file.digest, "log_path": sight.log.file.path}
    if sight.git is not None:
        kept["commit"] = sight.git.commit
    return kept | {f"report {each.path}": each.digest for each in sight.reports}


def alterations(folder: Folder, protocol: Protocol, run: str, kept: Mapping[str, Any]) -> list[str]:
    """What of a run that ended is no longer as it was then, in sentences; none where all of it is."""
    return [*_documents(folder, protocol, run, kept), *_history(folder, kept)]


def _documents(folder: Folder, protocol: Protocol, run: str, kept: Mapping[str, Any]) -> Iterator[str]:
    if known := kept.get("log"):
        log = log_of(folder, protocol, run)
        if log.file is None:
            yield f"The session log is gone: {log.fault}"
        elif log.file.digest != known:
            yield f"{log.file.path} was altered after the run ended."
    reports = {name.removeprefix("report "): digest for name, digest in kept.items() if name.startswith("report ")}
    there = {each.path: each.digest for each in reports_of(folder, protocol, run)}
    for path, digest in reports.items():
        if path not in there:
            yield f"{path} is gone, or is no longer of this run."
        elif there[path] != digest:
            yield f"{path} was altered after the run ended."


def _history(folder: Folder, kept: Mapping[str, Any]) -> Iterator[str]:
    commit = str(kept.get("commit") or "")
    if not commit:
        return
    try:
        repository = Repository.of(folder)
        if repository is None:
            yield "The git repository is gone."
        elif not repository.is_ancestor(commit, repository.head().commit):
            yield f"The commit that the run ended at ({commit[:12]}) is no longer in the history."
    except WorkspaceFault as fault:
        yield str(fault)
