"""Where the system makes no window for the icon, as Windows does where nobody has a desktop: BigMind goes on."""

import os
import subprocess
import sys

from app.desktop.tray.with_pystray import fitting

PROGRAM = """
import threading

import pystray

from app.desktop.tray.icon import TrayState
from app.desktop.tray.with_pystray import PystrayTray


def makes_none(_icon):
    threading.Thread(target=ends).start()
    raise OSError(1400, "Invalid window handle")


def ends():
    tray.show(TrayState.BUSY, "Working")
    print("visible" if tray.is_visible else "without an icon", flush=True)
    tray.stop()


pystray.Icon._run = makes_none
tray = PystrayTray([], pystray)
tray.run()
print("ended", flush=True)
"""


def test_the_server_runs_without_an_icon_until_it_is_to_end_and_then_its_process_ends() -> None:
    around = {**os.environ, "PYSTRAY_BACKEND": "dummy"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], env=around, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout.split("\n")) == (0, ["without an icon", "ended", ""]), done.stderr


LATE = """
import threading

import pystray

from app.desktop.tray.with_pystray import PystrayTray

ended = threading.Event()


def run(icon):
    tray.stop()
    icon._mark_ready()
    ended.wait()


pystray.Icon._run = run
pystray.Icon._stop = lambda _icon: ended.set()
for name in ("_update_menu", "_show", "_hide", "_update_icon", "_update_title"):
    setattr(pystray.Icon, name, lambda _icon: None)
tray = PystrayTray([], pystray)
tray.run()
print("ended", flush=True)
"""


def test_what_is_ended_while_its_icon_begins_ends() -> None:
    around = {**os.environ, "PYSTRAY_BACKEND": "dummy"}
    done = subprocess.run(
        [sys.executable, "-c", LATE], env=around, capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stdout.split()) == (0, ["ended"]), done.stderr


def test_on_windows_what_is_too_long_to_be_shown_is_cut_and_no_letter_is_halved() -> None:
    assert fitting("a" * 127, 127, "win32") == "a" * 127
    assert fitting("a" * 128, 127, "win32") == "a" * 126 + "…"
    assert fitting("a" + "😀" * 70, 127, "win32") == "a" + "😀" * 62 + "…"
    assert fitting("a" * 300, 127, "linux") == "a" * 300
