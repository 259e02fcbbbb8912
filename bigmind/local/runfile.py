"""The run file: where the server of a home is, and what proves that it is the one."""

import json
import os
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

from bigmind.core.errors import BigMindError
from bigmind.disk.existence import identity
from bigmind.disk.open_files import remove
from bigmind.paths import PRIVATE_FILE, narrow, note_of_moved_folder, read_private_file, run_file, write_note

LOOKS_APART_SECONDS = 0.8
"""How long a server can be missed at most: who looks for one that owns the store waits a little longer."""

_HIGHEST_PORT = 65_535


@dataclass(frozen=True, slots=True)
class RunningServer:
    """What a server wrote of itself when it became ready. May be stale: only its proof says that it still runs.

    Attributes:
        pid: its process.
        port: where it listens.
        key: by which it proves itself.
        version: of BigMind.
        user: whose memory it has; empty where an older version does not say.
        store: the file of that memory, its whole path; the same.
    """

    pid: int
    port: int
    key: str
    version: str
    user: str = ""
    store: str = ""

    @property
    def address(self) -> str:
        """The server's address, without a slash at its end."""
        return f"http://127.0.0.1:{self.port}"


def publish(home: Path, server: RunningServer) -> None:
    """Write the run file, whole or not at all, for this user only. A folder in its place is moved aside.

    Raises:
        BigMindError: `storage_full`; `store_unusable`, when the operating system does not let us.
    """
    path = run_file(home)
    if path.is_dir() and not path.is_symlink():
        with suppress(OSError):  # what then cannot be written says why
            path.rename(path.with_name(f"{path.name}.aside-{os.urandom(4).hex()}"))
    write_note(path, json.dumps(asdict(server)))


def published(home: Path) -> RunningServer | None:
    """What the run file says; None when there is none or it cannot be read as one."""
    return read_note(run_file(home))


def read_note(path: Path) -> RunningServer | None:
    """What a server wrote of itself into this file; None when there is none or it cannot be read as one."""
    try:
        said = json.loads(read_private_file(path))
        named = str(said.get("user", "")), str(said.get("store", ""))
        server = RunningServer(int(said["pid"]), int(said["port"]), str(said["key"]), str(said["version"]), *named)
    except (OSError, ValueError, KeyError, TypeError, OverflowError, RecursionError, AttributeError):
        return None
    return server if 0 < server.port <= _HIGHEST_PORT and server.pid > 0 else None


def withdraw(home: Path, server: RunningServer) -> None:
    """Remove the run file, also a spoilt one, unless another server has written its own meanwhile."""
    said = published(home)
    if said is None or server.key == said.key or server.pid == said.pid:
        with suppress(OSError):  # a folder, say: nobody takes it for one
            remove(run_file(home))


class RunFileKeeper:
    """Keeps the run file of a server as it was written: lost or spoilt, it would be out of everybody's reach.

    A data folder that is gone, or another one, is left alone: beside it stands what `moved_folder` reads.
    """

    def __init__(
        self,
        home: Path,
        server: RunningServer,
        looks_apart: float = LOOKS_APART_SECONDS,
        say: Callable[[Literal["ready", "ending"]], None] = lambda _: None,
    ) -> None:
        """Write it, and look after it until `stop`.

        Args:
            home: the data folder.
            server: what is written.
            looks_apart: seconds between two looks.
            say: notes of the server that it is "ready", before the file is there, and "ending", before it goes: who
                finds the file finds a server that should answer, and nobody takes one that ends for one that hangs.

        Raises:
            BigMindError: as `publish`, and what `say` raises.
        """
        self._home = home
        self._server = server
        self._looks_apart = looks_apart
        self._say = say
        self._ending = threading.Event()
        self._failure = ""
        say("ready")
        publish(home, server)
        self._folder = identity(home)
        self._is_away = False
        self._forget_away()  # what a killed one left
        self._thread = threading.Thread(target=self._look_after, name="run file", daemon=True)
        self._thread.start()

    def _look_after(self) -> None:
        while not self._ending.wait(self._looks_apart):
            if self._is_in_place() and published(self._home) != self._server:
                self._mend()

    def _is_in_place(self) -> bool:
        """Whether the data folder is the one that it was written into; where it becomes another, that is noted."""
        is_away = identity(self._home) != self._folder
        if is_away != self._is_away:
            self._is_away = is_away
            self._note_away() if is_away else self._forget_away()
        return not is_away

    def _note_away(self) -> None:
        import logging  # noqa: PLC0415 - who only reads a run file has no log

        logging.getLogger(__name__).error("the data folder %s was moved or removed: move it back", self._home)
        self._forget_away()
        if (note := note_of_moved_folder(self._home)) is None:
            return
        with suppress(OSError):  # where nobody may write, nobody makes the folder anew
            # By hand: `write_note` would make the folder above a private one.
            opened = os.open(note, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE_FILE)
            with os.fdopen(opened, "w", encoding="utf-8") as file:
                file.write(json.dumps(asdict(self._server)))
            narrow(note, PRIVATE_FILE)

    def _forget_away(self) -> None:
        if (note := note_of_moved_folder(self._home)) is not None:
            with suppress(OSError):
                remove(note)

    def _mend(self) -> None:
        import logging  # noqa: PLC0415 - who only reads a run file has no log

        log = logging.getLogger(__name__)
        try:
            publish(self._home, self._server)
        except BigMindError as error:
            if self._failure != error.message:
                log.error("the run file is lost and cannot be written: %s", error.message)  # noqa: TRY400 - in words
            self._failure = error.message
        else:
            log.warning("the run file was lost or changed; it is written again")
            self._failure = ""

    def stop(self) -> None:
        """Look no more, and remove it."""
        self._ending.set()
        self._thread.join()
        if not self._is_in_place():
            self._forget_away()
            return
        with suppress(BigMindError):  # a full disk, say: it ends all the same
            self._say("ending")
        withdraw(self._home, self._server)
