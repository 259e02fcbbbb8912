"""What a process begins is a list of named steps; it ends by undoing them in exactly the reverse order."""

import logging
import signal
import socket
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self, TypeVar

Begun = TypeVar("Begun")

log = logging.getLogger(__name__)


SIGNALS = tuple(each for each in signal.Signals if each.name in {"SIGTERM", "SIGINT", "SIGBREAK"})
"""What a process is told to end by; the last is Windows' Ctrl+Break, the only one that a program can send there."""


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
