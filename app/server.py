"""The server process: takes the store, binds the port, serves, tells where it is; and undoes all of it in reverse."""

import gc
import logging
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable
from contextlib import ExitStack, suppress
from datetime import timedelta
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING

from bigmind import VERSION
from bigmind.core.errors import BigMindError, Code
from bigmind.local.launch import FULL, IN_USE
from bigmind.local.proof import new_key
from bigmind.local.runfile import RunningServer, publish, withdraw
from bigmind.paths import PRIVATE_FILE, log_file, make_private_folder
from bigmind.settings import Settings, read_settings
from bigmind.store.ownership import Ownership

if TYPE_CHECKING:
    from app.surroundings import ServerSurroundings
    from bigmind.wiring import Mind

log = logging.getLogger(__name__)

PORTS_TRIED = 100
LOG_BYTES = 2_000_000
EXIT_CODES = {Code.STORE_IN_USE: IN_USE, Code.STORAGE_FULL: FULL}

Ready = Callable[[RunningServer, "ServerSurroundings"], None]


def serve_in_background() -> int:
    """Serve without a terminal; everything goes to the log. Returns the process's exit code."""
    try:
        settings = read_settings()
        _log_to(PrivateLog(settings.home))
        serve(settings, "bigmind serve --background", lambda server, _: log.info("ready at %s", server.address))
    except BigMindError as error:
        with suppress(OSError):  # it may be on the disk that is full
            print(error, file=sys.stderr)  # noqa: T201 - into start.log, where the starter reads it
        return EXIT_CODES.get(error.code, 1)
    return 0


def serve(settings: Settings, purpose: str, ready: Ready) -> None:
    """Serve until the process is told to stop.

    Args:
        settings: of this process.
        purpose: what to tell a second process that wants the same store.
        ready: called once requests are answered and the run file is written.

    Raises:
        BigMindError: `store_in_use`, `store_unusable`, or `unavailable` when the chosen port is taken.
    """
    signal.signal(signal.SIGTERM, _end)
    with suppress(KeyboardInterrupt), ExitStack() as stack:  # the first: told to stop while it was starting
        ownership = Ownership(settings.home, purpose)
        stack.callback(ownership.release)
        listener = stack.enter_context(bind(settings))
        # Everything heavy is imported behind the lock: a second process is turned away at once.
        from app.meanings import Meanings  # noqa: PLC0415
        from app.surroundings import ServerSurroundings  # noqa: PLC0415
        from bigmind.backup.schedule import Schedule  # noqa: PLC0415
        from bigmind.people.sign_in import SignIn  # noqa: PLC0415

        mind = _opened(settings, ownership)
        stack.callback(mind.close)
        schedule = Schedule(mind.store, timedelta(hours=settings.backup_hours))
        stack.callback(schedule.stop)
        meaning = Meanings(mind.store, wanted=settings.meaning)
        stack.callback(meaning.stop)
        server = RunningServer(os.getpid(), listener.getsockname()[1], new_key(), VERSION)
        surroundings = ServerSurroundings(mind.store, SignIn(mind.store), server.address, meaning.meaning)
        mind.store.surroundings = surroundings

        from app.serving import run  # noqa: PLC0415

        def announce() -> None:
            publish(settings.home, server)
            stack.callback(withdraw, settings.home, server)
            schedule.start()
            meaning.start()
            _warm_up()
            ready(server, surroundings)

        with suppress(KeyboardInterrupt):  # Ctrl+C and SIGTERM are how a server is meant to end
            run(mind, surroundings, server, listener, announce)
        for each in (signal.SIGTERM, signal.SIGINT):
            signal.signal(each, signal.SIG_IGN)  # nothing interrupts the clean-up


def _opened(settings: Settings, ownership: Ownership) -> "Mind":
    from bigmind.wiring import open_mind  # noqa: PLC0415

    return open_mind(
        settings.home, settings.username, ownership=ownership, mode=settings.mode, backups=settings.backups
    )


def _warm_up() -> None:
    """Load the rules that find secrets: a tenth of a second, after the start and before the first write."""
    from bigmind.secrets.masking import warm  # noqa: PLC0415

    threading.Thread(target=warm, name="secrets", daemon=True).start()
    # What is imported stays. Looking through it for garbage, which many answers cause, holds up a request for 50 ms.
    gc.collect()
    gc.freeze()


def _end(_signal: int, _frame: FrameType | None) -> None:
    """SIGTERM ends the process the way Ctrl+C does: through every clean-up."""
    raise KeyboardInterrupt


def bind(settings: Settings) -> socket.socket:
    """A listening socket on the wanted port, or on the next free one when the person did not choose it.

    Raises:
        BigMindError: `unavailable`, when the chosen port is taken.
    """
    if settings.port_is_fixed or settings.port == 0:
        try:
            return _listen(settings.port)
        except OSError as error:
            raise BigMindError(
                Code.UNAVAILABLE,
                f"Port {settings.port} is taken ({error.strerror}).",
                "Set BIGMIND_PORT to another one, or leave it out and BigMind takes the next free one.",
            ) from error
    for port in (*range(settings.port, settings.port + PORTS_TRIED), 0):
        try:
            return _listen(port)
        except OSError:
            continue
    raise BigMindError(Code.UNAVAILABLE, "No port is free.", "Close something that listens, or restart the machine.")


def _listen(port: int) -> socket.socket:
    # Named TCP, because only then does asyncio switch Nagle's algorithm off: it costs 40 ms in every answer.
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    try:
        if sys.platform == "win32":
            # There, SO_REUSEADDR would let a stranger share the port.
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
        else:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(("127.0.0.1", port))
        listener.listen(128)
    except OSError:
        listener.close()
        raise
    return listener


class PrivateLog(RotatingFileHandler):
    """The log of one home, for this user only; also each new file after a rotation."""

    def __init__(self, home: Path) -> None:
        make_private_folder(log_file(home).parent)
        super().__init__(log_file(home), maxBytes=LOG_BYTES, backupCount=2, encoding="utf-8")

    def _open(self) -> TextIOWrapper:
        os.close(os.open(self.baseFilename, os.O_WRONLY | os.O_CREAT | os.O_APPEND, PRIVATE_FILE))
        return super()._open()


def _log_to(handler: logging.Handler) -> None:
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logging.basicConfig(level=logging.INFO, handlers=[handler])
