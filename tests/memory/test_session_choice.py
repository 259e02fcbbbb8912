"""What needs no session belongs to the one that is open, or has just ended; it opens none."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from sqlmodel import select

from bigmind.memory.tables import Fact, Hypothesis, Knowledge, MemorySession
from tests.memory.living import Memory

ENDING = {"one_liner": "Planned Note G", "topics": ["bernoulli"], "outcome": "done"}

Learn = Callable[[Memory, str], Any]


def fact(memory: Memory, words: str) -> None:
    memory("memory_store_fact", category="decision", fact=words)


def hypothesis(memory: Memory, words: str) -> None:
    memory("memory_add_hypothesis", hypothesis=words)


def knowledge(memory: Memory, words: str) -> None:
    memory("memory_promote_to_global", category="decision", title=words, content=words)


KINDS = pytest.mark.parametrize(
    ("learn", "table"), [(fact, Fact), (hypothesis, Hypothesis), (knowledge, Knowledge)], ids=lambda each: each.__name__
)


def source(memory: Memory, table: Any) -> str | None:
    """The id of the session that the newest row of a table comes from."""
    with memory.mind.store.read(memory.caller, "test") as work:
        row = work.session.exec(select(table).order_by(table.id.desc())).first()
        session = work.session.get(MemorySession, row.session_id) if row.session_id else None
        return session.uid if session else None


def count(memory: Memory) -> int:
    return memory("memory_list_sessions").total


@KINDS
def test_it_opens_none(memory: Memory, learn: Learn, table: Any):
    learn(memory, "Brass")
    assert source(memory, table) is None
    assert count(memory) == 0


@KINDS
def test_it_belongs_to_the_one_that_is_open(memory: Memory, learn: Learn, table: Any):
    opened = memory.over("a")("memory_start_session").session_id
    memory.over("b", "two")("memory_start_session")
    learn(memory.over("a"), "Brass")
    assert source(memory, table) == opened


@KINDS
def test_it_belongs_to_the_one_that_ended_within_ten_minutes(memory: Memory, learn: Learn, table: Any):
    ended = memory("memory_start_session").session_id
    memory("memory_end_session", **ENDING)
    memory.clock.forward(minutes=10)
    learn(memory, "Brass")
    assert source(memory, table) == ended
    memory.clock.forward(seconds=1)
    learn(memory, "Steel")
    assert source(memory, table) is None
    assert count(memory) == 1


def test_what_just_ended_on_the_connection_is_nearer_than_what_is_open_elsewhere(memory: Memory):
    mine = memory.over("a", "one").working_in("engine")
    ended = mine("memory_start_session").session_id
    elsewhere = memory.over("b", "one").working_in("engine")("memory_start_session").session_id
    mine("memory_end_session", **ENDING)
    stored = mine("memory_store_fact", category="decision", fact="Brass").fact
    assert (stored.session_id, stored.project) == (ended, "engine")
    memory.clock.forward(minutes=11)
    fact(mine, "Steel")
    assert source(memory, Fact) == elsewhere


@KINDS
@pytest.mark.parametrize("is_open", [True, False])
def test_no_session_of_another_project_is_where_it_comes_from(
    memory: Memory, learn: Learn, table: Any, *, is_open: bool
):
    """The same client works in two windows, and only in one of them was told to start a session."""
    loom = memory.over("a", "one").working_in("example.org/loom")
    loom("memory_start_session")
    if not is_open:
        loom("memory_end_session", **ENDING)
    learn(memory.over("b", "one").working_in("example.org/engine"), "Brass")
    assert source(memory, table) is None
    with memory.mind.store.read(memory.caller, "test") as work:
        assert work.session.exec(select(table.project)).one() == "example.org/engine"


@KINDS
def test_what_another_client_has_open_is_not_where_it_comes_from(memory: Memory, learn: Learn, table: Any):
    """A client that never began a session, and works in a project that the open one names nothing of."""
    memory.over("a", "one")("memory_start_session")
    learn(memory.over("b", "two").working_in("example.org/shop"), "Brass")
    assert source(memory, table) is None


def test_what_another_client_just_ended_is_not_where_it_comes_from(memory: Memory):
    theirs = memory.over("a", "one")
    theirs("memory_start_session")
    theirs("memory_end_session", **ENDING)
    fact(memory.over("b", "two"), "Brass")
    assert source(memory, Fact) is None
    memory.over(None, "one")("memory_store_fact", category="decision", fact="Steel")
    assert source(memory, Fact) is not None


def test_what_a_person_writes_by_hand_comes_from_no_assistants_session(memory: Memory):
    client = memory.over("a", "one")
    client("memory_start_session")
    hand = replace(memory, caller=replace(memory.caller, is_person=True, client="window", connection=None, token_id=99))
    fact(hand, "Brass")
    assert source(memory, Fact) is None
    client("memory_end_session", **ENDING)
    fact(hand, "Steel")
    assert source(memory, Fact) is None


def test_another_users_session_is_never_where_it_comes_from(memory: Memory):
    memory("memory_start_session")
    charles = memory.of("charles")
    fact(charles, "Brass")
    assert source(memory, Fact) is None
    memory("memory_end_session", **ENDING)
    fact(charles, "Steel")
    assert source(memory, Fact) is None


def test_an_end_closes_no_session_that_another_client_is_in(memory: Memory):
    """Two IDEs, of which one never began a session: its end is told in one of its own, and the other one goes on."""
    live = memory.over("a", "one")("memory_start_session").session_id
    memory.over("a", "one")("memory_flag_important", content="Brass holds", flag_reason="decision")
    stranger = replace(memory.over("b", "two").caller, token_id=memory.caller.token_id + 1)
    ended = replace(memory, caller=stranger)("memory_end_session", **ENDING)
    assert ended.session_id != live
    assert [each.session_id for each in memory("memory_list_sessions").sessions if each.ended_at is None] == [live]
