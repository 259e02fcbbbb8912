"""The clipboard, without a window of our own."""

import logging
import os
import shutil
import subprocess
import sys
import threading

log = logging.getLogger(__name__)

ANSWER_SECONDS = 5.0
COMMANDS = {"win32": ["clip.exe"], "darwin": ["pbcopy"]}
"""What the operating system itself brings."""


def copy(text: str) -> bool:
    """Put `text` on the clipboard.

    Returns:
        Whether another program can paste it now; false where there is no desktop.
    """
    if command := COMMANDS.get(sys.platform):
        # Windows' own takes UTF-16, and knows it by its first character.
        return _told(command, text.encode("utf-16") if sys.platform == "win32" else text.encode())
    # A Wayland compositor takes the clipboard only from who has the focus; wl-copy knows the ways around.
    if os.environ.get("WAYLAND_DISPLAY") and shutil.which("wl-copy") and _told(["wl-copy"], text.encode()):
        return True
    return bool(os.environ.get("DISPLAY")) and _offer(text)


def _told(command: list[str], text: bytes) -> bool:
    try:
        done = subprocess.run(
            command,
            input=text,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=ANSWER_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        log.warning("the clipboard was not reached through %s: %s", command[0], error)
        return False
    return done.returncode == 0


def _offer(text: str) -> bool:
    """Own X's clipboard, on a thread that lives until somebody else copies something."""
    try:
        from app.desktop.x_selection import Selection  # noqa: PLC0415 - Linux only, and only when something is copied
    except ImportError as error:
        log.warning("the clipboard of X cannot be reached: %s", error)
        return False
    selection = Selection(text)
    if not selection.own():
        return False
    threading.Thread(target=selection.serve, name="clipboard", daemon=True).start()
    return True
