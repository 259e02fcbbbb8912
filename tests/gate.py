"""What the gate leaves out of the tests: tests/gate.toml says which, and why; `make thorough` runs them all.

Repetition is left out for good. The slower files take turns: a commit decides by its hash whose turn it is, so each of
them runs with one commit of as many as there are turns, and the same ones when that commit is tried again. Of other
files that take long, every fourth test runs with a commit.

A plugin of pytest, which tests/conftest.py takes up. What is named, a folder, a file, or a test by its id, runs
whosever turn it is, where no turn is told; a test by its id even where it is repetition.
"""

import os
import shutil
import subprocess
import tomllib
from collections import Counter, defaultdict
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from tests.thorough import THOROUGH, spread

TABLE = Path(__file__).with_name("gate.toml")
PART = "::"
"""Stands between a file and a test of it."""
TURN = "TURN"
"""The variable of the environment that says whose turn it is: a number from 1, or `all`."""
EVERY = "all"
QUARTERS = 4


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
def _table() -> dict[str, Any]:
    return tomllib.loads(TABLE.read_text(encoding="utf-8"))


@cache
def repetitions() -> tuple[Repetition, ...]:
    """The table, in its order."""
    told: list[dict[str, Any]] = _table()["repetition"]
    return tuple(Repetition(tuple(each["tests"]), each["reason"], each["cases"]) for each in told)


@cache
def turns() -> tuple[frozenset[str], ...]:
    """The files of each turn, below tests/."""
    return tuple(frozenset(each["files"]) for each in _table()["turn"])


@cache
def in_quarters() -> frozenset[str]:
    """The files, below tests/, of which a commit runs every fourth test."""
    return frozenset(_table()["quarter"]["files"])


def turn_of(commit: str) -> str:
    """Whose turn it is with a commit; everybody's where none is known."""
    return str(int(commit, 16) % len(turns()) + 1) if commit else EVERY


@cache
def waiting(turn: str) -> frozenset[str]:
    """The files that wait for another turn than this one.

    Raises:
        pytest.UsageError: where there is no such turn.
    """
    if turn == EVERY:
        return frozenset()
    if turn not in {str(number) for number in range(1, len(turns()) + 1)}:
        raise pytest.UsageError(f"{TURN} is {turn!r}: say {EVERY}, or a number from 1 to {len(turns())}")
    return frozenset[str]().union(*turns()) - turns()[int(turn) - 1]


def _commit() -> str:
    """The hash of the commit that is tried; empty in a folder that is no checkout."""
    git = shutil.which("git")
    if git is None:
        return ""
    asked = subprocess.run([git, "rev-parse", "HEAD"], cwd=TABLE.parent, capture_output=True, text=True, check=False)
    return asked.stdout.strip() if asked.returncode == 0 else ""


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


def resting(node_ids: list[str], turn: str) -> set[str]:
    """Which of these cases are of a file that runs in quarters, and of another quarter than that of a turn."""
    if turn == EVERY:
        return set()
    places: Counter[str] = Counter()
    gone: set[str] = set()
    for each in node_ids:
        file = each.partition(PART)[0].removeprefix("tests/")
        if file in in_quarters() and places[file] % QUARTERS != int(turn) % QUARTERS:
            gone.add(each)
        places[file] += 1
    return gone


def pytest_configure(config: pytest.Config) -> None:
    """Settle whose turn it is, once for all processes of a run."""
    if not hasattr(config, "workerinput"):
        is_named = config.args_source is not pytest.Config.ArgsSource.TESTPATHS
        told = os.environ.get(TURN) or (EVERY if is_named else turn_of(_commit()))
        os.environ[TURN] = EVERY if THOROUGH else told


def pytest_report_header() -> str:
    """Say it, so that nobody takes a part for the whole."""
    turn = os.environ[TURN]
    part = "all"
    if turn != EVERY:
        part = f"turn {turn} of {len(turns())}, a quarter of {len(in_quarters())} other files; {TURN}={EVERY} runs all"
    return f"slower files (tests/gate.toml): {part}"


def pytest_ignore_collect(collection_path: Path) -> bool | None:
    """Not even import a file that waits."""
    is_ours = collection_path.is_relative_to(TABLE.parent)
    is_waiting = is_ours and collection_path.relative_to(TABLE.parent).as_posix() in waiting(os.environ[TURN])
    return True if is_waiting else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take out what the table leaves to thorough runs, before anything else looks at the tests."""
    if THOROUGH or any(PART in argument for argument in config.args):
        return
    ids = [item.nodeid for item in items]
    gone = left_out(ids)
    gone |= resting([each for each in ids if each not in gone], os.environ[TURN])
    config.hook.pytest_deselected(items=[item for item in items if item.nodeid in gone])
    items[:] = [item for item in items if item.nodeid not in gone]
