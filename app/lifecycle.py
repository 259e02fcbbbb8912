"""What a process begins is a list of named steps; it ends by undoing them in exactly the reverse order."""

import logging
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from types import TracebackType
from typing import Any, Self, TypeVar

Begun = TypeVar("Begun")

log = logging.getLogger(__name__)


SIGNALS = tuple(each for each in signal.Signals if each.name in {"SIGTERM", "SIGINT", "SIGBREAK"})
"""What a process is told to end by; the last is Windows' Ctrl+Break, the only one that a program can send there."""

CONSOLE_ENDS = frozenset({2, 5, 6})
"""CTRL_CLOSE_EVENT, CTRL_LOGOFF_EVENT and CTRL_SHUTDOWN_EVENT: the window of a terminal on Windows is closed."""
CONSOLE_PATIENCE_SECONDS = 5.0
"""How long Windows waits for a program then, before it ends it."""

_known_to_windows: list[Any] = []
"""Handlers of which it has the address alone: they live as long as the process."""


class StartHaltedError(Exception):
    """It was told to end while it was beginning."""


def heed_signals(stop: Callable[[], None]) -> Callable[[], None]:
    """Have each of SIGNALS call `stop`, on a thread of its own; on the main thread.

    Nothing is raised in the main thread: while others import too, an exception in the midst of an import leaves
    Python's import lock taken for ever. Nor has the main thread to wake: a signal that comes just before it begins to
    wait would be heard when that wait is over. The interpreter itself writes the signal's number into a socket.

    Returns:
        What ends it.
    """
    hearing, telling = socket.socketpair()
    telling.setblocking(False)
    signal.set_wakeup_fd(telling.fileno(), warn_on_full_buffer=False)
    for each in SIGNALS:
        # Whoever has taken the socket's place for a while (a tray's loop) calls the handler instead.
        signal.signal(each, lambda number, _: telling.send(bytes([number])))

    def wait() -> None:
        with hearing:
            while told := hearing.recv(1):
                if told[0] in SIGNALS:
                    stop()

    def forget() -> None:
        signal.set_wakeup_fd(-1)
        telling.close()

    threading.Thread(target=wait, name="signals", daemon=True).start()
    return forget


def heed_closed_console(
    stop: Callable[[], None], kernel: Any = None, wait: Callable[[float], object] = time.sleep
) -> Callable[[], None]:
    """Have the closing of the console's window call `stop`, and give this process five seconds to end by itself.

    Windows ends a process as soon as its handler returns, and after five seconds anyway. Python's own, which takes this
    for Ctrl+Break, returns at once. Where a library drew on the screen before (user32, gdi32), Windows calls no handler
    at a log-off or shutdown.

    Args:
        stop: begins to end the process.
        kernel: kernel32, or what stands in for it; by default that of this machine, if it is a Windows.
        wait: for so many seconds; the end of the process cuts it short.

    Returns:
        What has the console's window close without it again; once it closes, the process is only waited for.
    """
    if kernel is None and sys.platform != "win32":
        return lambda: None
    import ctypes  # noqa: PLC0415 - for Windows only

    kind = ctypes.CFUNCTYPE
    if sys.platform == "win32":
        kernel, kind = kernel or ctypes.WinDLL("kernel32", use_last_error=True), ctypes.WINFUNCTYPE
    has_come = threading.Event()
    called = kind(ctypes.c_int, ctypes.c_uint32)(_handler(stop, has_come, wait))
    _known_to_windows.append(called)
    kernel.SetConsoleCtrlHandler.argtypes = (ctypes.c_void_p, ctypes.c_int)
    address = ctypes.cast(called, ctypes.c_void_p)
    if not kernel.SetConsoleCtrlHandler(address, 1):
        log.warning("Windows will not say that the window of the terminal is closed")

    def forget() -> None:
        if not has_come.is_set():  # else Windows may hold its list of handlers until that one returns
            kernel.SetConsoleCtrlHandler(address, 0)

    return forget


def _handler(
    stop: Callable[[], None], has_come: threading.Event, wait: Callable[[float], object]
) -> Callable[[int], int]:
    """What Windows calls; the answer is whether another handler is not to be asked."""

    def handle(event: int) -> int:
        if event not in CONSOLE_ENDS:
            return 0
        has_come.set()
        try:
            stop()
        except Exception:  # whatever it is, what ends meanwhile is not to be cut off
            log.exception("the closed window of the terminal did not end BigMind")
        wait(CONSOLE_PATIENCE_SECONDS)
        return 1

    return handle


class Lifecycle:
    """The steps that were taken. Leaving its block undoes them, also after an exception in the midst of them.

    A step that cannot be undone is logged and holds up none of the others. No signal interrupts the undoing.
    """

    def __init__(self) -> None:
        self._steps: list[tuple[str, Callable[[], object]]] = []
        self._halted = threading.Event()

    def halt(self) -> None:
        """Begin nothing more; from any thread."""
        self._halted.set()

    def go_on(self) -> None:
        """Nothing, unless it was told to end.

        Raises:
            Halted: when it was.
        """
        if self._halted.is_set():
            raise StartHaltedError

    def begin(self, name: str, step: Callable[[], Begun], undo: Callable[[Begun], object]) -> Begun:
        """Take a step, and note how what it gave is undone.

        Args:
            name: what begins, for the log.
            step: begins it; when it raises, there is nothing to undo.
            undo: ends what it gave.

        Raises:
            Halted: when it was told to end; the step is not taken.
        """
        self.go_on()
        begun = step()
        self.undo(name, lambda: undo(begun))
        return begun

    def undo(self, name: str, how: Callable[[], object]) -> None:
        """Note how a step is undone that was taken already."""
        self._steps.append((name, how))

    @property
    def names(self) -> list[str]:
        """The steps that are not undone, in their order."""
        return [name for name, _ in self._steps]

    def end(self) -> None:
        """Undo every step that was not undone yet, the last one first."""
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        while self._steps:
            name, how = self._steps.pop()
            try:
                how()
            except Exception:  # whatever it is, the steps before it are still to be undone
                log.exception("%s could not be ended", name)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.end()
