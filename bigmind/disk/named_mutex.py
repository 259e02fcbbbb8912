"""Named mutexes of Windows: locks that stand in no folder, and that the end of a process gives back."""

import ctypes
import sys
from functools import cache
from typing import Any

_TAKEN = frozenset({0x0, 0x80})
"""WAIT_OBJECT_0, and WAIT_ABANDONED: of a process that ended while it had it."""
_WAITED = 0x102
"""WAIT_TIMEOUT."""


@cache
def mutexes_here() -> "NamedMutexes":
    """Those of this machine; raises OSError on another system than Windows."""
    if sys.platform != "win32":
        raise OSError("only Windows has them")
    return NamedMutexes(ctypes.WinDLL("kernel32", use_last_error=True))


class NamedMutexes:
    """The calls of Windows for them. A thread that has one takes it again, and gives it back as often."""

    def __init__(self, kernel: Any) -> None:
        """`kernel` is kernel32."""
        self._kernel = kernel
        handle, number = ctypes.c_void_p, ctypes.c_uint32
        kernel.CreateMutexW.argtypes = (handle, number, ctypes.c_wchar_p)
        kernel.CreateMutexW.restype = handle
        kernel.WaitForSingleObject.argtypes = (handle, number)
        kernel.WaitForSingleObject.restype = number
        kernel.ReleaseMutex.argtypes = (handle,)
        kernel.CloseHandle.argtypes = (handle,)

    def open(self, name: str) -> int | None:
        """The mutex of a name, for all sessions of the machine; None where it is of somebody who shares it not."""
        return self._kernel.CreateMutexW(None, 0, f"Global\\{name}") or None

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
