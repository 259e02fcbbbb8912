"""What the gate leaves to a thorough run: each value is met, the same each time."""

import ast
from pathlib import Path

import pytest

from tests.gate import EVERY, PART, QUARTERS, in_quarters, repetitions, resting, turn_of, turns, waiting
from tests.thorough import crossed, spread, turn

TESTS = Path(__file__).parents[1]
ALWAYS = (
    *("http/test_guard.py", "http/test_openapi.py", "http/test_other_users.py", "http/test_secrets.py"),
    *(
        "ui/test_walk.py",
        "ui/test_stored_xss.py",
        "local/test_bridge.py",
        "mcp/test_story.py",
        "mcp/test_definitions.py",
    ),
    *("conformance/test_suites.py", "conformance/test_protocol_eras.py", "store/test_kill9.py", "store/test_seals.py"),
    *("memory/test_forget_bytes.py", "memory/test_forget.py", "backup/test_restore.py", "portable/test_import.py"),
    *("clients/test_claude_code_conversations.py", "clients/test_seen_by_real_clients.py", "app/test_serve.py"),
    *("brain/test_brain_machine.py", "work/test_honest_runs.py", "mindspace/test_tree_machine.py"),
    *("protocol/test_gates.py", "workspace/test_hostile_repositories.py", "search/test_never_found.py"),
)
"""Of each system what shows its way through, or what it promises for good: whole, or in quarters."""


def test_a_spread_has_the_first_and_the_last_and_what_lies_between() -> None:
    assert spread(range(100), 4, thorough=False) == [0, 33, 66, 99]
    assert spread("abc", 1, thorough=False) == ["a"]
    assert spread("abc", 5, thorough=False) == ["a", "b", "c"]
    assert spread("abc", 1, thorough=True) == ["a", "b", "c"]


def test_each_case_has_its_turn() -> None:
    assert [turn("abc", number, thorough=False) for number in range(4)] == [["a"], ["b"], ["c"], ["a"]]
    assert turn("abcde", 2, 2, thorough=False) == ["e", "a"]
    assert turn("abc", 7, thorough=True) == ["a", "b", "c"]


def test_crossed_values_each_occur_and_a_thorough_run_has_all_of_their_pairs() -> None:
    pairs = crossed("abcde", (1, 2), "xy", thorough=False)
    assert [pair[0] for pair in pairs] == list("abcde")
    assert {pair[1] for pair in pairs} == {1, 2}
    assert {pair[2] for pair in pairs} == {"x", "y"}
    assert len(crossed("abcde", (1, 2), "xy", thorough=True)) == 20


def test_what_the_gate_leaves_out_is_there_with_a_reason_and_named_once() -> None:
    named = [test for repetition in repetitions() for test in repetition.tests]
    assert sorted(named) == sorted(set(named))
    assert all(repetition.tests and repetition.reason and repetition.cases >= 0 for repetition in repetitions())
    assert [test for test in named if not is_there(test)] == []


def test_what_takes_turns_is_there_and_has_one_turn() -> None:
    named = [file for files in turns() for file in files]
    assert sorted(named) == sorted(set(named))
    assert [file for file in named if not (TESTS / file).is_file()] == []


def test_each_file_runs_with_one_turn_and_waits_for_it_with_all_others() -> None:
    every = frozenset[str]().union(*turns())

    assert [every - waiting(str(number)) for number in range(1, len(turns()) + 1)] == list(turns())
    assert waiting(EVERY) == frozenset()


@pytest.mark.parametrize("file", ALWAYS)
def test_what_each_commit_must_pass_takes_no_turns(file: str) -> None:
    assert (TESTS / file).is_file()
    assert all(file not in files for files in turns())


def test_what_runs_in_quarters_is_there_and_takes_no_turns() -> None:
    assert [file for file in in_quarters() if not (TESTS / file).is_file()] == []
    assert in_quarters().isdisjoint(frozenset[str]().union(*turns()))


def test_four_commits_meet_each_test_of_a_file_that_runs_in_quarters_once() -> None:
    file = min(in_quarters())
    quartered = [f"tests/{file}::test_{number}" for number in range(10)]
    whole = ["tests/http/test_guard.py::test_one", "tests/http/test_guard.py::test_two"]
    run = [set(quartered + whole) - resting(quartered + whole, str(turn)) for turn in range(1, QUARTERS + 1)]

    assert sorted(test for each in run for test in each) == sorted(quartered + whole * QUARTERS)
    assert [len(each) for each in run] == [5, 4, 4, 5]
    assert resting(quartered + whole, EVERY) == set()
    assert len(turns()) % QUARTERS == 0  # else a quarter would come with more turns than another


def test_a_commit_has_one_turn_and_none_has_all() -> None:
    assert [turn_of(f"{number:x}") for number in range(len(turns()))] == [str(n) for n in range(1, len(turns()) + 1)]
    assert turn_of("") == EVERY


@pytest.mark.parametrize("turn", ["0", "99", "one"])
def test_a_turn_that_there_is_not_is_refused(turn: str) -> None:
    with pytest.raises(pytest.UsageError, match="say all, or a number"):
        waiting(turn)


def is_there(test: str) -> bool:
    """Whether a test function of that name stands in that file, in the class that is named."""
    file, *names = test.split(PART)
    path = TESTS / file
    node: ast.Module | ast.ClassDef = ast.parse(path.read_text(encoding="utf-8")) if path.is_file() else ast.Module([])
    for name in names:
        found = [each for each in node.body if getattr(each, "name", None) == name]
        if not found:
            return False
        node = found[0]
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
