"""A question that is nothing but a time is answered with the sessions of that time."""

from datetime import UTC, date, datetime

import pytest

from bigmind.memory.recall.named_time import WHY, time_alone
from tests.memory.living import Memory

WEDNESDAY = datetime(2026, 3, 4, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What did we do today?", (date(2026, 3, 4), date(2026, 3, 4))),
        ("what happened yesterday", (date(2026, 3, 3), date(2026, 3, 3))),
        ("yesterday", None),
        ("Heute", None),
        ("last week", None),
        ("what happened  last week", (date(2026, 2, 23), date(2026, 3, 1))),
        ("What have I done this week?", (date(2026, 3, 2), date(2026, 3, 4))),
        ("Was haben wir gestern gemacht?", (date(2026, 3, 3), date(2026, 3, 3))),
        ("was ist letzte Woche passiert", (date(2026, 2, 23), date(2026, 3, 1))),
        ("what did we decide yesterday", None),
        ("what did we do about refunds yesterday", None),
        ("yesterday's refunds", None),
        ("what did we do", None),
        ("", None),
        ("today " * 100, None),
    ],
)
def test_only_a_question_that_asks_for_nothing_else_is_one_for_a_time(
    question: str, days: tuple[date, date] | None
) -> None:
    assert time_alone(question, WEDNESDAY) == days


@pytest.fixture
def worked(memory: Memory) -> Memory:
    """Three sessions on the first of March, one the day after, which is today; one of Bob's that day."""
    for name in ("Rounded refunds", "Rotated keys", "Dropped stale rows"):
        memory("memory_start_session", project="shop")
        memory("memory_end_session", one_liner=name, topics=["pay"], outcome=f"{name}, and it holds", summary="All.")
        memory.clock.forward(minutes=5)
    memory.clock.forward(days=1)
    memory("memory_start_session", project="mill")
    memory("memory_end_session", one_liner="Oiled the mill", topics=["mill"], outcome="It turns")
    bob = memory.of("bob").over("bob")
    bob("memory_start_session")
    bob("memory_end_session", one_liner="Bob was here", topics=["bob"], outcome="done")
    return memory


def test_the_sessions_of_that_time_are_told_the_newest_first(worked: Memory) -> None:
    found = worked("memory_semantic_search", query="What did we do yesterday?")
    assert [each.title for each in found.hits] == ["Dropped stale rows", "Rotated keys", "Rounded refunds"]
    assert found.as_text().startswith("3 sessions of that time, newest first.")
    assert "Rotated keys, and it holds" in found.as_text()
    assert found.hints(None) == []
    assert [each.title for each in worked("memory_semantic_search", query="what did we do today").hits] == [
        "Oiled the mill"
    ]


def test_filters_hold(worked: Memory) -> None:
    def asked(**given: object) -> list[str]:
        return [each.title for each in worked("memory_semantic_search", query="what happened this week", **given).hits]

    assert asked() == ["Oiled the mill"]
    assert asked(project="shop") == []
    titles = [each.title for each in worked("memory_semantic_search", query="what happened yesterday", limit=2).hits]
    assert titles == ["Dropped stale rows", "Rotated keys"]
    assert not worked("memory_semantic_search", query="what happened yesterday", kinds=["fact"]).is_newest_first
    assert not worked("memory_semantic_search", query="what happened last month", since="2026-01-01").is_newest_first


def test_a_time_without_sessions_is_searched_as_any_other_question(worked: Memory) -> None:
    worked.clock.forward(days=9)
    assert not worked("memory_semantic_search", query="what did we do yesterday").is_newest_first


def test_a_session_that_tells_nothing_yet_as_the_one_it_is_asked_in_is_not_told(worked: Memory) -> None:
    worked("memory_start_session", project="mill")
    worked.over("second")("memory_start_session", project="other")
    asked = "what did we do today?"
    assert [each.title for each in worked("memory_semantic_search", query=asked).hits] == ["Oiled the mill"]
    worked("memory_flag_important", content="The mill is oiled weekly", flag_reason="rule")
    assert [len(each.moments) for each in worked("memory_semantic_search", query=asked).hits] == [1, 0]
    both = worked.over("third")("memory_semantic_search", query=asked).hits
    assert [(each.title, [moment.excerpt for moment in each.moments]) for each in both] == [
        ("", ["The mill is oiled weekly"]),
        ("Oiled the mill", []),
    ]


def test_where_only_empty_sessions_began_it_is_searched_as_any_other_question(memory: Memory) -> None:
    memory("memory_start_session", project="shop")
    memory("memory_store_fact", category="decision", fact="The checkout is in Rust since today")
    found = memory.over("second")("memory_semantic_search", query="what did we do today?")
    assert not found.is_newest_first
    assert found.named_time == date(2026, 3, 1)


def test_a_session_that_began_earlier_is_told_with_what_was_kept_in_it_then(memory: Memory) -> None:
    memory("memory_start_session", project="shop")
    memory("memory_flag_important", content="Refunds are rounded", flag_reason="rule")
    memory.clock.forward(hours=20)
    memory("memory_flag_important", content="Keys are rotated", flag_reason="rule")
    memory.clock.forward(minutes=5)
    memory("memory_end_session", one_liner="Two days of work", topics=["pay"], outcome="done")
    [hit] = memory("memory_semantic_search", query="what did we do today?").hits
    assert hit.title == "Two days of work"
    assert [(each.excerpt, each.why) for each in hit.moments] == [("Keys are rotated", WHY)]
