"""Lineage: ten steps each way, each thought once, and of others only what they share."""

from typing import Any

import pytest

from tests.brain.agents import Agent, Brain

FIRST = "Learned: the Plover queue is drained at 02:00, because the invoices are written then."
PARTS = (
    *("by the crew of the harbor", "after the audit in May", "for tenants in Norway", "with 40 workers"),
    *("since the cable was cut", "behind a feature switch", "under the new contract", "without any downtime"),
    *("as Mara measured it", "for mail over 20 MB", "in the Zurich region", "before each release"),
)


def chain(agent: Agent, length: int, **more: Any) -> list[str]:
    """Thoughts that refine one another, oldest first."""
    found = [agent.learn(FIRST, **more)]
    for part in PARTS[: length - 1]:
        found.append(agent.learn(f"The Plover queue is drained {part}.", refines=found[-1]))
    return found


def test_ancestors_and_descendants_are_told_ten_deep_and_no_deeper(agent: Agent) -> None:
    thoughts = chain(agent, 13)
    newest, oldest = agent("brain_get_lineage", id=thoughts[-1]), agent("brain_get_lineage", id=thoughts[0])
    assert [each["thought_id"] for each in newest["ancestors"]] == thoughts[-2:1:-1]
    assert [each["depth"] for each in newest["ancestors"]] == list(range(1, 11))
    assert [each["thought_id"] for each in oldest["descendants"]] == thoughts[1:11]
    assert (newest["descendants"], oldest["ancestors"]) == ([], [])
    within = agent("brain_get_lineage", id=thoughts[10])
    assert (len(within["ancestors"]), len(within["descendants"])) == (10, 2)
    assert {each["relation"] for each in within["ancestors"]} == {"refines"}


def test_a_thought_stands_once_by_its_shortest_way(agent: Agent) -> None:
    first, second = chain(agent, 2)
    other = agent.learn("Learned: the Dunlin queue is drained at 04:00, because backups are over then.")
    both = agent.learn(
        "All queues are drained before 05:00 by one job since 9 March.", consolidates=[first, second, other]
    )
    told = agent("brain_get_lineage", id=both)["ancestors"]
    assert {(each["thought_id"], each["depth"]) for each in told} == {(first, 1), (second, 1), (other, 1)}
    told = agent("brain_get_lineage", id=first)["descendants"]
    assert {(each["thought_id"], each["depth"], each["relation"]) for each in told} == {
        (second, 1, "refines"),
        (both, 1, "consolidates"),
    }


@pytest.mark.parametrize("relation", ["refines", "consolidates", "supersedes"])
def test_others_do_not_learn_of_private_relatives(brain: Brain, agent: Agent, relation: str) -> None:
    first, other = chain(agent, 1)[0], agent.learn("Learned: the Dunlin queue is drained at 04:00 after all backups.")
    given: Any = first if relation == "refines" else [first, other] if relation == "consolidates" else [first]
    text = "Drained twice a day since the merger, which nobody outside may know of before April."
    private = agent.learn(text, space="private", **{relation: given})
    bob = brain.agent(user="bob")
    assert bob("brain_get_lineage", id=first) == {
        **bob("brain_get_lineage", id=first),
        "ancestors": [],
        "descendants": [],
    }
    assert bob.refused("brain_get_lineage", id=private).code == "not_found"
    told = bob.thought(first)
    assert (told["superseded"], told["refined_by"]) == (False, None)
    [source] = [each for each in bob.sources("Plover queue drained") if each["thought_id"] == first]
    assert (source["superseded"], source["refined_by"]) == (False, None)
    assert agent.thought(first)["refined_by"] == private
    assert [each["thought_id"] for each in agent("brain_get_lineage", id=first)["descendants"]] == [private]
    agent("brain_share_thought", id=private)
    assert [each["thought_id"] for each in bob("brain_get_lineage", id=first)["descendants"]] == [private]


def test_what_hangs_on_a_private_relative_alone_is_not_told_either(brain: Brain, agent: Agent) -> None:
    first = chain(agent, 1)[0]
    private = agent.learn("Drained twice a day since the merger, says Mara.", refines=first, space="private")
    last = agent.learn("Drained three times a day since 4 April, says Mara.", refines=private, space="shared")
    bob = brain.agent(user="bob")
    assert bob("brain_get_lineage", id=last)["ancestors"] == []
    assert bob("brain_get_lineage", id=first)["descendants"] == []
    assert [each["thought_id"] for each in agent("brain_get_lineage", id=last)["ancestors"]] == [private, first]


def test_a_thought_that_is_named_as_related_to_itself_is_left_out_and_that_is_said(agent: Agent) -> None:
    first = agent.learn("Learned: the Plover queue is drained at 02:00, before all backups.")
    other = agent.learn("Learned: the Sanderling queue is drained at 05:00, after all backups.")
    told = agent("brain_update_thought", id=first, related=[first[:8], other])
    assert told["related"] == [other]
    assert told["note"] == "Described anew. A thought is not related to itself: that was left out of related."
    assert agent("brain_update_thought", id=first, related=[other])["note"] == "Described anew."


def test_related_thoughts_are_so_both_ways_and_no_lineage(brain: Brain, agent: Agent) -> None:
    first = chain(agent, 1)[0]
    other = agent.learn("Learned: the Dunlin queue is drained at 04:00 after all backups.", related=[first])
    assert (agent.thought(first)["related"], agent.thought(other)["related"]) == ([other], [first])
    assert agent("brain_get_lineage", id=first)["descendants"] == []
    hidden = agent.learn("Learned: the Godwit queue is drained by hand, by Mara.", related=[first], space="private")
    assert brain.agent(user="bob").thought(first)["related"] == [other]
    assert set(agent.thought(first)["related"]) == {other, hidden}


def test_what_a_person_marked_as_noise_is_told_to_no_agent(brain: Brain, agent: Agent) -> None:
    """It was told whole, without a word of it, to whoever had its id from an answer or from a lineage."""
    first, second = chain(agent, 2)
    brain.run("UPDATE thought SET noise_at = created_at WHERE uid = :uid", uid=first)
    refused = agent.refused("brain_get_thought", id=first)
    assert (refused.code, "out of answers, as noise" in str(refused)) == ("not_found", True)
    assert "Plover" not in str(refused)
    assert agent.refused("brain_update_thought", id=first).code == "not_found"
    (before,) = agent("brain_get_lineage", id=second)["ancestors"]
    assert (before["thought_id"], before["content_preview"]) == (first, "")
    assert agent.thought(second)["content"]
