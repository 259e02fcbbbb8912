"""docs/brain.md says the numbers that hold, and its picture shows the pairs as the model sees them."""

import re
from datetime import timedelta
from typing import Any

import pytest

from bigmind.brain import rules
from bigmind.embedding.models import DEFAULT
from tests.bench.closeness import FILE, NUMBERS, groups, place, similarities
from tests.support import ROOT
from tests.thorough import spread

PAGE = (ROOT / "docs" / "brain.md").read_text(encoding="utf-8")
ROWS = re.findall(r"^\| .* \| ([\d.,]+(?:, [\d.,]+)*) \| (`[A-Z][^|]*`) \|$", PAGE, re.MULTILINE)
TOLD = {
    name.strip("` "): number.replace(",", "")
    for numbers, names in ROWS
    for number, name in zip(numbers.split(", "), names.split(", "), strict=True)
}


def value(name: str) -> Any:
    """What a name of the page stands for: a constant, or an entry of one."""
    constant, _, entry = name.partition(".")
    found = getattr(rules, constant)
    return found[entry] if entry else found


@pytest.mark.parametrize("name", TOLD)
def test_the_page_says_the_number_that_holds(name: str) -> None:
    assert float(TOLD[name]) == value(name)


def test_the_page_says_every_number() -> None:
    known: set[str] = set()
    for name, found in vars(rules).items():
        if name.isupper() and not name.startswith("_"):
            match found:
                case dict():
                    known |= {f"{name}.{each}" for each in found}
                case int() | float():
                    known.add(name)
                case _:
                    pass
    imported = {"ALIKE", "CLOSE", "SAME"}
    assert set(TOLD) == known - imported
    assert (rules.SESSION_LASTS, "`SESSION_LASTS` (24 hours)" in PAGE) == (timedelta(hours=24), True)


def test_the_picture_names_the_model_the_numbers_and_how_many_pairs_there_are() -> None:
    picture, told = FILE.read_text(encoding="utf-8"), groups()
    assert DEFAULT in picture
    assert DEFAULT in PAGE
    for name, number in NUMBERS.items():
        assert f">{name} {number:g}<" in picture
    assert [f">{each.title}<" in picture for each in told] == [True] * len(told)
    pairs = sum(len(each.pairs) for each in told)
    assert picture.count("<circle ") == pairs
    assert f"{pairs} real pairs" in PAGE


@pytest.mark.parametrize("number", range(len(groups())))
def test_the_picture_shows_the_pairs_where_the_model_sees_them(number: int) -> None:
    """Some of each group in the gate; machines differ a little in how they round."""
    told = groups()
    first = sum(len(each.pairs) for each in told[:number])
    places = [float(each) for each in re.findall(r'<circle cx="([\d.]+)"', FILE.read_text(encoding="utf-8"))]
    chosen = spread(range(len(told[number].pairs)), 3)
    measured = similarities([told[number].pairs[each] for each in chosen])
    assert [places[first + each] for each in chosen] == pytest.approx([place(each) for each in measured], abs=12)
