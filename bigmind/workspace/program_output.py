"""What a program prints, within bounds of bytes and of time.

Its two pipes are waited on together. Where a system cannot wait on pipes, which is Windows, threads read them.
"""

import contextlib
import os
import selectors
import subprocess
import threading
import time
from collections.abc import Callable
from typing import IO, NamedTuple

MOST_WORDS = 4_000
"""Bytes that are kept of what a program says is wrong; the rest is read, and let go."""
_PIECE = 1 << 16


class ProgramOutput(NamedTuple):
    """An answer, the beginning of the complaints, and the exit code; None where the program took too long."""

    answer: bytes
    words: bytes
    code: int | None


class OutputTooLargeError(Exception):
    """The program prints more than it may; it still runs."""


class _Answer:
    """Collects what comes, up to a bound."""

    def __init__(self, most: int, *, is_cut: bool = False) -> None:
        self.told = bytearray()
        self.is_too_large = False
        self._most = most
        self._is_cut = is_cut

    def take(self, piece: bytes) -> None:
        """Add a piece.

        Raises:
            OutputTooLargeError: when that is too much, unless the rest is let go.
        """
        self.is_too_large = len(self.told) + len(piece) > self._most and not self._is_cut
        if self.is_too_large:
            raise OutputTooLargeError
        self.told += piece[: max(self._most - len(self.told), 0)]


def read_by_waiting(process: subprocess.Popen[bytes], most: int, seconds: float) -> ProgramOutput:
    """Read its pipes as they fill; see `read_output`."""
    until = time.monotonic() + seconds
    answer, words = _Answer(most), _Answer(MOST_WORDS, is_cut=True)
    with selectors.DefaultSelector() as pipes:
        for stream, taker in ((process.stdout, answer), (process.stderr, words)):
            if stream is not None:
                pipes.register(stream, selectors.EVENT_READ, taker)
        while pipes.get_map() and (left := until - time.monotonic()) > 0:
            for pipe, _ in pipes.select(left):
                if piece := os.read(pipe.fd, _PIECE):
                    pipe.data.take(piece)
                else:
                    pipes.unregister(pipe.fileobj)
    return ProgramOutput(bytes(answer.told), bytes(words.told), _code(process, until))


def read_by_threads(process: subprocess.Popen[bytes], most: int, seconds: float) -> ProgramOutput:
    """Read each of its pipes on a thread; see `read_output`."""
    until = time.monotonic() + seconds
    answer, words = _Answer(most), _Answer(MOST_WORDS, is_cut=True)
    pairs = ((process.stdout, answer), (process.stderr, words))
    readers = [threading.Thread(target=_read, args=each, daemon=True) for each in pairs]
    for each in readers:
        each.start()
    for each in readers:
        each.join(max(until - time.monotonic(), 0))
        if answer.is_too_large:
            raise OutputTooLargeError
    return ProgramOutput(bytes(answer.told), bytes(words.told), _code(process, until))


def _read(stream: IO[bytes] | None, taker: _Answer) -> None:
    # The one that waits for this thread looks at the mark; one that waits no longer closes the pipe.
    with contextlib.suppress(OutputTooLargeError, ValueError):
        while stream is not None and (piece := stream.read(_PIECE)):
            taker.take(piece)


def _code(process: subprocess.Popen[bytes], until: float) -> int | None:
    try:
        return process.wait(max(until - time.monotonic(), 0))
    except subprocess.TimeoutExpired:
        return None


Reader = Callable[[subprocess.Popen[bytes], int, float], ProgramOutput]


def reader_of(system: str) -> Reader:
    """How the output of a program is read on a system, by its `os.name`."""
    return read_by_threads if system == "nt" else read_by_waiting


read_output = reader_of(os.name)
"""Read a program that was started with pipes, until it ends or its time is over.

It takes the process, the most bytes of an answer and the seconds, and ends nothing itself. It raises
OutputTooLargeError for a longer answer, and RuntimeError where a thread is needed and none can be started.
"""
