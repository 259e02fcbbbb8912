"""What is looked at for a call, outside of the store: a run's workspace, judged; checks are run where they are due."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.protocol.check_runner import CHECKS, CheckOrder
from bigmind.protocol.document.protocol_document import PLACES
from bigmind.protocol.document.protocol_record import BUILT_IN, Phase, Protocol
from bigmind.protocol.judging.gate_verdicts import Verdict, judge
from bigmind.protocol.judging.run_record import CheckOutcome, RunRecord
from bigmind.protocol.judging.sight import Sight, read, see
from bigmind.workspace.approved_commands import ApprovedCommand
from bigmind.workspace.folder import FileText, Folder, WorkspaceFault

STILL_RUNNING = "The checks are still running."


@dataclass(frozen=True, slots=True)
class Outlook:
    """What is to be looked at.

    Attributes:
        run: the id of the run.
        root: the workspace.
        record: of the run.
        approved: the commands that a person approved for its protocol; None where nobody did.
        wants_checks: whether checks that are due are to be run.
        taken: the digests of the documents that a person took in this workspace.
    """

    run: str
    root: Path
    record: RunRecord
    approved: Sequence[ApprovedCommand] | None = None
    wants_checks: bool = False
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Scene:
    """What was seen, and how each gate stands by it.

    Attributes:
        outcomes: of checks that were run for it and are not written down yet.
        are_checks_running: whether some still run.
        notice: what is said of a protocol document that is another than the run's; empty for nothing.
    """

    outlook: Outlook
    sight: Sight
    verdicts: Mapping[Phase, Verdict]
    outcomes: Sequence[CheckOutcome] = field(default=())
    are_checks_running: bool = False
    notice: str = ""


def gather(outlook: Outlook) -> Scene:
    """Look at the workspace of a run; only reads, but for checks that a person approved.

    Raises:
        BigMindError: `workspace_not_opened`, when the folder is gone.
    """
    folder = folder_at(outlook.root)
    record = replace(outlook.record, is_approved=outlook.approved is not None)
    sight = see(folder, record)
    outcomes, is_running = _run_checks(outlook, record, sight)
    if outcomes:
        record = replace(record, checks=(*record.checks, *outcomes))
        sight = see(folder, record)  # a check may have changed the files that it saw
    verdicts = judge(record, sight)
    if is_running:
        verdicts[Phase.QUALITY_CHECKS] = _waiting(verdicts[Phase.QUALITY_CHECKS])
    notice = change_notice(folder, record.protocol, outlook.taken)
    return Scene(outlook, sight, verdicts, outcomes, is_running, notice)


def folder_at(root: Path) -> Folder:
    """The workspace at a path.

    Raises:
        BigMindError: `workspace_not_opened`, when it is gone.
    """
    try:
        return Folder(root)
    except WorkspaceFault as fault:
        raise BigMindError(
            Code.WORKSPACE_NOT_OPENED, f"The workspace cannot be looked at: {fault}", "Put the folder back."
        ) from None


def document_in(folder: Folder) -> FileText | None:
    """The protocol document of a workspace, the first of `PLACES` that is there; it need not be a good one."""
    found = (read(folder, each).file for each in PLACES)
    return next((each for each in found if each is not None), None)


def change_notice(folder: Folder, protocol: Protocol, taken: frozenset[str]) -> str:
    """What is said where the document that lies in a workspace is another than the one that holds."""
    now = document_in(folder)
    holds = "the built-in protocol holds" if protocol.source == BUILT_IN else "the text that was taken last holds"
    if now is None:
        return "" if protocol.source == BUILT_IN else f"Notice: {protocol.source} is gone; {holds}."
    if now.digest == protocol.digest:
        return ""
    if now.digest in taken:
        return f"Notice: a person took another text of {now.path}; this run keeps the one that it began with."
    return f"Notice: {now.path} is a text that no person took; {holds}. It is taken on BigMind's page Protocol."


def approved_for(protocol: Protocol, approved: Sequence[ApprovedCommand]) -> list[tuple[ApprovedCommand, int]]:
    """The approved commands of a protocol's checks, each with its limit in seconds."""
    known = {each.name: each for each in approved}
    return [(known[each.name], each.seconds) for each in protocol.checks if each.name in known]


def _run_checks(outlook: Outlook, record: RunRecord, sight: Sight) -> tuple[Sequence[CheckOutcome], bool]:
    checks = record.protocol.checks
    if not (outlook.wants_checks and checks and sight.git is not None and outlook.approved is not None):
        return (), False
    tree = sight.git.tree
    known = [record.check(each.name, tree) for each in checks]
    if all(each is not None and each.passed for each in known):
        return (), False
    order = CheckOrder(outlook.run, tree, outlook.root, approved_for(record.protocol, outlook.approved))
    found = CHECKS.outcomes(order)
    return (found, False) if found is not None else ((), True)


def _waiting(verdict: Verdict) -> Verdict:
    if verdict.passed:
        return verdict
    return replace(verdict, reason=STILL_RUNNING, remedy="Call this again in a moment: they go on meanwhile.")
