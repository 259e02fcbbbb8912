"""Named mutexes of Windows: locks that stand in no folder, and that the end of a process gives back.

One is the person's, whatever rights a process of theirs has: what one with an administrator's rights makes would else
be closed to those without, and belong to administrators. Another user of the machine who knows the name can make it
before. Theirs is none: nobody waits for it, and whoever asks goes on as if there were no locks.
"""

import ctypes
import sys
from functools import cache
from typing import Any

from bigmind.disk.access_lists import AccessLists, lists_here, private_list

_TAKEN = frozenset({0x0, 0x80})
"""WAIT_OBJECT_0, and WAIT_ABANDONED: of a process that ended while it had it."""
_WAITED = 0x102
"""WAIT_TIMEOUT."""


@cache
def mutexes_here() -> "NamedMutexes":
    """Those of this machine; raises OSError on another system than Windows."""
    if sys.platform != "win32":
        raise OSError("only Windows has them")
    return NamedMutexes(ctypes.WinDLL("kernel32", use_last_error=True), lists_here())


class Attributes(ctypes.Structure):
    """SECURITY_ATTRIBUTES: what Windows is told about who may use what is made."""

    _fields_ = (("size", ctypes.c_uint32), ("descriptor", ctypes.c_void_p), ("is_inherited", ctypes.c_int))


class NamedMutexes:
    """The calls of Windows for them. A thread that has one takes it again, and gives it back as often."""

    def __init__(self, kernel: Any, lists: AccessLists) -> None:
        """`kernel` is kernel32."""
        self._kernel, self._lists = kernel, lists
        handle, number = ctypes.c_void_p, ctypes.c_uint32
        kernel.CreateMutexW.argtypes = (handle, number, ctypes.c_wchar_p)
        kernel.CreateMutexW.restype = handle
        kernel.WaitForSingleObject.argtypes = (handle, number)
        kernel.WaitForSingleObject.restype = number
        kernel.ReleaseMutex.argtypes = (handle,)
        kernel.CloseHandle.argtypes = (handle,)

    def open(self, name: str) -> int | None:
        """The mutex of a name, for the person's processes in all sessions of the machine.

        Returns:
            It; None where it is somebody else's.

        Raises:
            OSError: when Windows does not say who the person is.
        """
        own = self._lists.person()
        # All that a list can grant of a file holds all that it can of a mutex.
        with self._lists.made(f"O:{own}{private_list(own, is_folder=False)}") as made:
            told = Attributes(ctypes.sizeof(Attributes), made, 0)
            mutex = self._kernel.CreateMutexW(ctypes.byref(told), 0, f"Global\\{name}")
        if mutex and self._is_of_others(mutex):
            self.close(mutex)
            return None
        return mutex or None

    def _is_of_others(self, mutex: int) -> bool:
        try:
            return self._lists.is_of_others(mutex)
        except OSError:
            return True

    def is_taken_now(self, mutex: int) -> bool:
        """Take it, unless another thread has it; raises OSError when Windows lets nobody wait for it."""
        outcome = self._kernel.WaitForSingleObject(mutex, 0)
        if outcome not in _TAKEN and outcome != _WAITED:
            raise OSError("the mutex cannot be waited for")
        return outcome in _TAKEN

    def give_back(self, mutex: int) -> None:
        """Let the next one take it."""
        self._kernel.ReleaseMutex(mutex)

    def close(self, mutex: int) -> None:
        """Have nothing to do with it any more."""
        self._kernel.CloseHandle(mutex)
