"""Locks by name: Windows' answers stand in for it, and where there is a Windows it is asked itself."""

import sys
import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from bigmind.disk.named_mutex import NamedMutexes, mutexes_here


class Call:
    """A call of Windows; it takes what ctypes is told about one."""

    def __init__(self, answer: Callable[..., Any]) -> None:
        self.answer, self.given = answer, ()

    def __call__(self, *given: Any) -> Any:
        self.given = given
        return self.answer(*given)


class Kernel:
    """The answers of Windows for one mutex."""

    def __init__(self, mutex: int | None = 7, outcome: int = 0) -> None:
        self.CreateMutexW = Call(lambda *_: mutex)
        self.WaitForSingleObject = Call(lambda *_: outcome)
        self.ReleaseMutex = Call(lambda *_: 1)
        self.CloseHandle = Call(lambda *_: 1)


@pytest.mark.parametrize(("outcome", "is_ours"), [(0x0, True), (0x80, True), (0x102, False)])
def test_one_is_taken_when_nobody_has_it_or_who_had_it_is_dead(outcome: int, is_ours: bool) -> None:
    assert NamedMutexes(Kernel(outcome=outcome)).is_taken_now(7) is is_ours


def test_one_that_cannot_be_waited_for_is_an_error() -> None:
    with pytest.raises(OSError, match="waited for"):
        NamedMutexes(Kernel(outcome=0xFFFF_FFFF)).is_taken_now(7)


def test_one_is_of_all_sessions_and_none_where_windows_gives_none() -> None:
    kernel = Kernel()
    assert NamedMutexes(kernel).open("it") == 7
    assert kernel.CreateMutexW.given == (None, 0, "Global\\it")
    assert NamedMutexes(Kernel(None)).open("it") is None


def test_windows_gives_one_to_one_thread_at_a_time() -> None:
    if sys.platform != "win32":
        with pytest.raises(OSError, match="only Windows"):
            mutexes_here()
        return
    here, seen = mutexes_here(), []
    mutex = here.open(f"BigMind-tries-{uuid4()}")
    assert mutex is not None
    assert here.is_taken_now(mutex)

    def look() -> None:
        if taken := here.is_taken_now(mutex):
            here.give_back(mutex)
        seen.append(taken)

    for is_free in (False, True):
        if is_free:
            here.give_back(mutex)
        thread = threading.Thread(target=look)
        thread.start()
        thread.join()
    here.close(mutex)
    assert seen == [False, True]
