"""Ctrl-C is heard while a command waits, also where it ends no call of the system."""

import signal
import sys
import threading

import pytest

from bigmind.cli.interruptible import Interruptible

SECONDS = 10.0
SYSTEMS = sorted({sys.platform, "win32"})


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_the_work_returns_and_raises_is_told(system: str) -> None:
    def refused() -> int:
        raise ValueError("no")

    assert Interruptible(lambda: 7, system).result() == 7
    with pytest.raises(ValueError, match="no"):
        Interruptible(refused, system).result()


def test_ctrl_c_is_heard_while_the_work_goes_on() -> None:
    ended = threading.Event()

    def work() -> None:
        signal.raise_signal(signal.SIGINT)  # on this thread: it ends no call of the main one
        ended.wait(SECONDS)

    with pytest.raises(KeyboardInterrupt):
        Interruptible(work, "win32").result()
    assert not ended.is_set()
    ended.set()


def test_work_that_nobody_can_end_is_given_up() -> None:
    ended = threading.Event()
    waiting = Interruptible(lambda: ended.wait(SECONDS), "win32")
    threading.Thread(target=waiting.give_up).start()
    with pytest.raises(ConnectionResetError):
        waiting.result()
    ended.set()
