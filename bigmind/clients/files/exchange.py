"""Exchanges two files in one step of the operating system, so that nothing between a look and a write goes unseen.

Linux (3.15 and later) and macOS can; elsewhere, and on file systems that cannot, `exchanged` says so.
"""

import ctypes
import os
import sys
from functools import cache
from pathlib import Path
from typing import Any

_HERE = -100
"""AT_FDCWD of Linux."""
_EXCHANGE = 2
"""RENAME_EXCHANGE of Linux's renameat2(2), and RENAME_SWAP of macOS's renamex_np(2)."""


def exchanged(one: Path, other: Path) -> bool:
    """Give each of two files the other's name; False, and nothing done, where that cannot be done in one step."""
    function = _function()
    if function is None:
        return False
    first, second = os.fsencode(one), os.fsencode(other)
    if sys.platform == "linux":
        return function(_HERE, first, _HERE, second, _EXCHANGE) == 0
    return function(first, second, _EXCHANGE) == 0


@cache
def _function() -> Any | None:
    name = {"linux": "renameat2", "darwin": "renamex_np"}.get(sys.platform)
    return getattr(ctypes.CDLL(None, use_errno=True), name, None) if name else None
