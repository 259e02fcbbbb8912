"""The tray icon by Qt, for panels of X11 that know no D-Bus (XEmbed: i3bar, polybar, tint2, trayer, LXDE's).

Qt takes 48 MB and ends the process when its display goes, so it is loaded only for a panel that needs it.
"""

import queue
import socket
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress

from PySide6.QtCore import QSocketNotifier
from PySide6.QtGui import QAction, QIcon
from PySide6.QtWidgets import QApplication, QMenu, QSystemTrayIcon

from app.desktop.clipboard import copy
from app.desktop.tray.base import Item, TrayState, act, default_of
from app.desktop.tray.icons import SIZES, picture
from app.desktop.tray.signals import held_back

# GTK would be loaded for a theme that only one menu would show.
ARGUMENTS = ["bigmind", "-platformtheme", "generic"]
NOTIFIED_MILLISECONDS = 6_000
WAKE_BYTES = 4_096
ANSWER_SECONDS = 2.0


class QtTray:
    """An icon of Qt's. Other threads put what is to be done in a queue, and wake Qt through a socket.

    Args:
        items: the menu, top to bottom.
    """

    def __init__(self, items: Sequence[Item]) -> None:
        self._items = items
        self._state = TrayState.READY
        self._tooltip = "BigMind"
        self._work: queue.SimpleQueue[Callable[[], None]] = queue.SimpleQueue()
        self._woken, self._waker = socket.socketpair()
        for end in (self._woken, self._waker):
            end.setblocking(False)
        self._thread: int | None = None
        self._stopped = False

    def run(self) -> None:
        """Show the icon and serve its menu until `stop`."""
        self._app = QApplication(ARGUMENTS)
        self._app.setQuitOnLastWindowClosed(False)
        self._app.setApplicationName("BigMind")
        self._app.setDesktopFileName("bigmind")
        self._build()
        notifier = QSocketNotifier(self._woken.fileno(), QSocketNotifier.Type.Read)
        notifier.activated.connect(self._wake)
        self._thread = threading.get_ident()
        try:
            with held_back(self._app.quit, self._waker.fileno()):
                if not self._stopped:
                    self._app.exec()
        finally:
            self._thread = None
            notifier.setEnabled(False)
            self._icon.hide()
            self._app.processEvents()  # the panel is told

    def stop(self) -> None:
        """Take the icon away and have `run` return."""
        self._later(self._end)

    def show(self, state: TrayState, tooltip: str) -> None:
        """Have the icon show `state` and say `tooltip`."""

        def shown() -> None:
            self._state, self._tooltip = state, tooltip
            self._draw()

        self._later(shown)

    def notify(self, title: str, text: str) -> None:
        """Show a notification of the desktop."""
        self._later(lambda: self._icon.showMessage(title, text, self._icon.icon(), NOTIFIED_MILLISECONDS))

    def refresh(self) -> None:
        """Ask the labels and check marks anew."""
        self._later(self._ask_again)

    def copy(self, text: str) -> bool:
        """Put `text` on the clipboard; whether that could be done."""
        return copy(text)

    @property
    def is_visible(self) -> bool:
        """Whether a panel shows it at this moment."""
        if threading.get_ident() == self._thread:
            return self._is_shown()
        answer: queue.SimpleQueue[bool] = queue.SimpleQueue()
        self._later(lambda: answer.put(self._is_shown()))
        with suppress(queue.Empty):
            return self._thread is not None and answer.get(timeout=ANSWER_SECONDS)
        return False

    def _is_shown(self) -> bool:
        return self._icon.isVisible() and QSystemTrayIcon.isSystemTrayAvailable()

    def _build(self) -> None:
        """Icon and menu, as Qt's objects; on Qt's own thread."""
        self._pictures = {state: _icon_of(state) for state in TrayState}
        self._menu = QMenu()
        self._lines = [(item, self._line(item)) for item in self._items if not self._parted(item)]
        self._menu.aboutToShow.connect(self._ask_again)
        self._ask_again()
        self._icon = QSystemTrayIcon()
        self._icon.setContextMenu(self._menu)
        self._icon.activated.connect(self._click)
        self._draw()
        self._icon.show()

    def _parted(self, item: Item) -> bool:
        if item.is_separator:
            self._menu.addSeparator()
        return item.is_separator

    def _line(self, item: Item) -> QAction:
        line = self._menu.addAction(item.text())
        line.setEnabled(item.action is not None)
        line.setCheckable(item.checked is not None)
        line.triggered.connect(lambda: act(item, self.refresh))
        if item.is_default:
            self._menu.setDefaultAction(line)
        return line

    def _draw(self) -> None:
        self._icon.setIcon(self._pictures[self._state])
        self._icon.setToolTip(self._tooltip)

    def _ask_again(self) -> None:
        for item, line in self._lines:
            line.setText(item.text().replace("&", "&&"))  # a single one would mark an access key
            if item.checked is not None:
                line.setChecked(item.checked())

    def _click(self, reason: QSystemTrayIcon.ActivationReason) -> None:
        default = default_of(self._items)
        if reason is QSystemTrayIcon.ActivationReason.Trigger and default is not None:
            act(default, self.refresh)

    def _end(self) -> None:
        self._stopped = True
        self._app.quit()

    def _later(self, what: Callable[[], None]) -> None:
        """Do it on Qt's thread: now, or once `run` begins."""
        self._work.put(what)
        with suppress(BlockingIOError):  # full of wakings that are still to be heard
            self._waker.send(b"\0")

    def _wake(self) -> None:
        """Do what was put in the queue. For a signal it is enough that Python's code runs here."""
        with suppress(BlockingIOError):
            self._woken.recv(WAKE_BYTES)
        with suppress(queue.Empty):
            while True:
                self._work.get_nowait()()


def _icon_of(state: TrayState) -> QIcon:
    icon = QIcon()
    for size in SIZES:
        icon.addFile(str(picture(state, size)))
    return icon
