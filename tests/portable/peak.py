"""The most memory that a process ever held."""

from pathlib import Path

import psutil

MOST_MEGABYTES = 150.0
MEGABYTE = 1_000_000


def peak_megabytes(pid: int) -> float:
    """The peak of a process's resident memory, in megabytes of 10^6 bytes; where none is kept, what it holds now."""
    status = Path(f"/proc/{pid}/status")
    if status.exists():
        (line,) = (each for each in status.read_text().splitlines() if each.startswith("VmHWM:"))
        return int(line.split()[1]) * 1024 / MEGABYTE
    info = psutil.Process(pid).memory_info()
    return getattr(info, "peak_wset", info.rss) / MEGABYTE
