"""A data folder that was moved or removed while BigMind runs: it is not made anew, and a note beside it says so.

An empty folder in its place would be in the way of whoever moves it back, and would become an empty memory with the
next start: the backups moved too. The note stands beside the folder, where nothing else of ours is; where nobody may
write, nobody makes the folder anew either.
"""

import json
import os
import time
from pathlib import Path

from bigmind.core.errors import BigMindError, Code
from bigmind.core.shapes import as_object
from bigmind.local.connection import MOST_PROBED_BYTES, PROBE_SECONDS, NotRunningError
from bigmind.local.http_client import HttpConnection
from bigmind.local.proof import is_proof, new_challenge
from bigmind.local.runfile import LOOKS_APART_SECONDS, RunningServer, read_note
from bigmind.paths import is_ours_alone, note_of_moved_folder

POLL_SECONDS = 0.05


class MovedFolderError(NotRunningError):
    """A server runs whose data folder is not where it was: none is started in its place.

    Attributes:
        pid: its process.
        is_certain: whether it proved that it is the one; else something on its port keeps silent.
    """

    def __init__(self, home: Path, server: RunningServer, *, is_certain: bool) -> None:
        said = f"BigMind runs (process {server.pid}), and its data folder {home} was moved or removed meanwhile."
        hint = (
            "Move it back, and BigMind goes on. Or end that BigMind with `bigmind stop`: the next start uses what is "
            "in that place then, and begins an empty memory where nothing is."
        )
        BigMindError.__init__(self, Code.UNAVAILABLE, said, hint)
        self.pid, self.is_certain = server.pid, is_certain


def refuse_moved_folder(home: Path) -> None:
    """Refuse to begin anything in a data folder while a server runs that had it before it was moved.

    Raises:
        MovedFolderError: as said.
    """
    server = _noted(home)
    if server is None:
        return
    challenge = new_challenge()
    try:
        answer = _answer(server, challenge)
    except TimeoutError:
        if is_gone(server.pid):
            return
        raise MovedFolderError(home, server, is_certain=False) from None
    except (OSError, ValueError, RecursionError):
        return
    if is_proof(answer, server.key, challenge, server.port):
        raise MovedFolderError(home, server, is_certain=True)


def refuse_folder_moved_just_now(home: Path) -> None:
    """The same, for a new memory beside which something has BigMind's port: its server may be about to note the move.

    Raises:
        MovedFolderError: as `refuse_moved_folder`.
    """
    deadline = time.monotonic() + 2 * LOOKS_APART_SECONDS
    while _noted(home) is None and time.monotonic() < deadline:
        time.sleep(POLL_SECONDS)
    refuse_moved_folder(home)


def _noted(home: Path) -> RunningServer | None:
    """What the note says; None where there is none of ours: the folder above may be everybody's.

    Windows moves no folder in which a file is open, as that of a running server: there no note is of ours.
    """
    note = note_of_moved_folder(home)
    try:
        return read_note(note) if note is not None and is_ours_alone(note) else None
    except OSError:
        return None


def is_gone(pid: int) -> bool | None:
    """Whether there is no such process; None on a system where asking would end it."""
    if os.name != "posix":
        return None
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except OSError:
        return False
    return False


def _answer(server: RunningServer, challenge: str) -> object:
    http = HttpConnection(server.port, PROBE_SECONDS)
    try:
        said = http.send("GET", f"/livez?challenge={challenge}", None, {}).read(MOST_PROBED_BYTES)
    finally:
        http.close()
    return as_object(json.loads(said)).get("proof")
