"""A gate at which a process waits until a test lets it through; unlike a named pipe, every system has one."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 60


class Gate:
    """One gate: by a connection on this machine.

    Attributes:
        passing: the Python expression that passes it, for the program of the process; its value means nothing.
    """

    def __init__(self) -> None:
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._listener.settimeout(SECONDS)
        port = self._listener.getsockname()[1]
        self.passing = f"__import__('socket').create_connection(('127.0.0.1', {port})).recv(1)"

    @contextmanager
    def reached(self) -> Iterator[None]:
        """From the moment when the process stands there, which is let through at the end."""
        there, _ = self._listener.accept()
        with there:
            yield

    def close(self) -> None:
        """Let nobody stand there any more."""
        self._listener.close()
