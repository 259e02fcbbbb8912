"""A tray in a process of its own, and the orders that a test gives it."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).parents[2]


class TrayProcess:
    """The process: `order` writes to it, `hear` waits for what it says."""

    def __init__(self, kind: str, environment: dict[str, str], *more: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.desktop.tray_process", kind, *more],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.kind = self.hear("kind")

    def order(self, **what: object) -> None:
        self.process.stdin.write(json.dumps(what) + "\n")
        self.process.stdin.flush()

    def ask(self, answer: str, **what: object) -> object:
        self.order(**what)
        return self.hear(answer)

    def hear(self, wanted: str) -> object:
        """The next thing it says of this kind."""
        for line in self.process.stdout:
            said = json.loads(line)
            if wanted in said:
                return said[wanted]
        raise AssertionError(f"the tray ended without saying {wanted}: {self.process.stderr.read()}")

    def loaded(self, library: str) -> list[str]:
        """The files of a library that its process holds."""
        maps = Path(f"/proc/{self.process.pid}/maps").read_text(encoding="utf-8")
        return sorted({line.split()[-1] for line in maps.splitlines() if library in line})

    def until_visible(self, visible: bool) -> None:
        """Ask until it says so; every question waits for its answer."""
        while self.ask("visible", is_visible=True) is not visible:
            pass

    def end(self) -> int:
        """Close its orders, which stops it."""
        self.process.stdin.close()
        return self.process.wait(20)


def desktop(display: str, bus: str) -> dict[str, str]:
    """The environment of a program of this desktop session."""
    kept = {name: value for name, value in os.environ.items() if name not in {"DISPLAY", "WAYLAND_DISPLAY"}}
    session = {"DISPLAY": display, "DBUS_SESSION_BUS_ADDRESS": bus, "QTWEBENGINE_DISABLE_SANDBOX": "1"}
    return {**kept, "XDG_RUNTIME_DIR": "/nonexistent", **{name: value for name, value in session.items() if value}}


@contextmanager
def tray_process(kind: str, environment: dict[str, str], *more: str) -> Iterator[TrayProcess]:
    """A tray for the length of a block."""
    tray = TrayProcess(kind, environment, *more)
    try:
        yield tray
    finally:
        if tray.process.poll() is None:
            tray.process.kill()
            tray.process.wait()
        for stream in (tray.process.stdin, tray.process.stdout, tray.process.stderr):
            stream.close()
