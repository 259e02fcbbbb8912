"""A conversation mostly ends with a courtesy: what it was about is told of it, not "You're welcome!"."""

import pytest

from tests.hooks.test_after_the_end import REWROTE, detail, hook, rows, turn
from tests.memory.living import Memory

COURTESIES = (
    "You're welcome! Let me know if you need anything else.",
    "Happy to help! Have a nice weekend.",
    "Gern geschehen! Sag einfach Bescheid, wenn noch etwas fehlt.",
    "ok",
)


@pytest.fixture
def client(memory: Memory) -> Memory:
    """The assistant, over its own connection."""
    return memory.over("bridge-1", "claude-code")


@pytest.mark.parametrize("last", COURTESIES)
def test_words_that_said_something_stay(client: Memory, last: str) -> None:
    hook(client, "session_start", source="startup")
    turn(client, REWROTE, 180)
    turn(client, last)
    hook(client, "session_end", last_message=last)
    assert rows(client) == [(REWROTE, True)]
    assert f"> {REWROTE}" in detail(client)
    turn(client, "The loader reads emoji since then.")
    assert rows(client)[0][0] == "The loader reads emoji since then."


@pytest.mark.parametrize("last", COURTESIES)
def test_what_was_learned_says_more(client: Memory, last: str) -> None:
    hook(client, "session_start", source="startup")
    hook(client, "prompt")
    client("memory_start_session", topics=["money"])
    client("memory_store_fact", category="decision", fact="Money is stored as integer cents.")
    hook(client, "stop", last_message=last)
    assert rows(client) == [("Money is stored as integer cents.", False)]


def test_where_nothing_else_is_known_the_courtesy_is(client: Memory) -> None:
    hook(client, "session_start", source="startup")
    turn(client, COURTESIES[0], 180)
    assert rows(client)[0][0] == COURTESIES[0]
