"""A run on its way: what is looked at for a call, moved on step by step, forced, and ended. The engine decides."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from sqlmodel import select

from bigmind.core.client_names import token_name
from bigmind.core.errors import BigMindError, Code
from bigmind.core.events import Action
from bigmind.flow.decision import Decision, Move, MoveRequest, Refusal, decide
from bigmind.flow.gates import Findings
from bigmind.flow.process_document import gate_as_form
from bigmind.flow.workflow import Actor, ActorKind, Level, Severity
from bigmind.kinds import save, texts_of
from bigmind.protocol.approvals import approved_commands, protocol_with, taken_texts
from bigmind.protocol.current_run import open_runs
from bigmind.protocol.document.protocol_record import COMPLETE, STATES, Phase, Protocol, requirement_of, shown_state
from bigmind.protocol.document.session_process import AGENT, INCOMPLETE, gate_of, process_of
from bigmind.protocol.judging.gate_verdicts import Status, Verdict
from bigmind.protocol.judging.kept_evidence import kept_of
from bigmind.protocol.receipts import write_receipt
from bigmind.protocol.reporting import guide_reading
from bigmind.protocol.run_rows import (
    FORGOTTEN_AFTER,
    item_of,
    no_run,
    record_of,
    run_meant,
    violations_of,
)
from bigmind.protocol.scene import Outlook, Scene
from bigmind.protocol.showing import EvidenceClaim
from bigmind.protocol.tables import ProtocolCheck, ProtocolEvidence, ProtocolRun, ProtocolViolation
from bigmind.secrets.masking import mask
from bigmind.store.work import Work
from bigmind.work.ledger.ledger_rows import Entry, agrees, append
from bigmind.work.roles import SYSTEM, agent_of
from bigmind.workspace.opened import not_opened
from bigmind.workspace.tables import Workspace

MOVED, REFUSED, FORCED, ENDED = "run_moved", "run_refused", "run_forced", "run_ended"
LONGEST_WORDS = 480
LAPSED = "BigMind ended the run: there was no call for 24 hours."


def row_looked_at(work: Work, outlook: Outlook) -> ProtocolRun:
    """The run that was looked at, as it stands now.

    Raises:
        BigMindError: `no_run`, when it ended meanwhile.
    """
    row = work.session.exec(select(ProtocolRun).where(ProtocolRun.uid == outlook.run)).first()
    if row is None or row.ended_at is not None:
        raise BigMindError(Code.NO_RUN, "The run ended while this was looked at.", "Call session_start for a new one.")
    return row


def look(work: Work, reference: str | None, *, wants_checks: bool = False, skips_qa: bool = False) -> Outlook:
    """Find out what is to be looked at for a run of the caller's.

    Raises:
        BigMindError: `no_run`; `not_found`; `ambiguous`; `forbidden`, for a run of another agent;
            `workspace_not_opened`, when a person closed its workspace.
    """
    row = run_meant(work, reference)
    if row.ended_at is not None:
        raise BigMindError(Code.NO_RUN, f"The run {row.name} has ended {row.outcome}.", no_run(work).hint)
    refuse_others(work, row)
    return outlook_of(work, row, wants_checks=wants_checks, skips_qa=skips_qa)


def outlook_of(work: Work, row: ProtocolRun, *, wants_checks: bool = False, skips_qa: bool = False) -> Outlook:
    """What is to be looked at for a run."""
    workspace = work.session.get(Workspace, row.workspace_id) if row.workspace_id is not None else None
    if workspace is None or workspace.closed_at is not None:
        raise not_opened(workspace.path if workspace is not None else "the workspace of this run")
    protocol = protocol_with(work, workspace.id, row.protocol)
    record = replace(record_of(work, row, protocol), skips_qa=skips_qa)
    approved = approved_commands(work, workspace.id or 0, protocol)
    return Outlook(row.uid, Path(workspace.path), record, approved, wants_checks, taken_texts(work, workspace.id or 0))


def refuse_others(work: Work, row: ProtocolRun) -> None:
    """Raises BigMindError, `forbidden`, for a run that another agent began."""
    if token_name(row.agent) != token_name(agent_of(work)):
        raise BigMindError(Code.FORBIDDEN, f"{row.name} is the run of another agent.", no_run(work).hint)


def findings_of(protocol: Protocol, verdicts: Mapping[Phase, Verdict]) -> Findings:
    """What was seen, by the names of the engine's gates."""
    process = process_of(protocol)
    return {gate_of(process, phase).name: verdict.finding() for phase, verdict in verdicts.items()}


