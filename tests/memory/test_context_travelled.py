"""The well-travelled thoughts of the context: which of them, in which order, for whom, and in how many tokens."""

import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from random import Random

import pytest
from sqlalchemy import event

from bigmind.brain.finding import travelled
from bigmind.brain.tables import ThoughtLink
from bigmind.core.kind import Kinds
from bigmind.core.operation import Offer
from bigmind.memory.context.builder import DEFAULT_SESSIONS, block_of_start, build_context
from bigmind.registry import KINDS
from tests.memory.living import Memory
from tests.memory.parts import (
    FACTS,
    HYPOTHESES,
    KNOWLEDGE,
    PROFILE,
    SESSIONS,
    TRAVELLED,
    UNREAD,
    assert_within_budgets,
    cost,
    parts_of,
)
from tests.memory.rows import START, WRITERS, crowd, fact, thought

DECK, ENGINE = "example.org/ada/deck", "example.org/ada/engine"
NEWER, NEWEST = START + timedelta(hours=1), START + timedelta(hours=2)


@pytest.fixture
def store(memory: Memory) -> Memory:
    """A memory two hours after the first of its thoughts."""
    memory.clock.now = NEWEST
    return memory


def named(memory: Memory, project: str | None = DECK, topics: Sequence[str] = ()) -> list[str]:
    """The thoughts that a start names, those that were read and then the others, by their first words."""
    context = memory("memory_start_session", project=project, topics=list(topics)).context
    return [*under(context, TRAVELLED), *under(context, UNREAD)]


def under(context: str, heading: str) -> list[str]:
    """The thoughts under a heading, by their first words."""
    parts = parts_of(context)
    return [line[2:].partition(":")[0] for line in parts[heading].lines] if heading in parts else []


def test_the_most_travelled_of_the_project_come_first_three_at_most(store: Memory):
    store.insert(
        *thought(START, 1, "Read 4: weighs 1", reads=4, project=DECK),
        *thought(START, 2, "Read 3: weighs 2", reads=3, weight=2.0, project=DECK),
        *thought(START, 3, "Read 9: weighs a tenth", reads=9, weight=0.1, project=DECK),
        *thought(START, 4, "Read 1: weighs 3", reads=1, weight=3.0, project=DECK),
        *thought(START, 5, "Read 99: elsewhere", reads=99, weight=9.0, project=ENGINE),
    )
    assert named(store) == ["Read 3", "Read 4", "Read 1"]


