"""What earns a badge, when it was earned, and how far the next one is."""

from datetime import UTC, date, datetime, timedelta
from itertools import groupby

from bigmind.memory.profile.badges import RULES, Figures, badges_of, longest_streak
from bigmind.memory.profile.milestones import begun, milestones
from tests.memory.living import Memory
from tests.memory.rows import session

FIRST = date(2026, 1, 1)


def in_a_row(count: int, start: date = FIRST) -> list[date]:
    return [start + timedelta(days=offset) for offset in range(count)]


def names(badges: object) -> list[str]:
    return [each.rule.name for each in badges]


def test_the_table_is_in_order() -> None:
    assert len({rule.name for rule in RULES}) == len(RULES)
    families = [family for family, _ in groupby(RULES, lambda rule: rule.family)]
    assert len(families) == len(set(families)), "a family stands together"
    for _, rules in groupby(RULES, lambda rule: rule.family):
        steps = [rule.needed for rule in rules]
        assert steps == sorted(set(steps))
        assert steps[0] > 0


def test_nothing_earns_nothing_and_shows_what_is_first() -> None:
    badges = badges_of(Figures())
    assert (badges.best, badges.earned) == ([], [])
    assert names(badges.next)[:2] == ["3-day streak", "First session"]
    assert all(each.share == 0 for each in badges.next)


def test_every_badge_is_earned_at_its_figure_and_not_before() -> None:
    fields = ("sessions", "moments", "facts", "corrected", "confirmed", "refuted", "approved", "clients", "projects")
    most = Figures(days=in_a_row(365), detailed=50, **dict.fromkeys(fields, 10_000))
    assert names(badges_of(most).earned) == [rule.name for rule in RULES]
    assert badges_of(most).next == []
    for count, name, earned in ((9, "10 sessions", False), (10, "10 sessions", True), (99, "100 sessions", False)):
        assert (name in names(badges_of(Figures(sessions=count)).earned)) is earned


def test_a_gap_ends_a_streak() -> None:
    assert longest_streak([]) == 0
    assert longest_streak([*in_a_row(4), *in_a_row(6, date(2026, 2, 1)), date(2026, 3, 1)]) == 6
    assert longest_streak([date(2026, 3, 28), date(2026, 3, 29), date(2026, 3, 30)]) == 3, (
        "over the change of the clock"
    )


def test_a_streak_was_earned_on_the_day_it_was_as_long() -> None:
    earned = {each.rule.name: each.since for each in badges_of(Figures(days=in_a_row(10))).earned}
    assert earned == {"3-day streak": date(2026, 1, 3), "7-day streak": date(2026, 1, 7)}


def test_the_hardest_of_a_family_stands_first_and_the_nearest_comes_next() -> None:
    badges = badges_of(Figures(sessions=60, facts=99, days=in_a_row(3)))
    assert names(badges.best) == ["10 sessions", "3-day streak", "First fact"]
    assert names(badges.next)[:2] == ["100 facts", "100 sessions"]
    assert badges.next[0].count == 99


def test_they_are_counted_in_the_store_with_when(memory: Memory) -> None:
    start = datetime(2026, 1, 1, 12, tzinfo=UTC)
    memory.insert(*(session(start + timedelta(days=day), client=f"client-{day % 3}") for day in range(12)))
    memory("memory_start_session")
    wrong = memory("memory_add_hypothesis", hypothesis="I believe it leaks").hypothesis.hypothesis_id
    memory("memory_resolve_hypothesis", id=wrong, status="refuted", resolution="It does not")
    fact = memory("memory_store_fact", category="decision", fact="It is tight").fact.fact_id
    memory("memory_deprecate_fact", fact_id=fact, reason="It was replaced")
    with memory.mind.store.read(memory.caller, "test") as work:
        days = [moment.date() for moment in begun(work)]
        found = {each.rule.name: each.since for each in milestones(work, days).earned}
    today = memory.clock.now.astimezone().date()
    assert found == {
        "3-day streak": date(2026, 1, 3),
        "7-day streak": date(2026, 1, 7),
        "First session": (start).astimezone().date(),
        "10 sessions": (start + timedelta(days=9)).astimezone().date(),
        "Hypothesis refuted": today,
        "Tidy": today,
        "Polyglot": None,
    }


def test_they_are_ones_own(memory: Memory) -> None:
    memory("memory_start_session")
    memory("memory_store_fact", category="decision", fact="Ada's")
    charles = memory.of("charles")
    with memory.mind.store.read(charles.caller, "test") as work:
        assert begun(work) == []
        assert milestones(work, []).earned == []


def test_a_single_one_is_told_with_its_day(memory: Memory) -> None:
    memory("memory_start_session")
    with memory.mind.store.read(memory.caller, "test") as work:
        (earned,) = milestones(work, [FIRST]).earned
    assert (earned.rule.name, earned.since) == ("First session", memory.clock.now.astimezone().date())
