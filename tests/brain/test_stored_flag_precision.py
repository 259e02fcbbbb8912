"""How often the flags are right that take a store and the model, over the same 120 contributions, all in one store."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from app.meaning_search import MeaningSearch
from tests.brain.contributions import CONTRIBUTIONS, HELD_OUT, TODAY, Contribution, with_ids
from tests.memory.living import Memory, living

pytestmark = pytest.mark.xdist_group("stored-flags")

PRECISION, RECALL = 0.9, 0.8
FLAGS = ("near_duplicate", "contradicts_correction", "stale", "keyword_echo", "missing_fields")


@pytest.fixture(scope="module")
def flags(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[set[str]]]:
    """The flags that each contribution got, as answers tell them."""
    home: Path = tmp_path_factory.mktemp("flags") / "home"
    with living(home, is_copy=True) as memory:
        memory.clock.now = datetime(TODAY.year, TODAY.month, TODAY.day, 9, tzinfo=UTC)
        meaning = MeaningSearch(memory.mind.store)
        memory.mind.store.host = replace(memory.mind.store.host, meaning=meaning.meaning)
        try:
            yield [_flags(memory.over(None, f"agent {number}"), each) for number, each in enumerate(CONTRIBUTIONS)]
        finally:
            meaning.stop()


def _flags(agent: Memory, each: Contribution) -> set[str]:
    ids = [agent("contribute_to_brain", **before).trace.thought_id for before in each.before]
    for prompt in each.prompts:
        agent("query_brain", prompt=prompt)
    answer = agent("contribute_to_brain", **with_ids(each.arguments, ids))
    assert answer.trace.retrieval_method == "hybrid" or not str(each.arguments["prompt"]).isascii()
    return {*agent("brain_get_thought", id=answer.trace.thought_id).quality_flags}


@pytest.mark.parametrize("flag", FLAGS)
def test_a_flag_is_nearly_always_right_and_seldom_absent_among_everything_else(
    flags: list[set[str]], flag: str
) -> None:
    pairs = list(zip(CONTRIBUTIONS, flags, strict=True))
    given = [each for each, found in pairs if flag in found]
    due = [each for each in CONTRIBUTIONS if flag in each.flags]
    right = [each for each in given if each in due]
    held = [each for each in HELD_OUT if flag in each.flags]
    print(f"{flag}: {len(right)} of {len(given)} right, {len(right)} of {len(due)} found,"
          f" held out {sum(each in right for each in held)} of {len(held)}")  # fmt: skip
    wrong = [f"needless: {each.arguments['prompt']}" for each in given if each not in due]
    wrong += [f"not found: {each.arguments['prompt']}" for each in due if each not in given]
    assert len(right) >= PRECISION * len(given), wrong
    assert len(right) >= RECALL * len(due), wrong
