"""Ends the BigMind of a home, also one that does not answer."""

import os
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

from bigmind.cli.remote import LostConnectionError, call
from bigmind.local.connection import NotRunningError, ServerConnection, UnresponsiveError
from bigmind.local.launch import CrowdedError
from bigmind.local.moved_folder import MovedFolderError, is_gone
from bigmind.local.runfile import published
from bigmind.local.store_owner import Holder, is_locked
from bigmind.store.ownership import is_held

ENDING_SECONDS = 10.0
POLL_SECONDS = 0.05


def stop_running(home: Path) -> tuple[str, bool]:
    """End it. Returns what came of it, in words, and whether none runs now."""
    try:
        pid = int(call(home, "server_stop", {}, start=False)["pid"])
    except UnresponsiveError as error:
        return _end(home, error.holder)
    except MovedFolderError as error:
        return _end_moved(home, error)
    except NotRunningError as error:
        is_plain = type(error) is NotRunningError and published(home) is None
        return f"Nothing to stop: no BigMind runs for the memory in {home}." if is_plain else absence(home, error), True
    if _within(ENDING_SECONDS, lambda: not _answers(home) and not is_held(home, pid)):
        return f"BigMind (process {pid}) has stopped.", True
    return f"Process {pid} is still ending; its log is in {home / 'logs'}.", False


def absence(home: Path, error: NotRunningError) -> str:
    """That none runs, in words; where another program took its port after a crash, that too."""
    server = published(home)
    if type(error) is not NotRunningError or server is None:
        return str(error)
    if isinstance(error.__cause__, ConnectionRefusedError):
        return f"BigMind is not running.\n{error.hint}"
    return f"BigMind is not running; another program listens on port {server.port}.\n{error.hint}"


def absence_code(home: Path, error: NotRunningError) -> str:
    """Why none answers, in a word that scripts can rely on; `absence` says the same to people."""
    match error:
        case CrowdedError():
            return "crowded"
        case UnresponsiveError():
            return "unresponsive" if error.holder.state == "ready" else error.holder.state
        case MovedFolderError():
            return "folder_moved"
        case LostConnectionError():
            return "connection_lost"
        case _:
            is_free = published(home) is None or isinstance(error.__cause__, ConnectionRefusedError)
            return "not_running" if is_free else "port_taken"


def _end(home: Path, held: Holder) -> tuple[str, bool]:
    """End one that does not answer: where the system itself names the process, as Ctrl+C would."""
    log = f"its log is in {home / 'logs'}"
    if held.state == "ending":
        return f"BigMind is ending already: {held}; {log}.", False
    if not held.is_certain:
        return f"BigMind runs and does not answer: {held}. End that process by hand; {log}.", False
    try:
        os.kill(held.pid, signal.SIGTERM)
    except OSError as error:
        return f"BigMind runs and does not answer: {held}. It cannot be ended: {error.strerror}.", False
    if _within(ENDING_SECONDS, lambda: not is_locked(home)):
        return f"BigMind (process {held.pid}) did not answer, and has stopped.", True
    return (
        f"BigMind does not end: {held}. What was acknowledged is stored: `{kill_command(held.pid)}` loses none of it.",
        False,
    )


def kill_command(pid: int, system: str = sys.platform) -> str:
    """What a person types to end a process that heeds nothing, on that system (as `sys.platform` says it)."""
    return f"taskkill /F /PID {pid}" if system == "win32" else f"kill -9 {pid}"


def _end_moved(home: Path, moved: MovedFolderError) -> tuple[str, bool]:
    """End one whose data folder was moved, and its token with it: it proved that it is the process of its note."""
    if not moved.is_certain:
        return f"{moved.message} It does not answer: end that process by hand.", False
    try:
        os.kill(moved.pid, signal.SIGTERM)
    except OSError as error:
        return f"{moved.message} It cannot be ended: {error.strerror}.", False
    if _within(ENDING_SECONDS, lambda: is_gone(moved.pid) is not False):
        return f"BigMind (process {moved.pid}), whose data folder {home} was moved or removed, has stopped.", True
    return f"Process {moved.pid} is still ending; its log moved with its data folder.", False


def _within(seconds: float, is_so: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + seconds
    while not (so := is_so()) and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    return so


def _answers(home: Path) -> bool:
    try:
        ServerConnection(home, "cli").close()
    except NotRunningError:
        return False
    return True
