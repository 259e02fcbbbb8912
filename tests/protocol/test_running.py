"""Moving on, forcing, ending; several agents; runs that nobody ends; a protocol that changes in the middle."""

import json
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from bigmind.core.errors import BigMindError, Code
from bigmind.protocol.judging.sight import MOST_CHANGED
from tests.mcp.manifest import shows
from tests.protocol.places import FAILS, HANDOFF, HAS_REFUNDS, PASSES, TOUCHES
from tests.protocol.workshop import Runner, Workshop

PROTOCOL = ".bigmind/protocol.yaml"
OF_SYSTEM = "/etc" if sys.platform != "win32" else os.environ["SYSTEMROOT"]
ROOT = Path.cwd().anchor
CHECKED = """format: bigmind-protocol
checks:
  - {{name: tests, command: {command}, defined_by: [pyproject.toml]}}
"""


def code_of(refused: BigMindError) -> Code:
    return refused.code


@shows(
    "validate_gate.refuses",
    "advance_phase.refuses",
    "record_evidence.refuses",
    "session_end.refuses",
    "get_blocked_reason.refuses",
)
def test_before_a_run_every_other_tool_names_session_start(workshop: Workshop):
    runner = workshop.runner()
    calls: list[tuple[str, dict[str, Any]]] = [
        ("validate_gate", {"phase": "GIT_STATE"}),
        ("advance_phase", {}),
        ("record_evidence", {"phase": "GIT_STATE", "evidence_type": "manual", "evidence": "x"}),
        ("session_end", {"summary": "x"}),
        ("get_blocked_reason", {}),
    ]
    for name, arguments in calls:
        refused = runner.refuses(name, **arguments)
        assert code_of(refused) is Code.NO_RUN
        assert "session_start" in str(refused)


@shows("session_start.closed")
def test_a_workspace_that_no_person_opened_is_not_looked_into(workshop: Workshop):
    runner = workshop.runner(workshop.place(opened=False))
    refused = runner.refuses("session_start", objective="Look around", workspace=str(runner.place.root))
    assert code_of(refused) is Code.WORKSPACE_NOT_OPENED
    assert "page Protocol" in str(refused)


def test_a_workspace_of_another_machine_that_no_person_opened_is_not_looked_at(workshop: Workshop):
    """Windows would sign its user in there."""
    runner = workshop.runner(workshop.place(opened=False))
    refused = runner.refuses("session_start", objective="Look around", workspace=r"\\127.0.0.1\share\app")
    assert code_of(refused) is (Code.WORKSPACE_NOT_OPENED if sys.platform == "win32" else Code.INVALID_INPUT)


def test_an_agent_opens_no_workspace(workshop: Workshop):
    runner = workshop.runner(workshop.place(opened=False))
    refused = runner.refuses("protocol_open_workspace", path=str(runner.place.root))
    assert code_of(refused) is Code.FORBIDDEN


@pytest.mark.parametrize(
    ("folder", "said"), [(OF_SYSTEM, "a folder of the system"), (ROOT, "the root of a drive"), ("~", "a home")]
)
def test_what_is_more_than_a_project_is_opened_by_nobody(workshop: Workshop, folder: str, said: str):
    refused = workshop.office.person.refuses("protocol_open_workspace", path=folder)
    assert f"the folder of one project; this is {said}" in str(refused)


