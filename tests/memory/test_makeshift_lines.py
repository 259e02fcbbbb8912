"""The line that BigMind makes of a session which was left open loses what holds no more; an assistant's own stays."""

import pytest

from bigmind.memory.rules import AUTO_CLOSED
from bigmind.memory.sessions import makeshift_record
from tests.memory.living import Memory

KNEE, TEA = "The user's knee hurts on Thursdays", "The user likes tea"


def left_open(memory: Memory, *facts: str) -> list[str]:
    """The ids of facts that are stored in a session which is then left open for more than a day."""
    memory("memory_start_session", project="shop")
    found: list[str] = []
    for text in facts:
        memory.clock.forward(minutes=1)
        found.append(memory("memory_store_fact", category="identity", fact=text).fact.fact_id)
    memory.clock.forward(hours=25)
    memory.over("later")("memory_start_session", project="shop")
    return found


def lines(memory: Memory) -> list[str]:
    return [each.one_liner for each in memory("memory_list_sessions").sessions if each.one_liner]


def test_a_fact_that_holds_no_more_leaves_the_line_and_the_search(memory: Memory) -> None:
    _, knee = left_open(memory, TEA, KNEE)
    assert lines(memory) == [f"{AUTO_CLOSED} {KNEE}"]
    memory("memory_deprecate_fact", fact_id=knee, reason="Asked to forget it")
    assert lines(memory) == [f"{AUTO_CLOSED} {TEA}"]
    assert "knee" not in memory("memory_get_context", project="shop").context
    assert not memory("memory_semantic_search", query="knee").hits


@pytest.mark.parametrize(("status", "stays"), [("refuted", False), ("confirmed", True)])
def test_a_belief_leaves_it_where_it_was_refuted(memory: Memory, status: str, stays: bool) -> None:
    memory("memory_start_session", project="shop")
    belief = memory("memory_add_hypothesis", hypothesis="The cache is cold").hypothesis.hypothesis_id
    memory.clock.forward(hours=25)
    memory.over("later")("memory_start_session", project="shop")
    memory("memory_resolve_hypothesis", id=belief, status=status, resolution="It was measured")
    assert lines(memory) == [f"{AUTO_CLOSED} The cache is cold" if stays else AUTO_CLOSED]


def test_what_an_assistant_wrote_stays(memory: Memory) -> None:
    memory("memory_start_session", project="shop")
    knee = memory("memory_store_fact", category="identity", fact=KNEE).fact.fact_id
    memory("memory_end_session", one_liner=KNEE, topics=[], outcome="")
    memory("memory_deprecate_fact", fact_id=knee, reason="It healed")
    assert lines(memory) == [KNEE]


def test_a_session_in_which_bigmind_wrote_nothing_is_not_told_anew(
    memory: Memory, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unneeded(*_: object, **__: object) -> None:
        raise AssertionError("what the session is about was read")

    memory("memory_start_session", project="shop")
    knee = memory("memory_store_fact", category="identity", fact=KNEE).fact.fact_id
    monkeypatch.setattr(makeshift_record, "record_of", unneeded)
    memory("memory_deprecate_fact", fact_id=knee, reason="It healed")
    assert KNEE not in memory("memory_get_context", project="shop").context
