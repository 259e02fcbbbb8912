"""Orders in stored text, measured on a set that no rule was tuned on; SECURITY.md has the figures of this very run."""

import json
import re
from pathlib import Path

import pytest

from tests.memory.order_sets import FOLDER, HARMLESS, HELD_OUT, ORDER, samples_of, shares, table

SECURITY = Path(__file__).parents[2] / "SECURITY.md"
FORMATS = ("<|im_start|>", "[INST]", "<|start_header_id|>", "<start_of_turn>", "\n\nHuman:", "<|start|>", "<｜User｜>")


@pytest.fixture(scope="module")
def held_out():
    return samples_of(HELD_OUT)


def test_the_set_is_large_and_of_many_languages(held_out):
    orders = [each for each in held_out if each.side == ORDER]
    harmless = [each for each in held_out if each.side == HARMLESS]
    assert len(orders) >= 500
    assert len(harmless) >= 400
    assert len({each.text for each in held_out}) == len(held_out)
    for side in (orders, harmless):
        assert len({each.language for each in side}) >= 25
    for mark in FORMATS:
        assert any(mark in each.text for each in orders), mark


def test_the_set_says_where_it_comes_from():
    first, *_ = (FOLDER / f"{HELD_OUT}.jsonl").read_text(encoding="utf-8").splitlines()
    told = " ".join(json.loads(first)["provenance"])
    assert re.search(r"Written on \d{4}-\d\d-\d\d by", told)
    assert "No rule was tuned on it." in told


def test_the_published_figures_are_those_of_the_set(held_out):
    rows = "\n".join(table(shares(held_out)))
    assert rows in SECURITY.read_text(encoding="utf-8"), f"SECURITY.md is to say\n{rows}"
