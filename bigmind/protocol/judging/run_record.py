"""What is known of a run beside its files: from rows on the server, from the log and a receipt without it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from bigmind.protocol.document.protocol_record import Phase, Protocol

SERVED, HASH, FILE, COMMIT = "served", "content_hash", "file_path", "commit_sha"
"""Types of evidence that BigMind can look at; `served`: BigMind itself gave the text in this run."""
READ = frozenset({SERVED, HASH})
"""Types that show which text was read."""


@dataclass(frozen=True, slots=True)
class ShownEvidence:
    """What was shown for a phase of a run.

    Attributes:
        type: one of the types above.
        name: of the note, file or step that it is about; may be empty.
        digest: of the text that it names: SHA-256, in hexadecimal.
        is_verified: whether BigMind compared it with the file at that time.
    """

    phase: Phase
    type: str
    name: str = ""
    digest: str = ""
    is_verified: bool = False


@dataclass(frozen=True, slots=True)
class CheckOutcome:
    """How a check ended: on which tree, with which exit code (None: it came to no end of its own; `fault` says why)."""

    name: str
    tree: str
    exit_code: int | None
    fault: str = ""
    output: str = ""
    seconds: float = 0.0
    changed: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        """Whether it ended with 0."""
        return self.exit_code == 0 and not self.fault


@dataclass(frozen=True, slots=True)
class Beginning:
    """What was seen of the workspace when a run began.

    Attributes:
        repository: which one it was; empty where there was none.
        hiding: all that hid files from its status (`Repository.hiding`).
        handoff: the digest of the handoff document, white space aside; empty where there was none.
        log: the same of a session log that named the run already.
    """

    repository: str = ""
    hiding: str = ""
    handoff: str = ""
    log: str = ""

    def as_json(self) -> dict[str, str]:
        """As a row keeps it."""
        return {"repository": self.repository, "hiding": self.hiding, "handoff": self.handoff, "log": self.log}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> "Beginning":
        """What a row keeps."""
        return cls(*(str(kept.get(name, "")) for name in ("repository", "hiding", "handoff", "log")))


@dataclass(frozen=True, slots=True)
class RunRecord:
    """A run, as far as its verdict rests on more than files.

    Attributes:
        name: as 2025-12-21-session-01.
        protocol: that it began with.
        starting_commit: the full id; empty where there was no git.
        beginning: what was seen then.
        shown: the evidence, the newest last.
        checks: how checks ended, the newest last.
        has_memory: whether its memory session was started; None where nobody can know, as without the server.
        is_approved: whether a person approved the protocol's checks as they are; None where nobody can know.
        knows_reading: whether what was read in the run is known; nobody can know without the server and its receipt.
        skips_qa: whether the QA report is to be left out, where only docs changed.
    """

    name: str
    protocol: Protocol
    starting_commit: str = ""
    beginning: Beginning = Beginning()
    shown: Sequence[ShownEvidence] = field(default=())
    checks: Sequence[CheckOutcome] = field(default=())
    has_memory: bool | None = None
    is_approved: bool | None = None
    skips_qa: bool = False
    knows_reading: bool = True

    def read(self, phase: Phase) -> list[ShownEvidence]:
        """What was read for a phase: served by BigMind, or its digest stated as it was."""
        return [each for each in self.shown if each.phase is phase and each.is_verified and each.type in READ]

    def check(self, name: str, tree: str) -> CheckOutcome | None:
        """The newest outcome of a check on a tree."""
        found = (each for each in reversed(self.checks) if each.name == name and each.tree == tree)
        return next(found, None)
