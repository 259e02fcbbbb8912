"""Commands that tests approve and run: small programs of Python, in a workspace of their own."""

import os
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bigmind.workspace.approved_commands import ApprovedCommand, CommandResult, command_for, run_command

LONG = 120.0
"""Seconds: a limit that no test reaches."""

STAY = """
import os, signal, sys, threading
sys.stdout.reconfigure(encoding="utf-8", newline="\\n")
def rest():
    while True:
        signal.pause() if hasattr(signal, "pause") else threading.Event().wait()
def stay(*words):
    '''Tell that it is there, in the pipe that is open as long as this process lives, and stay.'''
    told = os.open(sys.argv[1], os.O_WRONLY)
    os.write(told, " ".join(map(str, words or [os.getpid()])).encode() + b"\\n")
    rest()
"""


@dataclass
class Checks:
    """A workspace in which commands are run."""

    root: Path

    def approve(self, *arguments: str, defined_by: tuple[str, ...] = ()) -> ApprovedCommand:
        command = command_for("check", arguments, defined_by, self.root)
        assert command is not None
        return command

    def nothing(self, *arguments: str, **more: Any) -> ApprovedCommand:
        """A command that does nothing."""
        return self.approve(sys.executable, "-S", "-c", "", *arguments, **more)

    def script(self, text: str, *arguments: str) -> ApprovedCommand:
        """A command that runs a program of Python."""
        path = self.root / "check.py"
        path.write_text(STAY + text, encoding="utf-8")
        return self.approve(sys.executable, "-S", str(path), *arguments)

    def run(self, *arguments: str, seconds: float = LONG, **more: Any) -> CommandResult:
        return run_command(self.approve(*arguments), self.root, seconds, **more)

    def run_script(self, text: str, *arguments: str, seconds: float = LONG, **more: Any) -> CommandResult:
        return run_command(self.script(text, *arguments), self.root, seconds, **more)


class Watch:
    """A named pipe that processes hold open as long as they live."""

    def __init__(self, path: Path) -> None:
        os.mkfifo(path)
        self.path = str(path)
        self._handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
        self._seen = b""

    def has(self, lines: int = 1) -> bool:
        """Whether so many are there by now; asks, and does not wait."""
        with suppress(BlockingIOError):
            self._seen += os.read(self._handle, 65_536)
        return self._seen.count(b"\n") >= lines

    def all_gone(self) -> list[str]:
        """Wait until the last of them is gone; what they told."""
        os.set_blocking(self._handle, True)
        while piece := os.read(self._handle, 65_536):
            self._seen += piece
        return self._seen.decode().splitlines()

    def first(self) -> str:
        """Wait until one is there; what it told."""
        keeper = os.open(self.path, os.O_WRONLY)
        os.set_blocking(self._handle, True)
        while b"\n" not in self._seen:
            self._seen += os.read(self._handle, 65_536)
        os.close(keeper)
        return self._seen.decode().splitlines()[0]

    def close(self) -> None:
        os.close(self._handle)


@contextmanager
def watch_at(path: Path) -> Iterator[Watch]:
    watch = Watch(path)
    yield watch
    watch.close()


def on_threads(count: int, job: Any) -> list[Any]:
    """What a job gives on so many threads that begin at once; it gets their numbers."""
    barrier, found = threading.Barrier(count), dict[int, Any]()

    def one(number: int) -> None:
        barrier.wait()
        found[number] = job(number)

    threads = [threading.Thread(target=one, args=(number,)) for number in range(count)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    return [found[number] for number in range(count)]
