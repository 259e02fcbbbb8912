"""The line that follows what takes long, and what Ctrl-C does meanwhile."""

import signal
import threading

import pytest
import typer

from bigmind.cli import progress_line
from bigmind.cli.progress_line import INTERRUPTED, Follower, following
from bigmind.core.errors import BigMindError, Code
from bigmind.core.progress import CancelledError
from bigmind.local.connection import NotRunningError

SECONDS = 60
UNHEARD = "look before you do it again"


def nothing() -> None:
    """Neither stops nor gives up."""


def interrupted(follower: Follower, answer: Exception) -> None:
    """Ctrl-C, and what comes once the server was asked to stop."""
    asked = threading.Event()
    with follower.stoppable(asked.set, asked.clear):
        signal.raise_signal(signal.SIGINT)
        assert asked.wait(SECONDS)
        raise answer


def ended(answer: Exception) -> int:
    """The exit code of a command that is interrupted, and is answered so."""
    with pytest.raises(typer.Exit) as found, following("Wind the clock") as follower:
        interrupted(follower, answer)
    return found.value.exit_code


def test_what_was_done_by_then_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(CancelledError("Stopped.", "Three of nine wheels turn.")) == INTERRUPTED
    assert capsys.readouterr().err == "Stopped. Three of nine wheels turn.\n"


def test_a_server_that_went_away_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    assert ended(NotRunningError("The connection is gone.")) == INTERRUPTED
    assert UNHEARD in capsys.readouterr().err


def test_another_fault_is_the_commands_to_tell() -> None:
    with pytest.raises(BigMindError, match="full"), following("Wind the clock") as follower:
        interrupted(follower, BigMindError(Code.STORAGE_FULL, "The disk is full."))


def test_what_nobody_interrupted_is_the_commands_to_tell() -> None:
    with pytest.raises(CancelledError), following("Wind the clock"):
        raise CancelledError("It was told to stop.")


def test_a_second_ctrl_c_waits_for_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    def twice(follower: Follower) -> None:
        asked = threading.Event()
        with follower.stoppable(asked.set, asked.clear):
            signal.raise_signal(signal.SIGINT)
            assert asked.wait(SECONDS)
            signal.raise_signal(signal.SIGINT)
            raise AssertionError("it goes on")

    with pytest.raises(typer.Exit) as found, following("Wind the clock") as follower:
        twice(follower)
    assert found.value.exit_code == INTERRUPTED
    assert UNHEARD in capsys.readouterr().err


def test_it_waits_for_so_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress_line, "LAST_WORDS_SECONDS", 0.01)
    given_up = threading.Event()
    with following("Wind the clock") as follower, follower.stoppable(nothing, given_up.set):
        signal.raise_signal(signal.SIGINT)
        assert given_up.wait(SECONDS)


def test_ctrl_c_is_what_it_was_afterwards() -> None:
    before = signal.getsignal(signal.SIGINT)
    with following("Wind the clock") as follower, follower.stoppable(nothing, nothing):
        assert signal.getsignal(signal.SIGINT) is not before
    assert signal.getsignal(signal.SIGINT) is before
