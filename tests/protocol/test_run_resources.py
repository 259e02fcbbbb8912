"""What `session://…` tells: of the caller's run, of the one that ended last there, and of the workspace's last runs."""

import json
from dataclasses import replace
from typing import Any

import anyio
import pytest

from bigmind.core.errors import BigMindError, Code
from bigmind.mcp.run_resources import RunResources
from tests.protocol.workshop import Runner, Workshop


def told(runner: Runner, address: str) -> Any:
    """A resource, as the runner reads it."""
    memory = runner.worker.memory
    found = anyio.run(RunResources(memory.mind.dispatcher).text_of, memory.caller, f"session://{address}")
    assert found is not None, address
    return json.loads(found[0])


def refused(runner: Runner, address: str) -> BigMindError:
    with pytest.raises(BigMindError) as error:
        told(runner, address)
    return error.value


def elsewhere(runner: Runner, connection: str | None, *, workspace: str = "") -> Runner:
    """The same agent on another connection."""
    worker = runner.worker
    caller = replace(worker.memory.caller, connection=connection, workspace=workspace)
    return replace(runner, worker=replace(worker, memory=replace(worker.memory, caller=caller)))


def test_the_history_needs_no_open_run(workshop: Workshop):
    runner = workshop.runner()
    assert told(runner, "history") == {"sessions": []}
    runner.begin()
    runner("session_end", summary="Nothing yet.", next_session_notes="Test yen next.")
    for each in (runner, elsewhere(runner, "another", workspace=str(runner.place.root)), elsewhere(runner, None)):
        assert [run["next_session_notes"] for run in told(each, "history")["sessions"]] == ["Test yen next."]


def test_the_history_is_of_the_workspace_where_the_caller_works(workshop: Workshop):
    first, second = workshop.runner(), workshop.runner()
    for each in (first, second):
        each.begin()
        each("session_end", summary="Nothing yet.", next_session_notes=f"Notes of {each.place.root.name}.")
    there = elsewhere(second, "another", workspace=str(first.place.root))
    notes = [run["next_session_notes"] for run in told(there, "history")["sessions"]]
    assert notes == [f"Notes of {first.place.root.name}."]


def test_violations_are_of_the_run_that_ended_last_here_however_many_are_open_elsewhere(workshop: Workshop):
    runner = workshop.runner()
    for number in range(3):
        elsewhere(runner, f"older {number}").begin()
    runner.begin()
    name = runner.name
    runner("session_end", summary="Nothing done.")
    found = told(runner, "violations")["violations"]
    assert {each["session_id"] for each in found} == {name}
    assert told(runner, f"runs/{name}/violations")["violations"] == found


def test_violations_of_an_open_run_of_the_connection_come_first(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    runner("session_end", summary="Nothing done.")
    runner.begin()
    assert told(runner, "violations") == {"violations": []}
    runner("advance_phase", target_phase="CONTEXT_LOADED", force=True)
    assert {each["session_id"] for each in told(runner, "violations")["violations"]} == {runner.name}


def test_violations_on_a_new_connection_are_of_the_run_that_ended_last_in_the_workspace(workshop: Workshop):
    runner = workshop.runner()
    runner.begin()
    runner("session_end", summary="Nothing done.")
    there = elsewhere(runner, "another", workspace=str(runner.place.root))
    assert {each["session_id"] for each in told(there, "violations")["violations"]} == {runner.name}


@pytest.mark.parametrize("part", ["state", "checklist", "violations"])
def test_where_no_run_is_meant_the_address_of_any_is_named(workshop: Workshop, part: str):
    runner = workshop.runner()
    error = refused(runner, part)
    assert error.code is Code.NO_RUN
    assert f"session://runs/{{id}}/{part}" in str(error)
    for number in range(2):
        elsewhere(runner, f"older {number}").begin()
    error = refused(runner, part)
    assert error.code is Code.AMBIGUOUS
    assert f"session://runs/{{id}}/{part}" in str(error)
    assert "session_id" not in str(error)


def test_a_text_that_several_runs_could_be_served_names_what_takes_a_run(workshop: Workshop):
    runner = workshop.runner()
    for number in range(2):
        elsewhere(runner, f"older {number}").begin()
    error = refused(runner, "handoff")
    assert error.code is Code.AMBIGUOUS
    assert "record_evidence" in str(error)
