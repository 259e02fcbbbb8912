"""No tray: there is no desktop, no panel that shows icons, or nothing to draw one with."""

import sys
import threading

from app.desktop.clipboard import copy
from app.desktop.tray.icon import TrayState

# On Windows a wait without an end is deaf to Ctrl+C.
WOKEN_SECONDS = 0.5 if sys.platform == "win32" else None


class NoTray:
    """Stands where the tray would; nobody sees it."""

    is_visible = False

    def __init__(self) -> None:
        self._stopped = threading.Event()

    def run(self) -> None:
        """Wait until `stop`."""
        while not self._stopped.wait(WOKEN_SECONDS):
            pass

    def stop(self) -> None:
        """Have `run` return."""
        self._stopped.set()

    def show(self, state: TrayState, tooltip: str) -> None:
        """Nobody sees it."""

    def notify(self, title: str, text: str) -> None:
        """Nobody sees it."""

    def refresh(self) -> None:
        """There is no menu."""

    def copy(self, text: str) -> bool:
        """Put `text` on the clipboard; whether that could be done."""
        return copy(text)
