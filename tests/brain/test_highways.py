"""Highways: what three reads by two agents make, near the question, best traffic first, and one of near equals."""

import pytest

from bigmind.brain.finding.highways import near_highways
from tests.brain.agents import Agent, Brain
from tests.brain.nearness import FIRST_AXIS, measure_vectors, stored, vector_at
from tests.memory.living import Memory

HERON = "Learned: the Heron cache is emptied at 03:00, because the feed is complete only then."
IBIS = "Learned: the Ibis cache is emptied at 04:00, as the feed of the Heron cache ends before."
FAR = "Decided on 4 March: invoices are numbered by year, as the auditors asked for."


def read(brain: Brain, question: str, *readers: str) -> None:
    for reader in readers:
        brain.agent(reader).ask(question)


def highways(brain: Brain) -> list[tuple[str, int, int]]:
    found = brain.person()("brain_list_highways")["highways"]
    return [(each["thought_id"], each["reads"], each["readers"]) for each in found]


@pytest.mark.parametrize(
    ("readers", "is_one"),
    [(("a", "b"), False), (("a", "b", "a"), True), (("a", "a", "a"), False), (("a", "a", "a", "b"), True)],
)
def test_three_reads_by_two_agents_make_a_highway(
    brain: Brain, agent: Agent, readers: tuple[str, ...], is_one: bool
) -> None:
    thought = agent.learn(HERON)
    read(brain, "Heron cache", *readers)
    assert highways(brain) == ([(thought, len(readers), 2)] if is_one else [])


def test_agents_of_one_name_of_two_users_are_two(brain: Brain, agent: Agent) -> None:
    thought = agent.learn(HERON)
    read(brain, "Heron cache", "a", "a")
    brain.agent("a", "bob").ask("Heron cache")
    assert highways(brain) == [(thought, 3, 2)]


def test_one_token_makes_no_highway_whatever_it_calls_itself_or_imports(brain: Brain, agent: Agent) -> None:
    thought, reader = agent.learn(HERON), brain.agent("a")
    read(brain, "Heron cache", "a", "a")
    for claimed in ("reviewer", "writer"):
        reader.http.get("/api/v1/memory", params={"prompt": "Heron cache", "agent_id": claimed}).raise_for_status()
    brain.run(
        "INSERT INTO thought_reader SELECT thought_id, user_id, 'import by a/other', 1, last_read_at"
        " FROM thought_reader WHERE client = 'a'"
    )
    assert agent.thought(thought)["accessed_by"] == ["a", "a/reviewer", "a/writer", "import by a/other"]
    assert highways(brain) == []
    read(brain, "Heron cache", "b")
    assert highways(brain) == [(thought, 5, 2)]


def test_best_traffic_comes_first(brain: Brain, agent: Agent) -> None:
    by_many, often = agent.learn(HERON), agent.learn(FAR)
    read(brain, "Heron cache", "a", "b", "c")  # 3 × 3
    read(brain, "invoices auditors", *["a"] * 3, "b")  # 4 × 2
    assert [each[0] for each in highways(brain)] == [by_many, often]
    read(brain, "invoices auditors", "a")  # 5 × 2
    assert [each[0] for each in highways(brain)] == [often, by_many]


def test_a_highway_near_the_question_is_told_beside_the_sources(brain: Brain, agent: Agent) -> None:
    ibis = agent.learn(IBIS)
    read(brain, "Heron feed cache", "a", "b", "c")
    heron = agent.learn(HERON)
    answer = agent.ask("Heron feed cache", limit=1)
    [source] = answer["result"]["sources"]
    nearby = [each["thought_id"] for each in answer["result"]["highways_nearby"]]
    assert {source["thought_id"], *nearby} == {ibis, heron} if nearby else source["thought_id"] == ibis
    assert agent.ask("invoices auditors")["result"]["highways_nearby"] == []


def test_what_is_superseded_noise_or_waits_for_a_person_is_no_highway(brain: Brain, agent: Agent) -> None:
    thought = agent.learn(HERON)
    read(brain, "Heron cache", "a", "b", "c")
    brain.run("UPDATE thought SET caution = 'tells its reader what to do'")
    assert highways(brain) == []
    brain.run("UPDATE thought SET caution = '', noise_at = created_at")
    assert highways(brain) == []
    brain.run("UPDATE thought SET noise_at = NULL")
    assert len(highways(brain)) == 1
    agent.learn("The Heron cache is emptied at 05:00 since the feed is slower, says its owner.", refines=thought)
    assert highways(brain) == []


@pytest.mark.parametrize(("similarity", "kept"), [(0.94, 2), (0.95, 2), (0.96, 1)])
def test_of_two_that_say_nearly_the_same_the_one_with_more_traffic_is_told(
    memory: Memory, similarity: float, kept: int
) -> None:
    keys = [stored(memory, HERON, FIRST_AXIS, reads=5), stored(memory, IBIS, vector_at(similarity), reads=3)]
    measure_vectors(memory)
    with memory.mind.store.read(memory.caller, "test") as work:
        both = near_highways(work, [(key, 0.9) for key in keys], set())
        assert [each.row.id for each in both] == keys[:kept]
        assert [each.row.id for each in near_highways(work, [(keys[0], 0.5), (keys[1], 0.49)], set())] == keys[:1]
        assert near_highways(work, [(key, 0.9) for key in keys], set(keys)) == []
