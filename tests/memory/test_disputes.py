"""What a contradiction took comes back with its end: the newer fact is wrong, forgotten, or holds beside the other."""

import pytest

from bigmind.core.errors import Code
from bigmind.memory.facts.confidence import LOSES
from tests.memory.living import Memory
from tests.memory.parts import FACTS, parts_of

LIMIT = "Uploads are limited to {} MB"


def stored(memory: Memory, megabytes: int, **more: object) -> str:
    memory.clock.forward(minutes=1)
    text = LIMIT.format(megabytes)
    return memory("memory_store_fact", category="constraint", fact=text, project="shop", **more).fact.fact_id


def told(memory: Memory, uid: str) -> tuple[float, list[str]]:
    history = memory("memory_get_fact_history", fact_id=uid)
    return history.fact.confidence, [event.action for event in history.events]


@pytest.fixture
def me(memory: Memory) -> Memory:
    return memory.as_person()


def test_one_that_was_contradicted_by_a_mistake_is_as_sure_as_before(memory: Memory) -> None:
    old, new = stored(memory, 25, confidence=0.9), stored(memory, 50)
    assert told(memory, old)[0] == pytest.approx(0.9 * LOSES)
    answer = memory("memory_deprecate_fact", fact_id=new, reason="It was about another service")
    assert answer.given_back == [old]
    assert f"as sure again as before it: {old[:8]}" in answer.as_text()
    assert told(memory, old) == (0.9, ["stored", "contradicted", "recovered"])


def test_one_that_holds_no_more_itself_is_surer_and_not_named(me: Memory) -> None:
    """It read as if the archived one held again."""
    old, new = stored(me, 25, confidence=0.9), stored(me, 50)
    me("memory_deprecate_fact", fact_id=old, reason="raised", replaced_by=new)
    answer = me("memory_deprecate_fact", fact_id=new, reason="wrong")
    assert answer.given_back == []
    me("memory_reinstate_fact", fact_id=old)
    assert told(me, old)[0] == 0.9


def test_so_it_is_where_it_holds_in_the_newer_ones_place_and_not_where_a_third_does(memory: Memory) -> None:
    old, new, third = (stored(memory, each) for each in (25, 50, 75))
    memory("memory_deprecate_fact", fact_id=third, reason="wrong", replaced_by=new)
    assert (told(memory, old)[0], told(memory, new)[0]) == (pytest.approx(LOSES**2), 1.0)
    memory("memory_deprecate_fact", fact_id=new, reason="wrong", replaced_by=old)
    assert told(memory, old)[0] == pytest.approx(LOSES), "what the third took was outdated by the second"


def test_only_what_the_mistake_took_is_given_back(memory: Memory) -> None:
    old, new, third = (stored(memory, each) for each in (25, 50, 75))
    memory("memory_deprecate_fact", fact_id=new, reason="wrong")
    assert told(memory, old)[0] == pytest.approx(LOSES)
    memory("memory_deprecate_fact", fact_id=third, reason="wrong too")
    assert told(memory, old)[0] == 1.0


def test_what_was_archived_and_taken_back_contradicts_again_as_often_as_it_is(me: Memory) -> None:
    old, new, third = (stored(me, each) for each in (25, 50, 75))
    for _ in range(3):
        me("memory_deprecate_fact", fact_id=new, reason="wrong")
        assert told(me, old)[0] == pytest.approx(LOSES)
        me("memory_reinstate_fact", fact_id=new)
        assert told(me, old)[0] == pytest.approx(LOSES**2)
    me("memory_deprecate_fact", fact_id=third, reason="wrong")
    me("memory_deprecate_fact", fact_id=new, reason="wrong")
    assert told(me, old)[0] == 1.0


def test_one_that_was_confirmed_or_edited_meanwhile_loses_nothing_again(me: Memory) -> None:
    old, new = stored(me, 25), stored(me, 50)
    me("memory_deprecate_fact", fact_id=new, reason="wrong")
    assert stored(me, 25) == old
    me("memory_reinstate_fact", fact_id=new)
    assert told(me, old)[0] == 1.0
    other = stored(me, 80)
    me("memory_deprecate_fact", fact_id=other, reason="wrong")
    me("memory_edit_fact", fact_id=old, fact="Avatars are cut to 25 pixels")
    me("memory_reinstate_fact", fact_id=other)
    assert told(me, old)[0] == 1.0


def test_what_a_person_said_of_it_meanwhile_stays(me: Memory) -> None:
    old, new = stored(me, 25), stored(me, 50)
    me("memory_edit_fact", fact_id=old, confidence=0.3)
    me("memory_deprecate_fact", fact_id=new, reason="wrong")
    assert told(me, old)[0] == 0.3


def test_so_it_is_when_the_newer_one_is_forgotten_for_good(me: Memory) -> None:
    old, new = stored(me, 25), stored(me, 50)
    me("memory_forget", id=new, kind="fact")
    assert told(me, old)[0] == 1.0


def test_what_was_outdated_by_the_forgotten_one_stays_outdated(me: Memory) -> None:
    old, new, third = (stored(me, each) for each in (25, 50, 75))
    me("memory_deprecate_fact", fact_id=new, reason="raised", replaced_by=third)
    me("memory_forget", id=new, kind="fact")
    assert told(me, old)[0] == pytest.approx(LOSES**2)


def test_both_are_kept_with_none_confirmed_and_are_not_asked_about_again(me: Memory) -> None:
    old, new = stored(me, 25, confidence=0.8), stored(me, 50, confidence=0.7)
    answer = me("memory_keep_both_facts", fact_id=new[:8], other_id=old[:8])
    assert answer.as_text() == f"Both hold: {old[:8]} and {new[:8]}. {old[:8]} has its confidence back."
    me("memory_keep_both_facts", fact_id=old, other_id=new)
    assert told(me, old) == (0.8, ["stored", "contradicted", "kept"])
    assert told(me, new) == (0.7, ["stored", "contradicts", "kept"])
    assert "(may contradict" not in "\n".join(parts_of(me("memory_get_context", project="shop").context)[FACTS].lines)
    assert "facts_contradict" not in {each.code for each in me("memory_health_check").findings}
    me("memory_deprecate_fact", fact_id=new, reason="wrong")
    me("memory_reinstate_fact", fact_id=new)
    assert told(me, old)[0] == 0.8
    third = stored(me, 75)
    marked = "\n".join(parts_of(me("memory_get_context", project="shop").context)[FACTS].lines)
    assert f"`{third[:8]}` (may contradict the older" in marked, "a third is another question"


def test_what_no_longer_holds_or_is_one_fact_is_not_kept(me: Memory) -> None:
    old, new = stored(me, 25), stored(me, 50)
    assert me.refuses("memory_keep_both_facts", fact_id=old, other_id=old).problems[0].field == "other_id"
    me("memory_deprecate_fact", fact_id=new, reason="wrong")
    assert me.refuses("memory_keep_both_facts", fact_id=old, other_id=new).code is Code.CONFLICT
