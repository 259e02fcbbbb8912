"""How a budget of tokens is shared, and how text is cut to a part of it."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bigmind.memory.context.block import LineKind, Subject
from bigmind.memory.context.budget import (
    BLANK_LINE,
    MOST_COUNTED,
    MOST_WISHED,
    Line,
    Section,
    TableRow,
    TextLine,
    Tier,
    fair_shares,
    filled,
)
from bigmind.text.tokens import count_tokens
from tests.memory.rows import START

NUMBERS = st.integers(0, 1_000)
TEXTS = st.text(st.characters(exclude_categories=("Cs", "Cc", "Zl", "Zp")), min_size=1, max_size=300)
TAILS = st.sampled_from(["", " `1f0c9a2e`", " `1f0c9a2e` (𒀀𒀁𒀂𒀃, other)"])
SUBJECT = Subject(LineKind.FACT, "1f0c9a2e", "", None, "tester", "", START)


def text_line(text: str, tail: str = "", label: str = "- ", place: int = 0) -> TextLine:
    return TextLine(subject=SUBJECT, label=label, text=text, tail=tail, place=place)


def table_row(headline: str, topics: str = "", outcome: str = "") -> TableRow:
    cells = ((headline, 3), (topics, 1), (outcome, 2))
    return TableRow(subject=SUBJECT, first="2026-01-01", before="", behind=" `1f0c9a2e`", cells=cells)


LINES = st.builds(text_line, TEXTS, TAILS, st.sampled_from(["", "- ", "- **[decision]** "]))
ROWS = st.builds(table_row, TEXTS, TEXTS, TEXTS)


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
def test_a_line_is_within_its_budget_and_keeps_what_stands_around_its_text(line: TextLine, budget: int):
    cut = line.within(budget)
    assert count_tokens(cut) <= budget
    if line.cost <= budget:
        assert cut == line.whole
    elif cut:
        assert cut.startswith(line.label)
        assert cut.endswith(f"…{line.tail}")
        assert line.text.startswith(cut.removeprefix(line.label).removesuffix(f"…{line.tail}"))


@given(ROWS, st.integers(0, 200))
def test_a_row_of_a_table_is_within_its_budget_and_stays_a_row(row: TableRow, budget: int):
    cut = row.within(budget)
    assert count_tokens(cut) <= budget
    if cut:
        assert cut.startswith("| 2026-01-01 | ")
        assert " `1f0c9a2e` | " in cut
        assert cut.endswith(" |")


def test_a_cut_uses_its_budget():
    for text in ("the engine weaves " * 400, "🎠🐗💚👾" * 400, "**[decision]** " + "𒀀𒀁𒀂" * 400, "机械编织图案" * 400):
        for budget in (100, 300):
            assert budget * 0.8 < count_tokens(text_line(text).within(budget)) <= budget, text[:20]


@pytest.mark.parametrize("budget", [MOST_COUNTED, MOST_COUNTED + 1, MOST_WISHED - 1, MOST_WISHED, 2 * MOST_WISHED])
def test_a_line_that_nobody_counted_to_its_end_is_cut_like_any_other(budget: int):
    line = text_line("the engine weaves " * 4 * MOST_WISHED)
    assert line.cost == MOST_WISHED
    assert budget * 0.8 < count_tokens(line.within(budget)) <= budget
    shorter = text_line("the engine weaves " * (budget // 5))
    assert shorter.within(budget) == shorter.whole


@given(st.lists(LINES, min_size=1, max_size=12), st.integers(0, 9), st.integers(60, 400))
def test_a_section_is_within_its_budget_and_counts_what_it_leaves_out(lines: list[Line], left_out: int, budget: int):
    section = Section("### Things", lines, left_out, "a_tool")
    text = section.fitted(budget).as_text()
    assert count_tokens(text) + BLANK_LINE <= budget
    heading, *told = text.split("\n")
    assert heading == "### Things"
    missing = told.pop() if told and told[-1].endswith(" more: a_tool") else "- … 0 more: a_tool"
    assert len(told) + int(missing.split()[2]) == len(lines) + left_out
    if section.wish <= budget:
        assert told == [line.whole for line in lines]


@given(st.lists(LINES, min_size=1, max_size=6), st.lists(LINES, min_size=1, max_size=6), st.integers(60, 400))
def test_a_spare_line_costs_the_others_no_word(lines: list[Line], spare: list[Line], budget: int):
    section = Section("### Things", [*lines, *(replace(each, is_spare=True) for each in spare)], tool="a_tool")
    fitted = section.fitted(budget)
    assert fitted.cost <= budget
    shown = {id(line): text for line, text in fitted.lines}
    if any(line.is_spare for line, _ in fitted.lines):
        assert [shown.get(id(each)) for each in lines] == [each.whole for each in lines]


def test_a_reader_who_has_no_tool_for_it_is_named_none():
    section = Section("### Things", [text_line("the engine")], 7)
    assert section.fitted(100).as_text().endswith("\n- … 7 more")


def test_lines_are_chosen_by_weight_and_told_by_place():
    lines = [text_line(f"line {number} of the engine", label="", place=9 - number) for number in range(9)]
    told = Section("### Things", lines, tool="a_tool").fitted(45).as_text().split("\n")[1:-1]
    assert 1 < len(told) < 9
    assert told == [line.text for line in reversed(lines[: len(told)])]


def test_one_dear_line_hides_no_other():
    lines = [text_line("💚👾" * 900), *(text_line(f"line {number} of the engine") for number in range(9))]
    told = Section("### Things", lines, tool="a_tool").fitted(200).as_text()
    assert [f"line {number}" in told for number in range(9)] == [True] * 9
    assert "💚" in told


@given(
    st.lists(st.tuples(st.integers(80, 500), st.lists(LINES, min_size=1, max_size=9)), min_size=1, max_size=4),
    st.integers(500, 1_300),
)
def test_tiers_keep_their_bounds_and_the_whole_and_have_what_they_are_assured_of(
    tiers: list[tuple[int, list[Line]]], budget: int
):
    made = [
        Tier([Section("### Things", lines, tool="a_tool")], assured=most // 2, most=most, turn=turn)
        for turn, (most, lines) in enumerate(tiers)
    ]
    fitted = filled(made, budget)
    assert sum(each.cost for each in fitted) <= budget
    for each, tier in zip(fitted, made, strict=True):
        assert each.cost <= tier.most
        if tier.wish <= min(tier.assured, budget // len(made)):
            assert not each.missing
