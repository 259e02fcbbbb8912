"""The core's end of the window: starts its process on demand, leads it by a pipe, and starts it again after a crash."""

import logging
import os
import subprocess
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import IO, cast

from app.desktop.window import IMPOSSIBLE
from bigmind.local.program import again
from bigmind.named_environment import window_environment
from bigmind.paths import PRIVATE_FILE, log_file, make_private_folder

log = logging.getLogger(__name__)

LIVED_SECONDS = 20.0
ENDING_SECONDS = 5.0
LOG_BYTES = 1_000_000


@dataclass(frozen=True, slots=True)
class WindowEvents:
    """What the window tells; each is called on a thread of its own.

    Attributes:
        loaded: the first page of a window is there.
        closed: its process ended; another one may follow.
        impossible: there can be no window; says why.
        crashing: it ended by itself twice in a short time, and is not started again.
    """

    loaded: Callable[[], None]
    closed: Callable[[], None]
    impossible: Callable[[str], None]
    crashing: Callable[[], None]


class WindowProcess:
    """The window of one home. There is one process at most; everything may be called from any thread."""

    def __init__(self, home: Path, told: WindowEvents, lived_seconds: float = LIVED_SECONDS) -> None:
        """Prepare it; nothing runs.

        Args:
            home: the data folder.
            told: what it tells.
            lived_seconds: a window that ended by a crash sooner than this is not started again.
        """
        self._home = home
        self._told = told
        self._lived_seconds = lived_seconds
        self._lock = threading.Lock()
        self._child: subprocess.Popen[bytes] | None = None
        self._running: dict[subprocess.Popen[bytes], threading.Thread] = {}  # that one, and those that still close
        self._page = ""
        self._link: Callable[[], str] | None = None
        self._is_ending = False

    @property
    def process_id(self) -> int | None:
        """Of the window that is open; None when none is."""
        with self._lock:
            return self._child.pid if self._child is not None else None

    def start(self) -> None:
        """Start the process; it shows a page once there is a server to show it."""
        with self._lock:
            self._start()

    def serve(self, link: Callable[[], str]) -> None:
        """The server answers: show its page in the window that waits, and in all that are opened from now on.

        Args:
            link: gives an address that signs in, once.
        """
        with self._lock:
            self._link = link
            if self._child is not None:
                _tell(self._child, f"open {link()}")

    def show(self, page: str = "") -> None:
        """Bring the window forward; open it when it is closed.

        Args:
            page: the address of a page of the server to go to; none is the one that it shows, or the profile.
        """
        with self._lock:
            if self._child is None or self._child.poll() is not None:
                self._page = page
                self._start()
                return
            if page:
                _tell(self._child, f"open {page}")
            _tell(self._child, "show")

    def close(self) -> None:
        """Close the window for good, and wait until its process is gone."""
        with self._lock:
            self._is_ending = True
            running = dict(self._running)
        for child in running:
            with suppress(OSError):
                cast("IO[bytes]", child.stdin).close()
        for child, watch in running.items():
            try:
                child.wait(ENDING_SECONDS)
            except subprocess.TimeoutExpired:
                log.warning("the window did not close, and was ended")
                child.kill()
            watch.join()

    def _start(self) -> None:
        if self._is_ending:
            return
        with window_log(self._home) as output:
            child = subprocess.Popen(
                again("window"),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=output,
                cwd=self._home,
                env={**window_environment(os.environ), "BIGMIND_HOME": str(self._home)},
                start_new_session=True,  # Ctrl+C in a terminal is for the core, which ends the window
            )
        self._child = child
        self._running[child] = threading.Thread(target=self._watch, args=(child,), name="window", daemon=True)
        if self._link is not None:
            _tell(child, f"open {self._link()}")
        self._running[child].start()

    def _watch(self, child: "subprocess.Popen[bytes]") -> None:
        """Hear what the window says until it ends."""
        started, why = monotonic(), ""
        for line in child.stdout or ():
            match line.decode(errors="replace").strip().partition(" "):
                case ("loaded", _, _):
                    self._go_on(child)
                    self._told.loaded()
                case ("closing", _, _):
                    self._forget(child)
                case ("impossible", _, why):
                    pass
                case _:
                    pass
        code = child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        self._ended(child, code, monotonic() - started, why)

    def _go_on(self, child: "subprocess.Popen[bytes]") -> None:
        """It is signed in: show the page that it was opened for."""
        with self._lock:
            page, self._page = self._page, ""
        if page:
            _tell(child, f"open {page}")

    def _forget(self, child: "subprocess.Popen[bytes]") -> None:
        """It is closing: whoever wants a window from now on needs another."""
        with self._lock:
            if self._child is child and not self._is_ending:
                self._child = None

    def _ended(self, child: "subprocess.Popen[bytes]", code: int, lived: float, why: str) -> None:
        self._forget(child)
        with self._lock:
            self._running.pop(child, None)
        self._told.closed()
        if code == IMPOSSIBLE and why:
            self._told.impossible(why)
        elif code != 0 and not self._is_ending:
            log.error("the window ended with %d after %.0f seconds; see %s", code, lived, log_of(self._home))
            if lived >= self._lived_seconds:
                self.show()
            else:
                self._told.crashing()


def _tell(child: "subprocess.Popen[bytes]", line: str) -> None:
    with suppress(OSError):  # it is ending; the thread that watches it does what is due
        if child.stdin is not None:
            child.stdin.write(f"{line}\n".encode())
            child.stdin.flush()


def log_of(home: Path) -> Path:
    """What the window's process says, and what it dies of."""
    return log_file(home).with_name("window.log")


def window_log(home: Path) -> IO[bytes]:
    """That file, opened to be added to; begun anew once it is large."""
    file = log_of(home)
    make_private_folder(file.parent)
    is_large = file.is_file() and file.stat().st_size > LOG_BYTES
    how = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_large else os.O_APPEND)
    return os.fdopen(os.open(file, how, PRIVATE_FILE), "wb")
