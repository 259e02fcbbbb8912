"""The menu of the tray, and what its icon shows."""

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass

from app.desktop.control import PersonsDesktop
from app.desktop.tray.icon import Item, Tray, TrayState
from app.desktop.work_notices import WorkNotices
from bigmind.clients.port_change import moved
from bigmind.core.errors import BigMindError
from bigmind.core.events import Change
from bigmind.core.operation import Caller, Presence
from bigmind.disk.trouble import disk_trouble
from bigmind.host import Host
from bigmind.search.model_state import progress
from bigmind.store.backup_keeping import MISSING
from bigmind.wiring import Mind

log = logging.getLogger(__name__)

DAMAGED = "BigMind's memory is damaged: open Health to restore a backup"

LOOK_SECONDS = 60.0
"""Between two looks at what nobody tells of: a client that called for the last time, a backup that failed."""
INDEXING_SECONDS = 2.0
"""The same while something waits for its vectors."""
GATHER_SECONDS = 0.2
"""Changes come in bursts; one look does for all of them."""


@dataclass(frozen=True, slots=True)
class TrayContext:
    """The BigMind that the tray is of.

    Attributes:
        mind: its memory.
        person: whose.
        host: the server.
        desktop: its window.
        address: of the server.
        quit: ends all of it.
    """

    mind: Mind
    person: Caller
    host: Host
    desktop: PersonsDesktop
    address: str
    quit: Callable[[], None]


class TrayMenu:
    """What the tray offers, and shows of how BigMind is."""

    def __init__(self, running: TrayContext) -> None:
        self._running = running
        self._tray: Tray | None = None
        self._news = threading.Event()
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="tray state", daemon=True)

    def items(self) -> list[Item]:
        """The menu, top to bottom."""
        activity, desktop = self._running.host.activity, self._running.desktop
        between = Item()
        login = Item("Start at login", self._toggle_login, checked=lambda: bool(desktop.starts_at_login()))
        return [
            Item("Open BigMind", self._open, is_default=True),
            between,
            Item("New backup now", self._back_up),
            Item("Copy MCP address", self._copy_address),
            Item(self._clients, lambda: self._open("/settings#clients")),
            between,
            Item("Pause (read-only mode)", self._toggle_pause, checked=lambda: activity.is_paused),
            Item("Check health", lambda: self._open("/health")),
            *([login] if desktop.starts_at_login() is not None else []),
            between,
            Item("Quit BigMind", self._running.quit),
        ]

    def start(self, tray: Tray) -> None:
        """Show on `tray` how BigMind is, from now on."""
        self._tray = tray
        self._running.host.activity.listen(self._news.set)
        self._unsubscribe = self._running.mind.store.events.subscribe(self._changed)
        self._thread.start()

    def stop(self) -> None:
        """Look no more."""
        self._unsubscribe()
        self._ending.set()
        self._news.set()
        self._thread.join()

    def state(self) -> tuple[TrayState, str]:
        """What the icon shows, and says where the pointer rests on it."""
        if wrong := self._wrong():
            return TrayState.ATTENTION, wrong
        if self._running.host.activity.is_busy:
            return TrayState.BUSY, "BigMind is working on the memory"
        if waiting := self._waiting():
            return TrayState.BUSY, f"BigMind is indexing {waiting:,} memories"
        return TrayState.READY, "BigMind"

    def _wrong(self) -> str:
        """What a person should look at; empty when nothing."""
        running, keeping = self._running, self._running.mind.store.safekeeping
        if keeping.loss is not None:
            return MISSING
        if trouble := DAMAGED if keeping.condition.damage else disk_trouble(running.mind.store.path.parent):
            return trouble
        with running.mind.store.read(running.person, "tray") as work:
            if away := moved(work):
                return away.in_words
        if running.host.activity.is_paused:
            return "BigMind is paused: nothing changes the memory"
        if keeping.failure is not None:
            return f"BigMind: the last backup failed: {keeping.failure.message}"
        return "BigMind: new memories are not indexed; restart it" if running.host.meaning.has_stopped() else ""

    def _waiting(self) -> int:
        if self._running.host.meaning.embedder is None:
            return 0
        with self._running.mind.store.read(self._running.person, "tray") as work:
            return progress(work).waiting

    def _changed(self, _change: Change) -> None:
        self._news.set()

    def _watch(self) -> None:
        shown = None
        running = self._running
        notices = WorkNotices(running.mind, running.person, self._notify)
        while not self._ending.is_set():
            self._news.clear()
            now = (*self.state(), self._clients())
            if now != shown and self._tray is not None:
                self._tray.show(*now[:2])
                self._tray.refresh()
                shown = now
            keeping = running.mind.store.safekeeping
            if keeping.loss is None and not keeping.condition.damage:
                notices.look()
            self._news.wait(INDEXING_SECONDS if now[0] is TrayState.BUSY else LOOK_SECONDS)
            self._ending.wait(GATHER_SECONDS)

    def _clients(self) -> str:
        return f"Connected clients ({len(self._running.host.activity.clients())})"

    def _open(self, path: str = "") -> None:
        running = self._running
        if not running.desktop.show_page(path):
            running.host.open_profile(running.person)

    def _back_up(self) -> None:
        running = self._running
        operation = running.mind.dispatcher.catalogue.get("backup_create")
        if operation is None:
            return
        try:
            made = running.mind.dispatcher.run(operation, running.person, {})
        except BigMindError as error:
            self._notify("No backup was made", str(error))
        else:
            self._notify("A backup was made", made.as_text())

    def _copy_address(self) -> None:
        address = f"{self._running.address}/mcp"
        if self._tray is not None and not self._tray.copy(address):
            self._notify("The MCP address", address)

    def _toggle_pause(self) -> None:
        activity = self._running.host.activity
        activity.pause(paused=not activity.is_paused, place=Presence.TRAY)

    def _toggle_login(self) -> None:
        desktop = self._running.desktop
        try:
            desktop.start_at_login(enabled=not desktop.starts_at_login())
        except BigMindError as error:
            self._notify("Start at login", str(error))

    def _notify(self, title: str, text: str) -> None:
        log.info("%s: %s", title, text)
        if self._tray is not None:
            self._tray.notify(title, text)
