"""A desktop session of our own: an X server without a screen, a message bus, a window manager; each for one block."""

import asyncio
import os
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from time import monotonic

from dbus_fast import Message
from dbus_fast.aio import MessageBus
from Xlib import X
from Xlib.display import Display

from app.desktop.tray.with_dbus import BUS, BUS_PATH, WATCHER
from tests.desktop.screen import SECONDS, event_before, until_after_events

SCREEN = "1280x800x24"


@contextmanager
def started(command: list[str], environment: dict[str, str] | None = None, **more) -> Iterator[subprocess.Popen]:
    """A process for the length of a block; what it says is thrown away."""
    process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **more)
    try:
        yield process
    finally:
        _ended(process)


def _ended(process: subprocess.Popen) -> None:
    """End a process. None outlives its block, deaf ones too: that is told here, not by who comes next."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
        raise


@contextmanager
def answering(command: list[str], option: str, environment: dict[str, str] | None = None) -> Iterator[str]:
    """The same, of a server that says where it is, on a pipe that `option` names, once it answers."""
    reading, writing = os.pipe()
    with started([*command, option.format(writing)], environment, pass_fds=(writing,)):
        os.close(writing)
        with os.fdopen(reading) as said:
            yield said.readline().strip()


@contextmanager
def x_server(screen: str = SCREEN) -> Iterator[str]:
    """The DISPLAY of a new X server. It does not begin anew when its last client goes, and turn away who comes then."""
    with answering(["Xvfb", "-noreset", "-screen", "0", screen, "-nolisten", "tcp", "-displayfd"], "{}") as number:
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
def xfce_panel(display: str, bus: str, home: Path) -> Iterator[None]:
    """Xfce's panel with its own first settings, once it shows icons: over the bus, and those that are windows."""
    own = {"XDG_CONFIG_HOME": str(home / "config"), "XDG_CACHE_HOME": str(home / "cache"), "HOME": str(home)}
    environment = {**os.environ, **own, "DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus}
    with started(["xfce4-panel", "--disable-wm-check", "--sm-client-disable"], environment) as process:
        asyncio.run(_owned(bus, WATCHER))
        screen = Display(display)
        screen.screen().root.change_attributes(event_mask=X.StructureNotifyMask)
        selection = screen.intern_atom("_NET_SYSTEM_TRAY_S0")
        # It tells everybody that it has come.
        until_after_events(screen, lambda: bool(screen.get_selection_owner(selection)), "a panel")
        screen.close()
        yield
        # By a message: its signal handler takes a lock of GLib's, which its own thread may be holding (1 in 120 hung).
        asyncio.run(_told_to_end(bus))
        process.wait(20)


async def _told_to_end(address: str) -> None:
    """Tell Xfce's panel to end, as `xfce4-panel --quit` does."""
    bus = await MessageBus(address).connect()
    panel = {"destination": "org.xfce.Panel", "path": "/org/xfce/Panel", "interface": "org.xfce.Panel"}
    await bus.call(Message(**panel, member="Terminate", signature="b", body=[False]))
    bus.disconnect()


async def _owned(address: str, name: str) -> None:
    """Wait until somebody on a bus has a name, for a minute at most."""
    bus = await MessageBus(address).connect()
    asked = {"destination": BUS, "path": BUS_PATH, "interface": BUS, "signature": "s"}
    changed = asyncio.Event()
    bus.add_message_handler(lambda message: changed.set() if message.member == "NameOwnerChanged" else None)
    rule = f"type='signal',sender='{BUS}',member='NameOwnerChanged',arg0='{name}'"
    await bus.call(Message(**asked, member="AddMatch", body=[rule]))
    if not (await bus.call(Message(**asked, member="NameHasOwner", body=[name]))).body[0]:
        await asyncio.wait_for(changed.wait(), SECONDS)
    bus.disconnect()


def pasted(display: str) -> str:
    """What another program finds on the clipboard of X11; nothing when nobody owns it."""
    with closing(Display(display)) as screen:
        window = screen.screen().root.create_window(0, 0, 1, 1, 0, X.CopyFromParent)
        clipboard, text = screen.intern_atom("CLIPBOARD"), screen.intern_atom("UTF8_STRING")
        window.convert_selection(clipboard, text, text, X.CurrentTime)
        deadline = monotonic() + SECONDS
        while (event := event_before(screen, deadline)) is None or event.type != X.SelectionNotify:
            assert event is not None, f"the clipboard's owner has not answered within {SECONDS:.0f} seconds"
        found = window.get_full_property(text, X.AnyPropertyType)
    return found.value.decode() if found else ""
