"""How a budget of tokens is shared, and how text is cut to a part of it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.memory.sections import BLANK_LINE, Line, Section, Tier, fair_shares, filled
from bigmind.memory.tokens import count_tokens

NUMBERS = st.integers(0, 1_000)
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=300)
SOURCES = st.sampled_from(["", " (tester 2026-01-01)", " (𒀀𒀁𒀂𒀃𒀄𒀅𒀆, 𒀇𒀈𒀉𒀊 2026-01-01)"])
LINES = st.builds(Line, TEXTS, SOURCES, label=st.sampled_from(["", "- ", "- **[decision]** "]))


@given(st.integers(0, 2_000), st.lists(st.tuples(NUMBERS, st.integers(1, 9)), max_size=6))
def test_shares_are_fair(total: int, claims: list[tuple[int, int]]):
    wishes, weights = [wish for wish, _ in claims], [weight for _, weight in claims]
    shares = fair_shares(total, wishes, weights)
    assert all(0 <= share <= wish for share, wish in zip(shares, wishes, strict=True))
    if sum(wishes) <= total:
        assert shares == wishes
    else:
        assert total - len(claims) < sum(shares) <= total
    for share, (wish, weight) in zip(shares, claims, strict=True):
        assert share >= min(wish, total * weight // sum(weights))


@pytest.mark.parametrize(
    ("total", "wishes", "weights", "shares"),
    [
        (100, [10, 20], [1, 1], [10, 20]),
        (100, [10, 200], [1, 1], [10, 90]),
        (100, [200, 200], [3, 1], [75, 25]),
        (100, [30, 200, 200], [1, 1, 1], [30, 35, 35]),
        (100, [], [], []),
        (-5, [10, 20], [1, 1], [0, 0]),
    ],
)
def test_what_somebody_does_not_need_goes_to_the_others(
    total: int, wishes: Sequence[int], weights: Sequence[int], shares: Sequence[int]
):
    assert fair_shares(total, wishes, weights) == shares


@given(LINES, st.integers(0, 200))
def test_a_line_is_within_its_budget_and_keeps_its_source(line: Line, budget: int):
    cut = line.within(budget)
    assert count_tokens(cut) <= budget
    if line.cost <= budget:
        assert cut == line.label + line.text + line.source
    elif cut and count_tokens(line.source) <= budget // 2:
        assert cut.startswith(line.label)
        assert cut.endswith(f"…{line.source}")
        assert line.text.startswith(cut.removeprefix(line.label).removesuffix(f"…{line.source}"))


def test_a_cut_uses_its_budget():
    for text in ("the engine weaves " * 400, "🎠🐗💚👾" * 400, "**[decision]** " + "𒀀𒀁𒀂" * 400, "x" * 5_000):
        for budget in (100, 300):
            assert budget * 0.8 < count_tokens(Line(text).within(budget)) <= budget, text[:20]


@given(st.lists(LINES, min_size=1, max_size=12), st.integers(0, 9), st.integers(60, 400), st.booleans())
def test_a_section_is_within_its_budget_and_counts_what_it_leaves_out(
    lines: list[Line], left_out: int, budget: int, evenly: bool
):
    section = Section("### Things", lines, left_out, "a_tool", evenly=evenly)
    text = section.fitted(budget)
    assert count_tokens(text) + BLANK_LINE <= budget
    heading, *told = text.split("\n")
    assert heading == "### Things"
    missing = told.pop() if told and told[-1].endswith(" more: a_tool") else "- … 0 more: a_tool"
    assert len(told) + int(missing.split()[2]) == len(lines) + left_out
    if section.wish <= budget:
        assert told == [line.whole for line in lines]


def test_lines_are_chosen_by_weight_and_told_by_place():
    lines = [Line(f"line {number} of the engine", place=9 - number) for number in range(9)]
    told = Section("### Things", lines, tool="a_tool").fitted(45).split("\n")[1:-1]
    assert 1 < len(told) < 9
    assert told == [line.text for line in reversed(lines[: len(told)])]


def test_what_fits_is_told_whole_however_short_its_last_line_is():
    lines = [Line("Engineer", label="**Role:** "), Line("Short", label="**Likes:** ")]
    section = Section("### Who you are", lines, tool="resource memory://profile")
    assert section.fitted(section.wish) == "### Who you are\n**Role:** Engineer\n**Likes:** Short"


def test_a_line_that_must_not_be_cut_gives_way_to_a_shorter_one():
    line = Line("| a long | row |" * 50, briefs=("| a row |", "| a |"))
    assert line.within(10) == "| a row |"
    assert line.within(4) == "| a |"
    assert line.within(2) == ""


@given(
    st.lists(st.tuples(st.integers(80, 500), st.lists(LINES, min_size=1, max_size=9)), min_size=1, max_size=4),
    st.integers(500, 1_300),
)
def test_tiers_keep_their_budgets_and_the_whole(tiers: list[tuple[int, list[Line]]], budget: int):
    made = [Tier(own, [(1, Section("### Things", lines, tool="a_tool"))], own) for own, lines in tiers]
    texts = filled(made, budget)
    assert sum(count_tokens(text) + BLANK_LINE for text in texts) <= budget
    for text, (own, _) in zip(texts, tiers, strict=True):
        assert count_tokens(text) + BLANK_LINE <= own
