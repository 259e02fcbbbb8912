"""The icon in the tray, drawn by what this desktop has."""

import logging
import sys
from collections.abc import Sequence

from app.desktop.tray.icon import Item, Tray, TrayState
from app.desktop.tray.none import NoTray

__all__ = ["Item", "NoTray", "Tray", "TrayState", "make_tray"]

log = logging.getLogger(__name__)


def make_tray(items: Sequence[Item]) -> Tray:
    """The tray of this desktop, and in the log why this one; on the main thread, which then calls its `run`.

    On Linux, in this order: D-Bus, when a panel listens there; pystray, when a panel of X11 takes windows; D-Bus, for
    the panel that is still to start; pystray, where GTK draws for it. On Windows and macOS, pystray. Else none.

    Args:
        items: the menu, top to bottom.
    """
    candidates = (_with_dbus, _with_pystray) if sys.platform == "linux" else (_with_pystray,)
    for candidate in candidates:
        tray = candidate(items)
        if tray is not None:
            return tray
    log.info("no tray icon on this desktop")
    return NoTray()


def _with_dbus(items: Sequence[Item]) -> Tray | None:
    from app.desktop.tray.with_pystray import takes_windows  # noqa: PLC0415 - Linux only

    try:
        from app.desktop.tray.with_dbus import NO_BUS, DBusTray, panel_runs, session_bus  # noqa: PLC0415 - an extra
    except ImportError as error:
        log.info("no tray icon over D-Bus: %s", error)
        return None
    if not session_bus():
        log.info("no tray icon over D-Bus: the session has no bus")
        return None
    try:
        runs = panel_runs()
    except NO_BUS as error:
        log.info("no tray icon over D-Bus: the session's bus does not answer (%s)", error)
        return None
    if not runs and takes_windows():
        log.info("no tray icon over D-Bus: the panel that runs takes windows only")
        return None
    log.info("tray icon over D-Bus: %s", "a panel shows it" if runs else "the panel that starts will show it")
    return DBusTray(items)


def _with_pystray(items: Sequence[Item]) -> Tray | None:
    from app.desktop.tray.with_pystray import PystrayTray, backend  # noqa: PLC0415 - not where D-Bus is spoken

    try:
        module = backend()
    except ImportError as error:
        log.info("no tray icon by pystray: %s", error)
        return None
    log.info("tray icon by pystray")
    return PystrayTray(items, module)
