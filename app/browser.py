"""Opening a page in the person's browser, where there is one."""

import os
import subprocess
import sys
import threading

from bigmind.local.commands import again

_GIVEN = dict(os.environ)
"""The environment that this process was given: a browser must not inherit what we set for our own web view."""
_LIBRARIES = "LD_LIBRARY_PATH"


def can_open() -> bool:
    """Whether a graphical browser can be expected: never start a text browser inside a server."""
    if sys.platform.startswith("linux"):
        return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))
    return True


def open_page(url: str) -> bool:
    """Have `url` opened by a process of its own, which may live as long as the browser; False where there is none.

    The address may hold a code that signs in, so it is handed over by a pipe.
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
    threading.Thread(target=process.communicate, args=(url.encode(),), name="browser", daemon=True).start()
    return True


def browse() -> int:
    """Open the address that stands on standard input. Returns the process's exit code."""
    import webbrowser  # noqa: PLC0415 - in this process alone

    url = sys.stdin.readline().strip()
    if getattr(sys, "frozen", False):  # what the bundle brings is not the browser's
        own = os.environ.pop(f"{_LIBRARIES}_ORIG", None)
        os.environ.pop(_LIBRARIES, None)
        if own:
            os.environ[_LIBRARIES] = own
    try:
        return 0 if webbrowser.open(url) else 1
    except webbrowser.Error:
        return 1
