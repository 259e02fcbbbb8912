"""What lifts and lowers a thought in the order: each factor by itself, and as an agent sees it."""

import json
from datetime import timedelta
from typing import Any

import pytest

from bigmind.brain.finding.factors import Standing, factor, ordered
from bigmind.brain.rules import is_stale
from tests.brain.agents import NOON, Agent, Brain

FALCON = "Learned: the Falcon importer drops rows behind a quoted line break, because it splits lines first."
WARBLER = "Learned: the Warbler exporter needs 30 seconds for 10,000 rows, because it sorts them twice."
QUESTION = "Falcon importer zebra"
"""One of whose words stands in no thought: the similarity is below 1, so that a score can be lifted."""


def alone(**more: Any) -> float:
    return factor(Standing(1, 1.0, **more), frozenset({1}))


@pytest.mark.parametrize(
    ("what", "counts"),
    [
        ({}, 1.0),
        ({"superseded_by": frozenset({"refines"})}, 0.7),
        ({"superseded_by": frozenset({"consolidates"})}, 0.7),
        ({"superseded_by": frozenset({"supersedes"})}, 0.5),
        ({"superseded_by": frozenset({"refines", "supersedes"})}, 0.5),
        ({"flags": frozenset({"keyword_echo"})}, 0.8),
        ({"flags": frozenset({"near_duplicate"})}, 0.9),
        ({"flags": frozenset({"stale"}), "has_newer": True}, 0.8),
        ({"flags": frozenset({"stale"})}, 0.9),
        ({"has_newer": True}, 1.0),
        ({"flags": frozenset({"naked_statement", "missing_fields", "orphaned_reference"})}, 1.0),
        ({"flags": frozenset({"keyword_echo", "near_duplicate"})}, 0.72),
        ({"category": "correction"}, 1.3),
        ({"weight": 10.0}, 1.1),
        ({"weight": 0.1}, 0.9),
        ({"context": 1.0}, 1.15),
        ({"context": 0.5}, 1.075),
    ],
)
def test_each_factor_counts_what_is_written(what: dict[str, Any], counts: float) -> None:
    assert alone(**what) == pytest.approx(counts)


@pytest.mark.parametrize(("hits", "counts"), [({1, 2}, 1.2), ({1}, 1.0), ({1, 3}, 1.0)])
def test_a_refinement_is_lifted_beside_what_it_refines_only(hits: set[int], counts: float) -> None:
    assert factor(Standing(1, 1.0, refines=frozenset({2})), frozenset(hits)) == pytest.approx(counts)


def test_what_superseded_stands_above_however_little_it_fits() -> None:
    chain = [Standing(1, 1.0, weight=10.0), Standing(2, 0.1, flags=frozenset({"keyword_echo"})), Standing(3, 0.0)]
    order = ordered([*chain, Standing(4, 0.9)], {1: [2], 2: [3]})
    assert [each.key for each in order] == [3, 2, 1, 4]
    assert [each.score for each in order][:3] == [pytest.approx(1.1)] * 3


def test_the_order_is_that_of_the_scores_and_of_equal_ones_the_newest_first() -> None:
    assert [each.key for each in ordered([Standing(1, 0.5), Standing(2, 0.9), Standing(3, 0.5)], {})] == [2, 3, 1]


def test_successors_that_supersede_each_other_end() -> None:
    assert {each.key for each in ordered([Standing(1, 1.0), Standing(2, 0.5)], {1: [2], 2: [1]})} == {1, 2}


@pytest.mark.parametrize(("days", "is_so"), [(13, False), (14, False), (15, True)])
def test_a_snapshot_is_stale_after_two_weeks(days: int, is_so: bool) -> None:
    today = NOON.date()
    day = (today - timedelta(days=days)).isoformat()
    assert is_stale("state_snapshot", day, today) is is_so
    assert not is_stale("decision_record", day, today)
    assert not is_stale("state_snapshot", "", today)


def flag(brain: Brain, thought: str, *flags: str) -> None:
    brain.run("UPDATE thought SET flags = :flags WHERE uid = :uid", flags=json.dumps(flags), uid=thought)


def score(agent: Agent, thought: str, question: str = QUESTION) -> float:
    """What a thought scores when it weighs 1, as a share of how near the nearest hit is."""
    agent.brain.weigh(thought, 1.0)
    sources = agent.sources(question)
    nearest = max(each["similarity"] for each in sources)
    return next(each["score"] for each in sources if each["thought_id"] == thought) / nearest


@pytest.mark.parametrize(
    ("flags", "counts"),
    [((), 1.0), (("keyword_echo",), 0.8), (("near_duplicate",), 0.9), (("naked_statement", "missing_fields"), 1.0)],
)
def test_flags_lower_what_an_agent_is_given(brain: Brain, agent: Agent, flags: tuple[str, ...], counts: float) -> None:
    thought = agent.learn(FALCON)
    flag(brain, thought, *flags)
    assert score(agent, thought) == pytest.approx(counts, abs=0.02)
    assert agent.sources(QUESTION)[0]["quality_flags"] == list(flags)