def test_what_others_keep_to_themselves_takes_no_ones_place(store: Memory, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(travelled, "MOST_READ", 2)
    travelled._near.cache_clear()
    bob = store.of("bob").caller.user_id
    store.insert(
        *thought(START, 1, "Shared: x", reads=2),
        *(
            row
            for n in range(2, 6)
            for row in thought(START, n, f"Bob's {n}: x", reads=99, user_id=bob, space="private")
        ),
    )
    assert named(store, None) == ["Shared"]
    travelled._near.cache_clear()


def test_a_weight_is_that_of_now(store: Memory):
    store.insert(
        *thought(START, 1, "Long ago: 3.0", reads=2, weight=3.0, project=DECK),
        *thought(START + timedelta(days=30), 2, "Lately: 1.0", reads=2, weight=1.0, project=DECK),
    )
    store.clock.now = START + timedelta(days=30)
    assert named(store) == ["Lately", "Long ago"]


def test_of_equally_travelled_ones_the_newest_comes_first(store: Memory):
    store.insert(
        *thought(START, 1, "First: x", project=DECK),
        *thought(NEWER, 2, "Second: x", project=DECK),
        *thought(NEWER, 3, "Third: x", project=DECK),
    )
    assert named(store) == ["Third", "Second", "First"]


def test_one_fits_by_its_topic_or_by_words_once_it_was_read(store: Memory):
    store.insert(
        *thought(START, 1, "By topic: unread", topic="pay/refunds"),
        *thought(START, 2, "By words: of refunds, read", reads=1),
        *thought(START, 3, "By words: of refunds, unread"),
        *thought(START, 4, "By the last part: what a deck is, read", reads=2),
        *thought(START, 5, "By its host: example.org is where it lies", reads=9),
        *thought(START, 6, "By nothing: read often", reads=99),
    )
    assert named(store, DECK, ["refunds"]) == ["By the last part", "By words", "By topic"]
    assert named(store, DECK) == ["By the last part"]
    assert named(store, ENGINE) == []


def test_what_nobody_read_is_not_called_well_travelled(store: Memory):
    store.insert(
        *thought(START, 1, "Unread: of the deck", project=DECK),
        *thought(NEWER, 2, "Read: of the deck", reads=1, project=DECK),
    )
    opened = store("memory_start_session", project=DECK)
    assert_within_budgets(opened.as_text(), opened.context)
    assert (under(opened.context, TRAVELLED), under(opened.context, UNREAD)) == (["Read"], ["Unread"])
    store.clock.forward(days=3)
    store.insert(*thought(NEWEST, 3, "Alone: of the engine", project=ENGINE))
    context = store("memory_get_context", project=ENGINE).context
    assert (under(context, TRAVELLED), under(context, UNREAD)) == ([], ["Alone"])


def test_where_neither_project_nor_topic_is_known_whatever_was_read_fits(store: Memory):
    store.insert(
        *thought(START, 1, "Unread: here", project=DECK),
        *thought(START, 2, "Read: there", reads=1, project=ENGINE),
    )
    assert named(store, None) == ["Read"]


def test_none_is_noise_superseded_flagged_or_another_users_own(store: Memory):
    store.insert(
        *thought(START, 1, "Noise: x", reads=9, project=DECK, noise_at=START),
        *thought(START, 2, "Superseded: x", reads=9, project=DECK),
        *thought(START, 3, "Successor: x", reads=1, project=DECK),
        *thought(START, 4, "Flagged: x", reads=9, project=DECK, caution="override"),
        *thought(START, 5, "Accepted: x", reads=2, project=DECK, caution="override", accepted_at=START),
        *thought(START, 6, "Private: x", reads=9, project=DECK, space="private"),
    )
    store.insert(ThoughtLink(thought_id=3, other_id=2, relation="refines"))
    assert named(store) == ["Private", "Accepted", "Successor"]
    assert named(store.of("charles")) == ["Accepted", "Successor"]


def test_a_line_has_the_id_and_where_it_comes_from_when_that_is_elsewhere(store: Memory):
    store.insert(
        *thought(START, 1, "Refunds\nneed a key", reads=1, project=DECK, uid=f"1f0c9a2e{'-0000' * 3}-000000000000")
    )
    [line] = parts_of(store("memory_get_context", project=DECK).context)[TRAVELLED].lines
    assert line == "- Refunds need a key `1f0c9a2e`"
    other = store.of("charles").over("second", client="cursor")
    [line] = parts_of(other("memory_get_context").context)[TRAVELLED].lines
    assert line == f"- Refunds need a key `1f0c9a2e` ({DECK}, by tester, user ada)"


def test_what_was_said_before_is_not_said_again_to_who_comes_back(store: Memory):
    store.insert(*thought(START, 1, "Old: x", reads=1, project=DECK), *thought(NEWEST, 2, "New: x", project=DECK))
    with store.mind.store.read(store.caller, "test") as work:
        told = block_of_start(work, DECK, since=NEWER).as_text()
    assert "- New: x" in told
    assert "- Old: x" not in told


@pytest.mark.parametrize(
    ("offered", "tool"),
    [
        (frozenset({"memory_start_session", "query_brain", "memory_semantic_search"}), ": query_brain"),
        (
            frozenset({"memory_start_session", "memory_semantic_search"}),
            ": memory_semantic_search(query, kinds=thought)",
        ),
        (frozenset({"memory_start_session"}), ""),
    ],
)
def test_every_client_is_shown_them_and_named_only_a_tool_that_it_has(store: Memory, offered: Offer, tool: str):
    long = "told at such length that three of its kind have no room beside each other, whatever is cut of them. "
    client = "a-client-that-has-given-itself-a-name-of-many-syllables"
    for number in range(1, 4):
        store.insert(*thought(START, number, f"Deck {number}: {long * 9}", reads=1, project=DECK * 3, client=client))
    other = store.of("charles")
    with other.mind.store.read(other.caller, "test") as work:
        told = parts_of(build_context(work, DEFAULT_SESSIONS, ENGINE, topics=["deck"], offered=offered))[TRAVELLED]
    assert len(told.lines) + told.left_out == 3
    assert told.text.endswith(f"- … {told.left_out} more{tool}")
    assert cost(told.text) <= 120


def test_two_are_told_rather_than_three_in_halves(store: Memory):
    insight = (
        "the settlement of {} fails at night, because two workers of the queue take the same row of the ledger "
        "when the lock of its node"
    )
    for number, town in enumerate(("Lisbon", "Porto", "Faro"), 1):
        store.insert(*thought(START, number, f"{town}: {insight.format(town)} ran out.", reads=1, project=DECK))
    told = parts_of(store("memory_start_session", project=DECK).context)[TRAVELLED]
    assert (len(told.lines), told.left_out) == (2, 1)
    assert all("ran out. `" in line for line in told.lines)
    assert cost(told.text) <= 120


@pytest.fixture
def same_ids(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids that are the same in every run: random ones take more tokens now and fewer then."""
    dice = Random(1)
    monkeypatch.setattr(uuid, "uuid4", lambda: uuid.UUID(int=dice.getrandbits(128), version=4))


@pytest.mark.usefixtures("same_ids")
@pytest.mark.parametrize("writer", ["english", "emoji", "one word"])
def test_it_takes_nothing_of_what_the_others_are_assured_of(memory: Memory, writer: str):
    memory.insert(*crowd(WRITERS[writer], sessions=80, facts=120, entries=40))
    memory.clock.now = START + timedelta(hours=2)
    before = assert_within_budgets("", memory("memory_get_context", sessions=50, project="engine").context)
    for number in range(1, 9):
        memory.insert(*thought(START, number, f"Thought {number} of {'the engine ' * 90}", reads=1, project="engine"))
    opened = memory("memory_start_session", project="engine")
    assert_within_budgets(opened.as_text(), opened.context)
    context = memory("memory_get_context", sessions=50, project="engine").context
    after = assert_within_budgets("", context)
    assert set(after) - {TRAVELLED} == set(before)
    for heading, budget in ((KNOWLEDGE, 200), (PROFILE, 150), (FACTS, 360), (HYPOTHESES, 80), (SESSIONS, 260)):
        assert cost(after[heading].text) + 2 >= min(budget * 0.8, cost(before[heading].text)), heading
    assert 1_100 < cost(context) <= 1_300


def test_what_the_others_leave_is_its_own_before_any_other_has_more(memory: Memory):
    facts = [fact(START, f"Fact {number} of the engine, which is told at some length here") for number in range(90)]
    memory.insert(*facts)
    for number in range(1, 4):
        memory.insert(*thought(START, number, f"Thought {number} of {'the engine ' * 90}", reads=1, project="engine"))
    context = memory("memory_start_session", project="engine").context
    parts = assert_within_budgets("", context)
    assert len(parts[TRAVELLED].lines) >= 2
    assert cost(parts[TRAVELLED].text) > 100
    assert cost(context) > 1_100


@contextmanager
def counted(memory: Memory) -> Iterator[list[str]]:
    """The statements that are run meanwhile."""
    said: list[str] = []
    with memory.mind.store.read(memory.caller, "test") as work:
        engine = work.session.connection().engine

    def note(_connection: object, _cursor: object, statement: str, *_: object) -> None:
        said.append(statement)

    event.listen(engine, "before_cursor_execute", note)
    try:
        yield said
    finally:
        event.remove(engine, "before_cursor_execute", note)


def test_an_empty_brain_costs_a_start_one_query(store: Memory):
    def started() -> int:
        with store.mind.store.read(store.caller, "test") as work, counted(store) as said:
            block_of_start(work, DECK, topics=["pay"])
        return len(said)

    with_brain = started()
    without = Kinds(*(replace(each, in_context=None) for each in KINDS))
    store.mind.store.kinds = without
    assert with_brain == started() + 1
