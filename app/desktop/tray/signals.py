"""Signals of the process while a toolkit's loop runs on the main thread."""

import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager
from types import FrameType

from app.lifecycle import SIGNALS


@contextmanager
def held_back(end: Callable[[], None], waker: int = -1) -> Generator[None]:
    """Have a signal call `end` at once, and its handler only when the block has ended.

    What a handler raises amid a toolkit's callbacks would be printed and lost there: between Python's code lies C's.

    Args:
        end: ends the toolkit's loop; called on the main thread.
        waker: a socket to which each signal writes a byte, for a loop that has to be woken before Python's code runs.

    Raises:
        Exception: what the handlers raise, such as KeyboardInterrupt.
    """
    caught: list[int] = []
    # One that was not set by Python stays what it is.
    handlers = {each: handler for each in SIGNALS if callable(handler := signal.getsignal(each))}

    def note(number: int, _frame: FrameType | None) -> None:
        caught.append(number)
        end()

    for each in handlers:
        signal.signal(each, note)
    before = signal.set_wakeup_fd(waker, warn_on_full_buffer=False)
    try:
        yield
    finally:
        signal.set_wakeup_fd(before)
        for each, handler in handlers.items():
            signal.signal(each, handler)
        for number in caught:
            handlers[signal.Signals(number)](number, None)
