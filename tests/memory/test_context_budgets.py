"""The context keeps its budgets whatever the store holds, and says what it left out."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from sqlmodel import delete

from bigmind.brain.tables import Thought
from bigmind.memory.tables import Fact, Hypothesis, Knowledge, MemorySession, Profile
from tests.mcp.manifest import shows
from tests.memory.living import Memory, living
from tests.memory.parts import FACTS, HYPOTHESES, KNOWLEDGE, PINNED, PROFILE, SESSIONS, assert_within_budgets, cost
from tests.memory.rows import ADA, START, WRITERS, crowd, entry, fact, hypothesis, session, thought
from tests.thorough import crossed, often, spread

OPEN = 3
SESSIONS_THERE, FACTS_THERE = often(5_000, 1_500), often(2_000, 1_000)


@pytest.mark.parametrize(("writer", "project"), spread(crossed(WRITERS, [None, "engine"]), 4))
def test_a_crowded_store_stays_within_every_budget(memory: Memory, writer: str, project: str | None):
    memory.insert(*crowd(WRITERS[writer], sessions=80, facts=120, open_sessions=OPEN, entries=40))
    memory.clock.now = START + timedelta(hours=2)
    for sessions in (0, 5, 50):
        context = memory("memory_get_context", sessions=sessions, project=project)
        parts = assert_within_budgets(context.as_text(), context.context)
        assert set(parts) == {KNOWLEDGE, PROFILE, PINNED, FACTS, HYPOTHESES, SESSIONS}
        assert len(parts[KNOWLEDGE].lines) + parts[KNOWLEDGE].left_out == 40
        assert len(parts[FACTS].lines) + parts[FACTS].left_out == 120
        assert len(parts[PINNED].lines) + parts[PINNED].left_out == 100
        assert len(parts[HYPOTHESES].lines) + parts[HYPOTHESES].left_out == 30
        assert len(parts[SESSIONS].lines) + parts[SESSIONS].left_out == sessions + OPEN
    opened = memory("memory_start_session", project=project)
    assert_within_budgets(opened.as_text(), opened.context)


@pytest.mark.parametrize("writer", spread(["english", "emoji"], 1))
@shows("memory_start_session.budget", "memory_get_context.budget")
def test_thousands_of_sessions_and_facts_stay_within_every_budget(memory: Memory, writer: str):
    memory.insert(*crowd(WRITERS[writer], sessions=SESSIONS_THERE, facts=FACTS_THERE, open_sessions=30, entries=200))
    memory.clock.now = START + timedelta(minutes=SESSIONS_THERE + 1)
    context = memory("memory_get_context", sessions=50, project="engine")
    parts = assert_within_budgets(context.as_text(), context.context)
    assert len(parts[FACTS].lines) + parts[FACTS].left_out == FACTS_THERE
    assert len(parts[SESSIONS].lines) + parts[SESSIONS].left_out == 80
    # Long after, the open ones are closed first, and the answer says how many.
    memory.clock.forward(days=2)
    opened = memory("memory_start_session", project="engine")
    assert opened.auto_closed == 30
    assert "Closed 30 forgotten sessions." in opened.as_text()
    parts = assert_within_budgets(opened.as_text(), opened.context)
    assert len(parts[SESSIONS].lines) + parts[SESSIONS].left_out == 5


ASSURED = {KNOWLEDGE: 200, PROFILE: 150, PINNED: 150, FACTS: 360, HYPOTHESES: 80, SESSIONS: 260}
"""What each section is assured of, or its part of what its tier is."""


@pytest.mark.parametrize("writer", spread(["english", "one word", "emoji"], 2))
def test_when_everything_is_full_each_tier_has_what_it_is_assured_of(memory: Memory, writer: str):
    memory.insert(*crowd(WRITERS[writer], sessions=80, facts=120, entries=40))
    memory.clock.now = START + timedelta(hours=2)
    context = memory("memory_get_context", sessions=50).context
    parts = assert_within_budgets("", context)
    for heading, budget in ASSURED.items():
        # What a line that no longer fitted would have cost is not used here, but handed on.
        assert budget * 0.8 <= cost(parts[heading].text) + 2, heading
        assert parts[heading].lines, heading
    assert cost(context) > 1_200


def test_what_a_tier_does_not_need_goes_to_the_others(memory: Memory):
    memory.insert(*crowd(WRITERS["english"], sessions=80, facts=0, entries=40))
    full = parts_of_context(memory)
    with memory.mind.store.write(memory.caller, "test") as work:
        work.session.exec(delete(Profile))
        work.session.exec(delete(Hypothesis))
        work.session.exec(delete(Knowledge))
    alone = parts_of_context(memory)
    assert set(alone) == {SESSIONS}
    assert cost(alone[SESSIONS].text) > 700 > cost(full[SESSIONS].text)


def parts_of_context(memory: Memory) -> dict:
    return assert_within_budgets("", memory("memory_get_context", sessions=50).context)


@pytest.mark.parametrize("writer", spread(WRITERS, 3))
def test_every_row_of_the_table_has_four_cells_to_a_markdown_reader(memory: Memory, writer: str):
    memory.insert(*crowd(WRITERS[writer], sessions=40, facts=0))
    context = memory("memory_get_context", sessions=20).context
    tokens = MarkdownIt("commonmark").enable("table").parse(context[context.index("| Date |") :])
    rows = "".join({"tr_open": "r", "td_open": "d", "th_open": "h"}.get(token.type, "") for token in tokens)
    shown = len([line for line in context.splitlines() if line.startswith("| 20")])
    assert shown > 0
    assert rows == "rhhhh" + "rdddd" * shown


@pytest.mark.parametrize("writer", WRITERS)
def test_a_single_row_of_rare_characters_is_cut_and_not_lost(memory: Memory, writer: str):
    memory.insert(*crowd(WRITERS[writer], sessions=1, facts=1, open_sessions=0, entries=1))
    parts = assert_within_budgets("", memory("memory_get_context").context)
    assert [len(parts[SESSIONS].lines), parts[SESSIONS].left_out] == [1, 0]
    assert len(parts[FACTS].lines) + parts[FACTS].left_out == 1


LINES = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs", "Cc", "Zl", "Zp")), max_size=120)
NAMES = st.sampled_from([None, "engine", "loom"])


@st.composite
def stores(draw: st.DrawFn) -> list[object]:
    """Any small store: columns as long as the tools allow, any characters, equal times among them."""
    when = st.integers(0, 5).map(lambda hour: START + timedelta(hours=hour))
    texts = st.one_of(
        LINES,
        st.builds(lambda text, times: text * times, LINES, st.integers(1, 16)).map(lambda text: text[:1_900]),
        st.builds(
            lambda writer, length, seed: writer(seed, length),
            st.sampled_from([*WRITERS.values()]),
            st.integers(1, 1_900),
            st.randoms(use_true_random=False),
        ),
    ).map(lambda text: text.strip() or "x")
    rows: list[object] = []
    if draw(st.booleans()):
        pinned = draw(st.lists(texts, max_size=8))
        rows.append(
            Profile(user_id=ADA, role=draw(texts), preferences=draw(texts), pinned_facts=pinned, updated_at=START)
        )
    for _ in range(draw(st.integers(0, 30))):
        at = draw(when)
        rows.append(
            session(
                at,
                project=draw(NAMES),
                ended_at=draw(st.sampled_from([None, at, at])),
                one_liner=draw(LINES),
                outcome=draw(texts),
                importance=draw(st.integers(1, 10)),
                has_detail=draw(st.booleans()),
            )
        )
    rows += [
        fact(draw(when), draw(texts), project=draw(NAMES), confidence=draw(st.floats(0, 1)))
        for _ in range(draw(st.integers(0, 12)))
    ]
    flags = st.sampled_from(["", "", "override"])
    rows += [hypothesis(draw(when), draw(texts), caution=draw(flags)) for _ in range(draw(st.integers(0, 6)))]
    rows += [
        entry(
            draw(when),
            draw(LINES)[:80] or "x",
            draw(texts),
            project=draw(NAMES),
            caution=draw(flags),
            status=draw(st.sampled_from(["approved", "approved", "pending", "deprecated"])),
        )
        for _ in range(draw(st.integers(0, 8)))
    ]
    for number in range(1, draw(st.integers(0, 5)) + 1):
        used = {"reads": draw(st.integers(0, 3)), "weight": draw(st.floats(0.1, 10))}
        rows += thought(draw(when), number, draw(texts), **used, project=draw(NAMES), caution=draw(flags))
    return rows


@pytest.fixture(scope="module")
def lasting(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Memory]:
    """One store for all examples; each begins by emptying it."""
    with living(tmp_path_factory.mktemp("lasting") / "home") as opened:
        yield opened


@settings(
    max_examples=often(50, 3), deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large]
)
@given(rows=stores(), sessions=st.integers(0, 50), project=NAMES)
def test_any_store_stays_within_every_budget(lasting: Memory, rows: list[object], sessions: int, project: str | None):
    with lasting.mind.store.write(lasting.caller, "test") as work:
        for table in (Fact, Hypothesis, Knowledge, MemorySession, Profile, Thought):
            work.session.exec(delete(table))
    lasting.insert(*rows)
    lasting.clock.now = START + timedelta(hours=6)
    context = lasting("memory_get_context", sessions=sessions, project=project)
    parts = assert_within_budgets(context.as_text(), context.context)
    facts = [row for row in rows if isinstance(row, Fact)]
    beliefs = [row for row in rows if isinstance(row, Hypothesis) and not row.caution]
    entries = [row for row in rows if isinstance(row, Knowledge) and row.status == "approved" and not row.caution]
    talks = [row for row in rows if isinstance(row, MemorySession)]
    still_open = sum(each.ended_at is None for each in talks)
    for heading, expected in (
        (KNOWLEDGE, len(entries)),
        (FACTS, len(facts)),
        (HYPOTHESES, len(beliefs)),
        (SESSIONS, still_open + min(sessions, len(talks) - still_open)),
    ):
        told = len(parts[heading].lines) + parts[heading].left_out if heading in parts else 0
        assert told == expected
