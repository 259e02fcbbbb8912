"""A run from its start to its end, as an agent goes through it."""

from tests.mcp.manifest import shows
from tests.protocol.workshop import Workshop


@shows("session_start.begins", "session_end.completes", "advance_phase.moves")
def test_a_run_goes_from_start_to_complete(workshop: Workshop):
    runner = workshop.runner()
    begun = runner.begin()
    assert begun.phase == "INIT"
    assert begun.session_id.endswith("-session-01")
    assert {each.phase for each in begun.blocked_until} == {"CONTEXT_RETRIEVAL", "SESSION_LOG"}
    assert runner.to_work().success
    runner.do_work()
    runner.report()
    commit = runner.place.commit("Round refunds")
    ended = runner("session_end", summary="Refunds are rounded.", next_session_notes="Test yen next.")
    assert ended.status == "COMPLETE", ended.in_words()
    assert ended.violations == []
    assert ended.commit_sha == commit
    assert ended.handoff_updated


def test_the_next_run_knows_the_notes_of_the_first(workshop: Workshop):
    runner = workshop.runner()
    assert runner.whole().status == "COMPLETE"
    second = workshop.runner(runner.place, "cursor").begin("Round yen")
    assert second.session_id.endswith("-session-02")
    assert second.last.next_session_notes == "Test yen next."
    assert "Test yen next." in second.in_words()