def test_several_steps_stop_at_the_first_that_blocks(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    answer = runner("advance_phase", target_phase="WORKING")
    assert (answer.success, answer.previous_phase, answer.current_phase) == (False, "INITIALIZED", "SKILLS_READY")
    assert [each.phase for each in answer.blocked_by] == ["CONTEXT_RETRIEVAL"]
    assert "session://handoff" in answer.in_words()


@shows("get_blocked_reason.tells")
def test_a_gate_that_must_pass_by_the_end_lets_the_move_be_made(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    runner.read_handoff()
    answer = runner("advance_phase", target_phase="WORKING")
    assert (answer.success, answer.current_phase) == (True, "WORKING")
    assert [(each.phase, each.is_by_end) for each in answer.owed] == [("SESSION_LOG", True)]
    assert "Owed by the end of the run:\n- SESSION_LOG (MUST by the end): There is no " in answer.in_words()
    assert "SESSION_LOG" in {each.phase for each in runner("get_blocked_reason").blocked_phases}


def test_a_must_by_now_is_told_from_a_must_by_the_end(workshop: Workshop):
    runner = workshop.runner()
    said = runner.begin().in_words()
    before, _, by_end = said.partition("By the end of the run:")
    assert "Before the work begins:\n- CONTEXT_RETRIEVAL (MUST): " in before
    assert by_end.startswith("\n- SESSION_LOG (MUST by the end): ")
    assert "SESSION_LOG: Make the session log from the template (MUST by the end)" in said
    assert "SESSION_LOG (MUST by the end): FAIL" in runner("validate_gate", phase="SESSION_LOG").in_words()
    assert "CONTEXT_RETRIEVAL (MUST): FAIL. It blocks." in runner("validate_gate", phase="CONTEXT_RETRIEVAL").in_words()
    assert "SESSION_LOG (MUST by the end): " in runner("get_blocked_reason").in_words()
    runner.to_work()
    assert runner("advance_phase", target_phase="DOCUMENTING").owed[0].phase == "DOCS_UPDATE"


def test_force_is_a_violation_until_it_is_made_good(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    answer = runner("advance_phase", target_phase="CONTEXT_LOADED", force=True)
    assert answer.success
    assert [(each.phase, each.severity) for each in answer.violations] == [("CONTEXT_RETRIEVAL", "CRITICAL")]
    runner.read_handoff()
    runner("validate_gate", phase="CONTEXT_RETRIEVAL")
    runner.place.log(runner.name, runner.start)
    runner.do_work()
    runner.report()
    runner.place.commit()
    ended = runner("session_end", summary="Done.")
    assert ended.status == "COMPLETE", ended.in_words()
    assert [bool(each.recovery) for each in ended.violations] == [True]


def test_force_past_a_must_by_the_end_is_critical_and_past_a_should_a_warning(workshop: Workshop):
    runner = workshop.runner(workshop.place(with_git=False))
    runner.begin()
    answer = runner("advance_phase", target_phase="COMPLETE", force=True)
    severities = {each.phase: each.severity for each in answer.violations}
    assert severities.pop("GIT_STATE") == "WARNING"
    assert set(severities) == {"CONTEXT_RETRIEVAL", "SESSION_LOG", "DOCS_UPDATE", "QA_VALIDATION"}
    assert set(severities.values()) == {"CRITICAL"}
    runner.place.log(runner.name, "")
    runner("validate_gate", phase="SESSION_LOG")
    ended = runner("session_end", summary="Forced, and one made good.")
    assert {each.phase for each in ended.violations if each.recovery} == {"SESSION_LOG"}


@shows("advance_phase.forces")
def test_nobody_is_forced_into_complete(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    answer = runner("advance_phase", target_phase="COMPLETE", force=True)
    assert (answer.success, answer.current_phase) == (False, "QA_COMPLETE")
    ended = runner("session_end", summary="Forced through.")
    assert ended.status == "INCOMPLETE"
    assert {each.phase for each in ended.violations if each.severity == "CRITICAL"} >= {
        "CONTEXT_RETRIEVAL",
        "GIT_COMMIT",
    }


@shows("session_end.incomplete")
def test_a_run_that_ends_early_is_incomplete_with_a_violation_for_each_must(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    ended = runner("session_end", summary="Nothing done.")
    assert ended.status == "INCOMPLETE"
    critical = {each.phase for each in ended.violations if each.severity == "CRITICAL"}
    assert critical == {"CONTEXT_RETRIEVAL", "SESSION_LOG", "DOCS_UPDATE", "QA_VALIDATION", "GIT_COMMIT"}
    assert code_of(runner.refuses("get_blocked_reason")) is Code.NO_RUN


@pytest.mark.parametrize("document", ["handoff", "log"])
def test_handoff_and_log_are_told_each_by_itself(workshop: Workshop, document: str):
    runner = workshop.runner()
    runner.begin()
    is_handoff = document == "handoff"
    if is_handoff:
        runner.place.write(HANDOFF, "# Handoff\n\nYen next.\n")
    else:
        runner.place.log(runner.name, runner.start)
    ended = runner("session_end", summary="One of two is written.")
    assert ended.handoff_updated is is_handoff
    assert f"The handoff document is {'' if is_handoff else 'not '}updated." in ended.in_words()
    said = next(each.requirement for each in ended.violations if each.phase == "DOCS_UPDATE")
    assert ("says what it said when the run began" in said) is not is_handoff
    assert (f"There is no docs/sessions/{runner.name}.md" in said) is is_handoff


def test_ending_a_run_ends_its_memory_session_with_the_same_summary(workshop: Workshop):
    runner = workshop.runner()
    opened = runner("memory_start_session").session_id
    assert runner.begin().memory_session == opened
    runner("session_end", summary="Refunds are rounded to the cent, half to even.")
    detail = runner("memory_get_session_detail", session_id=opened)
    assert detail.summary == "Refunds are rounded to the cent, half to even."
    assert detail.session.ended_at is not None
    assert "INCOMPLETE" in detail.session.outcome


def test_a_second_run_on_a_connection_names_the_first_and_keeps_its_memory_session_open(workshop: Workshop):
    runner = workshop.runner()
    first = runner.begin()
    assert first.still_open == []
    second = runner.begin("Round yen")
    assert [each.session_id for each in second.still_open] == [first.session_id]
    assert f"{first.session_id} is still open on this connection, since " in second.in_words()
    assert f"To end it: session_end(summary=…, session_id='{first.session_id}')." in second.in_words()
    assert "session_end" not in second.as_text()
    assert "session_end" not in second.in_words(frozenset(("advance_phase",)))
    assert second.memory_session == first.memory_session
    ended = runner("session_end", summary="Refunds are rounded.", session_id=first.session_id)
    assert f"Its memory session stays open for the run {second.session_id}." in ended.in_words()
    detail = runner("memory_get_session_detail", session_id=first.memory_session)
    assert detail.session.ended_at is None
    assert runner("session_end", summary="Yen are rounded.").session_id == second.session_id
    detail = runner("memory_get_session_detail", session_id=first.memory_session)
    assert detail.session.ended_at is not None
    assert detail.summary == "Refunds are rounded.\n\nYen are rounded."
    assert first.session_id in detail.session.outcome
    assert second.session_id in detail.session.outcome


def test_docs_only_runs_may_skip_the_report(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    runner.to_work()
    runner.place.write(HANDOFF, "# Handoff\n\nOnly words.\n")
    runner.place.log(runner.name, runner.start)
    runner.place.commit("Words")
    ended = runner("session_end", summary="Words alone.", skip_qa=True)
    assert ended.status == "COMPLETE", ended.in_words()
    assert [each.status for each in ended.checklist if each.phase == "QA_VALIDATION"] == ["SKIPPED"]


def test_code_changes_do_not_skip_the_report(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    runner.to_work()
    runner.do_work()
    runner.place.commit()
    ended = runner("session_end", summary="Code, and no report.", skip_qa=True)
    assert ended.status == "INCOMPLETE"
    assert any("More than docs changed" in each.requirement for each in ended.violations)


def test_code_is_not_hidden_behind_thousands_of_docs(workshop: Workshop):
    """Changes are looked at in their order and up to a bound: docs come before src."""
    runner = workshop.runner()
    runner.begin()
    runner.to_work()
    runner.do_work()
    for number in range(MOST_CHANGED):
        runner.place.write(f"docs/many/{number}.md", f"{number}\n")
    runner.place.commit()
    ended = runner("session_end", summary="Docs, and code behind them.", skip_qa=True)
    assert ended.status == "INCOMPLETE"
    assert any("not all were looked at" in each.requirement for each in ended.violations)


@shows("session_start.compares")
def test_a_branch_or_commit_that_is_passed_is_compared_with_git(workshop: Workshop):
    runner = workshop.runner()
    for more in ({"branch": "elsewhere"}, {"starting_commit": "1234567"}):
        refused = runner.refuses("session_start", objective="Lie a little", workspace=str(runner.place.root), **more)
        assert "what git says" in str(refused) or "where git stands" in str(refused)
    assert runner.begin(branch="main", starting_commit=runner.place.git("rev-parse", "HEAD")[:8]).branch == "main"


def test_a_run_without_a_call_for_a_day_is_ended(workshop: Workshop):
    runner = workshop.runner()
    name = runner.begin().session_id
    workshop.office.forward(hours=25)
    again = workshop.runner(runner.place, "cursor")
    again.begin()
    old = workshop.office.rows("SELECT outcome FROM protocol_run WHERE name = :name", name=name)
    assert old == [("INCOMPLETE",)]
    said = workshop.office.rows("SELECT requirement FROM protocol_violation WHERE phase = 'GIT_COMMIT'")
    asked = "The work must be committed, and nothing be left uncommitted."
    assert said == [(f"{asked} BigMind ended the run: there was no call for 24 hours.",)]


def test_another_agent_does_not_act_in_a_run(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    other = workshop.runner(runner.place, "cursor")
    refused = other.refuses("advance_phase", session_id=runner.name)
    assert code_of(refused) is Code.FORBIDDEN


def test_an_agent_with_several_runs_names_one(workshop: Workshop):
    first = workshop.runner()
    first.begin()
    second = workshop.runner(workshop.place())
    second.begin()
    third = Runner(workshop.office.agent("claude-code", connection=None), first.place)
    refused = third.refuses("get_blocked_reason")
    assert code_of(refused) is Code.AMBIGUOUS
    assert "session_id" in str(refused)


def test_a_document_holds_once_it_was_taken_and_a_change_is_said(workshop: Workshop):
    place = workshop.place()
    place.write(PROTOCOL, "format: bigmind-protocol\nhandoff: NOTES.md\n")
    place.write("NOTES.md", "# Notes\n")
    runner = workshop.runner(place)
    begun = runner.begin()
    assert "a text that no person took; the built-in protocol holds" in begun.notice
    take(workshop, place)
    assert "a person took another text" in runner("get_blocked_reason").notice
    runner("session_end", summary="Nothing yet.")
    second = workshop.runner(place, "cursor")
    assert second.begin().notice == ""
    answer = second(
        "record_evidence", phase="CONTEXT_RETRIEVAL", evidence_type="content_hash", evidence=place.digest("NOTES.md")
    )
    assert answer.gate_status == "PASS"
    place.write(PROTOCOL, "format: bigmind-protocol\nhandoff: OTHER.md\n")
    assert "the text that was taken last holds" in second("get_blocked_reason").notice
    (place.root / PROTOCOL).unlink()
    assert "is gone; the text that was taken last holds" in second("get_blocked_reason").notice


def take(workshop: Workshop, place: Any) -> None:
    """Take the document of a workspace in person."""
    uid = workshop.office.rows("SELECT uid FROM workspace WHERE path = :path", path=str(place.root))[0][0]
    workshop.office.person("protocol_take_text", workspace=uid, digest=place.digest(PROTOCOL))


def approve(workshop: Workshop, place: Any) -> None:
    """Approve the commands of a workspace in person, as a page would show them."""
    from bigmind.protocol.in_person.workspace_acts import shown_digest, standing_of  # noqa: PLC0415
    from bigmind.workspace.opened import workspace_with_id  # noqa: PLC0415

    uid = workshop.office.rows("SELECT uid FROM workspace WHERE path = :path", path=str(place.root))[0][0]
    with workshop.office.memory.mind.store.read(workshop.office.memory.caller, "test") as work:
        digest = shown_digest(standing_of(work, workspace_with_id(work, uid)))
    workshop.office.person("protocol_approve_commands", workspace=uid, digest=digest)


def with_checks(workshop: Workshop, command: str) -> Runner:
    place = workshop.place()
    place.write(PROTOCOL, CHECKED.format(command=json.dumps(command)))
    place.write("pyproject.toml", "[tool.x]\n")
    place.commit("Protocol")
    take(workshop, place)
    return workshop.runner(place)


@shows("validate_gate.checks")
def test_an_unapproved_command_is_not_run(workshop: Workshop):
    runner = with_checks(workshop, TOUCHES)
    runner.begin()
    answer = runner("validate_gate", phase="QUALITY_CHECKS")
    assert (answer.status, answer.blocking) == ("FAIL", False)
    assert "has not approved" in answer.message
    assert not (runner.place.root / "ran.txt").exists()
    for kind in ("manual", "tool_output"):
        runner("record_evidence", phase="QUALITY_CHECKS", evidence_type=kind, evidence="all tests pass")
        assert runner("validate_gate", phase="QUALITY_CHECKS").status == "FAIL"


@pytest.mark.parametrize(("command", "passes"), [(PASSES, True), (FAILS, False)])
def test_approved_checks_are_run_and_their_exit_code_counts(workshop: Workshop, command: str, passes: bool):
    runner = with_checks(workshop, command)
    approve(workshop, runner.place)
    runner.begin()
    answer = runner("validate_gate", phase="QUALITY_CHECKS")
    assert (answer.status == "PASS") == passes, answer.in_words()
    if not passes:
        assert "tests (exit code 1)" in answer.message


def test_what_a_check_printed_before_it_failed_is_told_without_its_secrets(workshop: Workshop):
    """Nothing else gives an agent what it is to mend: the page with the output is a person's."""
    runner = with_checks(workshop, "python3 fails.py")
    lines = "".join(f"print('line {number}')\n" for number in range(40))
    runner.place.write(
        "fails.py", f"{lines}print('# FAILED test_refund: password=correcthorse7 gave 4')\nraise SystemExit(3)"
    )
    approve(workshop, runner.place)
    runner.begin()
    told = runner("validate_gate", phase="QUALITY_CHECKS").in_words()
    assert "Did not pass: tests (exit code 3)." in told
    assert "\ntests printed at last:\n> line 26\n" in told
    assert "\n> # FAILED test_refund: password=" in told
    assert "correcthorse7" not in told
    assert "validate_gate with QUALITY_CHECKS tells its end" in runner("get_blocked_reason").in_words()
    runner.place.write("fails.py", "print('fine')\n")
    assert "fine" not in runner("validate_gate", phase="QUALITY_CHECKS").in_words()


def test_a_next_gate_that_passes_by_now_says_to_move_on(workshop: Workshop):
    runner = workshop.runner(workshop.place())
    runner.begin()
    runner.to_work()
    runner.do_work()
    moved = runner("advance_phase").in_words()
    assert "Next: call advance_phase; QUALITY_CHECKS passes by now: the protocol declares no checks." in moved


def test_checks_hold_for_the_tree_that_they_saw(workshop: Workshop):
    runner = with_checks(workshop, HAS_REFUNDS)
    approve(workshop, runner.place)
    runner.begin()
    runner.to_work()
    assert runner("validate_gate", phase="QUALITY_CHECKS").status == "PASS"
    runner.do_work()
    assert (
        "Not run on these files"
        in {each.phase: each.reason for each in runner("get_blocked_reason").blocked_phases}["QUALITY_CHECKS"]
    )
    runner.report()
    runner.place.commit()
    ended = runner("session_end", summary="The checks are run once more.")
    assert ended.status == "COMPLETE", ended.in_words()


def test_a_changed_list_asks_again(workshop: Workshop):
    runner = with_checks(workshop, PASSES)
    approve(workshop, runner.place)
    runner.place.write(PROTOCOL, CHECKED.format(command=json.dumps(TOUCHES)))
    take(workshop, runner.place)
    runner.begin()
    assert "has not approved" in runner("validate_gate", phase="QUALITY_CHECKS").message
    assert not (runner.place.root / "ran.txt").exists()


def test_what_defines_a_check_and_changed_is_said(workshop: Workshop):
    runner = with_checks(workshop, PASSES)
    approve(workshop, runner.place)
    runner.begin()
    runner.place.write("pyproject.toml", "[tool.y]\n")
    answer = runner("validate_gate", phase="QUALITY_CHECKS")
    assert answer.status == "PASS"
    assert "what defines them changed since they were approved: pyproject.toml" in answer.message


def at_once(jobs: list[Callable[[], None]]) -> None:
    """Do all of it at once; the first fault is raised."""
    faults: list[BaseException] = []
    barrier = threading.Barrier(len(jobs))

    def job(each: Callable[[], None]) -> None:
        try:
            barrier.wait()
            each()
        except BaseException as fault:  # noqa: BLE001 - raised below
            faults.append(fault)

    threads = [threading.Thread(target=job, args=(each,)) for each in jobs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if faults:
        raise faults[0]


def test_twenty_agents_run_in_one_workspace_at_once(workshop: Workshop):
    place = workshop.place()
    runners = [workshop.runner(place, f"agent-{number}") for number in range(20)]

    def whole(runner: Runner) -> None:
        runner.begin(f"Objective of {runner.worker.name}")
        runner.read_handoff()
        runner.place.log(runner.name, runner.start, f"Words of {runner.worker.name}.")
        answer = runner("advance_phase", target_phase="WORKING")
        assert answer.session_id == runner.name
        assert answer.success, answer.in_words()
        runner("session_end", summary=f"Done by {runner.worker.name}.")

    at_once([lambda each=each: whole(each) for each in runners])
    day = runners[0].name.rpartition("-")[0]
    assert sorted(each.name for each in runners) == [f"{day}-{number:02}" for number in range(1, 21)]
    rows = workshop.office.rows(
        "SELECT r.agent, e.client FROM protocol_evidence e JOIN protocol_run r ON r.id = e.run_id"
    )
    assert len(rows) == 20
    assert all(agent == client for agent, client in rows)
    summaries = workshop.office.rows("SELECT agent, summary, objective FROM protocol_run")
    assert all(agent in summary and agent in objective for agent, summary, objective in summaries)


def test_a_number_is_not_given_again_after_its_run_was_forgotten(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    runner("session_end", summary="Forget me.")
    uid = workshop.office.rows("SELECT uid FROM protocol_run")[0][0]
    workshop.office.person("memory_forget", kind="protocol_run", id=uid)
    assert workshop.office.rows("SELECT count(*) FROM protocol_run") == [(0,)]
    assert workshop.runner(runner.place, "cursor").begin().session_id.endswith("-session-02")


def test_a_run_that_was_changed_behind_the_program_moves_no_more(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    workshop.office.run("UPDATE protocol_run SET state = 'qa_complete'")
    refused = runner.refuses("advance_phase")
    assert code_of(refused) is Code.CONFLICT
    with workshop.office.memory.mind.store.read(workshop.office.memory.caller, "test") as work:
        from bigmind.work.ledger.ledger_verification import verify  # noqa: PLC0415

        faults = verify(work).faults
        assert [each.item for each in faults] == [runner.name]
        assert work.session.execute(text("SELECT count(*) FROM work_ledger")).scalar()
