"""Locks by name: Windows' answers stand in for it, and where there is a Windows it is asked itself."""

import ctypes
import sys
import threading
from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from bigmind.disk.access_lists import AccessLists, private_list
from bigmind.disk.named_mutex import NamedMutexes, mutexes_here

ADA = "S-1-5-21-1-2-3-1001"
BOB = "S-1-5-21-1-2-3-1002"
OPEN_TO_ALL = "D:(A;;GA;;;WD)"


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
        self.lists: list[str] = []
        self.freed: list[int | None] = []

        def create(attributes: Any, _is_owned: int, _name: str) -> int | None:
            told = attributes._obj
            assert told.size == ctypes.sizeof(told)
            assert told.descriptor not in self.freed
            self.lists.append(ctypes.wstring_at(told.descriptor))
            return mutex

        self.CreateMutexW = Call(create)
        self.WaitForSingleObject = Call(lambda *_: outcome)
        self.ReleaseMutex = Call(lambda *_: 1)
        self.CloseHandle = Call(lambda *_: 1)
        self.GetCurrentProcess = Call(lambda: -1)

        def free(made: Any) -> None:
            self.freed.append(made.value)

        self.LocalFree = Call(free)


class Security:
    """The answers of Windows about lists, of which each is made as its own text, and about a process of Ada's."""

    def __init__(self, owner: str = ADA) -> None:
        self._made: list[Any] = []
        self._owner = owner
        self.GetSecurityInfo = Call(self._describe)
        others = ("GetNamedSecurityInfoW", "SetNamedSecurityInfoW", "SetFileSecurityW", "OpenProcessToken")
        for name in (*others, "GetSecurityDescriptorDacl", "GetSecurityDescriptorOwner", "GetTokenInformation"):
            setattr(self, name, Call(lambda *_: 1))
        self.ConvertStringSecurityDescriptorToSecurityDescriptorW = Call(self._make)
        self.ConvertSecurityDescriptorToStringSecurityDescriptorW = Call(self._write)
        self.ConvertSidToStringSidW = Call(self._name)

    def _make(self, text: str, _revision: int, made: Any, _size: Any) -> int:
        return self._put(text, made)

    def _describe(self, _opened: int, kind: int, asked: int, *given: Any) -> int:
        assert (kind, asked, len(given)) == (6, 0x1 | 0x4, 5)
        self._put(f"O:{self._owner}{OPEN_TO_ALL}", given[-1])
        return 0

    def _write(self, made: Any, _revision: int, _parts: int, text: Any, _size: Any) -> int:
        return self._put(ctypes.wstring_at(made.value), text)

    def _name(self, _number: Any, text: Any) -> int:
        return self._put(ADA, text)

    def _put(self, text: str, place: Any) -> int:
        self._made.append(ctypes.create_unicode_buffer(text))
        place._obj.value = ctypes.addressof(self._made[-1])
        return len(self._made)


def mutexes(kernel: Kernel, owner: str = ADA) -> NamedMutexes:
    """Those of a Windows that answers so, and of this owner."""
    return NamedMutexes(kernel, AccessLists(Security(owner), kernel))


@pytest.mark.parametrize(("outcome", "is_ours"), [(0x0, True), (0x80, True), (0x102, False)])
def test_one_is_taken_when_nobody_has_it_or_who_had_it_is_dead(outcome: int, is_ours: bool) -> None:
    assert mutexes(Kernel(outcome=outcome)).is_taken_now(7) is is_ours


def test_one_that_cannot_be_waited_for_is_an_error() -> None:
    with pytest.raises(OSError, match="waited for"):
        mutexes(Kernel(outcome=0xFFFF_FFFF)).is_taken_now(7)


def test_one_is_of_all_sessions_and_none_where_windows_gives_none() -> None:
    kernel = Kernel()
    assert mutexes(kernel).open("it") == 7
    assert kernel.CreateMutexW.given[1:] == (0, "Global\\it")
    assert mutexes(Kernel(None)).open("it") is None


def test_one_is_the_persons_whatever_rights_the_process_has_that_made_it() -> None:
    kernel = Kernel()
    for _ in range(2):
        mutexes(kernel).open("it")
    assert kernel.lists == [f"O:{ADA}{private_list(ADA, is_folder=False)}"] * 2
    assert len(kernel.freed) == len(set(kernel.freed)) == 12


@pytest.mark.parametrize(("owner", "is_taken"), [(ADA, True), ("BA", True), (BOB, False)])
def test_one_that_another_user_made_is_none(owner: str, is_taken: bool) -> None:
    kernel = Kernel()
    assert (mutexes(kernel, owner).open("it") == 7) is is_taken
    assert (kernel.CloseHandle.given != (7,)) is is_taken


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
