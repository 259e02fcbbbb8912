"""How a process is started that outlives whoever needed it first, also when that one's terminal or IDE is closed."""

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import subprocess

OWN_CONSOLE = 0x08000000
"""CREATE_NO_WINDOW: a console of its own that nobody sees. Without any (DETACHED_PROCESS), Windows would give each
console program that it starts one with a window: the Python behind an environment's `python.exe`, and git."""

OUT_OF_JOB = 0x01000000
"""CREATE_BREAKAWAY_FROM_JOB: an IDE ends all that is in its job when it ends itself."""


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
        return started(OWN_CONSOLE | OUT_OF_JOB)
    except PermissionError:  # a job that nothing may leave
        return started(OWN_CONSOLE)
