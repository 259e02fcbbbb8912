"""Judges a run without the server: by the same functions, from its log, files, git, and a receipt if there is one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from bigmind.core.errors import BigMindError, Code
from bigmind.protocol.document.built_in import built_in
from bigmind.protocol.document.protocol_document import PLACES, read_protocol
from bigmind.protocol.document.protocol_record import Phase, Protocol
from bigmind.protocol.judging.gate_verdicts import Status, Verdict, judge
from bigmind.protocol.judging.kept_evidence import alterations
from bigmind.protocol.judging.run_record import Beginning, RunRecord
from bigmind.protocol.judging.session_log import RUN_NAME, content_digest, run_named, starting_commit_in
from bigmind.protocol.judging.sight import DEGRADED, MOST_TEXT, Sight, log_of, names_in, read, see
from bigmind.protocol.receipts import read_receipt
from bigmind.workspace.folder import Folder, WorkspaceFault
from bigmind.workspace.repository import Repository

COMPLETE, INCOMPLETE = "COMPLETE", "INCOMPLETE"


@dataclass(frozen=True, slots=True)
class CheckReport:
    """What came of a check.

    Attributes:
        run: its name.
        outcome: COMPLETE or INCOMPLETE, as far as anybody could look.
        verdicts: how each gate stands; of a run that ended with a receipt none: it was judged then.
        altered: what of its evidence is no longer as it was when it ended, in sentences.
        has_receipt: whether BigMind on this machine knew the run.
        commit: where it ended, or git stands.
    """

    run: str
    outcome: str
    verdicts: Mapping[Phase, Verdict] = field(default_factory=dict[Phase, Verdict])
    altered: Sequence[str] = ()
    has_receipt: bool = False
    commit: str = ""

    @property
    def is_good(self) -> bool:
        """Whether the run is complete, and its evidence as it was."""
        return self.outcome == COMPLETE and not self.altered

    @property
    def stays_incomplete(self) -> bool:
        """Whether it has ended so, which nothing mends any more."""
        return self.outcome == INCOMPLETE and self.has_receipt and not self.verdicts

    @property
    def failed(self) -> list[Verdict]:
        """The gates that have to pass and do not."""
        return [each for each in self.verdicts.values() if each.is_must and each.status is Status.FAIL]

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        gates = [
            {
                "phase": each.phase.value,
                "level": each.level.value,
                "status": each.status.value,
                "evidence": each.evidence,
                "reason": each.reason,
                "remedy": each.remedy,
            }
            for each in self.verdicts.values()
        ]
        told = {"run": self.run, "outcome": self.outcome, "good": self.is_good, "altered": list(self.altered)}
        return {**told, "receipt": self.has_receipt, "commit": self.commit, "gates": gates}


def check_run(
    root: Path, home: Path, run: str = "", *, before_commit: bool = False, skips_qa: bool = False
) -> CheckReport:
    """Judge a run of a workspace.

    Args:
        root: the workspace.
        home: BigMind's data folder, where receipts are; it need not be there.
        run: its name; empty: the newest that has a log.
        before_commit: whether its work is just going to be committed: GIT_COMMIT is not asked for.
        skips_qa: whether no QA report counts: where more than docs changed, it does not pass then.

    Raises:
        BigMindError: `not_found`, when no run has a log here; `invalid_input`, for a protocol document that is none.
    """
    try:
        folder = Folder(root)
    except WorkspaceFault as fault:
        raise BigMindError(Code.NOT_FOUND, f"{root} cannot be looked at: {fault}") from None
    protocol = protocol_in(folder)
    name = run or newest_run(folder, protocol)
    receipt = read_receipt(home, folder.root, name)
    if receipt is not None and receipt[1].get("outcome"):
        record, kept = receipt
        altered = alterations(folder, record.protocol, name, kept)
        return CheckReport(
            name, str(kept["outcome"]), {}, altered, has_receipt=True, commit=str(kept.get("commit", ""))
        )
    record = receipt[0] if receipt is not None else record_from_log(folder, protocol, name)
    record = replace(record, skips_qa=record.skips_qa or skips_qa)
    sight = see(folder, record)
    verdicts = judge(record, sight)
    if not verdicts[Phase.QA_VALIDATION].passed:
        verdicts[Phase.QA_VALIDATION] = _unless_only_docs(record, sight, verdicts[Phase.QA_VALIDATION])
    if before_commit:
        verdicts.pop(Phase.GIT_COMMIT)
    failed = [each for each in verdicts.values() if each.is_must and each.status is Status.FAIL]
    commit = sight.git.commit if sight.git is not None else ""
    return CheckReport(name, INCOMPLETE if failed else COMPLETE, verdicts, (), receipt is not None, commit)


def _unless_only_docs(record: RunRecord, sight: Sight, verdict: Verdict) -> Verdict:
    """A verdict on the QA report; that it is skipped, where it may be: a run says so at its end, after its commits."""
    skipped = judge(replace(record, skips_qa=True), sight)[Phase.QA_VALIDATION]
    return skipped if skipped.status is Status.SKIPPED else verdict


def protocol_in(folder: Folder) -> Protocol:
    """The protocol whose text lies in a workspace, whoever took it; else the built-in one.

    Raises:
        BigMindError: `invalid_input`, naming file, line and column, when it cannot be understood.
    """
    for place in PLACES:
        document = read(folder, place).file
        if document is not None:
            return read_protocol(document.text, document.path)
    return built_in()


def newest_run(folder: Folder, protocol: Protocol) -> str:
    """The newest run that has a log.

    Raises:
        BigMindError: `not_found`.
    """
    logs = [each for each in names_in(folder, protocol.logs) or () if not each.endswith(DEGRADED)]
    runs = sorted({run_named(each) for each in logs} - {""}, key=_order)
    if not runs:
        raise BigMindError(
            Code.NOT_FOUND,
            f"There is no session log in {protocol.logs}.",
            f"A run writes one: {protocol.logs}/YYYY-MM-DD-session-NN.md, from the template.",
        )
    return runs[-1]


def _order(run: str) -> tuple[str, int]:
    day, _, number = run.partition("-session-")
    return day, int(number)


def record_from_log(folder: Folder, protocol: Protocol, name: str) -> RunRecord:
    """What is known of a run by its log and git alone: of what only BigMind's store knows, nothing.

    Raises:
        BigMindError: `invalid_input` for a name that is none; `not_found`, when it has no log.
    """
    if not RUN_NAME.fullmatch(name):
        raise BigMindError(Code.INVALID_INPUT, f"{name[:60]!r} names no run.", "One is called 2025-12-21-session-01.")
    log = log_of(folder, protocol, name)
    if log.file is None:
        raise BigMindError(Code.NOT_FOUND, log.fault, "Name another run with --run.")
    start, handoff = _beginning(folder, protocol, starting_commit_in(log.file.text))
    return RunRecord(name, protocol, start, Beginning(handoff=handoff), knows_reading=False)


def _beginning(folder: Folder, protocol: Protocol, stated: str) -> tuple[str, str]:
    """The starting commit in full, and the digest of the handoff document then; empty where git does not know it."""
    try:
        repository = Repository.of(folder)
        start = repository.full(stated) if repository is not None and stated else ""
        text = repository.text_at(start, protocol.handoff, MOST_TEXT) if repository is not None and start else None
    except WorkspaceFault:
        return "", ""
    return start, content_digest(text) if text is not None else ""
