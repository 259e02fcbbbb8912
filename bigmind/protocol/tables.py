"""What the session protocol is made of: runs, what was seen for them, what was passed by, what a person approved."""

from datetime import datetime
from typing import Any

from sqlalchemy import Boolean, Column, Float, ForeignKey, Index, Integer, String, Text, UniqueConstraint
from sqlmodel import Field

from bigmind.store.tables import BigKey, Table, table_of
from bigmind.store.types import Identifier, Json, Moment
from bigmind.workspace.tables import Workspace

# Named by its column: a run can be written only where the table of workspaces is known, too.
_WORKSPACE = table_of(Workspace).c.id


def _key() -> Column[int]:
    return Column(BigKey, primary_key=True)


def _of(table: str) -> Column[int]:
    return Column(BigKey, ForeignKey(f"{table}.id", ondelete="CASCADE"), nullable=False)


def _of_workspace() -> Column[int]:
    return Column(BigKey, ForeignKey(_WORKSPACE, ondelete="CASCADE"), nullable=False)


def _line(length: int) -> Column[str]:
    return Column(String(length), nullable=False, server_default="")


def _text() -> Column[str]:
    return Column(Text, nullable=False, server_default="")


def _flag() -> Column[bool]:
    return Column(Boolean, nullable=False, server_default="0")


def _moment(*, optional: bool = False) -> Column[datetime]:
    return Column(Moment, nullable=optional)


class ProtocolText(Table, table=True):
    """A protocol document of a workspace, as a person took it; runs keep the one that they began with.

    `source` is the file's path in the workspace; `digest` SHA-256 of the text, in hexadecimal; both text and digest are
    empty where a person went back to the built-in protocol. The one that was taken last holds.
    """

    __tablename__ = "protocol_text"  # pyright: ignore[reportAssignmentType] - SQLModel declares it so
    __table_args__ = (UniqueConstraint("workspace_id", "digest"),)

    id: int | None = Field(default=None, sa_column=_key())
    workspace_id: int = Field(sa_column=_of_workspace())
    source: str = Field(sa_column=Column(String(60), nullable=False))
    digest: str = Field(sa_column=Column(String(64), nullable=False))
    text: str = Field(sa_column=Column(Text, nullable=False))
    taken_at: datetime = Field(sa_column=_moment())
    user_id: int = Field(sa_column=Column(BigKey, nullable=False))


class ProtocolApproval(Table, table=True):
    """The exact list of a workspace's commands, as a person approved it; the newest one holds.

    Attributes:
        digest: of the list of names and arguments as the protocol has it: another list asks again.
        commands: the list, with the programs that were found and the digests of the files that define each check.
        withdrawn_at: when a person took it back.
    """

    __tablename__ = "protocol_approval"  # pyright: ignore[reportAssignmentType]

    id: int | None = Field(default=None, sa_column=_key())
    workspace_id: int = Field(sa_column=_of_workspace())
    digest: str = Field(sa_column=Column(String(64), nullable=False))
    commands: list[Any] = Field(default_factory=list[Any], sa_column=Column(Json, nullable=False))
    approved_at: datetime = Field(sa_column=_moment())
    user_id: int = Field(sa_column=Column(BigKey, nullable=False))
    withdrawn_at: datetime | None = Field(default=None, sa_column=_moment(optional=True))


class ProtocolDay(Table, table=True):
    """The newest number of a run in a workspace on a UTC day: what was forgotten is not numbered again."""

    __tablename__ = "protocol_day"  # pyright: ignore[reportAssignmentType]

    workspace_id: int = Field(
        sa_column=Column(BigKey, ForeignKey(_WORKSPACE, ondelete="CASCADE"), primary_key=True, autoincrement=False)
    )
    day: str = Field(sa_column=Column(String(10), primary_key=True))
    number: int = Field(sa_column=Column(Integer, nullable=False))


