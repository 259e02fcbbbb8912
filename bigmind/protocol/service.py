"""Use cases of an agent in a run: begin, show, validate, move on, end, and ask what blocks."""

from collections.abc import Collection
from dataclasses import dataclass, replace

from bigmind.core.clock import iso
from bigmind.core.errors import BigMindError, Code, invalid
from bigmind.flow.decision import Refusal
from bigmind.flow.workflow import Level
from bigmind.protocol import run_moves, run_start, scene, served_texts
from bigmind.protocol.answers import (
    AdvanceAnswer,
    BlockedAnswer,
    BlockedPhase,
    CheckOutput,
    EndedRun,
    EvidenceAnswer,
    GateAnswer,
    OpenRun,
    ServedText,
    StartedRun,
    ViolationLine,
)
from bigmind.protocol.current_run import open_here
from bigmind.protocol.document.protocol_record import (
    ALIASES,
    LEADS_TO,
    LEVELS,
    STATES,
    Phase,
    next_phase,
    shown_state,
)
from bigmind.protocol.judging.gate_verdicts import Status, Verdict, is_handoff_updated, judge
from bigmind.protocol.judging.sight import Document, Sight
from bigmind.protocol.reporting.checklist import checklist
from bigmind.protocol.reporting.run_history import history
from bigmind.protocol.run_memory import end_memory
from bigmind.protocol.run_rows import checks_of, run_meant, violations_of
from bigmind.protocol.run_start import StartOutlook, StartScene
from bigmind.protocol.scene import Outlook, Scene
from bigmind.protocol.showing import Comparison, EvidenceClaim, compare
from bigmind.protocol.tables import ProtocolRun, ProtocolViolation
from bigmind.store.work import Work

WORKING = "working"
MOST_OPEN = 3
"""Runs that stay open on a connection and are named to the next one."""
MOST_PRINTED, MOST_LINES, LONGEST_PRINTED = 3, 15, 1_200
"""Checks that did not pass whose output is told, and how much of its end: lines, and characters."""


@dataclass(frozen=True, slots=True)
class EvidenceScene:
    """What was seen for evidence that is shown: the comparison, and the run's gates with it."""

    scene: Scene
    comparison: Comparison


def phase_named(text: str) -> Phase:
    """The phase, or its gate, of that name.

    Raises:
        BigMindError: `invalid_input`, naming those that there are.
    """
    phase = _phase(text.strip().upper())
    if phase is None:
        raise invalid("phase", text, f"one of {', '.join(Phase)}")
    return phase


def _phase(name: str) -> Phase | None:
    return ALIASES.get(name) or next((each for each in Phase if each.value == name), None)


def look_start(work: Work, workspace: str, branch: str, commit: str) -> StartOutlook:
    """Find out where a run is to begin; raises as `run_start.look`."""
    return run_start.look(work, workspace, branch, commit)


def start(work: Work, objective: str, found: StartScene) -> StartedRun:
    """Begin a run; MEMORY_INIT passes by the memory session that it joins or opens."""
    run_moves.end_lapsed(work)
    still_open = [OpenRun(session_id=each.name, since=iso(each.created_at)) for each in open_here(work)[:MOST_OPEN]]
    row = run_start.begin(work, objective, found)
    here = _first_scene(run_moves.outlook_of(work, row), found.sight)
    run_moves.advance(work, row, "initialized", here)
    before = history(work, row.workspace_id, 1, without=row.uid)
    return StartedRun(
        session_id=row.name,
        notice=found.notice,
        phase="INIT",
        blocked_until=[_blocked(each) for each in _until(here, WORKING)],
        checklist=checklist(work, row, found.outlook.protocol, here.verdicts),
        branch=row.branch,
        starting_commit=row.starting_commit,
        memory_session=row.memory_session,
        log=here.sight.log.path,
        workspace=found.outlook.opened_above,
        last=before[0] if before else None,
        still_open=still_open,
    )


def _first_scene(outlook: Outlook, sight: Sight) -> Scene:
    """What was seen before the run had its name, as it is for that run: there is no log of it yet."""
    path = f"{outlook.record.protocol.logs}/{outlook.record.name}.md"
    sight = replace(sight, log=Document(path, fault=f"There is no {path}."))
    record = replace(outlook.record, is_approved=outlook.approved is not None)
    return Scene(outlook, sight, judge(record, sight))


def _until(here: Scene, state: str) -> list[Verdict]:
    """The gates on the way to a state that do not pass yet."""
    on_the_way = STATES[1 : STATES.index(state) + 1]
    return [each for phase, each in here.verdicts.items() if LEADS_TO[phase] in on_the_way and not each.passed]


def _blocked(verdict: Verdict) -> BlockedPhase:
    return BlockedPhase(
        phase=verdict.phase.value,
        requirement_level=LEVELS[verdict.level],
        reason=verdict.reason,
        evidence_needed=verdict.remedy,
        is_by_end=verdict.level is Level.BY_END,
    )


