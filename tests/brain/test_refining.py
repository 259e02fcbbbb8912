"""What a refinement and a consolidation take over, weigh and exclude; and what a correction does."""

from typing import Any

import pytest

from tests.brain.agents import Agent, Brain

SOURCE = "The Curlew service as of 12 February: rate limits are at 100 a minute. Next: raise them."
OTHER = "Learned: the Curlew service answers 429 with a wait of 30 seconds, because of its bucket."
ABOUT: dict[str, Any] = {
    "topic": "limits/curlew",
    "category": "state_snapshot",
    "tags": ["limits", "curlew"],
    "temporal_scope": "2026-02-12",
    "source_ref": {"type": "task", "value": "LIM-7", "project": "edge"},
}


def test_a_refinement_takes_over_what_is_not_given_and_is_of_today(brain: Brain, agent: Agent) -> None:
    source = agent.learn(SOURCE, **ABOUT)
    brain.clock.forward(days=3)
    told = agent.thought(agent.learn("Rate limits are at 300 a minute.", refines=source))
    assert told["thought_type"] == "refinement"
    assert (told["topic"], told["thought_category"]) == ("limits/curlew", "state_snapshot")
    assert set(told["tags"]) == {"limits", "curlew"}
    assert told["source_ref"] == {"type": "task", "value": "LIM-7", "project": "edge"}
    assert told["temporal_scope"] == "2026-03-04"
    assert told["refines"] == [source]


def test_a_snapshot_beside_an_older_one_names_it_with_the_call_that_completes_it(agent: Agent) -> None:
    older = agent.learn(SOURCE, **ABOUT)
    told = agent.contribute("The Curlew service as of 2 April: rate limits are at 700 a minute.", **ABOUT)
    newer, advice = told["trace"]["thought_id"], " ".join(told["result"]["guidance"])
    assert told["trace"]["quality_flags"] == ["missing_fields"]
    assert "Not found in this state_snapshot: supersedes." in advice
    assert f"The older snapshot of its topic is {older[:8]}." in advice
    call = f"contribute_to_brain(refines={newer[:8]}, supersedes=[{older[:8]}])"
    assert call in advice
    whole = agent.contribute("Limits stay at 700 through May.", refines=newer[:8], supersedes=[older[:8]])
    assert whole["trace"]["lineage_summary"]["supersedes"] == [older]
    assert not {"missing_fields"} & {*whole["trace"]["quality_flags"]}


def test_only_a_snapshots_date_becomes_today(agent: Agent) -> None:
    source = agent.learn(OTHER, **{**ABOUT, "category": "operational_learning"})
    assert agent.thought(agent.learn("The wait is 60 seconds.", refines=source))["temporal_scope"] == "2026-02-12"


def test_what_is_given_is_not_taken_over(agent: Agent) -> None:
    given = {
        "topic": "limits/all",
        "tags": ["edge"],
        "temporal_scope": "2026-02-20",
        "category": "operational_learning",
    }
    reference = {"type": "url", "value": "https://curlew.example/limits"}
    source = agent.learn(SOURCE, **ABOUT)
    told = agent.thought(agent.learn("Limits differ by plan.", refines=source, source_ref=reference, **given))
    assert (told["topic"], told["tags"], told["temporal_scope"]) == ("limits/all", ["edge"], "2026-02-20")
    assert told["thought_category"] == "operational_learning"
    assert told["source_ref"] == {**reference, "project": ""}


@pytest.mark.parametrize(
    ("weight", "begins"), [(1.0, 1.0), (1.98, 1.0), (2.0, 1.0), (2.02, 1.01), (10.0, 5.0), (0.1, 1.0)]
)
def test_a_refinement_begins_with_half_the_weight_and_at_least_one(
    brain: Brain, agent: Agent, weight: float, begins: float
) -> None:
    source = agent.learn(SOURCE)
    brain.weigh(source, weight)
    assert brain.weight(agent.learn("Limits differ by plan.", refines=source)) == pytest.approx(begins)


@pytest.mark.parametrize(
    ("weights", "begins"), [((1.0, 2.9), 1.0), ((1.0, 3.0), 1.0), ((1.0, 3.1), 1.025), ((10.0, 10.0), 5.0)]
)
def test_a_consolidation_begins_with_half_the_mean_and_at_least_one(
    brain: Brain, agent: Agent, weights: tuple[float, float], begins: float
) -> None:
    sources = [agent.learn(SOURCE), agent.learn(OTHER)]
    for source, weight in zip(sources, weights, strict=True):
        brain.weigh(source, weight)
    thought = agent.learn("Plans decide about limits and waits.", consolidates=sources)
    assert brain.weight(thought) == pytest.approx(begins)
    assert (agent.thought(thought)["thought_type"], agent.thought(thought)["consolidates"]) == (
        "consolidation",
        sources,
    )


def test_a_weight_that_faded_is_inherited_as_it_is_now(brain: Brain, agent: Agent) -> None:
    source = agent.learn(SOURCE)
    brain.weigh(source, 10.0)
    brain.clock.forward(hours=100)
    refinement = agent.learn("Limits differ by plan.", refines=source)
    assert brain.weight(refinement) == pytest.approx(5 * 0.995**100)


