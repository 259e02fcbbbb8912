"""What is said of the brain as a whole: how much it holds, and what is wrong with it."""

from pathlib import Path

import pytest

from bigmind.brain.upkeep import on_circles
from bigmind.core.operation import Mode
from tests.memory.living import Memory, living

REFUND = "Refunds over 500 EUR need an idempotency key, because the gateway repeats requests that time out."
LIMIT = "Refunds over 5,000 EUR need a second approval since March, which the gateway asks for by mail."
HOST = "The staging host gateway-2 was replaced on 2026-02-11, its name now ends in .internal."


def test_living_shared_private_and_noise_are_counted_for_each_reader(memory: Memory) -> None:
    first = memory("contribute_to_brain", prompt=REFUND).trace.thought_id
    memory("contribute_to_brain", prompt=LIMIT, refines=first)
    memory("contribute_to_brain", prompt=HOST, space="private")
    noise = memory("contribute_to_brain", prompt=HOST.replace("2026", "2025")).trace.thought_id
    memory.as_person()("brain_mark_noise", id=noise)
    memory("query_brain", prompt="Which host is it?")
    told = memory("memory_get_stats")
    assert (told.thoughts, told.shared_thoughts, told.noise, told.questions) == (2, 1, 1, 5)
    assert "Brain: 2 living thoughts (1 shared, 1 private), 1 kept out of answers as noise" in told.as_text()
    bob = memory.of("bob")("memory_get_stats")
    assert (bob.thoughts, bob.shared_thoughts, bob.noise, bob.questions) == (1, 1, 1, 0)


@pytest.mark.parametrize(
    ("links", "closed"),
    [
        ([], set()),
        ([(2, 1), (3, 2), (3, 1)], set()),
        ([(1, 1)], {1}),
        ([(2, 1), (1, 2), (3, 2), (1, 4)], {1, 2}),
        ([(2, 1), (1, 3), (3, 2), (5, 4), (4, 5)], {1, 2, 3, 4, 5}),
    ],
)
def test_what_rests_on_itself_is_found(links: list[tuple[int, int]], closed: set[int]) -> None:
    assert on_circles(links) == closed


def test_what_is_wrong_with_the_thoughts_of_others_names_none_that_is_private(tmp_path: Path) -> None:
    with living(tmp_path / "team" / "home", Mode.TEAM) as ada:
        bob = ada.of("bob")
        bob("contribute_to_brain", prompt=REFUND, space="private")
        with ada.mind.store.write(ada.caller, "test") as work:
            work.session.connection().exec_driver_sql("UPDATE thought_use SET weight = 99")
        assert "weights_out_of_bounds" in {each.code for each in bob("memory_health_check").findings}
        assert "weights_out_of_bounds" not in {each.code for each in ada("memory_health_check").findings}
