"""Whether somebody sits at a terminal who can be asked."""

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any, TextIO


def is_console(descriptor: int) -> bool:
    """Whether Windows has a console there: its C library takes the device NUL for a terminal too."""
    import ctypes  # noqa: PLC0415 - of one system

    msvcrt: Any = import_module("msvcrt")
    kernel: Any = getattr(ctypes, "WinDLL")("kernel32")  # noqa: B009 - there on Windows alone
    handle, mode = ctypes.c_void_p(msvcrt.get_osfhandle(descriptor)), ctypes.c_uint32()
    return bool(kernel.GetConsoleMode(handle, ctypes.byref(mode)))


def is_terminal(
    stream: TextIO | None, system: str = sys.platform, has_console: Callable[[int], bool] = is_console
) -> bool:
    """Whether what is read from a stream is typed by somebody.

    Args:
        stream: standard input; None where a program has none.
        system: as `sys.platform` says it.
        has_console: asks Windows.
    """
    if stream is None or not stream.isatty():
        return False
    return system != "win32" or has_console(stream.fileno())
