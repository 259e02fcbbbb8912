"""Paths that are longer than Windows takes, where it is not set to take such."""

import sys
from collections.abc import Callable
from functools import cache
from pathlib import PurePath
from typing import Any

MOST_LETTERS = 259
"""Of a path, where Windows is not set to take longer ones; what is longer is not found, and cannot be made."""
_TAKEN_AS_IT_IS = "\\\\?\\"
"""How a path begins that Windows takes at any length."""


@cache
def takes_long_paths() -> bool:
    """Whether this process is one that Windows lets use longer paths than `MOST_LETTERS`; any other system does."""
    if sys.platform != "win32":
        return True
    import ctypes  # noqa: PLC0415 - asked about long paths only

    return lets_use_long_paths(ctypes.WinDLL("ntdll"))


def lets_use_long_paths(native: Any) -> bool:
    """What Windows says of this process: it is set to take such paths, and the program declares that it knows them.

    Args:
        native: ntdll.
    """
    try:
        ask = native.RtlAreLongPathsEnabled
    except AttributeError:  # before Windows 10 1607
        return False
    return ask() & 0xFF != 0  # a BOOLEAN is a byte; the rest of what ctypes reads may be anything


def letters_of(path: PurePath) -> int:
    """The length of a path as Windows counts it: a letter that UTF-16 writes as two counts twice."""
    return len(str(path).encode("utf-16-le", "surrogatepass")) // 2


def is_too_long(path: PurePath, room: int = 0, takes_long: Callable[[], bool] = takes_long_paths) -> bool:
    """Whether Windows finds and makes nothing by a path, or by one with `room` more letters.

    Args:
        path: whole.
        room: for the names of what is made in or beside it.
        takes_long: whether the system takes such.
    """
    is_long = letters_of(path) + room > MOST_LETTERS and not str(path).startswith(_TAKEN_AS_IT_IS)
    return is_long and not takes_long()