def test_refining_and_consolidating_exclude_each_other(brain: Brain, agent: Agent) -> None:
    sources = [agent.learn(SOURCE), agent.learn(OTHER)]
    error = agent.refused("contribute_to_brain", prompt="Limits differ.", refines=sources[0], consolidates=sources)
    assert error.code == "mutual_exclusion"
    assert len(brain.log()) == 2


def test_a_consolidation_has_two_sources_at_least(brain: Brain, agent: Agent) -> None:
    source = agent.learn(SOURCE)
    for given in ([source], [source, source], [source, source[:8]]):
        assert (
            agent.refused("contribute_to_brain", prompt="Plans decide.", consolidates=given).code == "min_consolidation"
        )
    assert len(brain.log()) == 1
    assert agent.learn("Plans decide.", consolidates=[source, agent.learn(OTHER)])


def test_what_refines_or_consolidates_is_stored_whatever_it_looks_like(agent: Agent) -> None:
    source = agent.learn(SOURCE)
    for text in (
        "It is 300 now.",
        "Why is it 300 a minute for the largest of all plans, and not 500?",
        "You said 300.",
    ):
        assert agent.contribute(text, refines=source)["trace"]["thought_id"]


def test_a_correction_supersedes_and_is_one_by_its_two_facts(agent: Agent) -> None:
    source = agent.learn(SOURCE)
    text = "The limits of Curlew are 100 a second and not 100 a minute; the dashboard had the wrong unit."
    facts = {"corrected_fact": "limits are 100 a minute", "correct_fact": "limits are 100 a second"}
    correction = agent.learn(text, supersedes=[source], **facts)
    told = agent.thought(correction)
    assert (told["thought_category"], told["supersedes"], told["thought_type"]) == ("correction", [source], "original")
    assert (told["corrected_fact"], told["correct_fact"]) == tuple(facts.values())
    assert agent.thought(source)["superseded"]
    assert agent.found("Curlew limits minute")[:2] == [correction, source]


@pytest.mark.parametrize("relation", ["refines", "consolidates", "supersedes", "related"])
def test_nobody_builds_on_what_they_may_not_read(brain: Brain, agent: Agent, relation: str) -> None:
    private, mine = agent.learn(SOURCE, space="private"), brain.agent(user="bob").learn(OTHER)
    given: Any = private if relation == "refines" else [private, mine] if relation == "consolidates" else [private]
    bob = brain.agent(user="bob")
    assert bob.refused("contribute_to_brain", prompt=OTHER, **{relation: given}).code == "not_found"


def test_what_rests_on_a_private_thought_is_private_unless_it_says_otherwise(agent: Agent) -> None:
    private = agent.learn(SOURCE, space="private")
    assert agent.thought(agent.learn("Limits differ by plan.", refines=private))["space"] == "private"
    assert agent.thought(agent.learn("Limits differ by tenant.", refines=private, space="shared"))["space"] == "shared"
    assert agent.thought(agent.learn(OTHER))["space"] == "shared"


def test_a_correction_is_named_before_a_refinement_and_who_refines_what_was_corrected_is_told(agent: Agent) -> None:
    source = agent.learn("Learned: the Curlew export runs at 02:00, because the invoices are written then.")
    facts = {"corrected_fact": "the export runs at 02:00", "correct_fact": "the export runs at 04:00"}
    text = "The Curlew export runs at 04:00 and not at 02:00, since the invoices of Norway came."
    correction = agent.learn(text, supersedes=[source], **facts)
    answer = agent.contribute("The Curlew export runs at 02:00 on two workers.", refines=source)
    told = f"It builds on {source[:8]}, which {correction[:8]} corrects: check which of the two holds."
    assert told in answer["result"]["guidance"]
    refinement = answer["trace"]["thought_id"]
    assert agent.thought(source)["refined_by"] == correction
    sources = {each["thought_id"]: each["refined_by"] for each in agent.ask("Curlew export")["result"]["sources"]}
    assert sources[source] == correction
    with_both = agent.contribute("It runs on four workers.", refines=refinement)["result"]["guidance"]
    assert not any("corrects" in each for each in with_both)
    assert agent.thought(refinement)["refined_by"] != correction


def test_what_was_just_merged_or_refined_is_not_proposed_to_be_merged(agent: Agent) -> None:
    """Whoever did what the guidance proposed was told to do it again."""
    about = {"topic": "limits/curlew", "category": "operational_learning"}
    found = [
        f"Learned: the Curlew service answers 429 {why}, as its log shows."
        for why in ("at noon", "after 5 tries", "on Sundays")
    ]
    short = [agent.learn(each, **about) for each in found]
    told = agent.ask("When does the Curlew service answer 429?")["result"]["guidance"]
    assert "Consider consolidating" in " ".join(told)
    merged = "The Curlew service answers 429 at noon, on Sundays, and after 5 tries."
    told = agent.contribute(merged, consolidates=short, **about)["result"]["guidance"]
    assert "Consider consolidating" not in " ".join(told)
