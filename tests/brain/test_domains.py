"""Domains: three living thoughts of one first part of topics, and the newest summary of it."""

import pytest

from tests.brain.agents import Agent, Brain

TEXTS = (
    "Learned: refunds over 500 EUR need a key, because the gateway retries.",
    "Learned: disputes close after 45 days, as the card networks ask for it.",
    "Learned: payouts leave at 17:00, because the bank takes files until 18:00.",
    "Learned: invoices are numbered by year, as the auditors asked in 2024.",
)
TOPICS = ("pay/refunds", "pay/disputes", "pay", "pay/invoices/numbers")


def domains(agent: Agent) -> dict[str, int]:
    return {each["domain"]: each["thoughts"] for each in agent("brain_list_domains")["domains"]}


@pytest.mark.parametrize(("thoughts", "known"), [(2, {}), (3, {"pay": 3}), (4, {"pay": 4})])
def test_three_living_thoughts_make_a_domain(agent: Agent, thoughts: int, known: dict[str, int]) -> None:
    for text, topic in list(zip(TEXTS, TOPICS, strict=True))[:thoughts]:
        agent.learn(text, topic=topic)
    assert domains(agent) == known


def test_only_what_lives_counts(brain: Brain, agent: Agent) -> None:
    thoughts = [agent.learn(text, topic=topic) for text, topic in zip(TEXTS, TOPICS, strict=True)]
    agent.learn("Learned: payday is the 25th of each month, says the contract of 2019.", topic="payroll")
    brain.run("UPDATE thought SET noise_at = created_at WHERE uid = :uid", uid=thoughts[0])
    assert domains(agent) == {"pay": 3}
    agent.learn("Disputes close after 60 days.", refines=thoughts[1], topic="cards")
    assert domains(agent) == {}


def test_a_private_thought_counts_for_its_users_agents_alone(brain: Brain, agent: Agent) -> None:
    for text, topic, space in zip(TEXTS[:3], TOPICS[:3], ("shared", "shared", "private"), strict=True):
        agent.learn(text, topic=topic, space=space)
    assert domains(agent) == {"pay": 3}
    assert domains(brain.agent("another")) == {"pay": 3}
    assert domains(brain.agent(user="bob")) == {}


def test_the_newest_summary_is_told(brain: Brain, agent: Agent) -> None:
    for text, topic in zip(TEXTS, TOPICS, strict=True):
        agent.learn(text, topic=topic)
    for year in (2025, 2026):
        text = f"Payments in short, as of {year}: keys for refunds, disputes, payouts and invoices."
        brain.clock.forward(hours=1)
        summary = agent.learn(text, topic="pay", category="domain_summary")
    [told] = agent("brain_list_domains")["domains"]
    assert (told["summary_id"], told["thoughts"]) == (summary, 6)
    assert told["summary"].startswith("Payments in short, as of 2026")