@pytest.mark.parametrize(
    ("relation", "counts"),
    [
        ({"refines": "ID"}, 0.7),
        ({"consolidates": ["ID", "OTHER"]}, 0.7),
        ({"supersedes": ["ID"], "corrected_fact": "a line break drops rows", "correct_fact": "a tab does"}, 0.5),
        ({"related": ["ID"]}, 1.0),
    ],
)
def test_what_is_superseded_counts_less(agent: Agent, relation: dict[str, Any], counts: float) -> None:
    thought, other = agent.learn(FALCON), agent.learn(WARBLER)
    names = {"ID": thought, "OTHER": other}
    given = {
        name: [names.get(each, each) for each in value] if isinstance(value, list) else names.get(value, value)
        for name, value in relation.items()
    }
    agent.learn("Written anew on 3 March after the review: it reads whole records now, so nothing is lost.", **given)
    assert score(agent, thought) == pytest.approx(counts, abs=0.02)


def test_a_correction_and_a_well_worn_thought_are_lifted(brain: Brain, agent: Agent) -> None:
    thought = agent.learn(FALCON)
    assert score(agent, thought) == pytest.approx(1.0, abs=0.02)
    agent("brain_update_thought", id=thought, category="correction")
    assert score(agent, thought) == pytest.approx(1.3, abs=0.03)
    agent("brain_update_thought", id=thought, category="uncategorized")
    for weight, counts in ((10.0, 1.1), (0.1, 0.9)):
        brain.weigh(thought, weight)
        [source] = agent.sources(QUESTION)
        assert source["score"] / source["similarity"] == pytest.approx(counts, abs=0.03)


def test_a_thought_that_is_described_by_nothing_stays_as_it_is(agent: Agent) -> None:
    thought = agent.learn(FALCON, tags=["falcon"])
    before = agent("brain_get_thought", id=thought)
    said = agent("brain_update_thought", id=thought)
    assert said["note"] == "Nothing was given, so nothing was changed."
    assert said["tags"] == before["tags"] == ["falcon"]


def test_a_score_is_at_most_one(agent: Agent) -> None:
    thought = agent.learn(FALCON, category="correction", corrected_fact="it sorts", correct_fact="it splits")
    [source] = agent.sources("Falcon importer")
    assert (source["thought_id"], source["score"], source["similarity"]) == (thought, 1.0, 1.0)


def test_a_refinement_of_a_hit_is_lifted_above_it(agent: Agent) -> None:
    source = agent.learn(FALCON)
    fixed = "The Falcon importer splits by records since version 4.2, as the vendor fixed it."
    refinement = agent.learn(fixed, refines=source)
    first, second = agent.sources(QUESTION)
    assert [first["thought_id"], second["thought_id"]] == [refinement, source]
    assert first["score"] / second["score"] == pytest.approx(1.2 / 0.7, abs=0.3)
    assert (second["superseded"], second["refined_by"]) == (True, refinement)


def test_what_superseded_a_hit_is_given_though_no_word_of_the_question_stands_in_it(agent: Agent) -> None:
    source = agent.learn(FALCON)
    anew = "Written anew on 3 March: whole records are read now, so nothing is lost."
    refinement = agent.learn(anew, refines=source, tags=["records"])
    first, second = agent.sources("Falcon importer")
    assert [first["thought_id"], second["thought_id"]] == [refinement, source]
    assert first["matching_fields"] == ["lineage"]
    assert agent.found("Falcon importer", limit=1) == [refinement]


def test_stale_snapshots_count_less_and_beside_a_newer_one_least(brain: Brain, agent: Agent) -> None:
    given = {"category": "state_snapshot", "topic": "import/falcon", "source_ref": {"type": "task", "value": "IMP-4"}}
    old = agent.learn(FALCON, temporal_scope="2026-02-14", **given)
    assert score(agent, old) == pytest.approx(0.9, abs=0.02)
    assert "stale" in agent.sources(QUESTION)[0]["quality_flags"]
    newer = agent.learn(WARBLER, temporal_scope="2026-02-15", **given)
    assert "stale" not in agent.thought(newer)["quality_flags"]
    assert score(agent, old) == pytest.approx(0.8, abs=0.03)
    brain.clock.forward(days=1)
    assert "stale" in agent.thought(newer)["quality_flags"]


def test_the_context_steers_the_order_less_than_the_prompt_does(agent: Agent) -> None:
    agent.learn("Learned: timeouts of the Falcon importer come from the proxy, because it waits 5 seconds only.")
    agent.learn("Learned: timeouts of the Warbler exporter come from the disk, because it writes 10,000 rows.")
    for context, first in (("I mend the Falcon importer", "Falcon"), ("I mend the Warbler exporter", "Warbler")):
        answer = agent.ask("where do timeouts come from", context=context)
        assert first in answer["result"]["sources"][0]["content_preview"]
        assert answer["trace"]["context_used"]
        asked = agent.sources("timeouts of the Warbler exporter from the disk", context="I mend the Falcon importer")
        assert "Warbler" in asked[0]["content_preview"]
    assert not agent.ask("where do timeouts come from")["trace"]["context_used"]
