"""What a hook gave to a conversation, memory_start_session does not give again, where it is sure to be that one."""

from typing import Any

import pytest

from bigmind.memory.answers import GIVEN, NOTHING_NEW
from tests.hooks.test_conversations import begin, by_hook, prompt, stop
from tests.memory.living import Memory

FACT = "Ada drinks oolong."


def given(memory: Memory, key: str, **more: Any) -> None:
    """A conversation whose hook printed the context, and that is at work on its first prompt."""
    memory.clock.forward(seconds=1)
    answer = by_hook(memory)("hook_session_start", conversation=key, **more)
    by_hook(memory)("hook_given", conversation=key, at=answer.given_at)
    prompt(memory, key)


@pytest.fixture(autouse=True)
def known(memory: Memory) -> None:
    memory("memory_store_fact", fact=FACT, category="preference")


def opened(memory: Memory, **more: Any) -> str:
    memory.clock.forward(seconds=1)
    return memory("memory_start_session", **more).in_words()


def is_whole(text: str) -> bool:
    assert (FACT in text) != (GIVEN in text)
    return FACT in text


def test_what_was_given_is_told_in_one_line_with_the_session_s_id(memory: Memory) -> None:
    given(memory, "a")
    answer = memory("memory_start_session")
    assert not is_whole(answer.as_text())
    assert answer.session_id in answer.as_text()
    assert answer.context == ""
    assert answer.hints(frozenset({"memory_get_context"}))
    assert answer.hints(frozenset({"memory_start_session"})) == ()
    assert FACT in memory("memory_get_context").context


def test_without_a_hook_it_is_whole(memory: Memory) -> None:
    assert is_whole(opened(memory))


def test_what_a_hook_never_printed_was_not_given(memory: Memory) -> None:
    begin(memory, "a")  # answered too late
    prompt(memory, "a")
    assert is_whole(opened(memory))


def test_what_is_new_since_is_told_alone(memory: Memory) -> None:
    given(memory, "a")
    memory.clock.forward(seconds=1)
    memory.over("other", "cursor")("memory_store_fact", fact="Ada moved to Lisbon.", category="identity")
    text = opened(memory)
    assert not is_whole(text)
    assert "Lisbon" in text
    assert NOTHING_NEW not in text


def test_a_second_session_of_the_conversation_is_told_all_again(memory: Memory) -> None:
    given(memory, "a")
    assert not is_whole(opened(memory))
    memory("memory_end_session", one_liner="Chose the pump", topics=["pumps"], outcome="Blue")
    prompt(memory, "a")
    assert is_whole(opened(memory))


def test_after_a_compaction_that_gave_nothing_it_is_whole(memory: Memory) -> None:
    given(memory, "a")
    begin(memory, "a", "compact")  # answered too late
    assert is_whole(opened(memory))


def test_of_two_conversations_at_work_neither_is_taken_for_the_other(memory: Memory) -> None:
    given(memory, "a")
    begin(memory, "b")  # answered too late
    prompt(memory, "b")
    assert is_whole(opened(memory))
    assert is_whole(opened(memory))


def test_a_conversation_that_waits_for_its_person_is_not_the_one_that_calls(memory: Memory) -> None:
    given(memory, "a")
    stop(memory, "a", "Which pump do you mean?")
    assert is_whole(opened(memory))  # called in a conversation that no hook spoke of


def test_another_client_and_another_user_were_given_nothing(memory: Memory) -> None:
    given(memory, "a")
    assert FACT not in opened(memory.of("bob"))
    assert GIVEN not in opened(memory.of("carla"))
    assert is_whole(opened(memory.over(None, "cursor")))


def test_an_acknowledgement_of_what_never_began_is_nothing(memory: Memory) -> None:
    by_hook(memory)("hook_given", conversation="never heard of", at="2026-03-01T12:00:00Z")
    assert is_whole(opened(memory))
