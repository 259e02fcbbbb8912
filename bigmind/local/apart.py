"""How a process is started that outlives whoever needed it first, also when that one's terminal or IDE is closed."""

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

NO_WINDOW = 0x0800_0000
"""CREATE_NO_WINDOW: a console of its own that nobody sees. Without any (DETACHED_PROCESS), Windows would give each
console program that it starts one with a window: the Python behind an environment's `python.exe`, and git."""

OUT_OF_JOB = 0x0100_0000
"""CREATE_BREAKAWAY_FROM_JOB: an IDE ends all that is in its job when it ends itself."""

ENDS_WITH_STARTER = (
    "This BigMind ends with the program that started it, whose job object nothing may leave; "
    "one that `bigmind serve` or the tray starts does not.\n"
)
"""Said into the file of the process's own words."""


def no_window(system: str = sys.platform) -> int:
    """The flags with which a program of a console is started so that none is seen; `system` as of `sys.platform`."""
    return NO_WINDOW if system == "win32" else 0


def start_apart(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    output: int,
    *,
    system: str = sys.platform,
    start: Callable[..., Any] | None = None,
) -> "subprocess.Popen[bytes]":
    """Start it without waiting for it.

    Args:
        command: to start.
        folder: its working folder.
        environment: all of its environment variables.
        output: the descriptor of an open file, for all that it says.
        system: as `sys.platform` says it.
        start: starts it, as `subprocess.Popen` does.

    Raises:
        OSError: when it cannot be started.
    """
    import subprocess  # noqa: PLC0415 - most find a server

    def started(flags: int) -> Any:
        return (start or subprocess.Popen)(
            list(command),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            cwd=folder,
            env=dict(environment),
            start_new_session=True,
            creationflags=flags,
        )

    if system != "win32":
        return started(0)
    try:
        return started(NO_WINDOW | OUT_OF_JOB)
    except PermissionError:  # a job that nothing may leave
        os.write(output, ENDS_WITH_STARTER.encode())
        return started(NO_WINDOW)
