"""A panel of our own on a session's bus: sees icons come, reads their menus, clicks, and shows notifications."""
# ruff: noqa: ARG002, F722, F821, N802 - types and names of D-Bus

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from dbus_fast import Message, MessageType, PropertyAccess, Variant
from dbus_fast.aio import MessageBus
from dbus_fast.service import ServiceInterface, dbus_method, dbus_property

WATCHER = "org.kde.StatusNotifierWatcher"
ITEM = "org.kde.StatusNotifierItem"
MENU = "com.canonical.dbusmenu"
PROPERTIES = "org.freedesktop.DBus.Properties"
SECONDS = 20


class Watcher(ServiceInterface):
    """Where icons register."""

    def __init__(self) -> None:
        super().__init__(WATCHER)
        self.items: list[str] = []

    @dbus_method()
    def RegisterStatusNotifierItem(self, service: "s"):
        self.items.append(service)

    @dbus_property(access=PropertyAccess.READ)
    def IsStatusNotifierHostRegistered(self) -> "b":
        return True


class Notifications(ServiceInterface):
    """What shows notifications."""

    def __init__(self) -> None:
        super().__init__("org.freedesktop.Notifications")
        self.shown: list[tuple[str, str]] = []

    @dbus_method()
    def Notify(
        self,
        app: "s",
        replaces: "u",
        icon: "s",
        title: "s",
        text: "s",
        actions: "as",
        hints: "a{sv}",
        timeout: "i",
    ) -> "u":
        self.shown.append((title, text))
        return 1

    @dbus_method()
    def GetServerInformation(self) -> "ssss":
        return ["panel", "tests", "1", "1.2"]

    @dbus_method()
    def GetCapabilities(self) -> "as":
        return ["body"]


@dataclass
class Line:
    """A line of a menu, as a panel would draw it."""

    number: int
    label: str
    is_separator: bool
    enabled: bool
    checked: bool | None


class Panel:
    """The panel's end of the bus, on a thread of its own; every call waits until it is answered."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="panel")
        self._watcher, self._notifications = Watcher(), Notifications()
        self._heard: list[str] = []

    def open(self) -> None:
        self._thread.start()
        self._wait(self._connect())

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._bus.disconnect)
        self._wait(self._bus.wait_for_disconnect())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def begin(self) -> None:
        """Show icons from now on."""
        self._wait(self._bus.request_name(WATCHER))

    def end(self) -> None:
        """Show none any more."""
        self._wait(self._bus.release_name(WATCHER))
        self._watcher.items.clear()

    @property
    def icons(self) -> list[str]:
        return self._watcher.items

    @property
    def notifications(self) -> list[tuple[str, str]]:
        return self._notifications.shown

    @property
    def signals(self) -> list[str]:
        """The signals of icons and menus that came."""
        return self._heard

    def until(self, holds: Callable[[], Any]) -> Any:
        """Wait for something to come over the bus. Returns what `holds` gave."""
        return self._wait(self._until(holds))

    def until_read(self, holds: Callable[[], Any]) -> None:
        """Read icon and menu, again with each signal of theirs, until `holds`."""
        while True:
            heard = len(self._heard)
            if holds():
                return
            self.until(lambda seen=heard: len(self._heard) > seen)

    def icon(self, name: str) -> Any:
        """A property of the icon."""
        return self._get("/StatusNotifierItem", ITEM, name)

    def activate(self) -> None:
        """Click on the icon itself."""
        self._call("/StatusNotifierItem", ITEM, "Activate", "ii", 0, 0)

    def lines(self) -> list[Line]:
        """The menu, as it is."""
        layout = self._call(self.icon("Menu"), MENU, "GetLayout", "iias", 0, -1, [])[1]
        return [_line(*each.value) for each in layout[2]]

    def labels(self) -> list[str]:
        return ["—" if line.is_separator else line.label for line in self.lines()]

    def line(self, label: str) -> Line:
        return next(line for line in self.lines() if line.label.startswith(label))

    def open_menu(self) -> bool:
        """Say that the menu is about to be drawn. Returns whether it has to be read again."""
        return self._call(self.icon("Menu"), MENU, "AboutToShow", "i", 0)[0]

    def click(self, label: str) -> None:
        """Choose a line of the menu."""
        event = (self.line(label).number, "clicked", Variant("i", 0), 0)
        self._call(self.icon("Menu"), MENU, "Event", "isvu", *event)

    def _get(self, path: str, interface: str, name: str) -> Any:
        return self._call(path, PROPERTIES, "Get", "ss", interface, name)[0].value

    def _call(self, path: str, interface: str, member: str, signature: str, *arguments: Any) -> list[Any]:
        destination = self.until(lambda: self.icons)[-1].split("/")[0]
        answer = self._wait(
            self._bus.call(
                Message(
                    destination=destination,
                    path=path,
                    interface=interface,
                    member=member,
                    signature=signature,
                    body=list(arguments),
                )
            )
        )
        assert answer.message_type is not MessageType.ERROR, answer.body
        return answer.body

    async def _connect(self) -> None:
        self._news = asyncio.Event()
        self._bus = await MessageBus(self._address).connect()
        self._bus.export("/StatusNotifierWatcher", self._watcher)
        self._bus.export("/org/freedesktop/Notifications", self._notifications)
        self._bus.add_message_handler(self._hear)
        await self._bus.request_name("org.freedesktop.Notifications")
        for interface in (ITEM, MENU):
            await self._bus.call(
                Message(
                    destination="org.freedesktop.DBus",
                    path="/org/freedesktop/DBus",
                    interface="org.freedesktop.DBus",
                    member="AddMatch",
                    signature="s",
                    body=[f"type='signal',interface='{interface}'"],
                )
            )

    def _hear(self, message: Message) -> None:
        if message.message_type is MessageType.SIGNAL and message.interface in {ITEM, MENU}:
            self._heard.append(message.member)
        # Handlers come before the interfaces themselves: told after this message is dealt with.
        self._loop.call_soon(self._news.set)

    async def _until(self, holds: Callable[[], Any]) -> Any:
        while not (given := holds()):
            self._news.clear()
            await self._news.wait()
        return given

    def _wait(self, work: Any) -> Any:
        async def bounded() -> Any:
            return await asyncio.wait_for(work, SECONDS)

        return asyncio.run_coroutine_threadsafe(bounded(), self._loop).result()


def _line(number: int, properties: dict[str, Variant], _below: list[Any]) -> Line:
    said = {name: value.value for name, value in properties.items()}
    is_checkable = said.get("toggle-type") == "checkmark"
    return Line(
        number,
        said.get("label", "").replace("_", ""),
        said.get("type") == "separator",
        said.get("enabled", True),
        said.get("toggle-state") == 1 if is_checkable else None,
    )


@contextmanager
def panel_on(address: str) -> Iterator[Panel]:
    """A panel for the length of a block; it shows icons once it is told to `begin`."""
    panel = Panel(address)
    panel.open()
    try:
        yield panel
    finally:
        panel.close()
