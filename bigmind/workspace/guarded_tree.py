"""A command and all that it starts, on POSIX: BigMind's end of the process that watches over them."""

import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from bigmind.workspace import tree_guard

PIECE = 65_536
ORDER_SECONDS = 30.0
"""So long the guard may take to read what it is to start."""
START_SECONDS = 1.0
"""So long it is waited for whether the system starts it; a command may stop its guard before that can be told."""
ENDING_SECONDS = tree_guard.GRACE_SECONDS + tree_guard.KILL_SECONDS + 3.0
MOST_IN_PIPE = 4_000_000
"""Bytes: more does not wait in a pipe, and whoever escaped may write on for ever."""
LOST_GUARD = "the process that watches over it was ended"
NOT_STARTED = "it could not be started"
LEFT_OVER = "something that it started could not be ended"
ROLE = "guard"
"""Of this program started once more, as app/main.py knows it."""


def guard_command() -> list[str]:
    """The command that starts a guard: the module itself, without `site`; in a bundle, BigMind in that role."""
    if getattr(sys, "frozen", False):
        return [sys.executable, ROLE]
    return [sys.executable, "-I", "-S", "-X", "utf8", tree_guard.__file__]


class GuardedTree:
    """A running command, and what it started."""

    def __init__(
        self,
        arguments: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        take: Callable[[bytes], None],
    ) -> None:
        """Start it, without input or terminal, in a session of its own and at a low priority.

        Args:
            arguments: the whole command; the first is the program's path.
            folder: where it runs.
            environment: all of it.
            take: gets what it prints, piece by piece, while `wait` or `end` is being called.

        Raises:
            OSError: when the system does not start it.
            ValueError: when a word cannot be handed over: it holds a NUL.
        """
        order = _order(arguments, folder, environment)
        self._take = take
        self._lines = b""
        self._pid = 0
        self._failure: int | None = None
        self._is_running = False
        self._is_over = False
        self._has_output = True
        self.exit_code: int | None = None
        self.fault = ""
        self._control, theirs = socket.socketpair()
        try:
            self._guard = self._started(theirs)
        except OSError:
            self._control.close()
            raise
        finally:
            theirs.close()
        self._watch()
        try:
            self._hand_over(order)
        except OSError:
            self.end()
            raise

    def wait(self, seconds: float) -> bool:
        """Whether the command itself has ended within so many seconds."""
        return self._pump(seconds, lambda: self.exit_code is not None or self._is_over)

    def end(self) -> None:
        """End all of it, and close what was open for it; may be called again."""
        if self._control.fileno() < 0:
            return
        with suppress(OSError):
            self._control.sendall(b"end\n")
        if not self._pump(ENDING_SECONDS, lambda: self._is_over) or self.fault == LOST_GUARD:
            self._end_by_force()
        self._drain()
        self._selector.close()
        self._control.close()
        if self._guard.stdout is not None:
            self._guard.stdout.close()
        try:
            self._guard.wait(1.0)
        except subprocess.TimeoutExpired:
            self._guard.kill()
            self._guard.wait()

    def _started(self, theirs: socket.socket) -> "subprocess.Popen[bytes]":
        return subprocess.Popen(
            guard_command(),
            stdin=theirs.fileno(),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            bufsize=0,
            cwd="/",
            env={},
            start_new_session=True,
        )

    def _watch(self) -> None:
        self._selector = selectors.PollSelector() if hasattr(selectors, "PollSelector") else selectors.SelectSelector()
        self._selector.register(self._control, selectors.EVENT_READ)
        if self._guard.stdout is not None:
            self._output = self._guard.stdout.fileno()
            os.set_blocking(self._output, False)
            self._selector.register(self._output, selectors.EVENT_READ)

    def _hand_over(self, order: bytes) -> None:
        self._control.settimeout(ORDER_SECONDS)
        self._control.sendall(order)
        self._control.setblocking(False)
        if not self._pump(ORDER_SECONDS, lambda: bool(self._pid) or self._is_over):
            raise TimeoutError
        if not self._pid:
            raise ConnectionError
        self._pump(START_SECONDS, lambda: self._is_running or self._is_over)
        if self._failure is not None:
            raise OSError(self._failure, os.strerror(self._failure))

    def _pump(self, seconds: float, is_enough: Callable[[], bool]) -> bool:
        """Take what comes until it is enough; whether it was, within so many seconds."""
        until = time.monotonic() + seconds
        while not is_enough():
            left = until - time.monotonic()
            if left <= 0:
                return False
            for key, _ in self._selector.select(left):
                if key.fileobj is self._control:
                    self._listen()
                else:
                    self._read_output()
        return True

    def _read_output(self) -> int:
        try:
            piece = os.read(self._output, PIECE)
        except BlockingIOError:
            return 0
        if not piece:
            self._selector.unregister(self._output)
            self._has_output = False
            return 0
        self._take(piece)
        return len(piece)

    def _drain(self) -> None:
        """What still waits in the pipe, and no more: who keeps it open is not waited for."""
        much = 0
        while self._has_output and much < MOST_IN_PIPE and (size := self._read_output()):
            much += size

    def _listen(self) -> None:
        try:
            piece = self._control.recv(4096)
        except BlockingIOError:
            return
        except OSError:
            piece = b""
        if not piece:
            self._selector.unregister(self._control)
            if not self._is_over:
                self._is_over, self.fault = True, LOST_GUARD
            return
        *lines, self._lines = (self._lines + piece).split(b"\n")
        for line in lines:
            self._hear(*line.split())

    def _hear(self, word: bytes, number: bytes) -> None:
        match word:
            case b"started":
                self._pid = int(number)
            case b"running":
                self._is_running = True
            case b"failed":
                self._is_over, self._failure, self.fault = True, int(number), NOT_STARTED
            case b"ended":
                self.exit_code = int(number)
            case _:
                self._is_over = True
                self.fault = LEFT_OVER if int(number) else ""

    def _end_by_force(self) -> None:
        """The guard was stopped or killed by what it watches over: end what can be found of it from here."""
        if self._guard.poll() is None:
            tree_guard.end_all(tree_guard.descendants_of(self._guard.pid), grace=0)
            self._guard.kill()
        self.fault = LOST_GUARD
        if self._pid:
            with suppress(OSError):
                os.killpg(self._pid, signal.SIGKILL)
        for pid in _writers(self._output):
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)


def _order(arguments: Sequence[str], folder: Path, environment: Mapping[str, str]) -> bytes:
    variables = [f"{name}={value}" for name, value in environment.items()]
    words = [os.fsencode(each) for each in (str(len(arguments)), str(folder), *arguments, *variables)]
    if any(b"\0" in each for each in words):
        raise ValueError("a word of a command holds a NUL")
    order = b"".join(each + b"\0" for each in words)
    return len(order).to_bytes(8, "big") + order


def _writers(output: int) -> list[int]:
    """On Linux, the other processes that hold the pipe open that is read here."""
    if not sys.platform.startswith("linux"):
        return []
    wanted, found = _leads_to(f"/proc/self/fd/{output}"), set[int]()
    for name in os.listdir("/proc"):  # noqa: PTH208 - no Path for each process
        if not name.isdigit() or int(name) == os.getpid():
            continue
        with suppress(OSError), os.scandir(f"/proc/{name}/fd") as handles:
            if any(_leads_to(each.path) == wanted for each in handles):
                found.add(int(name))
    return sorted(found)


def _leads_to(handle: str) -> str:
    try:
        return os.readlink(handle)  # noqa: PTH115 - no Path for each handle
    except OSError:
        return ""
