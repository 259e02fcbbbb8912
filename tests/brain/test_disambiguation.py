"""Where so much is found that the asker has to choose: ten hits, three tags, and the clusters that are told."""

import pytest

from bigmind.brain.finding.clusters import clusters
from bigmind.brain.finding.factors import Standing
from tests.brain.agents import Agent

NAMES = ("Ada", "Bo", "Cy", "Di", "Ed", "Flo", "Gus", "Hal", "Ida", "Jo", "Kim", "Lu")


def order(number: int) -> list[Standing]:
    return [Standing(key, 1 - key / 100) for key in range(number)]


@pytest.mark.parametrize(
    ("hits", "tags", "is_told"), [(9, 3, False), (10, 3, True), (11, 4, True), (10, 2, False), (12, 2, False)]
)
def test_ten_hits_across_three_tags_are_clustered(hits: int, tags: int, is_told: bool) -> None:
    found = clusters(order(hits), {key: [f"tag {key % tags}"] for key in range(hits)})
    assert bool(found) is is_told
    assert sum(len(each.keys) for each in found) == (hits if is_told else 0)


def test_only_what_answers_well_counts() -> None:
    assert clusters(order(12), {key: [f"tag {key % 3}"] for key in range(9)}) == []


def test_clusters_are_told_largest_first_and_of_equal_ones_that_with_the_best_thought() -> None:
    tags = {key: ["small" if key < 2 else "late" if key < 6 else "most"] for key in range(12)}
    assert [(each.tag, len(each.keys)) for each in clusters(order(12), tags)] == [
        ("most", 6),
        ("late", 4),
        ("small", 2),
    ]
    equal = {key: [("even", "odd", "third")[key % 3]] for key in range(12)}
    assert [each.tag for each in clusters(order(12), equal)] == ["even", "odd", "third"]


def test_a_thought_stands_in_the_cluster_of_its_most_frequent_tag() -> None:
    tags = {key: ["rare", "often"] if key == 0 else ["often" if key < 7 else "seldom"] for key in range(12)}
    assert [(each.tag, len(each.keys)) for each in clusters(order(12), tags)] == [("often", 7), ("seldom", 5)]


def fill(agent: Agent, counts: dict[str, int]) -> dict[str, str]:
    """So many thoughts of deployments with each tag; the tag of each."""
    names = iter(NAMES)
    return {
        agent.learn(
            f"Learned: a deployment by {(name := next(names))} at {10 + place} waits for {name}'s review.", tags=[tag]
        ): tag
        for place, tag in enumerate(tag for tag, count in counts.items() for _ in range(count))
    }


@pytest.mark.parametrize(
    ("counts", "is_told"),
    [
        ({"web": 3, "api": 3, "batch": 3}, False),
        ({"web": 3, "api": 3, "batch": 4}, True),
        ({"web": 5, "api": 5}, False),
    ],
)
def test_an_agent_is_told_the_clusters_and_gets_the_largest(
    agent: Agent, counts: dict[str, int], is_told: bool
) -> None:
    tags = fill(agent, counts)
    answer = agent.ask("deployment review", limit=8)
    told = answer["result"]["disambiguation"]
    assert ("disambiguate" in answer["trace"]["operations"]) is is_told
    sources = [tags[each["thought_id"]] for each in answer["result"]["sources"]]
    if is_told:
        assert {each["tag"]: each["count"] for each in told["clusters"]} == counts
        assert sources == ["batch"] * 4
        assert "batch" in answer["result"]["response"]
    else:
        assert told is None
        assert len(sources) == 8
    if is_told:
        chosen = agent.ask("deployment review", tags=["web"])
        assert chosen["result"]["disambiguation"] is None
        assert {tags[each["thought_id"]] for each in chosen["result"]["sources"]} == {"web"}


def test_what_superseded_a_source_stays_above_it_also_from_another_cluster(agent: Agent) -> None:
    tags = fill(agent, {"web": 3, "api": 3, "batch": 5})
    source = next(thought for thought, tag in tags.items() if tag == "batch")
    refinement = agent.learn(
        "A deployment needs a second review since 3 March, after the outage.", refines=source, tags=["web"]
    )
    answer = agent.ask("deployment review", limit=8)
    assert answer["result"]["disambiguation"] is not None
    found = [each["thought_id"] for each in answer["result"]["sources"]]
    assert source in found
    assert found.index(refinement) < found.index(source)
