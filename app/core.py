"""What runs: the owner of the store, its server in a thread, its window in a process, its tray on the main thread.

Every step stands in one list, and is undone in exactly the reverse order, however it ends.
"""

import gc
import logging
import os
import socket
import threading
import time
from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from enum import Enum, auto
from pathlib import Path
from typing import TYPE_CHECKING

from app.lifecycle import Lifecycle, StartHaltedError, heed_closed_console, heed_signals
from app.listening_port import bind
from app.logs import no_crash, watch_for_crashes
from bigmind import VERSION
from bigmind.core.errors import BigMindError, Code
from bigmind.core.lazy_module import LazyModule
from bigmind.local.proof import new_key
from bigmind.local.runfile import RunFileKeeper, RunningServer
from bigmind.named_environment import complete_search_path
from bigmind.paths import is_open_to_others, narrow_all, store_file
from bigmind.people.sign_in_file import remove_sign_in_files
from bigmind.settings.rows import Settings
from bigmind.store.ownership import Ownership

if TYPE_CHECKING:
    from app import running
    from app.desktop import control
    from app.desktop.tray.icon import Tray
    from app.desktop.window_process import WindowProcess
    from app.running import OpenMemory
    from app.web_server.serving import ServerThread
    from bigmind.store.store import Store
else:
    # Behind the lock: a second process is turned away at once.
    running = LazyModule("app.running")
    control = LazyModule("app.desktop.control")

log = logging.getLogger(__name__)

FIRST_PAGE_SECONDS = 5.0
"""How long everything else waits for the first page of a window."""

PAINTING_SECONDS = 0.15
"""What a page takes from being loaded to being seen; whatever else begins then makes it 60 ms more."""

Ready = Callable[[RunningServer, "Store", Callable[[], str]], None]
"""Told where the server is, its store, and what makes the link that it prints."""


class Presentation(Enum):
    """How a running BigMind shows itself."""

    SERVER = auto()
    """Not at all: a server in a terminal, or where there is no desktop."""
    HIDDEN = auto()
    """By an icon in the tray; the window comes when it is wanted."""
    WINDOW = auto()
    """By its window and the icon."""


def serve(settings: Settings, purpose: str, ready: Ready, look: Presentation = Presentation.SERVER) -> None:
    """Run until the process is told to stop.

    Args:
        settings: of this process.
        purpose: what to tell a second process that wants the same store.
        ready: called once requests are answered, the run file is written, and the window shows its first page.
        look: how it shows itself.

    Raises:
        BigMindError: `store_in_use`, `store_unusable`; `unavailable` when the chosen port is taken; `internal` when the
            server ended by itself.
    """
    complete_search_path(os.environ)
    with suppress(StartHaltedError), ExitStack() as last, Lifecycle() as life:
        core = Core(settings, look, life)
        last.callback(heed_signals(core.stop))
        last.callback(heed_closed_console(core.stop))  # after Python's own, so that it is asked before
        core.run(purpose, ready)


