"""Files that another program has open for a moment: Windows does not replace, rename or remove them meanwhile.

Elsewhere whoever has a file open keeps it, under no name if need be. On Windows a virus scanner, an indexer, a program
that synchronizes folders, or a reader of ours has a file open for some milliseconds, and whoever would take its name
away, or give it to another file, is refused. So that is tried again for a moment; what is refused for another reason
(a file that is read-only, say) is refused a moment later.
"""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TypeVar

PATIENCE_SECONDS = 1.0
"""How long one that is open is waited for: a scanner takes milliseconds, and whoever waits may hold a lock."""
_FIRST_SECONDS, _LONGEST_SECONDS = 0.001, 0.01

Result = TypeVar("Result")


def patiently(act: Callable[[], Result], system: str = os.name, patience: float = PATIENCE_SECONDS) -> Result:
    """Do something with a file that another program may have open; raises what it raised last.

    Args:
        act: what is done, and done again when it was refused.
        system: as `os.name` says it.
        patience: seconds.
    """
    if system == "nt":
        for _ in _moments(patience):
            try:
                return act()
            except PermissionError:  # of ERROR_ACCESS_DENIED and ERROR_SHARING_VIOLATION
                continue
    return act()


def replace(new: Path, path: Path) -> None:
    """Give a finished file the name of another, which goes."""
    patiently(lambda: new.replace(path))


def rename(path: Path, name: Path) -> None:
    """Give a file a name that nothing has; on POSIX what has it goes."""
    patiently(lambda: path.rename(name))


def remove(path: Path) -> None:
    """Remove a file, unless it is gone."""
    patiently(lambda: path.unlink(missing_ok=True))


def remove_tree(folder: Path, system: str = os.name) -> None:
    """Remove a folder and all in it, as far as that can be done."""
    import shutil  # noqa: PLC0415 - the bridge removes none, and starts sooner without it

    shutil.rmtree(folder, ignore_errors=True)
    if system == "nt":
        for _ in _moments(PATIENCE_SECONDS):
            if not os.path.lexists(folder):
                return
            shutil.rmtree(folder, ignore_errors=True)


def _moments(patience: float) -> Iterator[None]:
    """Now, and again and again until the patience is at its end, ever further apart."""
    deadline, pause = time.monotonic() + patience, _FIRST_SECONDS
    while time.monotonic() < deadline:
        yield
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_SECONDS)
