"""Whether a panel of X11 takes the windows of tray icons into itself (freedesktop.org's System Tray Protocol)."""

import logging
import os
from importlib import import_module
from typing import Any

log = logging.getLogger(__name__)


def has_xembed_panel() -> bool:
    """Whether such a panel runs at this moment; false where no X server answers."""
    if not os.environ.get("DISPLAY"):
        return False
    try:
        module: Any = import_module("Xlib.display")
        errors: Any = import_module("Xlib.error")
    except ImportError as error:
        log.info("X11 was not asked for a panel: %s", error)
        return False
    try:
        display = module.Display()
        try:
            selection = display.intern_atom(f"_NET_SYSTEM_TRAY_S{display.get_default_screen()}")
            return bool(display.get_selection_owner(selection))
        finally:
            display.close()
    except (errors.DisplayError, errors.ConnectionClosedError, OSError) as error:
        log.info("X11 was not asked for a panel: %s", error)
        return False
