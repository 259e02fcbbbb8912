"""What the gate leaves out of the tests: tests/gate.toml says which, and why; `make thorough` runs them all.

A plugin of pytest, which tests/conftest.py takes up. A test that is named by its id runs, whatever the table says.
"""

import tomllib
from collections import defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.thorough import THOROUGH, spread

TABLE = Path(__file__).with_name("gate.toml")
PART = "::"
"""Stands between a file and a test of it."""


@dataclass(frozen=True)
class Repetition:
    """Tests of which the gate runs some cases, or none."""

    tests: tuple[str, ...]
    """`folder/test_file.py::test_name`, below tests/, of one function each."""
    reason: str
    """Why the gate can do without the others."""
    cases: int
    """How many of each function's cases the gate runs, evenly spread, with the first and the last."""


@cache
def repetitions() -> tuple[Repetition, ...]:
    """The table, in its order."""
    told: list[dict[str, Any]] = tomllib.loads(TABLE.read_text(encoding="utf-8"))["repetition"]
    return tuple(Repetition(tuple(each["tests"]), each["reason"], each["cases"]) for each in told)


def function_of(node_id: str) -> str:
    """The test function of a case, as the table names it."""
    return node_id.partition("[")[0].removeprefix("tests/")


def left_out(node_ids: list[str]) -> set[str]:
    """Which of these cases only a thorough run has."""
    cases: defaultdict[str, list[str]] = defaultdict(list)
    for each in node_ids:
        cases[function_of(each)].append(each)
    gone: set[str] = set()
    for repetition in repetitions():
        for test in repetition.tests:
            kept = spread(cases[test], repetition.cases, thorough=False) if repetition.cases else []
            gone.update(set(cases[test]).difference(kept))
    return gone


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take out what the table leaves to thorough runs, before anything else looks at the tests."""
    if THOROUGH or any(PART in argument for argument in config.args):
        return
    gone = left_out([item.nodeid for item in items])
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in gone])
    items[:] = [item for item in items if item.nodeid not in gone]
