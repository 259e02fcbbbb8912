"""How often the flags that need no store are right, over the 120 contributions of `contributions.py`."""

from collections.abc import Sequence
from typing import Any

import pytest

from bigmind.brain.categories import Draft, missing
from bigmind.brain.contribution import why_not
from bigmind.brain.quality import text_flags
from tests.brain.contributions import BAD, CONTRIBUTIONS, GOOD, HELD_OUT, LOOKED_AT, Contribution

FLAGS = ("keyword_echo", "orphaned_reference", "naked_statement", "missing_fields")
STORED_FLAGS = ("near_duplicate", "contradicts_correction", "stale")
PRECISION, RECALL = 0.9, 0.8


def draft_of(arguments: dict[str, Any]) -> Draft:
    source = arguments.get("source_ref", {})
    return Draft(
        content=arguments["prompt"],
        category=arguments.get("category", "uncategorized"),
        topic=arguments.get("topic", ""),
        temporal_scope=arguments.get("temporal_scope", ""),
        source_type=source.get("type", ""),
        source_value=source.get("value", ""),
        alternatives=arguments.get("alternatives_considered", ""),
        corrected_fact=arguments.get("corrected_fact", ""),
        correct_fact=arguments.get("correct_fact", ""),
        supersedes=tuple(arguments.get("supersedes", ())),
    )


def flags_of(each: Contribution) -> set[str]:
    draft = draft_of(each.arguments)
    has_older = any(
        before.get("category") == "state_snapshot" and before.get("topic") == draft.topic for before in each.before
    )
    lacks = missing(draft, has_older_snapshot=has_older)
    return {*text_flags(draft, each.prompts), *(["missing_fields"] if lacks else [])}


def judged(flag: str, contributions: Sequence[Contribution]) -> tuple[float, float, list[str]]:
    """Precision and recall of a flag, and what went wrong."""
    given = [each for each in contributions if flag in flags_of(each)]
    due = [each for each in contributions if flag in each.flags]
    right = sum(flag in each.flags for each in given)
    wrong = [f"needless: {each.arguments['prompt']}" for each in given if flag not in each.flags]
    wrong += [f"not found: {each.arguments['prompt']}" for each in due if each not in given]
    return right / max(1, len(given)), right / max(1, len(due)), wrong


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_is_nearly_always_right_and_seldom_absent(flag: str) -> None:
    precision, recall, wrong = judged(flag, CONTRIBUTIONS)
    apart = [judged(flag, those)[:2] for those in (LOOKED_AT, HELD_OUT)]
    print(f"{flag}: precision {precision:.2f}, recall {recall:.2f}; looked at {apart[0]}, held out {apart[1]}")
    assert precision >= PRECISION, wrong
    assert recall >= RECALL, wrong


def test_most_good_contributions_have_no_flag_at_all() -> None:
    flagged = [each.arguments["prompt"] for each in GOOD if flags_of(each)]
    assert len(flagged) <= len(GOOD) // 20, flagged


def test_the_set_is_as_large_as_it_says_and_holds_enough_of_each_flag() -> None:
    assert (len(GOOD), len(BAD), len(HELD_OUT)) == (60, 60, 40)
    assert not any(each.flags for each in GOOD)
    for flag in (*FLAGS, *STORED_FLAGS):
        assert sum(flag in each.flags for each in BAD) >= 8, flag
        assert any(flag in each.flags for each in HELD_OUT), flag


@pytest.mark.parametrize("each", CONTRIBUTIONS, ids=lambda each: str(each.arguments["prompt"])[:40])
def test_each_of_them_is_stored(each: Contribution) -> None:
    assert why_not(str(each.arguments["prompt"])) is None
