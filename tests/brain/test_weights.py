"""Pheromone weights: what adds to them, how they fade, where they end; nothing is written while nobody looks."""

from datetime import UTC, datetime, timedelta

import pytest

from bigmind.brain.rules import bounded, inherited, weight_factor, weight_now
from tests.brain.agents import Agent, Brain

INSIGHT = "Learned: the payment gateway drops refunds over 500 EUR unless the idempotency key is set."
OTHER = "Learned: the nightly backup of Kestrel needs 40 GB free on /srv, because it copies first."
NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.mark.parametrize(
    ("hours", "weight"),
    [(0, 2.0), (1, 1.99), (2, 2 * 0.995**2), (24, 2 * 0.995**24), (0.5, 2 * 0.995**0.5), (100_000, 0.1), (-5, 2.0)],
)
def test_a_weight_fades_by_half_a_percent_an_hour_down_to_its_bound(hours: float, weight: float) -> None:
    assert weight_now(2.0, NOW, NOW + timedelta(hours=hours)) == pytest.approx(weight, abs=1e-12)


@pytest.mark.parametrize(
    ("given", "kept"), [(0.09, 0.1), (0.1, 0.1), (0.11, 0.11), (9.99, 9.99), (10, 10), (10.01, 10)]
)
def test_a_weight_stays_between_a_tenth_and_ten(given: float, kept: float) -> None:
    assert bounded(given) == kept


@pytest.mark.parametrize(
    ("sources", "begins"), [([1.0], 1.0), ([2.0], 1.0), ([2.02], 1.01), ([10.0], 5.0), ([3, 2], 1.25), ([2, 1], 1.0)]
)
def test_what_rests_on_others_begins_with_half_their_mean_and_at_least_one(sources: list[float], begins: float) -> None:
    assert inherited(sources) == pytest.approx(begins)


@pytest.mark.parametrize(("weight", "factor"), [(0.1, 0.9), (1, 1.0), (10, 1.1), (0.01, 0.9), (100, 1.1)])
def test_a_weight_counts_gently(weight: float, factor: float) -> None:
    assert weight_factor(weight) == pytest.approx(factor)


def test_a_new_thought_weighs_one_and_each_retrieval_adds_a_twentieth(brain: Brain, agent: Agent) -> None:
    thought = agent.learn(INSIGHT)
    assert brain.weight(thought) == 1.0
    assert agent.found("refunds idempotency") == [thought]
    assert brain.weight(thought) == pytest.approx(1.05)
    agent.ask("refunds idempotency")
    assert brain.weight(thought) == pytest.approx(1.10)
    agent.ask("xylophone")  # finds nothing
    assert brain.weight(thought) == pytest.approx(1.10)
    assert (brain.reads(thought), agent.thought(thought)["access_count"]) == (2, 2)


def test_a_retrieval_adds_to_what_is_left(brain: Brain, agent: Agent) -> None:
    thought = agent.learn(INSIGHT)
    brain.weigh(thought, 4.0)
    brain.clock.forward(hours=48)
    agent.ask("refunds idempotency")
    assert brain.weight(thought) == pytest.approx(4.0 * 0.995**48 + 0.05)


@pytest.mark.parametrize(("before", "after"), [(9.94, 9.99), (9.95, 10.0), (9.97, 10.0), (0.1, 0.15)])
def test_no_retrieval_lifts_a_weight_above_ten(brain: Brain, agent: Agent, before: float, after: float) -> None:
    thought = agent.learn(INSIGHT)
    brain.weigh(thought, before)
    agent.ask("refunds idempotency")
    assert brain.weight(thought) == pytest.approx(after)


def test_a_contribution_adds_a_fiftieth_to_what_its_session_had_been_shown_before(brain: Brain, agent: Agent) -> None:
    shown, unseen = agent.learn(INSIGHT), agent.learn(OTHER)
    session = agent.ask("refunds idempotency")["trace"]["session_id"]
    agent.ask("refunds idempotency", session_id=session)
    agent.ask("backup of Kestrel")  # in another session
    brain.weigh(shown, 2.0)
    brain.weigh(unseen, 2.0)
    agent.contribute("Decided on 4 March: invoices are numbered by year, as the auditors asked.", session_id=session)
    assert (brain.weight(shown), brain.weight(unseen)) == pytest.approx((2.02, 2.0))


def test_what_is_not_stored_adds_nothing_to_what_was_shown(brain: Brain, agent: Agent) -> None:
    shown = agent.learn(INSIGHT)
    session = agent.ask("refunds idempotency")["trace"]["session_id"]
    brain.weigh(shown, 2.0)
    agent.contribute("Which numbers do the invoices of the last quarter of the year have?", session_id=session)
    assert brain.weight(shown) == pytest.approx(2.0)


def test_what_a_contribution_itself_brings_back_is_read_and_not_shown_before(brain: Brain, agent: Agent) -> None:
    known = agent.learn(INSIGHT)
    agent.contribute("Refunds over 900 EUR wait for a second idempotency check of the payment gateway since May.")
    assert brain.weight(known) == pytest.approx(1.05)


def test_a_year_later_the_weight_is_that_of_the_formula_and_no_row_was_written(brain: Brain, agent: Agent) -> None:
    thought = agent.learn(INSIGHT)
    brain.weigh(thought, 10.0)
    before = (brain.rows("SELECT * FROM thought_use"), brain.inside.everything())
    for days in (1, 30, 334):
        brain.clock.forward(days=days)
        hours = (brain.clock.now - datetime(2026, 3, 1, 12, tzinfo=UTC)).total_seconds() / 3600
        expected = max(0.1, 10 * 0.995**hours)
        assert agent.thought(thought)["pheromone_weight"] == pytest.approx(expected, abs=1e-4)
    assert expected == 0.1
    assert (brain.rows("SELECT * FROM thought_use"), brain.inside.everything()) == before
