"""What the session protocol offers. The docstrings are read by models on every call: when to call comes first."""

from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from bigmind.core.lazy_module import LazyModule
from bigmind.core.operation import FOR_PEOPLE, Effect
from bigmind.operations.catalogue import operation
from bigmind.operations.inputs import FilePath, Line, Text
from bigmind.protocol.answers import (
    AdvanceAnswer,
    BlockedAnswer,
    EndedRun,
    EvidenceAnswer,
    GateAnswer,
    ServedText,
    StartedRun,
)
from bigmind.store.work import Work

if TYPE_CHECKING:
    from bigmind.protocol import service
else:
    service = LazyModule("bigmind.protocol.service")

TOOLSET = "protocol"

Objective = Annotated[Line, Field(min_length=3, max_length=500, description="What this session is to achieve.")]
Branch = Annotated[Line, Field(max_length=250, description="Compared with git.")]
Commit = Annotated[Line, Field(max_length=64, description="Compared with git.")]
PhaseName = Annotated[Line, Field(min_length=1, max_length=40, description="As SESSION_LOG.")]
Target = Annotated[Line, Field(min_length=1, max_length=40, description="A phase or gate; else the next.")]
RunName = Annotated[Line, Field(min_length=8, max_length=60, description="Where you have several open runs.")]
EvidenceType = Annotated[
    Literal["tool_output", "file_path", "commit_sha", "content_hash", "manual"], Field(description="What is shown.")
]
Folder = Annotated[FilePath, Field(description="Absolute path, where it is not known.")]
Evidence = Annotated[Text, Field(min_length=1, max_length=4_000, description="The path, id, SHA-256 or words.")]
Step = Annotated[Line, Field(max_length=200, description="Of the checklist; of a hash, the note's name.")]
Summary = Annotated[Text, Field(min_length=1, max_length=20_000, description="What was done, in markdown.")]
Notes = Annotated[Text, Field(max_length=4_000, description="What the next session must know.")]


def _look_start(
    work: Work,
    objective: str,
    workspace: str | None = None,
    branch: str | None = None,
    starting_commit: str | None = None,
) -> Any:
    del objective
    return service.look_start(work, workspace or "", branch or "", starting_commit or "")


@operation(
    "Start a protocol run",
    Effect.WRITE,
    toolset=TOOLSET,
    looks=_look_start,
    gathers=lambda found: service.gather_start(found),  # noqa: PLW0108 - loaded when called
)
def session_start(
    work: Work,
    objective: Objective,
    workspace: Folder | None = None,
    branch: Branch | None = None,
    starting_commit: Commit | None = None,
    found: Any = None,
) -> StartedRun:
    """CALL THIS FIRST in a workspace with the session protocol, before any change; it says what must be done when."""
    del workspace, branch, starting_commit
    return service.start(work, objective, found)


def _gather(found: Any) -> Any:
    return service.gather(found)


def _look_gate(work: Work, phase: str, session_id: str | None = None) -> Any:
    wants_checks = service.phase_named(phase).value == "QUALITY_CHECKS"
    return service.look_run(work, session_id, wants_checks=wants_checks)


@operation(
    "Validate a gate",
    Effect.WRITE,
    toolset=TOOLSET,
    idempotent=True,
    is_harmless=True,
    looks=_look_gate,
    gathers=_gather,
)
def validate_gate(work: Work, phase: PhaseName, session_id: RunName | None = None, found: Any = None) -> GateAnswer:
    """Call this to see whether a gate passes; BigMind looks itself, and runs the approved checks for QUALITY_CHECKS."""
    del session_id
    return service.validate(work, service.phase_named(phase), found)


def _look_advance(
    work: Work, target_phase: str | None = None, force: bool = False, session_id: str | None = None
) -> Any:
    del force
    return service.look_advance(work, target_phase, session_id)


@operation("Advance the phase", Effect.WRITE, toolset=TOOLSET, looks=_look_advance, gathers=_gather)
def advance_phase(
    work: Work,
    target_phase: Target | None = None,
    force: Annotated[bool, Field(description="Past gates that fail; each is a violation.")] = False,
    session_id: RunName | None = None,
    found: Any = None,
) -> AdvanceAnswer:
    """Call this when a phase is done, to move on; it stops at the first gate that blocks, and says what is missing."""
    del session_id
    return service.advance(work, target_phase, found, force=force)


def _look_evidence(
    work: Work, phase: str, evidence_type: str, evidence: str, step: str | None = None, session_id: str | None = None
) -> Any:
    return service.look_evidence(work, service.claim_of(phase, evidence_type, evidence, step), session_id)


@operation(
    "Record evidence",
    Effect.WRITE,
    toolset=TOOLSET,
    looks=_look_evidence,
    gathers=lambda found: service.gather_evidence(found),  # noqa: PLW0108 - loaded when called
)
def record_evidence(
    work: Work,
    phase: PhaseName,
    evidence_type: EvidenceType,
    evidence: Evidence,
    step: Step | None = None,
    session_id: RunName | None = None,
    found: Any = None,
) -> EvidenceAnswer:
    """Call this to show what you read or did for a phase. What BigMind can look at itself, only files and git prove."""
    del session_id
    return service.record_evidence(work, service.claim_of(phase, evidence_type, evidence, step), found)


def _look_end(
    work: Work,
    summary: str,
    next_session_notes: str | None = None,
    skip_qa: bool = False,
    session_id: str | None = None,
) -> Any:
    del summary, next_session_notes
    return service.look_run(work, session_id, wants_checks=True, skips_qa=skip_qa)


@operation("End a protocol run", Effect.WRITE, toolset=TOOLSET, looks=_look_end, gathers=_gather)
def session_end(
    work: Work,
    summary: Summary,
    next_session_notes: Notes | None = None,
    skip_qa: Annotated[bool, Field(description="Only where nothing but docs changed.")] = False,
    session_id: RunName | None = None,
    found: Any = None,
) -> EndedRun:
    """CALL THIS LAST in a run: it takes the gates that are left. A gate that must pass and does not is a violation."""
    del skip_qa, session_id
    return service.end(work, summary, next_session_notes or "", found)


def _look_blocked(work: Work, session_id: str | None = None) -> Any:
    return service.look_run(work, session_id)


@operation(
    "What blocks the run",
    Effect.WRITE,
    toolset=TOOLSET,
    idempotent=True,
    is_harmless=True,
    looks=_look_blocked,
    gathers=_gather,
)
def get_blocked_reason(work: Work, session_id: RunName | None = None, found: Any = None) -> BlockedAnswer:
    """Call this when you are blocked, or before session_end: what is missing, and what mends it."""
    del session_id
    return service.blocked(work, found)


def _look_text(work: Work, name: str, session_id: str | None = None) -> Any:
    return service.look_text(work, name, session_id)


@operation(
    "Read a text of the protocol",
    Effect.WRITE,
    toolset=TOOLSET,
    idempotent=True,
    surfaces=FOR_PEOPLE,
    looks=_look_text,
    gathers=lambda found: service.gather_text(found),  # noqa: PLW0108 - loaded when called
)
def protocol_read_text(
    work: Work,
    name: Annotated[Line, Field(min_length=1, max_length=120, description="handoff, or the name of a skill note.")],
    session_id: RunName | None = None,
    found: Any = None,
) -> ServedText:
    """Read the handoff document or a skill note in a run; it is written down that it was served."""
    del name, session_id
    return service.serve_text(work, found)


OPERATIONS = (
    session_start,
    validate_gate,
    advance_phase,
    record_evidence,
    session_end,
    get_blocked_reason,
    protocol_read_text,
)
