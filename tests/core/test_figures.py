"""Figures that the bench writes into the docs are of the code that there is (tests/bench/figures.py)."""

import re

import pytest

from tests.bench.figures import DOCUMENT, MEASURED, blocks, code_of, files, written
from tests.bench.report import Table
from tests.bench.stages import STAGES
from tests.bench.stages import found as found_stages

OLD = "# Figures\n\n<!-- figures: load, code 0123 -->\nold\n<!-- end of figures: load -->\n\nAfter.\n"


def test_each_part_that_is_written_into_the_docs_stands_there_once():
    assert sorted(each.part for each in blocks(DOCUMENT.read_text())) == sorted(MEASURED)


@pytest.mark.parametrize("part", sorted(MEASURED))
def test_no_figures_are_older_than_the_code_that_they_measure(part: str):
    [told] = [each.code for each in blocks(DOCUMENT.read_text()) if each.part == part]
    remedy = f"On a quiet machine, `.venv/bin/python -m tests.bench {part} --write` measures anew."
    assert told == code_of(part), f"docs/performance.md has figures of {part} of other code. {remedy}"


def test_each_pattern_of_what_is_measured_names_something():
    assert [each for patterns in MEASURED.values() for each in patterns if not files(each)] == []


def test_each_stage_that_is_told_apart_is_there():
    assert [stage for stage, _ in found_stages()] == [stage for stage, _ in STAGES]


def test_new_figures_take_the_place_of_the_old_ones_and_tell_their_commit_and_settings():
    table = Table("Load", ("a", "b"))
    table.add(1, 2)
    told = written(OLD, "load", [table], 0.25, "abc1234")
    assert [(each.part, each.code) for each in blocks(told)] == [("load", code_of("load"))]
    assert told.startswith("# Figures\n\n<!-- figures: load")
    assert told.endswith("<!-- end of figures: load -->\n\nAfter.\n")
    assert "old" not in told
    assert "`python -m tests.bench load --write`, abc1234" in told
    machine = r"\d+ cores \(.+\), load 0.25 before the run, Python \S+ built with(out)? optimizations, SQLite"
    assert re.search(machine, told)
    assert "| 1 | 2 |" in told
    assert written(told, "load", [table], 0.25, "abc1234") == told


def test_figures_without_a_place_are_refused():
    with pytest.raises(ValueError, match="0 blocks of figures of latency"):
        written(OLD, "latency", [], 0.0, "abc1234")
