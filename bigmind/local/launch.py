"""Starts the server of a home when there is none, and waits until it is ready."""

import json
import os
import threading
import time
from pathlib import Path
from typing import TYPE_CHECKING

from bigmind.core.errors import BigMindError, Code
from bigmind.local.apart import ENDS_WITH_STARTER, start_apart
from bigmind.local.connection import NotRunningError, ServerConnection, UnresponsiveError
from bigmind.local.moved_folder import MovedFolderError, refuse_moved_folder
from bigmind.local.program import server_command
from bigmind.local.store_owner import Holder, holder
from bigmind.named_environment import core_environment
from bigmind.paths import NO_ROOM, PRIVATE_FILE, UNWRITABLE_HINT, log_file, make_private_folder

if TYPE_CHECKING:
    import subprocess

READY_SECONDS = 30.0
MISSED_SECONDS = 1.5
"""How long a server that should answer is waited for: it writes a run file that was lost again within a second."""
POLL_SECONDS = 0.03
RESTART_SECONDS = 0.5

TRACEBACK = "Traceback (most recent call last)"
IN_USE = 75
"""Exit code of a server that found the store owned by another (EX_TEMPFAIL of BSD's sysexits)."""
FULL = 74
"""Exit code of a server whose disk takes nothing, so that it may have left no words either (EX_IOERR)."""


TOO_MANY = "Service Unavailable"
"""What uvicorn answers to whom it has no connection left for, also in place of the proof."""


class CrowdedError(UnresponsiveError):
    """The server of this home answers, and has no connection left."""

    def __init__(self, home: Path, held: Holder) -> None:
        said = f"BigMind runs, and too many connections to it are open: {held} has the memory in {home}."
        hint = "Try again in a moment. If that does not help, end the program that holds them, or `bigmind stop`."
        BigMindError.__init__(self, Code.UNAVAILABLE, said, hint)
        self.holder = held


class NotStartedError(NotRunningError):
    """None could be started, and whoever tries by hand fares no better: nothing is said of that."""

    def __init__(self, message: str, hint: str = "") -> None:
        """Say why, and what would be right where that does not."""
        BigMindError.__init__(self, Code.UNAVAILABLE, message, hint)


def connected(home: Path, client: str) -> ServerConnection:
    """A connection to the server of `home`, which is started when it does not run.

    Raises:
        UnresponsiveError: when a process has the store and does not answer within two seconds, or does not become
            ready within 30.
        MovedFolderError: when one runs whose data folder was moved.
        NotStartedError: when it cannot start; when it is not ready within 30 seconds, and then says why it gave the
            store up, or where its log is.
    """
    try:
        return reached(home, client, READY_SECONDS)
    except (UnresponsiveError, MovedFolderError):
        raise
    except NotRunningError:
        return _start_and_connect(home, client)


def reached(home: Path, client: str, patience: float = MISSED_SECONDS) -> ServerConnection:
    """A connection to the server that runs, also where its run file was lost a moment ago.

    Args:
        home: the data folder.
        client: as of `ServerConnection`.
        patience: seconds to wait for one that is starting or ending; one that should answer is missed after two.

    Raises:
        UnresponsiveError: when a process has the store and does not answer, or answers that it is crowded.
        MovedFolderError: when one runs whose data folder was moved.
        NotRunningError: when nobody has it.
    """
    begun = time.monotonic()
    while True:
        try:
            return ServerConnection(home, client)
        except NotRunningError as error:
            held = holder(home)
            if held is None:
                refuse_moved_folder(home)
                raise
            if time.monotonic() - begun > (MISSED_SECONDS if held.state == "ready" else patience):
                raise (CrowdedError if _is_crowded(error) else UnresponsiveError)(home, held) from None
        time.sleep(POLL_SECONDS)


def _is_crowded(error: NotRunningError) -> bool:
    told = error.__cause__
    return isinstance(told, json.JSONDecodeError) and told.doc == TOO_MANY


def _start_and_connect(home: Path, client: str) -> ServerConnection:
    """Start a server and wait for it, or for the one that somebody else started at the same moment."""
    begun = time.monotonic()
    child = start_server(home)
    next_start, refusal = begun + RESTART_SECONDS, ""
    while True:
        try:
            return ServerConnection(home, client)
        except NotRunningError as error:
            now, ended = time.monotonic(), child.poll()
            if ended == FULL and not _left_words(home):
                raise _no_room(home) from error
            if ended not in {None, 0, IN_USE}:
                raise NotStartedError(f"BigMind could not start: {_last_words(home)}") from error
            if ended == IN_USE:
                refusal = f": {words}" if (words := _left_words(home)) else refusal
            held = holder(home) if ended is not None and now > next_start else None
            if held is not None and held.state == "ready" and now - begun > MISSED_SECONDS:
                raise UnresponsiveError(home, held) from error
            if now - begun > READY_SECONDS:
                raise NotStartedError(f"BigMind did not become ready{refusal or f'; see {log_file(home)}.'}") from error
            if ended is not None and now > next_start:
                # The owner of the store was on its way out, or has gone since.
                child = start_server(home)
                next_start = now + RESTART_SECONDS
        time.sleep(POLL_SECONDS)


def start_server(home: Path) -> "subprocess.Popen[bytes]":
    """Start a server of `home` in the background, without waiting for it; one that finds the store owned ends itself.

    Raises:
        NotStartedError: when it cannot even be started.
        MovedFolderError: when one runs whose data folder was moved.
    """
    refuse_moved_folder(home)
    make_private_folder(start_log(home).parent)
    try:
        log = os.open(start_log(home), os.O_WRONLY | os.O_CREAT | os.O_TRUNC, PRIVATE_FILE)
    except OSError as error:
        raise _no_room(home) if error.errno in NO_ROOM else _unwritable(home, error) from error
    try:
        child = start_apart(server_command(), home, {**core_environment(os.environ), "BIGMIND_HOME": str(home)}, log)
    finally:
        os.close(log)
    # Taken note of whenever it ends: a bridge that lives for days must not keep its dead servers as zombies.
    threading.Thread(target=child.wait, name="server", daemon=True).start()
    return child


def _no_room(home: Path) -> NotStartedError:
    return NotStartedError(f"BigMind could not start: the disk of {home} has no room.", "Make room, and try again.")


def _unwritable(home: Path, error: OSError) -> NotStartedError:
    said = f"BigMind could not start: its log in {start_log(home).parent} cannot be written: {error.strerror or error}."
    return NotStartedError(said, UNWRITABLE_HINT)


def _left_words(home: Path) -> str:
    """What the server that was started last wrote before it had a log of its own."""
    try:
        return start_log(home).read_text(encoding="utf-8", errors="replace").removeprefix(ENDS_WITH_STARTER).strip()
    except OSError:
        return ""


def _last_words(home: Path) -> str:
    words = _left_words(home)
    if TRACEBACK in words:  # of what fails before there is a log: its last line says what
        return f"{words.splitlines()[-1]}. See {start_log(home)}."
    return words[-1_000:] or f"it said nothing; see {log_file(home)}."


def start_log(home: Path) -> Path:
    """What the last server that was started in the background said before its log was open."""
    return log_file(home).with_name("start.log")
