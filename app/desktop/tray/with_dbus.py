"""The tray icon of Linux desktops, over D-Bus: no toolkit in the server's process, 4 MB where Qt's takes 48.

Panels of KDE, Xfce, LXQt, Cinnamon, MATE and Budgie show it, and GNOME's with the AppIndicator extension.
"""

import asyncio
import logging
import os
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from dbus_fast import Message, MessageType, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.errors import AuthError, InvalidAddressError

from app.desktop.clipboard import copy
from app.desktop.tray.dbus_objects import ITEM_PATH, MENU_PATH, Icon, Menu
from app.desktop.tray.icon import Item, TrayState, act, default_of
from app.desktop.tray.signals import held_back
from bigmind.disk.existence import is_known_socket
from bigmind.paths import asset

log = logging.getLogger(__name__)

BUS, BUS_PATH = "org.freedesktop.DBus", "/org/freedesktop/DBus"
WATCHER, WATCHER_PATH = "org.kde.StatusNotifierWatcher", "/StatusNotifierWatcher"
NOTIFICATIONS, NOTIFICATIONS_PATH = "org.freedesktop.Notifications", "/org/freedesktop/Notifications"
MOST_SECONDS = 3.0
"""For what everything else waits for at a start: a bus that takes a connection and says nothing is none."""
NO_BUS = (OSError, EOFError, AuthError, InvalidAddressError)


def session_bus() -> str:
    """The address of the bus of this desktop session; empty where there is none."""
    if said := os.environ.get("DBUS_SESSION_BUS_ADDRESS"):
        return said
    beside = Path(os.environ.get("XDG_RUNTIME_DIR") or "/nonexistent") / "bus"
    return f"unix:path={beside}" if is_known_socket(beside) else ""


def panel_runs() -> bool:
    """Whether a panel shows icons at this moment.

    Raises:
        OSError, EOFError, AuthError, InvalidAddressError: the bus does not answer, or not in time.
    """

    async def asked() -> bool:
        bus = await MessageBus(session_bus()).connect()
        try:
            return bool(await _call(bus, BUS, BUS_PATH, BUS, "NameHasOwner", "s", WATCHER))
        finally:
            bus.disconnect()

    return asyncio.run(asyncio.wait_for(asked(), MOST_SECONDS))


