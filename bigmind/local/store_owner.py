"""Who owns the store of a home: asked where the run file does not lead to a server."""

import json
import os
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from bigmind.core.shapes import as_object
from bigmind.disk.existence import is_known_file
from bigmind.paths import PRIVATE_FILE, lock_file, owner_file, read_private_file

State = Literal["starting", "ready", "ending"]
"""What a process does that owns the store: it answers while it is `ready`."""

_STATES: dict[str, State] = {"starting": "starting", "ready": "ready", "ending": "ending"}


@dataclass(frozen=True, slots=True)
class Holder:
    """A process that owns a store.

    Attributes:
        pid: its process; 0 where it is not known.
        purpose: what it is, in words; empty where nothing says so.
        since: when it began, ISO 8601; empty where nothing says so.
        state: what it does; `ready` where nothing says so.
        is_certain: whether the operating system itself named the process.
    """

    pid: int
    purpose: str = ""
    since: str = ""
    state: State = "ready"
    is_certain: bool = False

    def __str__(self) -> str:
        told = [f"process {self.pid}"] if self.pid else []
        told += [f"since {self.since}"] if self.since else []
        return (self.purpose or "another process") + (f" ({', '.join(told)})" if told else "")


def noted(home: Path) -> Holder | None:
    """What the last owner wrote of itself, who may have gone; None where that cannot be read."""
    try:
        said = as_object(json.loads(read_private_file(owner_file(home))))
        pid, state = int(said["pid"]), str(said.get("state", "ready"))
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError):
        return None
    purpose, since = (str(said.get(name, ""))[:80] for name in ("purpose", "since"))
    return Holder(pid, f"`{purpose}`" if purpose else "", since, _STATES.get(state, "ready"))


def holder(home: Path) -> Holder | None:
    """The process that owns the store now, whatever became of its files; None when nobody does."""
    if not is_locked(home):
        return None
    said, pid = noted(home), _locker(lock_file(home))
    if said is not None and pid in (0, said.pid):
        return Holder(said.pid, said.purpose, said.since, said.state, is_certain=pid != 0)
    return Holder(pid, is_certain=pid != 0)


def is_locked(home: Path) -> bool:
    """Whether some process has the lock of the store; whoever takes it at this very moment tries again."""
    from filelock import FileLock, Timeout  # noqa: PLC0415 - where no server is found

    path = lock_file(home)
    if not is_known_file(path):
        return False
    lock = FileLock(path, mode=PRIVATE_FILE, thread_local=False)
    try:
        lock.acquire(timeout=0)
    except Timeout:
        return True
    except OSError:  # a folder that is not ours: whether somebody has it cannot be known
        return False
    lock.release()
    return False


def _locker(path: Path) -> int:
    """The process that has the lock, as the kernel says; 0 where it does not say."""
    if sys.platform != "linux":
        return 0
    with suppress(OSError, ValueError, IndexError):
        found = path.stat()
        wanted = f"{os.major(found.st_dev):02x}:{os.minor(found.st_dev):02x}:{found.st_ino}"
        for line in Path("/proc/locks").read_text(encoding="ascii").splitlines():
            # 1: FLOCK  ADVISORY  WRITE 12345 08:01:4711 0 EOF (proc_locks(5))
            fields = line.split()
            if fields[1] == "FLOCK" and fields[5] == wanted:
                return max(0, int(fields[4]))
    return 0
