"""Opening a page in the person's browser, where there is one."""

import os
import sys
import webbrowser


def can_open() -> bool:
    """Whether a graphical browser can be expected: never start a text browser inside a server."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def open_page(url: str) -> bool:
    """Open `url`; False when there is no browser."""
    if not can_open():
        return False
    try:
        return webbrowser.open(url)
    except webbrowser.Error:
        return False
