"""A program at a terminal of its own, typed into as a person does: what is waited for is what it shows."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic

ROWS, COLUMNS = 40, 160
_CONTROLS = re.compile(rb"\x1b\[[0-9;?<>=]*[A-Za-z]|\x1b\][^\x07]*\x07|\x1b[()][A-Z0-9]")


class Terminal:
    """The person's end of it."""

    def __init__(self, screen: int) -> None:
        self._screen = screen
        self._shown = b""

    def sees(self, text: str, seconds: float = 60) -> None:
        """Wait until a text is shown that was not shown before the last wait ended."""
        until, wanted = monotonic() + seconds, text.encode()
        while wanted not in (plain := _CONTROLS.sub(b"", self._shown)):
            ready, _, _ = select.select([self._screen], [], [], max(0.0, until - monotonic()))
            assert ready, f"{text!r} was not shown, but: {plain[-1_500:].decode(errors='replace')}"
            self._shown += self._read()
        self._shown = b""

    def types(self, line: str) -> None:
        """Type a line, and press Enter once it stands there."""
        os.write(self._screen, line.encode())
        self.sees(line)
        os.write(self._screen, b"\r")

    def ends(self, seconds: float = 60) -> None:
        """Wait until the program closed its end."""
        until = monotonic() + seconds
        while select.select([self._screen], [], [], max(0.0, until - monotonic()))[0]:
            if not self._read():
                return
        raise AssertionError("it did not end")

    def _read(self) -> bytes:
        with suppress(OSError):  # Linux's way to say that nobody is at the other end
            return os.read(self._screen, 65_536)
        return b""


@contextmanager
def terminal(command: Sequence[str], folder: Path, around: Mapping[str, str]) -> Iterator[Terminal]:
    """A program at a terminal, for the length of a block; it is ended where it has not ended by itself."""
    process, screen = pty.fork()
    if not process:
        os.chdir(folder)
        os.execve(command[0], list(command), {**around, "TERM": "xterm-256color"})  # noqa: S606 - the terminal is the point
    fcntl.ioctl(screen, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    try:
        yield Terminal(screen)
    finally:
        os.close(screen)
        with suppress(ProcessLookupError):
            os.kill(process, signal.SIGTERM)
        os.waitpid(process, 0)
