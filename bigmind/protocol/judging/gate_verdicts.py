"""Whether each gate of a run passes, by what was seen of its workspace; pure.

What an agent only states (`manual`, `tool_output`) is shown, and lets no gate pass.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from bigmind.core.plain_text import shortened
from bigmind.flow.gates import Finding
from bigmind.flow.workflow import Level
from bigmind.protocol.document.file_patterns import matches
from bigmind.protocol.document.protocol_record import Phase
from bigmind.protocol.judging.run_record import SERVED, CheckOutcome, RunRecord
from bigmind.protocol.judging.session_log import (
    content_digest,
    empty_headings,
    headings,
    missing_headings,
    starting_commit_in,
    trees_in,
)
from bigmind.protocol.judging.sight import MOST_CHANGED, Document, GitSight, Sight
from bigmind.text.phrasing import counted

SHORT = 12
"""Digits of a commit or a tree, as people read it."""
MOST_NAMED = 5
MOST_HEADINGS, LONGEST_HEADING = 12, 60
"""Of a template, as its log is asked for."""


class Status(StrEnum):
    """How a gate stands."""

    PASS = "PASS"  # noqa: S105 - the word, no secret
    FAIL = "FAIL"
    SKIPPED = "SKIPPED"
    UNKNOWN = "UNKNOWN"
    """It rests on what only BigMind's store knows, and nobody could ask it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """How one gate stands.

    Attributes:
        evidence: what was seen.
        reason: why it does not pass; empty where it does.
        remedy: what mends it.
        seen: ids and digests of what it rests on.
    """

    phase: Phase
    level: Level
    status: Status
    evidence: str = ""
    reason: str = ""
    remedy: str = ""
    seen: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)

    @property
    def passed(self) -> bool:
        """Whether it hinders nothing."""
        return self.status in {Status.PASS, Status.SKIPPED}

    @property
    def is_must(self) -> bool:
        """Whether a run cannot be complete without it."""
        return self.level in {Level.MUST, Level.BY_END}

    def finding(self) -> Finding:
        """As the engine reads it."""
        return Finding(self.passed, self.evidence, self.reason, self.remedy, self.seen)


@dataclass(frozen=True, slots=True)
class _Found:
    """What one look says, before it is of a phase."""

    evidence: str = ""
    reason: str = ""
    remedy: str = ""
    seen: Mapping[str, str] = field(default_factory=dict[str, str], hash=False)
    status: Status | None = None


def judge(record: RunRecord, sight: Sight) -> dict[Phase, Verdict]:
    """How every gate of a run stands."""
    levels = record.protocol.levels
    return {phase: _verdict(phase, levels[phase], look(record, sight)) for phase, look in _LOOKS.items()}


def is_complete(verdicts: Mapping[Phase, Verdict]) -> bool:
    """Whether nothing that must be is missing, as far as anybody could look."""
    return not any(each.is_must and each.status is Status.FAIL for each in verdicts.values())


def _verdict(phase: Phase, level: Level, found: _Found) -> Verdict:
    status = found.status or (Status.FAIL if found.reason else Status.PASS)
    return Verdict(phase, level, status, found.evidence, found.reason, found.remedy, found.seen)


def _memory(record: RunRecord, sight: Sight) -> _Found:
    del sight
    if record.has_memory is None:
        return _Found(reason="Only BigMind's store knows it.", status=Status.UNKNOWN)
    if not record.has_memory:
        return _Found(reason="The memory session of this run is not there.", remedy="Call session_start.")
    return _Found("the memory is up, and this run's memory session was started")


def _skills(record: RunRecord, sight: Sight) -> _Found:
    protocol = record.protocol
    if sight.notes is None:
        return _Found(
            reason=f"There is no folder {protocol.skills}.",
            remedy=f"Make {protocol.skills} with a note of how work is done, or name another folder in the protocol.",
        )
    shown = {each.name for each in record.read(Phase.SKILL_VALIDATION)}
    missing = [each for each in protocol.mandatory if each not in shown]
    gone = [each for each in missing if not sight.notes.get(each)]
    if gone:
        return _Found(reason=f"Mandatory notes are not in {protocol.skills}: {_named(gone)}.", remedy="Put them there.")
    if missing and not record.knows_reading:
        return _UNREAD
    if missing:
        reads = ", ".join(f"session://skills/{each}" for each in missing[:MOST_NAMED])
        return _Found(
            reason=f"Mandatory notes were not read in this run: {_named(missing)}.",
            remedy=f"Read {reads}, or state the SHA-256 of each with record_evidence (content_hash, step its name).",
        )
    read = f", {len(protocol.mandatory)} mandatory read ({_ways(record, Phase.SKILL_VALIDATION)})"
    return _Found(f"{protocol.skills} has {counted(len(sight.notes), 'note')}{read if protocol.mandatory else ''}")


_UNREAD = _Found(reason="Only BigMind's store knows what was read.", status=Status.UNKNOWN)


def _context(record: RunRecord, sight: Sight) -> _Found:
    path = record.protocol.handoff
    if record.read(Phase.CONTEXT_RETRIEVAL):
        return _Found(f"{path} was read ({_ways(record, Phase.CONTEXT_RETRIEVAL)})")
    if sight.handoff.file is None:
        return _Found(
            reason=f"The handoff document is not there: {sight.handoff.fault}",
            remedy=f"Write {path}, a heading and what is known, then read session://handoff.",
        )
    if not record.knows_reading:
        return _UNREAD
    return _Found(
        reason=f"{path} was not read in this run.",
        remedy="Read session://handoff, or state its SHA-256 with record_evidence (CONTEXT_RETRIEVAL, content_hash).",
    )


def _ways(record: RunRecord, phase: Phase) -> str:
    """`served` or `hash`: a hash shows which text it was, not that anybody read it."""
    return ", ".join(sorted({"served" if each.type == SERVED else "hash" for each in record.read(phase)}))


def _log(record: RunRecord, sight: Sight) -> _Found:
    log, file = sight.log, sight.log.file
    named = ", ".join(shortened(each, LONGEST_HEADING) for each in headings(sight.template)[:MOST_HEADINGS])
    remedy = f"Write {log.path} from the template: its headings ({named}){_starting(record)}."
    if file is None:
        return _Found(reason=log.fault, remedy=remedy)
    if missing := missing_headings(file.text, sight.template):
        return _Found(reason=f"{file.path} lacks headings of the template: {_named(missing)}.", remedy=remedy)
    if record.starting_commit and not _states_start(record, file.text):
        said = f"{file.path} does not say at which commit the session began."
        return _Found(reason=said, remedy=f"Write into it: Starting commit: {record.starting_commit[:SHORT]}")
    return _Found(f"{file.path} is there, with its headings", seen={"log": file.digest})


def _states_start(record: RunRecord, text: str) -> bool:
    stated = starting_commit_in(text)
    return bool(stated) and record.starting_commit.startswith(stated)


def _starting(record: RunRecord) -> str:
    start = record.starting_commit
    return f", and a line “Starting commit: {start[:SHORT]}”" if start else ""


def _git_state(record: RunRecord, sight: Sight) -> _Found:
    git = sight.git
    if git is None:
        return _Found(reason=sight.git_fault, remedy="Work in a git repository, opened at its top.")
    if fault := _other_repository(record, git):
        return fault
    where = git.branch or "a detached head"
    return _Found(f"{where}, began at {record.starting_commit[:SHORT]}", seen={"start": record.starting_commit})


def _other_repository(record: RunRecord, git: GitSight) -> _Found | None:
    """Why what git says now does not count for this run; None where it does."""
    if not record.starting_commit:
        return _Found(
            reason="There was no commit when the run began.", remedy="Commit something, then start a new run."
        )
    if record.beginning.repository and git.repository != record.beginning.repository:
        return _Found(
            reason="This is not the repository that the workspace had when the run began.",
            remedy="Put the repository back, or end this run and start a new one.",
        )
    if not git.is_ancestor:
        start = record.starting_commit[:SHORT]
        return _Found(
            reason=f"The commit that the run began at ({start}) does not lead to where git stands now.",
            remedy="The history was rewritten, or another branch was checked out: go back to one that holds it.",
        )
    return None


def _docs(record: RunRecord, sight: Sight) -> _Found:
    handoff, log = sight.handoff, sight.log
    faults: list[str] = []
    remedies: list[str] = []
    if fault := _unchanged(handoff, record.beginning.handoff):
        faults.append(fault)
        remedies.append(f"Write into {handoff.path} what is done, what is open, what comes next.")
    if fault := _unchanged(log, record.beginning.log):
        faults.append(fault)
        remedies.append(f"Write {log.path}.")
    elif log.file is not None and (empty := empty_headings(log.file.text, sight.template)):
        faults.append(f"{log.path} says nothing of its own under: {_named(empty)}.")
        remedies.append("Give each heading words of its own.")
    if faults:
        return _Found(reason=" ".join(faults), remedy=" ".join(remedies))
    seen = {"handoff": _digest(handoff), "log": _digest(log)}
    return _Found(f"{handoff.path} changed, and {log.path} is complete", seen=seen)


def is_handoff_updated(record: RunRecord, sight: Sight) -> bool:
    """Whether the handoff document says something else than when the run began, whatever stands in the log."""
    return not _unchanged(sight.handoff, record.beginning.handoff)


def _unchanged(document: Document, before: str) -> str:
    if document.file is None:
        return document.fault
    is_same = content_digest(document.file.text) == before
    return f"{document.path} says what it said when the run began." if is_same else ""


def _digest(document: Document) -> str:
    return document.file.digest if document.file is not None else ""


def _checks(record: RunRecord, sight: Sight) -> _Found:
    checks, git = record.protocol.checks, sight.git
    if not checks:
        return _Found("the protocol declares no checks")
    if record.is_approved is False:
        said = f"A person has not approved the {counted(len(checks), 'command')} of this workspace as they are now."
        return _Found(reason=said, remedy="Ask the person to approve them on BigMind's page Protocol, then try again.")
    if git is None:
        return _Found(reason=f"Which files they saw cannot be told. {sight.git_fault}", remedy="Work in a repository.")
    return _outcomes(record, git.tree)


def _outcomes(record: RunRecord, tree: str) -> _Found:
    """How the checks ended on a tree."""
    found = {each.name: record.check(each.name, tree) for each in record.protocol.checks}
    if not_run := [name for name, each in found.items() if each is None]:
        if record.is_approved is None:
            return _Found(reason="Only BigMind's store knows how they ended.", status=Status.UNKNOWN)
        said = f"Not run on these files: {_named(not_run)}."
        return _Found(reason=said, remedy="Call validate_gate with QUALITY_CHECKS: BigMind runs them.")
    outcomes = [each for each in found.values() if each is not None]
    if failed := [each for each in outcomes if not each.passed]:
        told = "; ".join(_outcome_words(each) for each in failed[:MOST_NAMED])
        remedy = "Mend what they printed (validate_gate with QUALITY_CHECKS tells its end), then validate it again."
        return _Found(reason=f"Did not pass: {told}.", remedy=remedy)
    changed = sorted({path for each in outcomes for path in each.changed})
    warned = f"; what defines them changed since they were approved: {_named(changed)}" if changed else ""
    return _Found(f"{len(outcomes)} passed on tree:{tree}{warned}", seen={"tree": tree})


def _outcome_words(outcome: CheckOutcome) -> str:
    return f"{outcome.name} ({outcome.fault or f'exit code {outcome.exit_code}'})"


def _report(record: RunRecord, sight: Sight) -> _Found:
    git, folder = sight.git, record.protocol.reports
    if git is None:
        return _Found(
            reason=f"Which files it is about cannot be told. {sight.git_fault}", remedy="Work in a repository."
        )
    if record.skips_qa:
        other = _beside_docs(record, git)
        if _only_docs(record, git):
            return _Found("only docs changed", status=Status.SKIPPED)
        if git.is_ancestor:
            named = _named(other) or f"{MOST_CHANGED:,} files and more changed, of which not all were looked at"
            said = f"More than docs changed, so that the report cannot be skipped: {named}."
            return _Found(reason=said, remedy=_how_to_report(record, git))
    if not sight.reports:
        return _Found(reason=f"No report in {folder} is of this run.", remedy=_how_to_report(record, git))
    for each in sight.reports:
        if git.tree in trees_in(each.text):
            return _Found(f"{each.path} is of this run and these files", seen={"report": each.digest})
    said = f"{sight.reports[0].path} is about other files than those that are there now."
    return _Found(reason=said, remedy=_how_to_report(record, git))


def _beside_docs(record: RunRecord, git: GitSight) -> list[str]:
    return [each for each in git.changed if not matches(each, record.protocol.docs)]


def _only_docs(record: RunRecord, git: GitSight) -> bool:
    return git.is_ancestor and len(git.changed) < MOST_CHANGED and not _beside_docs(record, git)


def _how_to_report(record: RunRecord, git: GitSight) -> str:
    path = f"{record.protocol.reports}/{record.name}.md"
    skips = " Or call session_end with skip_qa: only docs changed." if git.changed and _only_docs(record, git) else ""
    return f"Write {path}: it names {record.name} and tree:{git.tree}, and what was looked at.{skips}"


def _commit(record: RunRecord, sight: Sight) -> _Found:
    git = sight.git
    if git is None:
        return _Found(reason=sight.git_fault, remedy="Work in a git repository, opened at its top.")
    if fault := _other_repository(record, git):
        return fault
    telling = [each for each in git.commits if each.changes]
    if not telling:
        return _Found(reason="No commit since the run began changes anything.", remedy="Commit the work.")
    if git.cleanliness is not None and not git.cleanliness.is_clean:
        return _not_clean(git)
    named = f"{counted(len(telling), 'commit')} since {record.starting_commit[:SHORT]}, up to {git.commit[:SHORT]}"
    left_out = f"; behind a filter, and not judged: {_named(git.not_judged)}" if git.not_judged else ""
    return _Found(f"{named}; nothing is left uncommitted{left_out}", seen={"commit": git.commit})


def _not_clean(git: GitSight) -> _Found:
    clean = git.cleanliness
    hidden = list(clean.hidden) if clean is not None else []
    dirty = [each for each in (clean.dirty if clean is not None else ()) if each not in hidden]
    parts = [f"Not committed: {_named(dirty)}."] if dirty else []
    parts += [f"Hidden from git's status since the run began: {_named(hidden)}."] if hidden else []
    left = "what is hidden" if hidden and not dirty else "what is not committed"
    return _Found(reason=" ".join(parts) or "The working files are not clean.", remedy=f"Commit or remove {left}.")


def _named(names: Sequence[str]) -> str:
    known = list(names)
    more = f" and {len(known) - MOST_NAMED} more" if len(known) > MOST_NAMED else ""
    return f"{', '.join(known[:MOST_NAMED])}{more}"


_LOOKS: Mapping[Phase, Callable[[RunRecord, Sight], _Found]] = {
    Phase.MEMORY_INIT: _memory,
    Phase.SKILL_VALIDATION: _skills,
    Phase.CONTEXT_RETRIEVAL: _context,
    Phase.SESSION_LOG: _log,
    Phase.GIT_STATE: _git_state,
    Phase.DOCS_UPDATE: _docs,
    Phase.QUALITY_CHECKS: _checks,
    Phase.QA_VALIDATION: _report,
    Phase.GIT_COMMIT: _commit,
}
