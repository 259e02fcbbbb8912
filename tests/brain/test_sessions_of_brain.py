"""Brain sessions: whose they are, how long they go on, and what is said of ids that are none."""

import re
from datetime import timedelta

import pytest

from bigmind.store.restore_time import RESTORED_AT
from tests.brain.agents import Agent, Brain

NEW = "a new one began"


def session_of(answer: dict) -> str:
    return answer["trace"]["session_id"]


def guidance(answer: dict) -> str:
    return " ".join(answer["result"]["guidance"])


def test_a_session_is_issued_and_goes_on(brain: Brain, agent: Agent) -> None:
    first = agent.ask("What is known of refunds?")
    session = session_of(first)
    assert re.fullmatch(r"q-[a-z0-9]{12}", session)
    assert session_of(agent.ask("And of invoices?", session_id=session)) == session
    stored = agent.contribute(
        "Learned: invoices are numbered by year since 2024, as the auditors asked.", session_id=session
    )
    assert session_of(stored) == session
    assert session_of(agent.ask("And of discounts?")) != session
    assert brain.rows("SELECT count(*) FROM brain_session") == [(2,)]


@pytest.mark.parametrize(
    ("later", "goes_on"),
    [
        (timedelta(hours=24) - timedelta(seconds=1), True),
        (timedelta(hours=24), True),
        (timedelta(hours=24, seconds=1), False),
    ],
)
def test_a_session_goes_on_until_24_hours_after_its_last_use(
    brain: Brain, agent: Agent, later: timedelta, goes_on: bool
) -> None:
    session = session_of(agent.ask("What is known of refunds?"))
    brain.clock.now += timedelta(hours=20)
    assert session_of(agent.ask("And of invoices?", session_id=session)) == session
    brain.clock.now += later
    answer = agent.ask("And of discounts?", session_id=session)
    assert (session_of(answer) == session) is goes_on
    assert (NEW in guidance(answer)) is not goes_on


@pytest.mark.parametrize("operation", ["query_brain", "contribute_to_brain"])
@pytest.mark.parametrize("unknown", ["q-222222222222", "yesterday's", "q-"])
def test_an_id_that_was_never_issued_is_refused(brain: Brain, agent: Agent, operation: str, unknown: str) -> None:
    error = agent.refused(operation, prompt="What is known of refunds?", session_id=unknown)
    assert error.code == "session_not_found"
    assert "backup was restored" not in str(error)
    assert brain.log() == []


def test_another_agents_session_is_refused_also_of_the_same_user_and_the_same_name(brain: Brain, agent: Agent) -> None:
    session = session_of(agent.ask("What is known of refunds?"))
    for other in (brain.agent("another"), brain.agent("tester", "bob")):
        assert other.refused("query_brain", prompt="And mine?", session_id=session).code == "session_not_found"
    assert len(brain.log()) == 1


def test_the_id_of_a_memory_session_is_named_as_what_it_is(agent: Agent) -> None:
    memory_session = agent("memory_start_session", project="pay")["session_id"]
    error = agent.refused("query_brain", prompt="What is known of refunds?", session_id=memory_session)
    assert error.code == "session_not_found"
    assert "memory session" in str(error)


def test_after_a_restore_that_is_named_as_the_reason(brain: Brain, agent: Agent) -> None:
    brain.run(
        "INSERT INTO store_property (name, value) VALUES (:name, :at)", name=RESTORED_AT, at="2026-03-01T11:00:00+00:00"
    )
    error = agent.refused("query_brain", prompt="What is known of refunds?", session_id="q-222222222222")
    assert error.code == "session_not_found"
    assert "backup was restored" in str(error)
    brain.run("DELETE FROM store_property WHERE name = :name", name=RESTORED_AT)


def test_an_agent_is_welcomed_at_its_first_contact_only(brain: Brain, agent: Agent) -> None:
    assert "Welcome" in guidance(agent.ask("What is known of refunds?"))
    assert "Welcome" not in guidance(agent.ask("What is known of refunds?"))
    assert "Welcome" in guidance(brain.agent("another").contribute("short"))
