"""A restore opens no workspace, takes no protocol and approves no command: what persons said stays as it is now."""

import json
from typing import Any

from tests.protocol.places import FAILS, PASSES, TOUCHES
from tests.protocol.test_running import CHECKED, PROTOCOL, approve, take, with_checks
from tests.protocol.workshop import Runner, Workshop


def backup(workshop: Workshop) -> str:
    name: str = workshop.office.person("backup_create").name
    workshop.office.forward(minutes=1)
    return name


def uid_of(workshop: Workshop, place: Any) -> str:
    [(uid,)] = workshop.office.rows("SELECT uid FROM workspace WHERE path = :path", path=str(place.root))
    return uid


def checks(runner: Runner) -> str:
    """How the checks stand in a new run."""
    runner.begin()
    answer = runner("validate_gate", phase="QUALITY_CHECKS")
    runner("session_end", summary="Looked at.")
    return answer.message


def test_an_approval_that_was_taken_back_is_not_brought_back(workshop: Workshop):
    runner = with_checks(workshop, TOUCHES)
    approve(workshop, runner.place)
    kept = backup(workshop)
    workshop.office.person("protocol_withdraw_commands", workspace=uid_of(workshop, runner.place))
    workshop.office.person("backup_restore", backup=kept)
    assert "has not approved" in checks(runner)
    assert not (runner.place.root / "ran.txt").exists()


def test_an_approval_that_was_given_since_holds(workshop: Workshop):
    runner = with_checks(workshop, PASSES)
    kept = backup(workshop)
    approve(workshop, runner.place)
    workshop.office.person("backup_restore", backup=kept)
    assert checks(runner).startswith("1 passed")


def test_a_workspace_that_was_closed_stays_closed_and_one_that_was_opened_stays_open(workshop: Workshop):
    closed = workshop.runner()
    kept = backup(workshop)
    workshop.office.person("protocol_close_workspace", workspace=uid_of(workshop, closed.place))
    opened = workshop.runner()
    workshop.office.person("backup_restore", backup=kept)
    refused = closed.refuses("session_start", objective="Look around", workspace=str(closed.place.root))
    assert "no person opened" in str(refused)
    assert opened.begin().phase == "INIT"


def test_a_workspace_that_only_the_backup_knows_is_closed(workshop: Workshop):
    later = workshop.runner()
    kept = backup(workshop)
    workshop.office.run("DELETE FROM workspace")  # as in a store that never had it
    workshop.office.person("backup_restore", backup=kept)
    assert "no person opened" in str(
        later.refuses("session_start", objective="Look around", workspace=str(later.place.root))
    )


def test_the_text_that_holds_is_the_one_that_was_taken_last(workshop: Workshop):
    runner = with_checks(workshop, PASSES)
    kept = backup(workshop)
    runner.place.write(PROTOCOL, CHECKED.format(command=json.dumps(FAILS)))
    take(workshop, runner.place)
    approve(workshop, runner.place)
    workshop.office.person("backup_restore", backup=kept)
    assert "exit code 1" in checks(runner)


def test_the_built_in_protocol_holds_where_a_person_went_back_to_it(workshop: Workshop):
    runner = with_checks(workshop, PASSES)
    kept = backup(workshop)
    workshop.office.person("protocol_leave_text", workspace=uid_of(workshop, runner.place))
    workshop.office.person("backup_restore", backup=kept)
    assert "declares no checks" in checks(runner)


def test_the_name_of_a_run_is_not_given_twice(workshop: Workshop):
    runner = workshop.runner()
    workshop.runner(runner.place, "cursor").begin()
    kept = backup(workshop)
    name = runner.begin().session_id
    workshop.office.person("backup_restore", backup=kept)
    assert (name[-2:], runner.begin().session_id[-2:]) == ("02", "03")


def test_the_built_in_protocol_leaves_ended_and_open_runs_the_text_that_they_began_with(workshop: Workshop):
    runner = with_checks(workshop, PASSES)
    approve(workshop, runner.place)
    runner.begin()
    workshop.office.person("protocol_leave_text", workspace=uid_of(workshop, runner.place))
    assert runner("validate_gate", phase="QUALITY_CHECKS").message.startswith("1 passed")
    runner("session_end", summary="Looked at.")
    assert "declares no checks" in checks(runner)
    workshop.office.forward(minutes=1)
    take(workshop, runner.place)
    assert checks(runner).startswith("1 passed")


def test_the_receipt_of_a_forgotten_run_is_gone(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    runner("session_end", summary="Looked at.")
    kept = list((workshop.office.memory.mind.store.home / "runs").rglob("*.json"))
    [(uid,)] = workshop.office.rows("SELECT uid FROM protocol_run")
    workshop.office.person("memory_forget", id=uid, confirm=True)
    assert [len(kept), *(each.exists() for each in kept)] == [1, False]


def test_runs_without_a_call_are_ended_however_many_are_open(workshop: Workshop):
    place = workshop.place()
    for number in range(25):
        workshop.runner(place, f"agent-{number}").begin()
    workshop.office.forward(hours=25)
    workshop.runner(place, "another").begin()
    assert workshop.office.rows("SELECT count(*) FROM protocol_run WHERE ended_at IS NULL") == [(1,)]
