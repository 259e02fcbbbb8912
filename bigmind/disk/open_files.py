"""Files that another program has open for a moment: Windows does not replace, rename or remove them meanwhile.

Elsewhere whoever has a file open keeps it, under no name if need be. On Windows a virus scanner, an indexer, a program
that synchronizes folders, or a reader of ours has a file open for some milliseconds, and whoever would take its name
away, or give it to another file, is refused. So that is tried again for a moment. What is refused for good is so at
once where Windows says it: a folder, and a file that is read-only.
"""

import os
import stat
import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TypeVar

PATIENCE_SECONDS = 1.0
"""How long one that is open is waited for: a scanner takes milliseconds."""
BRIEFLY_SECONDS = 0.1
"""The same where others wait for whoever waits."""
_FIRST_SECONDS, _LONGEST_SECONDS = 0.001, 0.01
_IN_USE = frozenset({32, 33})
"""ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION."""

Result = TypeVar("Result")
_here = threading.local()


@contextmanager
def briefly() -> Generator[None]:
    """Have this thread wait for no file longer than a moment until the block ends: others wait for it meanwhile."""
    before = getattr(_here, "is_brief", False)
    _here.is_brief = True
    try:
        yield
    finally:
        _here.is_brief = before


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
            except PermissionError as error:
                if _is_for_good(error):
                    raise
    return act()


def _is_for_good(error: PermissionError) -> bool:
    """Whether a refusal is none of a moment: of ERROR_ACCESS_DENIED what is refused tells. Opening gives no number."""
    if getattr(error, "winerror", None) in _IN_USE:
        return False
    return any(_is_fixed(name) for name in (error.filename, error.filename2) if name is not None)


def _is_fixed(name: str) -> bool:
    try:
        mode = os.lstat(name).st_mode
    except (OSError, TypeError):  # it is about to go; no name, but a number
        return False
    return stat.S_ISDIR(mode) or not mode & stat.S_IWUSR


def replace(new: Path, path: Path, act: Callable[[Path, Path], object] = os.replace, system: str = os.name) -> None:
    """Give a finished file the name of another, which goes."""
    patiently(lambda: act(new, path), system)


def rename(path: Path, name: Path, act: Callable[[Path, Path], object] = os.rename, system: str = os.name) -> None:
    """Give a file a name that nothing has; on POSIX what has it goes."""
    patiently(lambda: act(path, name), system)


def remove(path: Path, act: Callable[[Path], object] = os.unlink, system: str = os.name) -> None:
    """Remove a file, unless it is gone."""
    with suppress(FileNotFoundError):
        patiently(lambda: act(path), system)


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
    if getattr(_here, "is_brief", False):
        patience = min(patience, BRIEFLY_SECONDS)
    deadline, pause = time.monotonic() + patience, _FIRST_SECONDS
    while time.monotonic() < deadline:
        yield
        time.sleep(pause)
        pause = min(2 * pause, _LONGEST_SECONDS)
