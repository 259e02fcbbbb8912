"""A process with all that it starts, ended as one. What differs between systems stands here."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Self

GRACE_SECONDS = 2.0
_PIECE = 65_536
_MARK = "BIGMINDCHECK"
"""In the environment of a check: on Linux, what left its session is known by it."""


def started(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> "ProcessTree":
    """Start a program in a session of its own, without input, at a low priority.

    Raises:
        OSError: when the system does not start it.
    """
    mark = os.urandom(12).hex()
    flags = _new_group() | _below_normal() if sys.platform == "win32" else 0
    process: subprocess.Popen[bytes] = subprocess.Popen(
        list(arguments),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=folder,
        env={**environment, _MARK: mark},
        creationflags=flags,
        start_new_session=sys.platform != "win32",
    )
    if sys.platform != "win32":
        with suppress(OSError):
            os.setpriority(os.PRIO_PGRP, process.pid, 10)
    return ProcessTree(process, mark)


def _new_group() -> int:
    return int(getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0))


def _below_normal() -> int:
    return int(getattr(subprocess, "BELOW_NORMAL_PRIORITY_CLASS", 0))


class ProcessTree:
    """A running program, and what it started."""

    def __init__(self, process: "subprocess.Popen[bytes]", mark: str) -> None:
        """`mark` stands in the environment of all of it."""
        self._process = process
        self._mark = mark
        self._ended = threading.Event()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
        if self._process.stdout is not None:
            with suppress(OSError):
                os.set_blocking(self._process.stdout.fileno(), False)
            self._process.stdout.close()

    @property
    def exit_code(self) -> int | None:
        """How the program itself ended; None while it runs."""
        return self._process.returncode

    @property
    def output(self) -> Iterator[bytes]:
        """What all of it prints, until the last of it has closed the stream, or this was ended."""
        stream = self._process.stdout
        if stream is None:
            return
        handle = stream.fileno()
        while True:
            try:
                piece = os.read(handle, _PIECE)
            except (OSError, ValueError):
                return
            if not piece:
                return
            yield piece

    def wait(self, seconds: float) -> bool:
        """Whether the program itself has ended within so many seconds."""
        try:
            self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return False
        return True

    def end(self) -> None:
        """End all of it: asked first, and killed when that does not help."""
        if self._ended.is_set():
            return
        self._ended.set()
        if self._process.poll() is None:
            self._signal(ask=True)
            self.wait(GRACE_SECONDS)
        self._signal(ask=False)
        self.wait(GRACE_SECONDS)

    def _signal(self, *, ask: bool) -> None:
        if sys.platform == "win32":
            self._end_on_windows(ask=ask)
            return
        number = signal.SIGTERM if ask else signal.SIGKILL
        with suppress(OSError):
            os.killpg(self._process.pid, number)
        for pid in _marked(self._mark):
            with suppress(OSError):
                os.kill(pid, number)

    def _end_on_windows(self, *, ask: bool) -> None:
        if ask:
            return
        program = Path(os.environ.get("SYSTEMROOT", "C:\\Windows")) / "System32" / "taskkill.exe"
        with suppress(OSError, subprocess.TimeoutExpired):
            subprocess.run(
                [str(program), "/F", "/T", "/PID", str(self._process.pid)],
                capture_output=True,
                check=False,
                timeout=GRACE_SECONDS,
            )
        with suppress(OSError):
            self._process.kill()


def _marked(mark: str) -> list[int]:
    """On Linux, the processes that have the mark in their environment, wherever they went."""
    if not sys.platform.startswith("linux"):
        return []
    wanted, own, found = f"{_MARK}={mark}".encode(), os.getpid(), list[int]()
    for entry in os.scandir("/proc"):
        if entry.name.isdigit() and int(entry.name) != own:
            with suppress(OSError), open(f"/proc/{entry.name}/environ", "rb") as file:  # noqa: PTH123
                if wanted in file.read().split(b"\0"):
                    found.append(int(entry.name))
    return found
