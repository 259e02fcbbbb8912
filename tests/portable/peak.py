"""The most memory that a process ever held."""

import sys
from pathlib import Path

import psutil

MOST_MEGABYTES = 150.0 if sys.version_info < (3, 14) else 165.0
"""Python 3.14 takes an eighth more for the same modules: 133 MB for all that the server has, 3.13 takes 118.

It keeps a code object for the annotations of each function and class (PEP 649): 0.3 KB a function, 0.6 KB a class. The
libraries have tens of thousands of them, so no single import less would mend it: pdb, by Litestar, is 2 MB.
"""
MEGABYTE = 1_000_000


def peak_megabytes(pid: int) -> float:
    """The peak of a process's resident memory, in megabytes of 10^6 bytes; where none is kept, what it holds now."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        (line,) = (each for each in status.read_text().splitlines() if each.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / MEGABYTE
    info = psutil.Process(pid).memory_info()
    return getattr(info, "peak_wset", info.rss) / MEGABYTE
