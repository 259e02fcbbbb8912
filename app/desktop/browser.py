"""Opening a page in the person's browser, where there is one."""

import logging
import os
import subprocess
import sys
import threading
from pathlib import Path

from bigmind.core.errors import BigMindError
from bigmind.local.program import again

log = logging.getLogger(__name__)

_GIVEN = dict(os.environ)
"""The environment that this process was given: a browser must not inherit what we set for our own web view."""
SNAPS = Path("/var/lib/snapd/desktop/applications")
ASKED_SECONDS = 5.0


def can_open() -> bool:
    """Whether a graphical browser can be expected: never start a text browser inside a server."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    if sys.platform == "win32":
        from app.desktop.window_station import is_seen  # noqa: PLC0415 - of one system

        return is_seen()
    if sys.platform == "darwin":
        from app.desktop.preflight import is_at_screen  # noqa: PLC0415 - of one system

        return is_at_screen()
    return True


def open_page(url: str, instead: str = "") -> bool:
    """Have `url` opened by a process of its own, which may live as long as the browser; False where there is none.

    It is handed over by a pipe, and stands on the browser's own command line, which everybody here may read.

    Args:
        url: the address.
        instead: another one, for browsers that can read no file of ours.
    """
    if not can_open():
        return False
    process = subprocess.Popen(
        again("browse"),
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=_GIVEN,
        start_new_session=True,  # it outlives us
    )
    threading.Thread(
        target=process.communicate, args=(f"{url}\n{instead}".encode(),), name="browser", daemon=True
    ).start()
    return True


def open_signed_in(home: Path, link: str) -> bool:
    """Have the pages opened, signed in by a link that no other program gets to see; False where there is no browser.

    Where the data folder takes no file, as on a full disk, the page is opened that asks for the link.
    """
    from bigmind.people.sign_in_file import write_sign_in_file  # noqa: PLC0415 - for a person who opens the pages

    if not can_open():
        return False
    asks = link.partition("?")[0]
    try:
        return open_page(write_sign_in_file(home, link).as_uri(), asks)
    except BigMindError as error:
        log.warning("the browser is not signed in: %s", error)
        return open_page(asks)


def _is_confined() -> bool:
    """Whether the person's browser is a snap, which reads no hidden folder, and so no file of ours."""
    if not sys.platform.startswith("linux") or os.environ.get("BROWSER"):
        return False
    try:
        asked = subprocess.run(
            ["xdg-settings", "get", "default-web-browser"],
            check=False,
            capture_output=True,
            text=True,
            timeout=ASKED_SECONDS,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    name = asked.stdout.strip()
    return bool(name) and "/" not in name and (SNAPS / name).exists()


def browse() -> int:
    """Open the address that stands on standard input. Returns the process's exit code.

    On the next line may stand another one, for browsers that cannot read the file of the first.
    """
    import webbrowser  # noqa: PLC0415 - in this process alone

    url, instead = sys.stdin.readline().strip(), sys.stdin.readline().strip()
    if instead and _is_confined():
        url = instead
    try:
        return 0 if webbrowser.open(url) else 1
    except webbrowser.Error:
        return 1
