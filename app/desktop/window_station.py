"""Whether anybody sees what this process shows on Windows: its window station may be that of a service or of SSH."""

import ctypes
from typing import Any

_FLAGS, _VISIBLE = 1, 1  # UOI_FLAGS, WSF_VISIBLE


class _Flags(ctypes.Structure):
    """USEROBJECTFLAGS."""

    _fields_ = (("inherit", ctypes.c_int), ("reserved", ctypes.c_int), ("flags", ctypes.c_uint32))


def is_seen(user32: Any = None) -> bool:
    """Whether windows of this process are shown; taken for granted where Windows does not say.

    Args:
        user32: Windows' library, or what behaves like it.
    """
    library: Any = user32 or getattr(ctypes, "WinDLL")("user32")  # noqa: B009 - there on Windows alone
    library.GetProcessWindowStation.restype = ctypes.c_void_p
    station = ctypes.c_void_p(library.GetProcessWindowStation())
    told, needed = _Flags(), ctypes.c_uint32()
    is_told = library.GetUserObjectInformationW(
        station, _FLAGS, ctypes.byref(told), ctypes.sizeof(told), ctypes.byref(needed)
    )
    return not is_told or bool(told.flags & _VISIBLE)
