r"""The app package that this process is a part of on Windows: what it writes below AppData lands in a folder of that.

The Python of the Microsoft Store is such a package, and what an app from there starts belongs to the app's. A new file
below AppData is seen under its path by that package alone; it lies in `AppData\Local\Packages\…\LocalCache`, and goes
when the app is removed.
"""

import ctypes
import os
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from bigmind.disk.new_entries import tried_file

_MORE_ROOM = 122
"""ERROR_INSUFFICIENT_BUFFER: there is a name, of so many letters."""


def package_of(kernel: Any) -> str:
    """The family name of the package that this process is a part of; empty for none. `kernel` is kernel32."""
    call, size = getattr(kernel, "GetCurrentPackageFamilyName", None), ctypes.c_uint32()
    if call is None or call(ctypes.byref(size), None) != _MORE_ROOM:
        return ""
    name = ctypes.create_unicode_buffer(size.value)
    return "" if call(ctypes.byref(size), name) else name.value


def is_kept_by(package: str, path: str, real: Callable[[str], str] = os.path.realpath) -> bool:
    """Whether a file that is there lies in the folder of a package, whatever path it is seen under."""
    return bool(package) and f"\\packages\\{package}\\".casefold() in real(path).casefold()


@cache
def keeping_package() -> str:
    """The package in whose folder Windows puts what this process writes below AppData; empty for none."""
    if sys.platform != "win32" or not (package := package_of(ctypes.WinDLL("kernel32"))):
        return ""
    try:
        with tried_file(Path(os.environ.get("LOCALAPPDATA") or tempfile.gettempdir())) as tried:
            return package if is_kept_by(package, str(tried)) else ""  # some packages may write to the real folder
    except OSError:
        return package


def kept_by_package(path: Path) -> str:
    """The package in whose folder a file lies that is there; empty for none."""
    package = keeping_package()
    return package if is_kept_by(package, str(path)) else ""
