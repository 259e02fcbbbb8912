"""The machine's own time zone on Windows, where a variable of other systems has Python take another one for it."""

import ctypes
import os
import re
import sys
from collections.abc import Callable, MutableMapping

_UNDERSTOOD = re.compile(r"[A-Za-z]{3}(?:[+-]?\d{1,2}(?::\d{2}){0,2})?")
"""What Windows' C library reads as it is meant: a name of three letters and hours. With a name for summer it takes the
days of the United States, and of `Europe/Berlin` it makes Greenwich's time with such a summer."""


def _read_anew() -> None:
    if sys.platform == "win32":
        ctypes.CDLL("ucrtbase")["_tzset"]()


def heed_machines_zone(
    environment: MutableMapping[str, str] = os.environ,
    system: str = sys.platform,
    read_anew: Callable[[], object] = _read_anew,
) -> None:
    """Leave out a `TZ` that a shell such as Cygwin's set and Windows would misread; its own settings count then.

    Args:
        environment: of this process, and of those that it starts.
        system: as `sys.platform` says it.
        read_anew: has the C library look at it once more.
    """
    if system != "win32" or _UNDERSTOOD.fullmatch(environment.get("TZ", "UTC")):
        return
    del environment["TZ"]
    read_anew()
