"""Filters that leave nothing alike are dropped one by one: category, tags, topic; never the space, never the owner."""

import unicodedata
from typing import Any

import pytest

from bigmind.brain.finding.retrieval import Question, predicates, retrieve
from tests.brain.agents import Agent, Brain
from tests.brain.nearness import FIRST_AXIS, measure_vectors, stored, vector_at
from tests.memory.living import Memory

OSPREY = "Learned: the Osprey broker keeps 7 days of messages, because audits ask for a week."
FILTERS: dict[str, Any] = {"category": "decision_record", "tags": ["kafka"], "topic": "queue/osprey"}


def operations(agent: Agent, **filters: Any) -> list[str]:
    return [each for each in agent.ask("Osprey broker", **filters)["trace"]["operations"] if each != "search"]


@pytest.mark.parametrize(
    ("described", "dropped"),
    [
        (FILTERS, []),
        ({**FILTERS, "category": "operational_learning"}, ["relaxed:category"]),
        ({"topic": "queue/osprey", "tags": ["rabbit"]}, ["relaxed:category", "relaxed:tags"]),
        ({"topic": "queue", "tags": ["rabbit"]}, ["relaxed:category", "relaxed:tags", "relaxed:topic"]),
        ({**FILTERS, "tags": ["rabbit"]}, ["relaxed:category", "relaxed:tags"]),
        ({**FILTERS, "topic": "queue/osprey/audits"}, []),
    ],
)
def test_filters_are_dropped_in_their_order_until_something_is_alike(
    agent: Agent, described: dict[str, Any], dropped: list[str]
) -> None:
    thought = agent.learn(OSPREY, **described)
    answer = agent.ask("Osprey broker", **FILTERS)
    assert [each["thought_id"] for each in answer["result"]["sources"]] == [thought]
    assert answer["trace"]["operations"] == ["search", *dropped]
    names = ", ".join(each.removeprefix("relaxed:") for each in dropped)
    assert (f"without {names}" in answer["result"]["response"]) is bool(dropped)


def test_only_filters_that_were_given_are_named(agent: Agent) -> None:
    agent.learn(OSPREY)
    assert operations(agent) == []
    assert operations(agent, tags=["kafka"]) == ["relaxed:tags"]
    assert operations(agent, topic="queue", category="decision_record") == ["relaxed:category", "relaxed:topic"]


def test_what_is_said_of_dropped_filters_agrees_with_what_was_found(agent: Agent) -> None:
    def told(prompt: str, **filters: Any) -> str:
        return agent.ask(prompt, **filters)["result"]["response"]

    assert told("Osprey broker", topic="queue", tags=["kafka"]) == "Nothing answers, even without tags, topic."
    agent.learn(OSPREY, topic="queue/osprey")
    heron = agent.learn("The Heron gateway closes idle connections after 5 minutes.", topic="gateway")
    answer = agent.ask("Heron gateway connections", topic="queue/osprey")
    assert answer["result"]["sources"][0]["thought_id"] == heron
    said = "Nothing that fits all filters answers well: without topic this was found."
    assert answer["result"]["response"].endswith(said)


def test_the_space_is_never_dropped_nor_whose_it_is(brain: Brain, agent: Agent) -> None:
    shared = agent.learn(OSPREY)
    mine = agent.learn(
        "Learned: the Osprey broker of the lab keeps 2 days only, for its disk is small.", space="private"
    )
    assert agent.found("Osprey broker", space="private", topic="nowhere") == [mine]
    assert agent.found("Osprey broker", space="shared", topic="nowhere") == [shared]
    bob = brain.agent(user="bob")
    assert bob.found("Osprey broker", topic="nowhere") == [shared]
    assert bob.found("Osprey broker", space="private", topic="nowhere") == []


@pytest.mark.parametrize(("similarity", "dropped"), [(0.495, ("category",)), (0.501, ()), (0.51, ())])
def test_below_a_similarity_of_a_half_the_first_filter_goes(
    memory: Memory, similarity: float, dropped: tuple[str, ...]
) -> None:
    nearest = {"category": "correction", "topic": "queue"}
    stored(memory, "Far in words.", vector_at(similarity), **nearest)
    stored(memory, "The very thing.", FIRST_AXIS, **{**nearest, "category": "uncategorized"})
    measure_vectors(memory)
    with memory.mind.store.read(memory.caller, "test") as work:
        found = retrieve(work, Question("Osprey", category="correction", topic="queue"))
    assert found.dropped == dropped
    assert (max(each.similarity for each in found.sources) == 1.0) is bool(dropped)