class ProtocolRun(Table, table=True):
    """A pass of a coding session through the phases of the protocol.

    Attributes:
        name: by which people, files and tools know it, as 2025-12-21-session-01; unique in its workspace.
        day, number: of which the name is made: the UTC day, and the count within workspace and day, from 1.
        agent: who runs it, as items and ledger name agents.
        memory_session: the id of its memory session.
        protocol: the digest of the document that it began with; empty for the built-in one.
        branch, starting_commit: as git said when it began; empty where there is no git.
        begun: what was seen of the workspace then: which repository, what hid files, the digest of the handoff.
        state, revision, due, passed: where it stands in the engine, and the phases whose gates passed.
        ledger_number: its newest row in the ledger.
        ended_at, outcome: COMPLETE or INCOMPLETE; empty while it is open.
        kept: the digests of log, handoff and report, and the commits, as they were when it ended.
        is_imported: whether it came from another store, or a note in a log folder.
    """

    __tablename__ = "protocol_run"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (
        UniqueConstraint("workspace_id", "day", "number"),
        Index("ix_protocol_run_open", "user_id", "ended_at", "updated_at"),
        Index("ix_protocol_run_workspace", "workspace_id", "created_at"),
    )

    id: int | None = Field(default=None, sa_column=_key())
    uid: str = Field(sa_column=Column(Identifier, nullable=False, unique=True))
    name: str = Field(sa_column=Column(String(60), nullable=False, index=True))
    workspace_id: int | None = Field(
        default=None, sa_column=Column(BigKey, ForeignKey(_WORKSPACE, ondelete="SET NULL"), nullable=True)
    )
    day: str = Field(sa_column=Column(String(10), nullable=False))
    number: int = Field(sa_column=Column(Integer, nullable=False))
    user_id: int = Field(sa_column=_of("user"))
    created_at: datetime = Field(sa_column=_moment())
    updated_at: datetime = Field(sa_column=_moment())
    project: str | None = Field(default=None, sa_column=Column(String(200), nullable=True, index=True))
    client: str = Field(sa_column=Column(String(120), nullable=False))
    agent: str = Field(sa_column=Column(String(250), nullable=False))
    connection: str | None = Field(default=None, sa_column=Column(String(80), nullable=True, index=True))
    memory_session: str = Field(default="", sa_column=_line(36))
    protocol: str = Field(default="", sa_column=_line(64))
    branch: str = Field(default="", sa_column=_line(250))
    starting_commit: str = Field(default="", sa_column=_line(64))
    begun: dict[str, Any] = Field(default_factory=dict[str, Any], sa_column=Column(Json, nullable=False))
    state: str = Field(default="init", sa_column=Column(String(40), nullable=False))
    revision: int = Field(default=1, sa_column=Column(Integer, nullable=False))
    due: list[Any] = Field(default_factory=list[Any], sa_column=Column(Json, nullable=False))
    passed: list[Any] = Field(default_factory=list[Any], sa_column=Column(Json, nullable=False))
    ledger_number: int = Field(default=0, sa_column=Column(BigKey, nullable=False, server_default="0"))
    ended_at: datetime | None = Field(default=None, sa_column=_moment(optional=True))
    outcome: str = Field(default="", sa_column=_line(20))
    commit_sha: str = Field(default="", sa_column=_line(64))
    kept: dict[str, Any] = Field(default_factory=dict[str, Any], sa_column=Column(Json, nullable=False))
    is_imported: bool = Field(default=False, sa_column=_flag())
    caution: str = Field(default="", sa_column=_line(200))
    accepted_at: datetime | None = Field(default=None, sa_column=_moment(optional=True))
    objective: str = Field(sa_column=Column(String(500), nullable=False))
    summary: str = Field(default="", sa_column=_text())
    next_session_notes: str = Field(default="", sa_column=_text())
    terms: str = Field(default="", sa_column=_text())

    def standing(self) -> dict[str, Any]:
        """What of it its newest row in the ledger has to agree with."""
        return {
            "state": self.state,
            "due": self.due,
            "passed": self.passed,
            "starting_commit": self.starting_commit,
            "protocol": self.protocol,
            "outcome": self.outcome,
        }


class ProtocolEvidence(Table, table=True):
    """What was shown for a phase of a run, the newest last.

    Attributes:
        phase, step: of the checklist; `step` may be empty.
        type: `tool_output`, `file_path`, `commit_sha`, `content_hash`, `manual`; `served` and `seen` are BigMind's own.
        digest: of the text or file that it names, where it names one.
        is_verified: whether BigMind looked itself; what an agent states is shown as stated.
    """

    __tablename__ = "protocol_evidence"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_protocol_evidence_run", "run_id", "phase", "id"),)

    id: int | None = Field(default=None, sa_column=_key())
    run_id: int = Field(sa_column=_of("protocol_run"))
    at: datetime = Field(sa_column=_moment())
    client: str = Field(sa_column=Column(String(120), nullable=False))
    phase: str = Field(sa_column=Column(String(30), nullable=False))
    step: str = Field(default="", sa_column=_line(200))
    type: str = Field(sa_column=Column(String(20), nullable=False))
    text: str = Field(default="", sa_column=_text())
    digest: str = Field(default="", sa_column=_line(64))
    is_verified: bool = Field(default=False, sa_column=_flag())


class ProtocolViolation(Table, table=True):
    """A gate of a run that was passed by, or never made good.

    Attributes:
        requirement: what the gate asks for, and why it did not pass, in words of ours.
        severity: CRITICAL for a MUST, WARNING for a SHOULD.
        recovery, recovered_at: by what it was made good, and when; empty where it never was.
    """

    __tablename__ = "protocol_violation"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_protocol_violation_run", "run_id", "id"),)

    id: int | None = Field(default=None, sa_column=_key())
    run_id: int = Field(sa_column=_of("protocol_run"))
    at: datetime = Field(sa_column=_moment())
    phase: str = Field(sa_column=Column(String(30), nullable=False))
    requirement: str = Field(sa_column=Column(String(500), nullable=False))
    severity: str = Field(sa_column=Column(String(10), nullable=False))
    recovery: str = Field(default="", sa_column=_line(500))
    recovered_at: datetime | None = Field(default=None, sa_column=_moment(optional=True))


class ProtocolCheck(Table, table=True):
    """A check that BigMind ran for a run: on which tree, how it ended, and what it printed, capped.

    Attributes:
        name: of the check.
        tree: the digest of the files that it saw; handoff, log and reports aside.
        exit_code: None where it did not come to an end by itself; `fault` says why.
        changed: the files that define it and differ from what they were when it was approved.
    """

    __tablename__ = "protocol_check"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_protocol_check_run", "run_id", "id"),)

    id: int | None = Field(default=None, sa_column=_key())
    run_id: int = Field(sa_column=_of("protocol_run"))
    at: datetime = Field(sa_column=_moment())
    name: str = Field(sa_column=Column(String(80), nullable=False))
    tree: str = Field(sa_column=Column(String(64), nullable=False))
    exit_code: int | None = Field(default=None, sa_column=Column(Integer, nullable=True))
    fault: str = Field(default="", sa_column=_line(200))
    output: str = Field(default="", sa_column=_text())
    seconds: float = Field(default=0.0, sa_column=Column(Float, nullable=False, server_default="0"))
    changed: list[Any] = Field(default_factory=list[Any], sa_column=Column(Json, nullable=False, server_default="[]"))
