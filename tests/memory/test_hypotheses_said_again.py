"""A belief that is told again stays one: of two, one would stand open after the other was confirmed."""

from tests.memory.living import Memory

LOCK = "Payouts run twice because the lock is per node."


def added(memory: Memory, text: str = LOCK, **more: object):
    memory.clock.forward(minutes=1)
    return memory("memory_add_hypothesis", **{"hypothesis": text, "confidence": 0.7, "project": "pay", **more})


def open_ones(memory: Memory) -> list[tuple[str, float]]:
    return [
        (each.hypothesis_id, each.confidence) for each in memory("memory_list_hypotheses", status="open").hypotheses
    ]


def test_an_open_one_is_not_doubled_and_is_as_sure_as_it_is_said_to_be_now(memory: Memory):
    first = added(memory).hypothesis.hypothesis_id
    again = added(memory, LOCK.upper())
    assert (again.hypothesis.hypothesis_id, again.note) == (
        first,
        "It was open before, word for word; nothing was stored.",
    )
    surer = added(memory, confidence=0.9)
    assert surer.note == "It was open before, word for word, with confidence 0.7."
    assert open_ones(memory) == [(first, 0.9)]


def test_of_another_project_or_person_it_is_another_one(memory: Memory):
    ids = {added(memory).hypothesis.hypothesis_id, added(memory, project="shop").hypothesis.hypothesis_id}
    ids |= {added(memory, project="*").hypothesis.hypothesis_id, added(memory.of("bob")).hypothesis.hypothesis_id}
    assert len(ids) == 4
    assert len(open_ones(memory)) == 3


def test_what_turned_out_before_is_said_and_may_be_believed_anew(memory: Memory):
    first = added(memory).hypothesis.hypothesis_id
    memory("memory_resolve_hypothesis", id=first, status="refuted", resolution="One node alone ran it.")
    again = added(memory)
    assert again.note == f"{first[:8]} said the same, and was refuted: One node alone ran it."
    assert f"\n\n{again.note}" in again.as_text()
    assert open_ones(memory) == [(again.hypothesis.hypothesis_id, 0.7)]
    assert added(memory).hypothesis.hypothesis_id == again.hypothesis.hypothesis_id