def test_what_narrows_is_as_many_conditions_as_filters() -> None:
    asked = Question("Osprey", topic="queue", category="correction", tags=("a", "b"), space="shared")
    assert len(predicates(asked)) == 5
    assert len(predicates(asked, without={"category", "tags", "topic"})) == 1


def test_the_topics_newest_living_snapshot_comes_first(brain: Brain, agent: Agent) -> None:
    about = {"topic": "queue/osprey", "category": "state_snapshot"}
    older = agent.learn(
        "Osprey as of 1 March: seven days are kept, the disk is half full.", temporal_scope="2026-03-01", **about
    )
    text = "The migration of all messages as of 3 March waits for the new disks."
    newest = agent.learn(text, temporal_scope="2026-03-03", **about)
    agent.learn(OSPREY, topic="queue/osprey")
    assert agent.found("Osprey broker", topic="queue/osprey")[0] == newest
    assert newest not in agent.found("Osprey broker keeps")[:1]
    refined = agent.learn("The migration is done as of 5 March.", refines=older)
    assert (
        agent.found("Osprey broker", topic="queue/osprey")[0] == newest
    )  # today's is of 1 March, the newest of the 3rd
    brain.clock.forward(days=4)
    again = agent.learn("The old disks are gone since 4 March.", refines=refined)
    assert agent.found("Osprey broker", topic="queue/osprey")[0] == again


def test_a_topic_is_the_same_however_its_letters_are_composed(agent: Agent) -> None:
    """As a file name of macOS gives it, `größe` was another topic than the one that a model writes."""
    agent.learn(OSPREY, topic=unicodedata.normalize("NFD", "Größe/Köln"), category="decision_record", tags=["kafka"])
    assert operations(agent, topic="größe/köln") == []


def test_matching_fields_say_by_what_a_source_was_found(agent: Agent) -> None:
    agent.learn(OSPREY, topic="queue/osprey", tags=["kafka"], category="operational_learning")
    [source] = agent.sources("Osprey broker kafka", topic="queue", category="operational_learning")
    assert source["matching_fields"] == ["topic", "category", "tags", "words"]
    assert source["matching_reason"] == "topic match + category match + tags match + words match"
    [source] = agent.sources("which messages does the broker keep, as of 1 March 2026")
    assert {"words", "time"} <= set(source["matching_fields"])


@pytest.mark.parametrize("prompt", ["how far are we?", "what is going on"])
def test_a_topics_snapshot_comes_first_where_no_word_of_it_answers_too(brain: Brain, agent: Agent, prompt: str) -> None:
    about = {"topic": "pay/core", "category": "state_snapshot"}
    agent.learn("Ledger split, as of 27 February: the schema was agreed on.", temporal_scope="2026-02-27", **about)
    text = "Ledger split, as of 2 March: reads go to the new tables."
    newest = agent.learn(text, temporal_scope="2026-03-02", **about)
    kept = {**about, "temporal_scope": "2026-03-05", "space": "private"}
    brain.agent(user="bob").learn("Ledger split, as of 5 March: Bob alone knows of this.", **kept)
    answer = agent.ask(prompt, topic="pay/core")["result"]
    assert answer["sources"][0]["thought_id"] == newest
    assert not [each for each in answer["guidance"] if "Nothing is known" in each]


def test_where_a_topics_snapshot_alone_is_there_the_answer_says_so(memory: Memory) -> None:
    about = {"topic": "pay/core", "category": "state_snapshot", "temporal_scope": "2026-03-01"}
    newest = memory("contribute_to_brain", prompt="Ledger split, as of 1 March: all tables are copied.", **about)
    answer = memory("query_brain", prompt="how far are we?", topic="pay/core").result
    assert [each.thought_id for each in answer.sources] == [newest.trace.thought_id]
    assert "Nothing else answers: this is the newest snapshot of the topic." in answer.guidance
    assert answer.response.endswith("Nothing else answers, even without topic.")
    memory.as_person()("brain_mark_noise", id=newest.trace.thought_id)
    assert memory("query_brain", prompt="how far are we?", topic="pay/core").result.sources == []