def take_in(work: Work, row: ProtocolRun, scene: Scene) -> None:
    """Write down what was seen: how checks ended, and which violations are made good by now.

    Raises:
        BigMindError: `conflict`, when the run does not stand as the ledger left it.
    """
    if not agrees(work, row):
        raise BigMindError(
            Code.CONFLICT,
            f"{row.name} does not stand as the ledger says it was left.",
            "A person looks at it: `bigmind work verify` says what differs. Start a new run meanwhile.",
        )
    row.updated_at = work.now
    row.connection = work.caller.connection or row.connection
    guide_reading.keep(work, row)
    for each in scene.outcomes:
        check = ProtocolCheck(run_id=row.id or 0, at=work.now, name=each.name[:80], tree=each.tree)
        check.exit_code, check.fault, check.seconds = each.exit_code, each.fault[:200], each.seconds
        check.output, check.changed = mask(each.output).text, list(each.changed)
        work.session.add(check)
    for violation in violations_of(work, row):
        verdict = scene.verdicts.get(Phase(violation.phase))
        if violation.recovered_at is None and verdict is not None and verdict.passed:
            violation.recovery, violation.recovered_at = verdict.evidence[:LONGEST_WORDS], work.now
            work.session.add(violation)
    work.session.add(row)
    if scene.outcomes:
        keep_receipt(work, row, scene.outlook)


def advance(work: Work, row: ProtocolRun, target: str, scene: Scene, *, force: bool = False) -> list[Decision]:
    """Move a run towards a state, step by step, until it is there or a gate blocks; what came of each step."""
    process = process_of(scene.outlook.record.protocol)
    findings, decisions = findings_of(scene.outlook.record.protocol, scene.verdicts), list[Decision]()
    actor = Actor(ActorKind.AGENT, row.agent, AGENT, (AGENT,))
    for state in _steps(row.state, target):
        request = MoveRequest(state, actor, force=force and state != COMPLETE)
        decision = decide(process, item_of(row), request, findings)
        decisions.append(decision)
        if isinstance(decision, Refusal):
            _write_refusal(work, row, state, decision)
            break
        _write_move(work, row, decision, process.digest, is_forced=force)
    tell(work, row)
    return decisions


def _steps(state: str, target: str) -> Sequence[str]:
    if state not in STATES:
        return ()
    return STATES[STATES.index(state) + 1 : STATES.index(target) + 1]


def _write_move(work: Work, row: ProtocolRun, move: Move, digest: str, *, is_forced: bool) -> None:
    item = move.item
    passed = [str(each.gate.options["name"]) for each in move.results if each.passed]
    row.state, row.revision, row.due = item.state, item.revision, [gate_as_form(each) for each in item.due]
    row.passed = [each.value for each in Phase if each.value in {*row.passed, *passed}]
    new = [(Phase(each.gate.partition(":")[2]), each.severity, each.reason) for each in move.violations]
    if is_forced:  # also what would have let the move be made: an agent went past it by force
        known = {phase for phase, _, _ in new}
        new += [each for each in _forced_past(move) if each[0] not in known]
    write_violations(work, row, new)
    body = {
        "run": row.name,
        "from": move.source,
        "to": item.state,
        "actor": move.actor.kind.value,
        "process": digest[:16],
        "gates": [
            [str(each.gate.options["name"]), each.passed, dict(each.finding.seen or {})] for each in move.results
        ],
        "violations": [[phase.value, severity.value] for phase, severity, _ in new],
    }
    append(work, Entry(FORCED if new and is_forced else MOVED, row.uid, body), row)
    work.session.add(row)


def _forced_past(move: Move) -> Iterator[tuple[Phase, Severity, str]]:
    """The gates that failed on a forced move: a MUST by the end is a MUST as well."""
    for each in move.warnings:
        if each.gate.level is not Level.MAY:
            severity = Severity.WARNING if each.gate.level is Level.SHOULD else Severity.CRITICAL
            yield Phase(str(each.gate.options["name"])), severity, each.finding.reason


def _write_refusal(work: Work, row: ProtocolRun, target: str, refused: Refusal) -> None:
    gates = [str(each.gate.options["name"]) for each in refused.blocked_by]
    append(work, Entry(REFUSED, row.uid, {"run": row.name, "from": row.state, "to": target, "gates": gates}), row)
    work.session.add(row)


def write_violations(work: Work, row: ProtocolRun, found: Sequence[tuple[Phase, Severity, str]]) -> None:
    """Write down violations, one per phase that is not made good; a worse one takes the place of a warning."""
    open_ones = {each.phase: each for each in violations_of(work, row) if each.recovered_at is None}
    for phase, severity, reason in found:
        known = open_ones.get(phase.value)
        if known is None:
            known = ProtocolViolation(run_id=row.id or 0, at=work.now, phase=phase.value, requirement="", severity="")
        known.severity = max(known.severity, severity.value, key=_badness)
        asked = requirement_of(phase, is_must=known.severity == Severity.CRITICAL.value)
        known.requirement = f"{asked} {reason}".strip()[:LONGEST_WORDS]
        work.session.add(known)
        open_ones[phase.value] = known
    work.session.flush()