def look_run(work: Work, reference: str | None, *, wants_checks: bool = False, skips_qa: bool = False) -> Outlook:
    """Find out what is to be looked at for a run; raises as `run_moves.look`."""
    return run_moves.look(work, reference, wants_checks=wants_checks, skips_qa=skips_qa)


def look_advance(work: Work, target: str | None, reference: str | None) -> Outlook:
    """The same for a run that is to move on: checks that are due on the way are run."""
    outlook = run_moves.look(work, reference)
    row = run_meant(work, reference)
    wanted = target_named(target, row.state)
    on_the_way = STATES[STATES.index(row.state) + 1 : STATES.index(wanted) + 1] if row.state in STATES else ()
    return replace(outlook, wants_checks=LEADS_TO[Phase.QUALITY_CHECKS] in on_the_way)


def claim_of(phase: str, evidence_type: str, evidence: str, step: str | None) -> EvidenceClaim:
    """What is shown; raises as `phase_named`."""
    return EvidenceClaim(phase_named(phase), evidence_type, evidence, step or "")


def look_evidence(work: Work, claim: EvidenceClaim, reference: str | None) -> tuple[Outlook, EvidenceClaim]:
    """Find out what evidence is to be compared with; raises as `run_moves.look`."""
    return run_moves.look(work, reference), claim


def gather_start(outlook: StartOutlook) -> StartScene:
    """Look at a workspace before a run begins there; raises as `run_start.gather`."""
    return run_start.gather(outlook)


def look_text(work: Work, name: str, reference: str | None) -> served_texts.TextOutlook:
    """Find out which text of a run is to be read; raises as `run_moves.look`."""
    return served_texts.look(work, name, reference)


def gather_text(wanted: served_texts.TextOutlook) -> served_texts.TextScene:
    """Read it."""
    return served_texts.gather(wanted)


def serve_text(work: Work, found: served_texts.TextScene) -> ServedText:
    """Give it, and write down that it was given; raises as `served_texts.serve`."""
    return served_texts.serve(work, found)


def gather(outlook: Outlook) -> Scene:
    """Look at the workspace of a run; raises as `scene.gather`."""
    return scene.gather(outlook)


def _row_of(work: Work, here: Scene) -> ProtocolRun:
    """The run that was looked at, with what was seen written down; raises as `run_moves.row_looked_at`, `take_in`."""
    row = run_moves.row_looked_at(work, here.outlook)
    run_moves.take_in(work, row, here)
    return row


def validate(work: Work, phase: Phase, here: Scene) -> GateAnswer:
    """How one gate stands now."""
    row = _row_of(work, here)
    verdict = here.verdicts[phase]
    run_moves.tell(work, row)
    return GateAnswer(
        session_id=row.name,
        notice=here.notice,
        phase=phase.value,
        requirement_level=LEVELS[verdict.level],
        status="FAIL" if verdict.status is Status.UNKNOWN else verdict.status.value,
        evidence=verdict.evidence or None,
        blocking=verdict.level is Level.MUST,
        message=verdict.reason or verdict.evidence,
        remedy=verdict.remedy if not verdict.passed else "",
        printed=_printed(work, row, here) if phase is Phase.QUALITY_CHECKS and not verdict.passed else [],
    )


def _printed(work: Work, row: ProtocolRun, here: Scene) -> list[CheckOutput]:
    """The end of what each check printed that did not pass on these files; its secrets were masked when it was kept."""
    tree = here.sight.git.tree if here.sight.git is not None else ""
    newest = {each.name: each for each in checks_of(work, row) if each.tree == tree}
    failed = [each for each in newest.values() if each.output.strip() and (each.exit_code != 0 or each.fault)]
    return [CheckOutput(name=each.name, end=_end_of(each.output)) for each in failed[:MOST_PRINTED]]


def _end_of(output: str) -> str:
    """Its last lines; the first of them may have lost its beginning."""
    return "\n".join(output[-LONGEST_PRINTED:].strip().splitlines()[-MOST_LINES:])


def target_named(text: str | None, state: str) -> str:
    """The state that `advance_phase` is to lead to: the next one, or the one that a state's or gate's name says.

    Raises:
        BigMindError: `invalid_input`, naming those that there are.
    """
    if not text:
        return STATES[min(STATES.index(state) + 1, len(STATES) - 1)] if state in STATES else state
    name = text.strip().upper()
    found = next((each for each in STATES if shown_state(each) == name), None)
    phase = _phase(name)
    target = found or (LEADS_TO[phase] if phase is not None else None)
    if target is None:
        raise invalid("target_phase", text, f"a phase ({', '.join(map(shown_state, STATES))}) or a gate")
    return target


