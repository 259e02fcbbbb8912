"""What real searches gave to the ranking once, it ranks in the same order for ever."""

import json
from typing import Any

import pytest

from bigmind.search.ranking import ranked
from tests.search.plain_ranking import in_rows, plainly_ranked
from tests.search.record_rankings import RECORD, columns_of

RECORDED: list[dict[str, Any]] = json.loads(RECORD.read_text(encoding="utf-8"))
LAST_BITS = 8
"""Digits behind the point: what a platform's own `pow` and a newer Python's `sum` make of the rest may differ."""


def weights(recorded: dict[str, Any], name: str) -> dict[str, float] | None:
    """What each word counts; the words are numbers."""
    return None if recorded[name] is None else {str(number): each for number, each in enumerate(recorded[name])}


@pytest.mark.parametrize("recorded", RECORDED)
def test_what_was_recorded_is_ranked_as_it_was(recorded: dict[str, Any]) -> None:
    candidates, rarity = columns_of(recorded), weights(recorded, "rarity") or {}
    found = ranked(candidates, rarity, telling=weights(recorded, "telling"))
    assert [each.key for each in found] == [candidates.keys[number] for number in recorded["order"]]
    assert [each.score for each in found] == pytest.approx(recorded["scores"], abs=10**-LAST_BITS)
    assert [each.told for each in found] == pytest.approx(recorded["told"], abs=10**-LAST_BITS)


@pytest.mark.parametrize("recorded", RECORDED)
def test_columns_say_of_it_to_the_last_bit_what_one_thing_after_the_other_says(recorded: dict[str, Any]) -> None:
    candidates, rarity, telling = columns_of(recorded), weights(recorded, "rarity") or {}, weights(recorded, "telling")
    plain = plainly_ranked(in_rows(candidates, list(rarity)), rarity, telling=telling)
    assert ranked(candidates, rarity, telling=telling) == plain


def test_what_was_recorded_has_all_that_can_speak_for_a_thing() -> None:
    for name in columns_of(RECORDED[0])._fields:
        assert sum(any(each[name]) for each in RECORDED) >= 3, name
    assert sum(None in each["meaning"] for each in RECORDED) >= 3
    assert sum(each["telling"] is not None for each in RECORDED) >= 3
