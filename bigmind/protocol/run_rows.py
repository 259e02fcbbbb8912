"""Runs as rows: found, numbered, and read as verdicts and the engine need them."""

from collections.abc import Sequence
from datetime import timedelta

from sqlmodel import col, select

from bigmind.core.errors import BigMindError, Code, unknown
from bigmind.core.ids import as_prefix, of_prefix
from bigmind.core.operation import first_offered
from bigmind.flow.process_document import gate_from
from bigmind.flow.workflow import Item
from bigmind.memory.tables import MemorySession
from bigmind.protocol.current_run import open_here, open_runs
from bigmind.protocol.document.protocol_record import Phase, Protocol
from bigmind.protocol.document.session_process import AGENT
from bigmind.protocol.judging.run_record import Beginning, CheckOutcome, RunRecord, ShownEvidence
from bigmind.protocol.tables import (
    ProtocolCheck,
    ProtocolDay,
    ProtocolEvidence,
    ProtocolRun,
    ProtocolViolation,
)
from bigmind.store.work import Work
from bigmind.work.roles import agent_of
from bigmind.workspace.tables import Workspace

HIGHEST_NUMBER = 9_999
"""Of a day; a file may be called after a higher one, and counts for none."""
FORGOTTEN_AFTER = timedelta(hours=24)
"""A run without a call for so long is ended."""
BEGINS = "session_start"
NO_RUN = "Call session_start first: it begins a run in this workspace."
NOT_OFFERED = (
    "This assistant is not offered protocol runs: a person gives it the toolset `protocol`, on the page Assistants."
)


def no_run(work: Work) -> BigMindError:
    """What is said where a run is meant and none is open."""
    hint = NO_RUN if first_offered(work.caller.offer, BEGINS) else NOT_OFFERED
    return BigMindError(Code.NO_RUN, "No protocol run is open here.", hint)


def run_meant(work: Work, reference: str | None) -> ProtocolRun:
    """The run that a call means: the one that is named, else that of the caller's connection, else its only open one.

    Raises:
        BigMindError: `no_run`; `not_found` for a name that is none; `ambiguous`, asking for `session_id`.
    """
    if reference:
        return run_named(work, reference)
    found = open_runs(work)
    here = open_here(work)
    own = here or [each for each in found if each.agent == agent_of(work)]
    if not own:
        raise no_run(work)
    if len(own) > 1 and not here:
        names = ", ".join(each.name for each in own[:5])
        raise BigMindError(Code.AMBIGUOUS, f"You have several open runs: {names}.", "Pass session_id.")
    return own[0]


def run_named(work: Work, reference: str) -> ProtocolRun:
    """The caller's run of that name, or of that id or its beginning; of several workspaces the newest open one.

    Raises:
        BigMindError: `not_found`; `ambiguous`.
    """
    mine = select(ProtocolRun).where(ProtocolRun.user_id == work.caller.user_id)
    newest = (col(ProtocolRun.ended_at).is_(None).desc(), col(ProtocolRun.id).desc())
    named = work.session.exec(mine.where(ProtocolRun.name == reference.strip()).order_by(*newest).limit(2)).all()
    if len(named) > 1 and (named[1].ended_at is None) == (named[0].ended_at is None):
        raise BigMindError(
            Code.AMBIGUOUS, f"Runs of several workspaces are called {reference[:60]}.", "Pass the id of the run."
        )
    if named:
        return named[0]
    prefix = as_prefix(reference.strip())
    if prefix is None:
        raise unknown("protocol run", reference, "session_start answers its session_id.")
    found = work.session.exec(mine.where(*of_prefix(col(ProtocolRun.uid), prefix)).limit(2)).all()
    if len(found) != 1:
        raise unknown("protocol run", reference, "session_start answers its session_id.")
    return found[0]


def next_number(work: Work, workspace: Workspace, day: str, repository: str = "", named: Sequence[str] = ()) -> int:
    """The number of a new run of that day, which is taken by this.

    Of worktrees of one repository each counts on from the others, and from the runs that files are called after: their
    logs have one name where branches are merged.
    """
    row = work.session.get(ProtocolDay, (workspace.id, day)) or ProtocolDay(
        workspace_id=workspace.id or 0, day=day, number=0
    )
    beside = select(ProtocolRun).where(ProtocolRun.day == day, ProtocolRun.workspace_id != workspace.id)
    theirs = (each for each in work.session.exec(beside) if Beginning.from_json(each.begun).repository == repository)
    others = [each.number for each in theirs if repository]
    files = [number for each in named if (number := _number_in(each, day)) < HIGHEST_NUMBER]
    row.number = max((row.number, *others, *files)) + 1
    work.session.add(row)
    return row.number


def _number_in(name: str, day: str) -> int:
    """The number in the name of a run; 0 where it is another day's."""
    of, _, number = name.partition("-session-")
    return int(number) if of == day else 0


def name_of(day: str, number: int) -> str:
    """What a run is called."""
    return f"{day}-session-{number:02}"


def evidence_of(work: Work, row: ProtocolRun) -> list[ProtocolEvidence]:
    """What was shown for a run, the newest last."""
    found = select(ProtocolEvidence).where(ProtocolEvidence.run_id == row.id)
    return list(work.session.exec(found.order_by(col(ProtocolEvidence.id))))


def violations_of(work: Work, row: ProtocolRun) -> list[ProtocolViolation]:
    """The violations of a run, the newest last."""
    found = select(ProtocolViolation).where(ProtocolViolation.run_id == row.id)
    return list(work.session.exec(found.order_by(col(ProtocolViolation.id))))


def checks_of(work: Work, row: ProtocolRun) -> Sequence[ProtocolCheck]:
    """How checks ended for a run, the newest last."""
    found = select(ProtocolCheck).where(ProtocolCheck.run_id == row.id)
    return work.session.exec(found.order_by(col(ProtocolCheck.id))).all()


def record_of(work: Work, row: ProtocolRun, protocol: Protocol) -> RunRecord:
    """A run as its verdicts read it."""
    return RunRecord(
        name=row.name,
        protocol=protocol,
        starting_commit=row.starting_commit,
        beginning=Beginning.from_json(row.begun),
        shown=tuple(
            ShownEvidence(Phase(each.phase), each.type, each.step, each.digest, each.is_verified)
            for each in evidence_of(work, row)
        ),
        checks=tuple(
            CheckOutcome(each.name, each.tree, each.exit_code, each.fault, changed=tuple(map(str, each.changed)))
            for each in checks_of(work, row)
        ),
        has_memory=_has_memory(work, row),
    )


def _has_memory(work: Work, row: ProtocolRun) -> bool:
    found = select(MemorySession.id).where(
        MemorySession.uid == row.memory_session, MemorySession.user_id == row.user_id
    )
    return bool(row.memory_session) and work.session.exec(found).first() is not None


def item_of(row: ProtocolRun) -> Item:
    """A run as the engine reads it."""
    due = tuple(gate_from(each) for each in row.due)
    return Item(row.state, AGENT, row.revision, row.agent, worked_by=row.agent, worked_as=AGENT, due=due)
