"""A program that is asked something by pipes, and that ends with what it started: by its session, or by a job."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from bigmind.local.apart import NO_WINDOW
from bigmind.workspace.job_tree import SUSPENDED, Jobs, windows_jobs

Way = Callable[[Sequence[str], Path, Mapping[str, str], IO[bytes]], AbstractContextManager["subprocess.Popen[bytes]"]]
"""Starts one: the whole command, the folder, its whole environment, its input. Raises OSError."""


@contextmanager
def in_a_session(
    command: Sequence[str], folder: Path, environment: Mapping[str, str], asked: IO[bytes]
) -> Generator["subprocess.Popen[bytes]"]:
    """A program in a session of its own, on POSIX; what still runs when the block ends is killed with its group."""
    process = subprocess.Popen(
        command,
        stdin=asked,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=environment,
        start_new_session=True,
    )
    with process:
        try:
            yield process
        finally:
            if process.returncode is None:
                with suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)
                process.kill()


@contextmanager
def in_a_job(
    command: Sequence[str],
    folder: Path,
    environment: Mapping[str, str],
    asked: IO[bytes],
    jobs: Callable[[], Jobs] = windows_jobs,
    start: Callable[..., Any] = subprocess.Popen,
) -> Generator["subprocess.Popen[bytes]"]:
    """A program in a job of its own, on Windows, and without a window.

    The `git` of the search path is there a program that starts another one: killed alone it would leave the other, and
    whoever closes the pipes waits until that one has ended.
    """
    calls = jobs()
    job = calls.create()
    try:
        process = start(
            list(command),
            executable=command[0],
            stdin=asked,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=dict(environment),
            creationflags=SUSPENDED | NO_WINDOW,
        )
    except (OSError, ValueError):
        calls.close(job)
        raise
    with process:
        try:
            calls.run_in(job, int(process._handle))  # noqa: SLF001 - Popen gives no other
            yield process
        finally:
            process.kill()
            calls.end(job)
            calls.close(job)


def way_of(system: str = sys.platform) -> Way:
    """How a program is started and ended on that system, as `sys.platform` says it."""
    return in_a_job if system == "win32" else in_a_session
