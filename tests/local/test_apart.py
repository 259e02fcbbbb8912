"""A process that is to outlive whoever started it, as each system knows it."""

import os
import sys
from pathlib import Path
from typing import Any

import pytest

from bigmind.local.apart import ENDS_WITH_STARTER, NO_WINDOW, OUT_OF_JOB, no_window, start_apart


def flags_tried(system: str, *, refused: int = 0, output: int = -1) -> list[int]:
    """What a start asks of that system, which refuses the first so many."""
    tried: list[int] = []

    def start(_: list[str], *, creationflags: int, **more: Any) -> None:
        assert more["start_new_session"]
        tried.append(creationflags)
        if len(tried) <= refused:
            raise PermissionError(13, "Access is denied")

    start_apart(["server"], Path(), {}, output, system=system, start=start)
    return tried


@pytest.mark.parametrize("system", ["linux", "darwin"])
def test_a_session_of_its_own_is_enough(system: str) -> None:
    assert flags_tried(system) == [0]


def test_on_windows_it_has_a_console_that_nobody_sees_and_leaves_the_job_of_who_started_it() -> None:
    assert flags_tried("win32") == [NO_WINDOW | OUT_OF_JOB]


def test_a_job_that_nothing_may_leave_keeps_it_from_no_start_and_is_told(tmp_path: Path) -> None:
    with (tmp_path / "said").open("wb") as said:
        assert flags_tried("win32", refused=1, output=said.fileno()) == [NO_WINDOW | OUT_OF_JOB, NO_WINDOW]
    assert (tmp_path / "said").read_bytes() == ENDS_WITH_STARTER.encode()


def test_what_cannot_be_started_at_all_is_told(tmp_path: Path) -> None:
    with (tmp_path / "said").open("wb") as said, pytest.raises(PermissionError):
        flags_tried("win32", refused=2, output=said.fileno())


def test_no_window_is_asked_for_where_there_would_be_one() -> None:
    assert [no_window(each) for each in ("win32", "linux", "darwin")] == [NO_WINDOW, 0, 0]


def test_it_runs_where_it_is_told_to_and_says_it_into_the_file(tmp_path: Path) -> None:
    log = tmp_path / "said"
    say = "import os, sys; print(os.environ['GIVEN'], os.path.samefile('.', sys.argv[1]), sys.stdin.read() == '')"
    with log.open("wb") as output:
        command = [sys.executable, "-c", say, str(tmp_path)]
        assert start_apart(command, tmp_path, {**os.environ, "GIVEN": "yes"}, output.fileno()).wait(120) == 0
    assert log.read_text(encoding="ascii").split() == ["yes", "True", "True"]
