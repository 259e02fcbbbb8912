"""A desktop session of our own: an X server without a screen, a message bus, a window manager; each for one block."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager

from Xlib import X
from Xlib.display import Display

from tests.desktop.screen import until_after_events

SCREEN = "1280x800x24"


@contextmanager
def started(command: list[str], environment: dict[str, str] | None = None, **more) -> Iterator[subprocess.Popen]:
    """A process for the length of a block; what it says is thrown away."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    try:
        yield process
    finally:
        process.terminate()
        process.wait(20)


@contextmanager
def answering(command: list[str], option: str, environment: dict[str, str] | None = None) -> Iterator[str]:
    """The same, of a server that says where it is, on a pipe that `option` names, once it answers."""
    reading, writing = os.pipe()
    with started([*command, option.format(writing)], environment, pass_fds=(writing,)):
        os.close(writing)
        with os.fdopen(reading) as said:
            yield said.readline().strip()


@contextmanager
def x_server() -> Iterator[str]:
    """The DISPLAY of a new X server."""
    with answering(["Xvfb", "-screen", "0", SCREEN, "-nolisten", "tcp", "-displayfd"], "{}") as number:
        yield f":{number}"


@contextmanager
def session_bus(display: str = "") -> Iterator[str]:
    """The DBUS_SESSION_BUS_ADDRESS of a new bus, whose services open on `display`."""
    environment = {**os.environ, "DISPLAY": display}
    with answering(["dbus-daemon", "--session", "--nofork"], "--print-address={}", environment) as address:
        yield address


@contextmanager
def window_manager(display: str) -> Iterator[None]:
    """Openbox, once it manages windows."""
    with started(["openbox", "--sm-disable"], {**os.environ, "DISPLAY": display}):
        screen = Display(display)
        root, ready = screen.screen().root, screen.intern_atom("_NET_SUPPORTING_WM_CHECK")
        root.change_attributes(event_mask=X.PropertyChangeMask)
        until_after_events(screen, lambda: bool(root.get_full_property(ready, X.AnyPropertyType)), "a window manager")
        screen.close()
        yield


@contextmanager
def xembed_panel(display: str) -> Iterator[None]:
    """A panel that takes windows (trayer), once it does."""
    command = ["trayer", "--edge", "bottom", "--align", "right", "--SetDockType", "true"]
    with started(command, {**os.environ, "DISPLAY": display}):
        screen = Display(display)
        screen.screen().root.change_attributes(event_mask=X.StructureNotifyMask)
        selection = screen.intern_atom("_NET_SYSTEM_TRAY_S0")
        # It tells everybody that it has come.
        until_after_events(screen, lambda: bool(screen.get_selection_owner(selection)), "a panel")
        screen.close()
        yield
