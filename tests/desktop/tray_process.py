"""A process that is nothing but a tray: `python -m tests.desktop.tray_process dbus|pystray|chosen`.

It takes orders from stdin, one JSON object a line, and says on stdout, one a line, what happened. A second word is
`raising`, whose SIGTERM raises in place of stopping it, or `late`, whose other threads take long to send to X.
"""

import json
import logging
import signal
import socket
import sys
import threading

from app.desktop.tray import make_tray
from app.desktop.tray.icon import Item, TrayState


class Told:
    """What the labels say, and what was done."""

    def __init__(self) -> None:
        self.clients = 0
        self.paused = False
        self._lock = threading.Lock()

    def say(self, **what: object) -> None:
        with self._lock:
            print(json.dumps(what), flush=True)

    def done(self, what: str):
        return lambda: self.say(did=what, on_main=threading.current_thread() is threading.main_thread())

    def pause(self) -> None:
        self.paused = not self.paused
        self.say(did="pause")


class LateSender:
    """A connection to X on which a thread other than the loop's has sent only when the loop waits for X again."""

    def __init__(self, connection: socket.socket) -> None:
        self._connection = connection
        self._loop_waits = threading.Event()

    def __getattr__(self, name: str):
        return getattr(self._connection, name)

    def fileno(self) -> int:
        """Asked by whoever waits for it."""
        if threading.current_thread() is threading.main_thread():
            self._loop_waits.set()
        return self._connection.fileno()

    def send(self, data: bytes) -> int:
        self._loop_waits.clear()
        sent = self._connection.send(data)
        if threading.current_thread() is not threading.main_thread():
            self._loop_waits.wait(5)
        return sent


def items(told: Told) -> list[Item]:
    return [
        Item("Open BigMind", told.done("open"), is_default=True),
        Item(),
        Item(lambda: f"Connected clients ({told.clients})", told.done("clients")),
        Item("Pause (read-only mode)", told.pause, checked=lambda: told.paused),
        Item("snake_case & more"),
        Item("Quit BigMind", told.done("quit")),
    ]


def make(kind: str, told: Told):
    if kind == "dbus":
        from app.desktop.tray.with_dbus import DBusTray  # noqa: PLC0415 - Linux only

        return DBusTray(items(told))
    if kind == "pystray":
        from app.desktop.tray.with_pystray import PystrayTray, backend  # noqa: PLC0415 - heavy

        return PystrayTray(items(told), backend())
    return make_tray(items(told))


def obey(tray, told: Told) -> None:
    for line in sys.stdin:
        match json.loads(line):
            case {"show": state, "tooltip": tooltip}:
                tray.show(TrayState(state), tooltip)
            case {"notify": [title, text]}:
                tray.notify(title, text)
            case {"clients": count}:
                told.clients = count
                tray.refresh()
            case {"clients_unsaid": count}:
                told.clients = count
                told.say(done=True)
            case {"copy": text}:
                told.say(copied=tray.copy(text))
            case {"is_visible": True}:
                told.say(visible=tray.is_visible)
    tray.stop()


def main() -> None:
    logging.basicConfig(level=logging.INFO, stream=sys.stderr)
    if sys.argv[2:] == ["raising"]:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    told = Told()
    tray = make(sys.argv[1], told)
    if sys.argv[2:] != ["raising"]:
        signal.signal(signal.SIGTERM, lambda *_: tray.stop())
    if sys.argv[2:] == ["late"]:
        connection = tray._icon._display.display
        connection.socket = LateSender(connection.socket)
    threading.Thread(target=obey, args=(tray, told), daemon=True).start()
    told.say(kind=type(tray).__name__)
    try:
        tray.run()
    except KeyboardInterrupt:
        told.say(ended="KeyboardInterrupt")
    else:
        told.say(ended="stopped")


if __name__ == "__main__":
    main()
