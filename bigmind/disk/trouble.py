"""Whether the disk takes what is to be remembered, told before somebody's words are refused."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

LEAST_ROOM = 1_000_000
"""Bytes: with less, writes are refused one by one."""

FULL = "The disk of BigMind's memory is full: nothing new is stored until there is room."
TAKES_NOTHING = "The folder of BigMind's memory cannot be written to: nothing new is stored until it can."


def disk_trouble(
    folder: Path,
    room: Callable[[Path], int] = lambda folder: shutil.disk_usage(folder).free,
    is_writable: Callable[[Path], bool] = lambda folder: os.access(folder, os.W_OK),
) -> str:
    """What is wrong with the disk under a folder, in a sentence; empty where it takes writes.

    Where the folder is gone, that is told elsewhere.
    """
    try:
        is_full = room(folder) < LEAST_ROOM
    except OSError:
        return ""
    if not is_writable(folder):
        return TAKES_NOTHING
    return FULL if is_full else ""