class Core:
    """The parts of one running BigMind."""

    def __init__(self, settings: Settings, look: Presentation, life: Lifecycle) -> None:
        self._settings = settings
        self._look = look
        self._life = life
        self._first_page = threading.Event()
        self._is_stopping = self._failed = False
        self._window: WindowProcess | None = None
        self._memory: OpenMemory | None = None
        self._tray: Tray | None = None

    def run(self, purpose: str, ready: Ready) -> None:
        """Begin everything, and wait until it is to end."""
        told, life, home = self._settings, self._life, self._settings.home
        gc.disable()  # what is imported stays; looking through it for garbage takes a tenth of the start
        ownership = life.begin("the lock", lambda: Ownership(home, purpose, told.store), Ownership.release)
        _keep_private(home, told.store or store_file(home))
        remove_sign_in_files(home)
        life.begin("the note of crashes", lambda: watch_for_crashes(home), lambda note: no_crash(note, home))
        listener = life.begin("the port", lambda: bind(told), socket.socket.close)
        if self._look is not Presentation.SERVER:
            self._begin_window()
        named = told.user, str((told.store or store_file(home)).resolve())
        server = RunningServer(os.getpid(), listener.getsockname()[1], new_key(), VERSION, *named)
        memory = self._memory = self._begin_memory(ownership, server.address)
        thread = running.begin_server(life, memory, server, listener, self._server_ended)
        life.begin("the run file", lambda: RunFileKeeper(home, server, say=ownership.say), RunFileKeeper.stop)
        self._show_first_page(memory, thread)
        life.go_on()
        # The tray comes before all that imports on other threads: loading a toolkit does not bear that.
        tray = self._tray = self._begin_tray(memory, server)
        memory.go_on()
        running.go_on_warm(thread)
        running.keep_port(memory)
        ready(server, memory.mind.store, lambda: self._printed_link(memory))
        if not self._is_stopping:
            tray.run()
        if self._failed:
            raise BigMindError(Code.INTERNAL, "The server ended by itself.", "See the log; start BigMind again.")

    def stop(self) -> None:
        """End it; from any thread."""
        self._is_stopping = True
        self._life.halt()
        self._first_page.set()
        if self._tray is not None:
            self._tray.stop()

    def _begin_window(self) -> None:
        """Early: its process loads the web view while this one opens the store."""
        from app.desktop.window_process import WindowEvents, WindowProcess  # noqa: PLC0415 - where there is a desktop

        told = WindowEvents(self._first_page.set, self._window_closed, self._no_window, self._window_crashes)
        self._window = WindowProcess(self._settings.home, told)
        self._life.undo("the window's process", self._window.close)
        if self._look is Presentation.WINDOW:
            self._window.start()

    def _begin_memory(self, ownership: Ownership, address: str) -> "OpenMemory":
        desktop = control.PersonsDesktop(self._window, address, is_there=self._look is not Presentation.SERVER)
        return running.open_memory(self._life, self._settings, ownership, desktop, address, self.stop)

    def _printed_link(self, memory: "OpenMemory") -> str:
        is_alone = self._look is Presentation.SERVER
        return running.printed_link(memory.mind, memory.links, memory.person, is_alone=is_alone)

    def _show_first_page(self, memory: "OpenMemory", thread: "ServerThread") -> None:
        """Let the window have the processor until its page is there; only then begins what nobody waits for."""
        if self._look is Presentation.WINDOW:
            thread.load_pages()
        self._end_window_tokens()  # of what a killed process left
        memory.desktop.ready(memory.person, lambda: running.window_link(memory, thread))
        if (window := self._window) is not None:  # it may go at any moment, on its own thread
            self._life.undo("the window", window.close)
        if self._look is Presentation.WINDOW and self._first_page.wait(FIRST_PAGE_SECONDS):
            time.sleep(PAINTING_SECONDS)

    def _begin_tray(self, memory: "OpenMemory", server: RunningServer) -> "Tray":
        from app.desktop.tray import NoTray, make_tray  # noqa: PLC0415

        if self._look is Presentation.SERVER:
            return NoTray()
        from app.desktop.tray_menu import TrayContext, TrayMenu  # noqa: PLC0415
        from bigmind.core.operation import Presence  # noqa: PLC0415

        person = replace(memory.person, presence=Presence.TRAY)
        host = memory.mind.store.host
        menu = TrayMenu(TrayContext(memory.mind, person, host, memory.desktop, server.address, self.stop))
        tray = make_tray(menu.items())
        self._life.undo("the tray's state", menu.stop)
        if not isinstance(tray, NoTray):
            memory.desktop.has_tray(tray)
        menu.start(tray)
        _mend_start_at_login()
        return tray

    def _window_closed(self) -> None:
        self._first_page.set()
        self._end_window_tokens()

    def _end_window_tokens(self) -> None:
        if self._memory is not None:
            control.end_window_tokens(self._memory.mind.store, self._memory.person)

    def _no_window(self, why: str) -> None:
        log.warning("no window: %s", why)
        self._window = None
        if self._memory is not None:
            self._memory.desktop.no_window()
        self._first_page.set()

    def _window_crashes(self) -> None:
        self._first_page.set()
        if self._tray is not None:
            self._tray.notify("BigMind's window failed", "Your memory is safe, and goes on serving your assistants.")

    def _server_ended(self) -> None:
        if not self._is_stopping:
            log.critical("the server ended by itself; BigMind ends")
            self._failed = True
            self.stop()


def _keep_private(home: Path, database: Path) -> None:
    """A data folder that was copied, or made by an older version, may be open to others."""
    left = narrow_all(home)
    with suppress(OSError):  # none yet
        if database.parent != home and is_open_to_others(database.parent):
            left.append(database)
    if left:
        told = ", ".join(map(str, left))
        log.warning("others may read these files, and BigMind cannot or may not change that: %s", told)


def _mend_start_at_login() -> None:
    from app.desktop.start_at_login import mend  # noqa: PLC0415 - where there is a desktop

    try:
        mend()
    except BigMindError as error:
        log.warning("%s", error)
