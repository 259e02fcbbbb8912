"""What was begun is undone in exactly the reverse order, whatever happens."""

import ctypes
import logging
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from app.desktop.tray.signals import held_back
from app.lifecycle import (
    CONSOLE_PATIENCE_SECONDS,
    SIGNALS,
    Lifecycle,
    StartHaltedError,
    heed_closed_console,
    heed_signals,
)

ROOT = Path(__file__).parents[2]
NAMES = ["lock", "port", "store", "server"]


@pytest.fixture(autouse=True)
def _handlers() -> Iterator[None]:
    before = {each: signal.getsignal(each) for each in SIGNALS}
    yield
    for each, handler in before.items():
        signal.signal(each, handler)


def test_the_last_step_is_undone_first() -> None:
    undone: list[str] = []
    with Lifecycle() as life:
        for name in NAMES:
            assert life.begin(name, lambda name=name: name, undone.append) == name
        assert life.names == NAMES
        assert undone == []
    assert undone == NAMES[::-1]


def test_a_step_that_fails_has_nothing_to_undo_and_those_before_it_have() -> None:
    undone: list[str] = []

    def begin() -> None:
        with Lifecycle() as life:
            life.begin("lock", lambda: "lock", undone.append)
            life.begin("port", lambda: 1 / 0, undone.append)

    with pytest.raises(ZeroDivisionError):
        begin()
    assert undone == ["lock"]


def test_what_cannot_be_undone_is_logged_and_holds_up_nothing(caplog: pytest.LogCaptureFixture) -> None:
    undone: list[str] = []

    def fails(name: str) -> None:
        undone.append(name)
        raise OSError(name)

    with caplog.at_level(logging.ERROR), Lifecycle() as life:
        for name in NAMES:
            life.begin(name, lambda name=name: name, fails)
    assert undone == NAMES[::-1]
    assert [each.getMessage() for each in caplog.records] == [f"{name} could not be ended" for name in NAMES[::-1]]


def test_it_is_undone_once() -> None:
    undone: list[str] = []
    with Lifecycle() as life:
        life.undo("lock", lambda: undone.append("lock"))
        life.end()
    assert undone == ["lock"]


def test_told_to_end_it_takes_no_further_step() -> None:
    taken: list[str] = []
    with Lifecycle() as life:
        life.begin("lock", lambda: taken.append("lock"), lambda _: taken.remove("lock"))
        life.halt()
        with pytest.raises(StartHaltedError):
            life.begin("port", lambda: taken.append("port"), lambda _: None)
        assert taken == ["lock"]
    assert taken == []


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_signal_is_heard_on_another_thread_and_raises_nothing(number: signal.Signals) -> None:
    heard, where = threading.Event(), []

    def stop() -> None:
        where.append(threading.current_thread() is threading.main_thread())
        heard.set()

    forget = heed_signals(stop)
    signal.raise_signal(number)
    assert heard.wait(20)
    forget()
    assert where
    assert not any(where)


@pytest.mark.parametrize("number", SIGNALS, ids=lambda number: number.name)
def test_a_signal_waits_until_the_toolkit_of_an_icon_has_ended(number: signal.Signals) -> None:
    happened: list[str] = []
    signal.signal(number, lambda _number, _frame: happened.append("handled"))
    with held_back(lambda: happened.append("ended")):
        signal.raise_signal(number)
        assert happened == ["ended"]
    assert happened == ["ended", "handled"]


def test_no_signal_interrupts_the_undoing() -> None:
    undone: list[str] = []
    with Lifecycle() as life:
        life.undo("lock", lambda: undone.append("lock"))
        life.undo("store", lambda: [signal.raise_signal(each) for each in SIGNALS])
    assert undone == ["lock"]


class Console:
    """Windows' list of who is asked when a console closes."""

    def __init__(self, *, takes_it: bool = True) -> None:
        self.handlers: list[int] = []
        self.SetConsoleCtrlHandler = Setting(self.handlers, takes_it=takes_it)

    def tell(self, event: int) -> int:
        """Have it happen, as Windows does: the last one is asked first. What it answered."""
        return ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_uint32)(self.handlers[-1])(event)


class Setting:
    """The call by which one is put into it; it takes what ctypes is told about one."""

    def __init__(self, handlers: list[int], *, takes_it: bool) -> None:
        self._handlers, self._takes_it = handlers, takes_it

    def __call__(self, address: Any, is_added: int) -> int:
        if self._takes_it:
            (self._handlers.append if is_added else self._handlers.remove)(address.value)
        return int(self._takes_it)


@pytest.mark.parametrize("event", [2, 5, 6], ids=["closed", "logged off", "shut down"])
def test_a_closed_console_waits_until_the_process_is_gone(event: int) -> None:
    console, told, is_gone = Console(), threading.Event(), threading.Event()
    answers: list[int] = []
    waited: list[float] = []

    def wait(seconds: float) -> None:
        waited.append(seconds)
        is_gone.wait(20)

    forget = heed_closed_console(told.set, console, wait)
    closes = threading.Thread(target=lambda: answers.append(console.tell(event)))
    closes.start()
    assert told.wait(20)
    forget()
    assert closes.is_alive(), "Windows ends the process as soon as that answers, and who called has still to end"
    is_gone.set()
    closes.join(20)
    assert (answers, waited) == ([1], [CONSOLE_PATIENCE_SECONDS])
    assert console.handlers, "Windows may hold the list while it asks"


def test_what_fails_to_stop_is_waited_for_all_the_same(caplog: pytest.LogCaptureFixture) -> None:
    console, waited = Console(), list[float]()

    def fail() -> None:
        raise OSError

    heed_closed_console(fail, console, waited.append)
    assert console.tell(2) == 1
    assert waited == [CONSOLE_PATIENCE_SECONDS]
    assert [each.getMessage() for each in caplog.records] == ["the closed window of the terminal did not end BigMind"]


def test_ctrl_c_and_ctrl_break_are_left_to_python_and_nothing_stays_set() -> None:
    console, told = Console(), list[str]()
    forget = heed_closed_console(lambda: told.append("stop"), console)
    assert [console.tell(0), console.tell(1)] == [0, 0]
    forget()
    assert told == console.handlers == []


def test_a_console_that_does_not_take_it_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    heed_closed_console(lambda: None, Console(takes_it=False))()
    [record] = caplog.records
    assert record.getMessage() == "Windows will not say that the window of the terminal is closed"


def test_the_console_of_this_system_takes_it(caplog: pytest.LogCaptureFixture) -> None:
    heed_closed_console(lambda: None)()
    assert caplog.records == []


def test_other_systems_do_not_load_what_is_for_windows() -> None:
    tell = "import sys; from app.lifecycle import heed_closed_console; heed_closed_console(str)(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-P", "-c", tell], capture_output=True, text=True, check=True, cwd=ROOT)
    assert ("ctypes" in done.stdout.split()) == (sys.platform == "win32")