def _badness(severity: str) -> int:
    return ("", Severity.WARNING.value, Severity.CRITICAL.value).index(severity)


def end(work: Work, row: ProtocolRun, scene: Scene, summary: str, notes: str) -> None:
    """End a run: the gates that are left are taken, and what is not met then is a violation for good."""
    before = texts_of(work, row)
    advance(work, row, COMPLETE, scene)
    verdicts = scene.verdicts
    if row.state != COMPLETE:
        write_violations(work, row, list(_unmet(verdicts)))
        _close(work, row, process_digest(scene.outlook.record.protocol))
    git = scene.sight.git
    row.outcome, row.ended_at = shown_state(row.state), work.now
    row.summary, row.next_session_notes = summary, notes
    row.commit_sha = git.commit if git is not None and git.commit != row.starting_commit else ""
    row.kept = {**kept_of(scene.sight), "start": row.starting_commit}
    _write_end(work, row)
    save(work, row, Action.CLOSED, before)
    keep_receipt(work, row, scene.outlook)


def keep_receipt(work: Work, row: ProtocolRun, outlook: Outlook) -> None:
    """Let the check without the server know what is known of a run by now."""
    record = replace(record_of(work, row, outlook.record.protocol), skips_qa=outlook.record.skips_qa)
    record = replace(record, is_approved=outlook.approved is not None)
    kept = {**row.kept, "outcome": row.outcome} if row.outcome else {}
    write_receipt(work.host.settings.home, outlook.root, record, kept)


def process_digest(protocol: Protocol) -> str:
    """By which the process of a protocol is known in the ledger."""
    return process_of(protocol).digest


def _unmet(verdicts: Mapping[Phase, Verdict]) -> Iterator[tuple[Phase, Severity, str]]:
    for phase, verdict in verdicts.items():
        if verdict.passed:
            continue
        if verdict.is_must:
            yield phase, Severity.CRITICAL, verdict.reason
        elif verdict.level is Level.SHOULD:
            yield phase, Severity.WARNING, verdict.reason


def _close(work: Work, row: ProtocolRun, digest: str) -> None:
    """Lead a run that cannot be complete to its other end; BigMind alone does."""
    source = row.state
    row.state, row.revision = INCOMPLETE, row.revision + 1
    body = {"run": row.name, "from": source, "to": INCOMPLETE, "actor": SYSTEM.kind.value, "process": digest[:16]}
    append(work, Entry(MOVED, row.uid, body), row)


def _write_end(work: Work, row: ProtocolRun) -> None:
    append(work, Entry(ENDED, row.uid, {"run": row.name, "outcome": row.outcome, "kept": row.kept}), row)
    work.session.add(row)


def end_lapsed(work: Work) -> list[str]:
    """End the caller's runs without a call for 24 hours, with their violations; returns their names."""
    lapsed = [each for each in open_runs(work) if each.updated_at + FORGOTTEN_AFTER < work.now]
    for row in lapsed:
        protocol = protocol_with(work, row.workspace_id, row.protocol)
        levels = protocol.levels
        left = [phase for phase in Phase if phase.value not in row.passed]
        unmet = {phase: Verdict(phase, levels[phase], Status.FAIL, reason=LAPSED) for phase in left}
        write_violations(work, row, list(_unmet(unmet)))
        _close(work, row, process_digest(protocol))
        row.outcome, row.ended_at = shown_state(row.state), work.now
        _write_end(work, row)
        tell(work, row, Action.CLOSED)
    return [each.name for each in lapsed]


def tell(work: Work, row: ProtocolRun, action: Action = Action.UPDATED) -> None:
    """Store a change of a run that touched none of its words, and note it."""
    work.session.add(row)
    work.changed("protocol_run", row.uid, action)


def keep_evidence(
    work: Work, row: ProtocolRun, claim: EvidenceClaim, name: str, digest: str, *, is_verified: bool
) -> None:
    """Write evidence of a run."""
    work.session.add(
        ProtocolEvidence(
            run_id=row.id or 0,
            at=work.now,
            client=work.caller.client,
            phase=claim.phase.value,
            step=name or claim.step,
            type=claim.type,
            text=claim.text,
            digest=digest,
            is_verified=is_verified,
        )
    )
    work.session.flush()
