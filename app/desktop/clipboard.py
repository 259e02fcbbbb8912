"""The clipboard, without a window of our own."""

import logging
import os
import shutil
import subprocess
import sys
from pathlib import Path

log = logging.getLogger(__name__)

ANSWER_SECONDS = 5.0
SYSTEM_COMMANDS = {
    "win32": [str(Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32", "clip.exe"))],
    "darwin": ["/usr/bin/pbcopy"],
}
"""What the operating system itself brings. By its whole path: Windows looks for a name in the current folder first."""

SESSION_COMMANDS = {
    "WAYLAND_DISPLAY": (["wl-copy"],),
    "DISPLAY": (["xclip", "-selection", "clipboard", "-in"], ["xsel", "--clipboard", "--input"]),
}
"""What Linux desktops bring or a person has installed, by the variable that says what display there is.

X11 and Wayland take the clipboard only from a program that stays to hand it out, with a window; these do.
"""


def copy(text: str) -> bool:
    """Put `text` on the clipboard.

    Returns:
        Whether another program can paste it now; false where there is no desktop, or no program that does it.
    """
    if command := SYSTEM_COMMANDS.get(sys.platform):
        # Windows' own takes UTF-16, and knows it by its first character.
        return _told(command, text.encode("utf-16") if sys.platform == "win32" else text.encode())
    commands = [each for display, known in SESSION_COMMANDS.items() if os.environ.get(display) for each in known]
    return any(_told(each, text.encode()) for each in commands if shutil.which(each[0]))


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