def advance(work: Work, target: str | None, here: Scene, *, force: bool) -> AdvanceAnswer:
    """Move a run on; several steps are taken one by one, and stop at the first that blocks.

    Raises:
        BigMindError: `invalid_input`, for a phase that there is not, or that lies behind.
    """
    row = _row_of(work, here)
    source, wanted = row.state, target_named(target, row.state)
    if STATES.index(wanted) <= STATES.index(source) and target:
        raise invalid("target_phase", target, f"a phase behind {shown_state(source)}, where the run is")
    known = {each.id for each in violations_of(work, row)}
    decisions = run_moves.advance(work, row, wanted, here, force=force)
    refused = next((each for each in decisions if isinstance(each, Refusal)), None)
    blocked = [Phase(str(each.gate.options["name"])) for each in refused.blocked_by] if refused is not None else []
    violations = [violation_line(each) for each in violations_of(work, row) if each.id not in known]
    return AdvanceAnswer(
        session_id=row.name,
        notice=here.notice,
        previous_phase=shown_state(source),
        current_phase=shown_state(row.state),
        success=refused is None,
        blocked_by=[_blocked(here.verdicts[each]) for each in blocked],
        violations=violations,
        owed=_owed(here, row.state, {each.phase for each in violations}),
        next_step=_next_step(here, row.state),
    )


def _owed(here: Scene, state: str, told: Collection[str]) -> list[BlockedPhase]:
    """The gates behind a run that it was let by, and cannot be complete without; but those that are told already."""
    passed_by = [each for each in _until(here, state) if each.level is Level.BY_END]
    return [_blocked(each) for each in passed_by if each.phase.value not in told]


def _next_step(here: Scene, state: str) -> str:
    phase = next_phase(state)
    if phase is None:
        return "Call session_end."
    verdict = here.verdicts[phase]
    if verdict.passed:
        return f"Next: call advance_phase; {phase.value} passes by now: {verdict.evidence}."
    return f"Next: {phase.value}. {verdict.remedy}"


def violation_line(row: ProtocolViolation) -> ViolationLine:
    """A violation as it is told."""
    return ViolationLine(phase=row.phase, requirement=row.requirement, severity=row.severity, recovery=row.recovery)


def gather_evidence(found: tuple[Outlook, EvidenceClaim]) -> EvidenceScene:
    """Compare what is shown with the workspace, and look at its gates with it."""
    outlook, claim = found
    here = scene.gather(outlook)
    record = replace(outlook.record, is_approved=outlook.approved is not None)
    comparison = compare(scene.folder_at(outlook.root), record, here.sight, claim)
    record = replace(record, shown=(*record.shown, comparison.shown))
    return EvidenceScene(replace(here, verdicts=judge(record, here.sight)), comparison)


def record_evidence(work: Work, claim: EvidenceClaim, found: EvidenceScene) -> EvidenceAnswer:
    """Keep what was shown, as BigMind saw it or as stated."""
    row = _row_of(work, found.scene)
    kept, verdict = found.comparison.shown, found.scene.verdicts[claim.phase]
    run_moves.keep_evidence(work, row, claim, kept.name, kept.digest, is_verified=kept.is_verified)
    run_moves.keep_receipt(work, row, found.scene.outlook)
    run_moves.tell(work, row)
    failed = found.comparison.is_refuted and not verdict.passed
    return EvidenceAnswer(
        session_id=row.name,
        notice=found.scene.notice,
        phase=claim.phase.value,
        step=claim.step or None,
        evidence_recorded=True,
        auto_validated=kept.is_verified,
        gate_status="PASS" if verdict.passed else "FAIL" if failed else "PENDING",
        message=found.comparison.message,
        reason=verdict.reason,
    )


def end(work: Work, summary: str, notes: str, here: Scene) -> EndedRun:
    """End a run, and its memory session with the same summary.

    Raises:
        BigMindError: `conflict`, while its checks still run.
    """
    row = _row_of(work, here)
    if here.are_checks_running:
        raise BigMindError(Code.CONFLICT, scene.STILL_RUNNING, "Call session_end again in a moment; they go on.")
    run_moves.end(work, row, here, summary, notes)
    goes_on_for = end_memory(work, row)
    return EndedRun(
        session_id=row.name,
        notice=here.notice,
        status="COMPLETE" if row.outcome == "COMPLETE" else "INCOMPLETE",
        checklist=checklist(work, row, here.outlook.record.protocol, here.verdicts),
        violations=[violation_line(each) for each in violations_of(work, row)],
        handoff_updated=is_handoff_updated(here.outlook.record, here.sight),
        commit_sha=row.commit_sha or None,
        memory_goes_on_for=goes_on_for,
    )


def blocked(work: Work, here: Scene) -> BlockedAnswer:
    """What keeps a run from moving on, and from ending complete."""
    row = _row_of(work, here)
    run_moves.tell(work, row)
    left = [each for each in here.verdicts.values() if not each.passed and each.level is not Level.MAY]
    following = next_phase(row.state)
    verdict = here.verdicts[following] if following is not None else None
    return BlockedAnswer(
        session_id=row.name,
        notice=here.notice,
        phase=shown_state(row.state),
        is_blocked=verdict is not None and not verdict.passed and verdict.level is Level.MUST,
        blocked_phases=[_blocked(each) for each in left],
        suggested_actions=[f"{each.phase.value}: {each.remedy}" for each in left if each.remedy][:5],
    )