class DBusTray:
    """An icon that every panel of the session shows, those that start later too.

    Args:
        items: the menu, top to bottom.
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self._default = default_of(items)
        self._icon = Icon(self._click)
        self._menu = Menu(items, self._choose)
        self._loop: asyncio.AbstractEventLoop | None = None
        self._bus: MessageBus | None = None
        self._stopped = asyncio.Event()
        self._early: list[Callable[[], None]] = []
        # Taken again by a signal handler that stops the tray while its own thread is in here.
        self._lock = threading.RLock()
        self._has_host = False
        self._tasks: set[asyncio.Task[None]] = set()

    def run(self) -> None:
        """Show the icon and serve its menu until `stop`."""
        with held_back(self.stop), asyncio.Runner() as runner:
            try:
                runner.run(self._serve())
            finally:
                with self._lock:
                    self._loop = self._bus = None
                    self._has_host = False

    def stop(self) -> None:
        """Take the icon away and have `run` return."""
        self._later(self._stopped.set)

    def show(self, state: TrayState, tooltip: str) -> None:
        """Have the icon show `state` and say `tooltip`."""
        self._later(lambda: self._icon.show(state, tooltip))

    def notify(self, title: str, text: str) -> None:
        """Show a notification of the desktop."""
        self._later(lambda: self._start(self._notify(title, text)))

    def refresh(self) -> None:
        """Ask the labels and check marks anew."""
        self._later(self._ask_again)

    def copy(self, text: str) -> bool:
        """Put `text` on the clipboard; whether that could be done."""
        return copy(text)

    @property
    def is_visible(self) -> bool:
        """Whether a panel shows it at this moment."""
        return self._has_host

    def _later(self, what: Callable[[], None]) -> None:
        """Do it on the tray's own thread: now, or once `run` begins."""
        with self._lock:
            if self._loop is None:
                self._early.append(what)
            else:
                self._loop.call_soon_threadsafe(what)

    def _start(self, work: Any) -> None:
        task: asyncio.Task[None] = asyncio.ensure_future(work)
        self._tasks.add(task)  # the loop itself keeps only a weak hold of it
        task.add_done_callback(self._tasks.discard)

    def _ask_again(self) -> None:
        self._menu.refresh()

    def _click(self) -> None:
        if self._default is not None:
            self._choose(self._default)

    def _choose(self, item: Item) -> None:
        act(item, self.refresh)

    async def _serve(self) -> None:
        self._begin()
        try:
            self._bus = bus = await MessageBus(session_bus()).connect()
        except NO_BUS as error:
            log.warning("no tray icon: the session's bus does not answer (%s)", error)
        else:
            await self._offer(bus)
            await self._until_stopped(bus)
        await self._stopped.wait()

    async def _until_stopped(self, bus: MessageBus) -> None:
        """Serve the panel until `stop`, or until the desktop session ends: the server outlives it."""
        waits = {asyncio.ensure_future(bus.wait_for_disconnect()), asyncio.ensure_future(self._stopped.wait())}
        done, left = await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        for each in left:
            each.cancel()
        lost = [each.exception() for each in done if each.exception()]
        self._has_host = False
        bus.unexport(ITEM_PATH)
        bus.unexport(MENU_PATH)
        if bus.connected:
            bus.disconnect()  # the panel sees the name go, and takes the icon away
        else:
            log.info("the desktop session has ended, and the tray icon with it: %s", lost or "the bus closed")

    def _begin(self) -> None:
        with self._lock:
            self._loop = asyncio.get_running_loop()
            for what in self._early:
                self._loop.call_soon(what)
            self._early.clear()

    async def _offer(self, bus: MessageBus) -> None:
        """Put icon and menu on the bus, and tell the panel, now and whenever one starts."""
        bus.export(ITEM_PATH, self._icon)
        bus.export(MENU_PATH, self._menu)
        self._name = f"org.kde.StatusNotifierItem-{os.getpid()}-1"
        await bus.request_name(self._name)
        bus.add_message_handler(self._heard)
        for rule in (
            f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{WATCHER}'",
            f"type='signal',interface='{WATCHER}'",
        ):
            await _call(bus, BUS, BUS_PATH, BUS, "AddMatch", "s", rule)
        await self._register(bus)

    def _heard(self, message: Message) -> None:
        """A panel came or went."""
        if message.message_type is not MessageType.SIGNAL or self._bus is None:
            return
        if message.member == "NameOwnerChanged" and message.body[0] == WATCHER:
            self._start(self._register(self._bus))
        elif message.interface == WATCHER and message.member in {
            "StatusNotifierHostRegistered",
            "StatusNotifierHostUnregistered",
        }:
            self._start(self._look(self._bus))

    async def _register(self, bus: MessageBus) -> None:
        if not await _call(bus, BUS, BUS_PATH, BUS, "NameHasOwner", "s", WATCHER):
            self._has_host = False
            return
        await _call(bus, WATCHER, WATCHER_PATH, WATCHER, "RegisterStatusNotifierItem", "s", self._name)
        await self._look(bus)

    async def _look(self, bus: MessageBus) -> None:
        properties = "org.freedesktop.DBus.Properties"
        asked = (WATCHER, "IsStatusNotifierHostRegistered")
        answer = await _call(bus, WATCHER, WATCHER_PATH, properties, "Get", "ss", *asked)
        self._has_host = isinstance(answer, Variant) and bool(answer.value)

    async def _notify(self, title: str, text: str) -> None:
        if self._bus is None or not self._bus.connected:
            return
        picture = str(asset("icons") / "bigmind-128.png")
        no_buttons: list[str] = []
        said = ("BigMind", 0, picture, title, text, no_buttons, {"desktop-entry": Variant("s", "bigmind")}, -1)
        await _call(self._bus, NOTIFICATIONS, NOTIFICATIONS_PATH, NOTIFICATIONS, "Notify", "susssasa{sv}i", *said)


async def _call(
    bus: MessageBus, to: str, path: str, interface: str, member: str, signature: str, *arguments: object
) -> Any:
    """Call a method on the bus. Returns the first thing it answers; None when it refused, which is logged."""
    answer = await bus.call(
        Message(
            destination=to,
            path=path,
            interface=interface,
            member=member,
            signature=signature,
            body=list(arguments),
        )
    )
    if answer.message_type is MessageType.ERROR:
        log.info("%s of %s was refused: %s", member, to, answer.body)
        return None
    return answer.body[0] if answer.body else True
