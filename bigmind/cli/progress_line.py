"""How far something long is, on the terminal: a line that goes when it is done, and that Ctrl-C ends."""

import signal
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import typer
from rich.console import Console
from rich.status import Status

from bigmind.core.errors import BigMindError, Code
from bigmind.core.plain_text import visible
from bigmind.core.progress import BYTES
from bigmind.text.phrasing import megabytes

INTERRUPTED = 130
"""The exit code of a command that Ctrl-C ended."""
LAST_WORDS_SECONDS = 30.0
"""How long Ctrl-C waits to hear what was done by then: an import takes back what it wrote."""
UNHEARD = "BigMind stops as soon as it can."
PERHAPS_CHANGED = " Something may have changed by then: look before you do it again."


class Follower:
    """Shows the progress of an operation; Ctrl-C asks the server to stop, and a second one waits for nothing."""

    def __init__(self, title: str, status: Status) -> None:
        self._title = title
        self._status = status
        self._over = threading.Event()
        self.is_stopping = False

    def progress(self, done: int, total: int, what: str, unit: str = "") -> None:
        """The operation tells how far it is."""
        self._show(f"{what or self._title} {amount(done, total, unit)}".strip())

    @contextmanager
    def stoppable(self, stop: Callable[[], None], give_up: Callable[[], None]) -> Generator[None]:
        """For the length of the block, in which the answer is read, Ctrl-C calls `stop`.

        Args:
            stop: asks the server to stop, so that it answers with what was done by then.
            give_up: ends the reading, where no answer comes in time.
        """
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before: Any = signal.getsignal(signal.SIGINT)

        def interrupted(number: int, frame: FrameType | None) -> None:
            del number, frame
            signal.signal(signal.SIGINT, before)
            self.is_stopping = True
            # On a thread: the handler may run in the midst of what draws the line.
            threading.Thread(target=self._stop, args=(stop, give_up), daemon=True).start()

        signal.signal(signal.SIGINT, interrupted)
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
            self._over.set()

    def _stop(self, stop: Callable[[], None], give_up: Callable[[], None]) -> None:
        self._show(self._title)
        stop()
        if not self._over.wait(LAST_WORDS_SECONDS):
            give_up()

    def _show(self, what: str) -> None:
        self._status.update(visible(f"Stopping: {what}" if self.is_stopping else what) + " …")


@contextmanager
def following(title: str, *, reads: bool = False) -> Generator[Follower]:
    """What takes the progress of an operation of that title; shown on standard error, where that is a terminal.

    `reads` says that it changes nothing.

    Raises:
        typer.Exit: with INTERRUPTED, when Ctrl-C ended it; what the server says to that is shown.
    """
    console, follower = Console(stderr=True), None
    unheard = UNHEARD if reads else UNHEARD + PERHAPS_CHANGED
    try:
        with console.status(title) as status:
            follower = Follower(title, status)
            yield follower
    except KeyboardInterrupt:
        raise _interrupted(console, unheard) from None
    except BigMindError as error:
        if follower is None or not follower.is_stopping or error.code not in {Code.CANCELLED, Code.UNAVAILABLE}:
            raise
        raise _interrupted(console, str(error) if error.code is Code.CANCELLED else unheard) from None


def _interrupted(console: Console, said: str) -> typer.Exit:
    console.print(visible(said), style="yellow", markup=False, highlight=False, soft_wrap=True)
    return typer.Exit(INTERRUPTED)


def amount(done: int, total: int, unit: str) -> str:
    """How much of how much, as it stands in the line; empty where nothing is counted."""
    if not total:
        return f"{done:,}" if done else ""
    if unit == BYTES:
        return f"{megabytes(done)} of {megabytes(total)}"
    return f"{done:,} of {total:,}"
