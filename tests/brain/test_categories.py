"""What each category must hold, and what is named where it does not."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bigmind.brain.categories import CATEGORIES, TEMPLATES, Draft, missing
from tests.thorough import often

WHAT, OCCASION, ALTERNATIVE, REASON = "what was decided", "what brought it up", "an alternative", "why it lost"
FULL = Draft(
    content="Decision: we use uv. Why now: the lock file broke twice. Rather than Poetry, because it is slow in CI.",
    topic="dev/packaging",
    temporal_scope="2026-11-20",
    source_type="task",
    source_value="DEV-12",
    corrected_fact="We use Poetry",
    correct_fact="We use uv",
)


def decision(text: str, alternatives: str = "") -> list[str]:
    return missing(replace(FULL, category="decision_record", content=text, alternatives=alternatives))


def test_the_categories_stand_in_the_order_of_the_spec() -> None:
    assert CATEGORIES == (
        "state_snapshot",
        "decision_record",
        "operational_learning",
        "task_outcome",
        "correction",
        "domain_summary",
        "uncategorized",
    )
    assert tuple(TEMPLATES) == CATEGORIES[:4]


def test_the_templates_are_those_of_the_spec() -> None:
    assert TEMPLATES["task_outcome"] == (
        "Outcome ({date}, {task}): {what was done}, shown by {evidence}. Open: {what is left}. Source: {task}."
    )
    assert TEMPLATES["state_snapshot"].startswith("{topic}, as of {date}: {status}. Decided: {decisions}.")
    assert "Rather than {alternatives}, because {reasons}." in TEMPLATES["decision_record"]
    assert "Seen when {situation}. So: {what to do next time}." in TEMPLATES["operational_learning"]


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_draft_that_holds_everything_misses_nothing(category: str) -> None:
    assert missing(replace(FULL, category=category)) == []


@pytest.mark.parametrize(
    ("category", "names"),
    [
        ("state_snapshot", ["topic", "temporal_scope", "source_ref"]),
        ("decision_record", ["topic", "source_ref", WHAT, OCCASION, ALTERNATIVE, REASON]),
        ("operational_learning", ["topic"]),
        ("task_outcome", ["source_ref"]),
        ("correction", ["corrected_fact", "correct_fact"]),
        ("domain_summary", ["topic"]),
        ("uncategorized", []),
    ],
)
def test_a_draft_of_a_text_alone_misses_what_its_category_requires(category: str, names: list[str]) -> None:
    assert missing(Draft("The outbox of the payment worker.", category)) == names


@pytest.mark.parametrize("name", ["topic", "temporal_scope", "corrected_fact", "correct_fact", "source_value"])
def test_a_field_of_blanks_is_none(name: str) -> None:
    wanted = "source_ref" if name == "source_value" else name
    found = [missing(replace(FULL, category=each, **{name: " \n"})) for each in CATEGORIES]
    assert [wanted] in found


def test_an_outcome_needs_a_task_and_no_other_source() -> None:
    for kind in ("file", "commit", "url"):
        named = missing(replace(FULL, category="task_outcome", source_type=kind))
        assert named == [f"a task as source_ref (it names a {kind})"]
    assert missing(replace(FULL, category="task_outcome", source_type="")) == ["source_ref"]
    assert missing(replace(FULL, category="state_snapshot", source_type="commit")) == []


def test_a_snapshot_supersedes_the_older_one_of_its_topic_where_there_is_one() -> None:
    snapshot = replace(FULL, category="state_snapshot")
    assert missing(snapshot, has_older_snapshot=True) == ["supersedes"]
    assert missing(replace(snapshot, supersedes=("1f0e",)), has_older_snapshot=True) == []
    assert missing(snapshot) == []
    for other in set(CATEGORIES) - {"state_snapshot"}:
        assert missing(replace(FULL, category=other), has_older_snapshot=True) == []


@pytest.mark.parametrize(
    "text",
    [
        "We picked uv over Poetry after the lock file broke twice, because Poetry takes a minute in CI.",
        "MQTT it is for the sensors. It came up when the pilot ran out of sockets. HTTP lost: too many wake-ups.",
        "Letting go of Jenkins, as the audit asked for. Staying was no option, since nobody patches the plugins.",
        "The guild agreed on trunk-based work. Trigger: three lost hotfixes. Branches were out because they drift.",
        "From now on prices are integers. A customer complained. We could have rounded, but that hides the error.",
        "Wir nehmen Kafka. Anlass war der Ausfall im Mai. RabbitMQ wurde verworfen, weil es keine Wiederholung kennt.",
        "Nous gardons Symfony. Suite à l'audit, Laravel a été écarté parce que personne ne le connaît ici.",
        "## Context\nBuilds are slow.\n## Decision\nWe adopt Bazel.\n## Alternatives considered\n- Gradle\n\nToo slow.",
        "Chosen option: one process. Context: there is one machine. Alternatives: containers (see the wrong network).",
    ],
)
def test_a_decision_is_found_whole_in_many_words(text: str) -> None:
    assert decision(text) == []


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("We talked about caches, and everyone had a view.", [WHAT, OCCASION, ALTERNATIVE, REASON]),
        ("We use MongoDB for the product catalogue.", [OCCASION, ALTERNATIVE, REASON]),
        ("We use Redis rather than Memcached, because it survives a restart.", [OCCASION]),
        ("After the outage we moved to Route 53.", [ALTERNATIVE, REASON]),
        ("After the outage we picked Route 53. Alternatives: Cloudflare, Azure DNS.", [REASON]),
        (
            "After the outage Cloudflare was considered, because Route 53 is slow. No decision yet.",
            [WHAT],
        ),
        ("Noch nichts entschieden: nach dem Ausfall Route 53 statt Cloudflare, weil es billiger ist?", [WHAT]),
    ],
)
def test_the_parts_of_a_decision_that_are_not_found_are_named(text: str, names: list[str]) -> None:
    assert [each for each in decision(text) if each in names] == names


def test_alternatives_and_why_they_lost_may_stand_in_their_own_field() -> None:
    text = "We picked uv after the lock file broke twice."
    assert decision(text) == [ALTERNATIVE, REASON]
    assert decision(text, "Poetry") == [REASON]
    assert decision(text, "Poetry, pip-tools, conda") == [REASON]
    assert decision(text, "Poetry: three times as slow in CI") == []
    assert decision(text, "Leaving it as it is, which would cost an hour a week") == []
    assert decision(text, "   ") == [ALTERNATIVE, REASON]


def test_a_decision_in_a_script_whose_words_are_not_known_is_not_said_to_lack_parts() -> None:
    assert decision("支付服务改用发件箱模式，因为上周的故障导致重复退款。") == []


@settings(max_examples=often(300, 30))
@given(st.text(max_size=300), st.text(max_size=100), st.sampled_from(CATEGORIES))
def test_any_text_is_judged_and_no_field_is_named_twice(text: str, alternatives: str, category: str) -> None:
    found = missing(Draft(text, category, alternatives=alternatives))
    assert len(found) == len(set(found))


@pytest.mark.timeout(10)
@pytest.mark.parametrize("piece", ["`", "a. ", "replaced ", "alternatives\n", "mov ", ": a", "(a ", "A"])
def test_ten_thousand_characters_are_judged_at_once(piece: str) -> None:
    assert isinstance(decision((piece * 10_000)[:10_000], (piece * 10_000)[:2_000]), list)
