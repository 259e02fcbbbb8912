"""The system's log, where what was written stays: the one place that writes there, on systems with such a log.

An account that may rewrite it gains nothing by it: for such a one nothing is written.
"""

import logging
import os
import sys
from contextlib import suppress
from logging.handlers import SysLogHandler
from pathlib import Path

_SOCKETS = {"linux": Path("/dev/log"), "darwin": Path("/var/run/syslog")}
NAME = "bigmind"


def write_to_system_log(line: str, socket: Path | None = None) -> bool:
    """Write a line, and say whether that was possible.

    Args:
        line: without anybody's words: every account of the machine may be able to read it.
        socket: of the log; the system's own, where none is given.
    """
    place = socket or system_socket()
    if place is None or not place.is_socket():
        return False
    written = False
    with suppress(OSError):
        handler = _Handler(address=str(place))
        try:
            written = handler.send(f"{NAME}: {line}")
        finally:
            handler.close()
    return written


def system_socket() -> Path | None:
    """The socket of the system's log; None where there is none, and where this account may rewrite the log."""
    place = _SOCKETS.get(sys.platform)
    return None if place is None or os.geteuid() == 0 else place


class _Handler(SysLogHandler):
    """Says whether a line was handed over."""

    def send(self, line: str) -> bool:
        self._failed = False
        self.emit(logging.LogRecord(NAME, logging.INFO, "", 0, line, None, None))
        return not self._failed

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        del record
        self._failed = True
