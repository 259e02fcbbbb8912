"""The system's log, where what was written stays: the one place that writes there and reads it, where there is one.

An account that may rewrite it gains nothing by it: for such a one nothing is written, and nothing read.
"""

import json
import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from logging.handlers import SysLogHandler
from pathlib import Path
from typing import NamedTuple

from bigmind.core.clock import local
from bigmind.core.shapes import as_object
from bigmind.work.ledger.heads import KnownHead

SOCKETS = {"linux": Path("/dev/log"), "darwin": Path("/var/run/syslog")}
READERS = (Path("/usr/bin/journalctl"), Path("/bin/journalctl"))
"""Where the program that reads the log is looked for: not on a search path, which is whose starts the server."""
NAME = "bigmind"
MOST_READ = 10_000
"""Lines of ours, the newest."""
READ_SECONDS = 20
_HEAD = re.compile(r"ledger (?P<store>\S{1,36}) row (?P<number>[0-9]{1,18}) (?P<digest>[0-9a-f]{64})")


class LoggedHeads(NamedTuple):
    """The heads of a store's ledger in the system's log; `unread` says why they could not be read, else it is empty."""

    heads: tuple[KnownHead, ...] = ()
    unread: str = ""


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
    place = SOCKETS.get(sys.platform)
    return None if place is None or os.geteuid() == 0 else place


def head_line(store: object, number: int, digest: str) -> str:
    """The line that a head of a store's ledger is written as."""
    return f"ledger {store} row {number} {digest}"


def logged_heads(store: object) -> LoggedHeads:
    """The heads of a store's ledger that this account wrote into the system's log.

    Who wrote a line is the log's own word: another account's says nothing here.
    """
    if why := _why_unread():
        return LoggedHeads(unread=why)
    program = next(each for each in READERS if each.is_file())
    given = [f"_UID={os.geteuid()}", f"SYSLOG_IDENTIFIER={NAME}", f"--lines={MOST_READ}"]
    command = [str(program), *given, "--output=json", "--output-fields=MESSAGE", "--no-pager", "--quiet"]
    try:
        read = subprocess.run(command, capture_output=True, check=True, timeout=READ_SECONDS, env={"LC_ALL": "C"})
    except (OSError, subprocess.SubprocessError) as error:
        return LoggedHeads(unread=f"journalctl could not be run ({type(error).__name__}).")
    return LoggedHeads(tuple(_heads(read.stdout.decode(errors="replace"), str(store))))


def _why_unread() -> str:
    if sys.platform == "win32":
        return "BigMind keeps none in the log of Windows."
    if os.geteuid() == 0:
        return "this account may rewrite that log, and none is kept there."
    if sys.platform != "linux":
        return "BigMind does not read the log of this system."
    return "" if any(each.is_file() for each in READERS) else "there is no journalctl here."


def _heads(lines: str, store: str) -> Iterator[KnownHead]:
    for line in lines.splitlines():
        with suppress(ValueError, OverflowError):
            told = as_object(json.loads(line))
            found = _HEAD.fullmatch(str(told.get("MESSAGE", "")))
            if found is not None and found["store"] == store:
                at = datetime.fromtimestamp(int(told.get("__REALTIME_TIMESTAMP", 0)) / 1_000_000, UTC)
                yield KnownHead(int(found["number"]), found["digest"], f"the system's log of {local(at)}")


class _Handler(SysLogHandler):
    """Says whether a line was handed over."""

    def send(self, line: str) -> bool:
        self._failed = False
        self.emit(logging.LogRecord(NAME, logging.INFO, "", 0, line, None, None))
        return not self._failed

    def handleError(self, record: logging.LogRecord) -> None:  # noqa: N802 - the library's name
        del record
        self._failed = True
