"""Runs a program of a client, or the one that it would start, for a while and no longer."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

ENDING_SECONDS = 10.0
NO_WINDOW = getattr(subprocess, "CREATE_NO_WINDOW", 0)


def run_for(
    seconds: float,
    command: Sequence[str],
    environment: Mapping[str, str],
    given: bytes = b"",
    folder: Path | None = None,
) -> tuple[bytes, bytes]:
    """What a program says on standard output and on standard error until it ends.

    Args:
        seconds: how long it may take.
        command: its whole path, and what it is started with.
        environment: of the process.
        given: what it reads on its input.
        folder: where it is run; where this process is, without one.

    Raises:
        OSError: it does not start.
        subprocess.TimeoutExpired: it took longer, and was ended.
    """
    process = subprocess.Popen(
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=folder,
        env=dict(environment),
        creationflags=NO_WINDOW,
    )
    with process:
        try:
            return process.communicate(given, seconds)
        except subprocess.TimeoutExpired:
            _end(process)
            raise


def _end(process: "subprocess.Popen[bytes]") -> None:
    """End it. On Windows with all that it started: of a batch file, cmd alone would end, and its pipes stay open."""
    if os.name == "nt":
        ends = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "taskkill.exe")
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                [str(ends), "/F", "/T", "/PID", str(process.pid)],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                timeout=ENDING_SECONDS,
                check=False,
                creationflags=NO_WINDOW,
            )
    process.kill()
