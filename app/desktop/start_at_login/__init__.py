"""Starting BigMind, hidden, when the person logs in: one file or one registry value, by the system's own rules."""

import logging
import os
import sys
from pathlib import Path

from app.desktop.start_at_login.entry import Entry, Place
from bigmind.disk.existence import is_gone
from bigmind.local.program import again, require_lasting_place, windowed_program
from bigmind.paths import expanded

__all__ = ["Entry", "disable", "enable", "enabled", "mend", "own_entry"]

log = logging.getLogger(__name__)


def enabled() -> bool:
    """Whether BigMind starts at login."""
    return _place().enabled()


def enable() -> None:
    """Have it start at login, as the program that runs now.

    Raises:
        BigMindError: `unavailable`, when the system does not let us.
    """
    _place().enable(own_entry())


def disable() -> None:
    """Have it not start at login any more; fine when it did not.

    Raises:
        BigMindError: `unavailable`, when the system does not let us.
    """
    _place().disable()


def mend() -> bool:
    """Have an entry whose program has gone (moved, installed anew elsewhere) start this one. Returns whether it had to.

    An entry whose program is still there is left alone: it may be another installation's.

    Raises:
        BigMindError: `unavailable`, when the system does not let us.
    """
    place = _place()
    program = place.program() if place.enabled() else None
    if program is None or not is_gone(Path(program)):
        return False
    entry = own_entry()
    log.warning("start at login: %s is gone; from now on %s is started", program, entry.command[0])
    place.enable(entry)
    return True


def own_entry() -> Entry:
    """What starts the program that runs now, with the same data folder and database.

    Raises:
        BigMindError: `unavailable`, when it will be gone by then.
    """
    require_lasting_place()
    places = {name: os.environ.get(name) for name in ("BIGMIND_HOME", "BIGMIND_DB_PATH")}
    given = {name: str(expanded(name, place).absolute()) for name, place in places.items() if place}
    return Entry(_own_command(), given)


def _own_command() -> tuple[str, ...]:
    if image := os.environ.get("APPIMAGE"):  # what runs now is a mount of it that ends with us
        return image, "app", "--hidden"
    program, *arguments = again("app", "--hidden")
    if windowed := windowed_program():
        return windowed, *arguments
    # python.exe would open a terminal.
    without_terminal = Path(program).with_name("pythonw.exe")
    if sys.platform == "win32" and Path(program).name == "python.exe" and without_terminal.exists():
        program = str(without_terminal)
    return program, *arguments


def _place() -> Place:
    """Where this system keeps what starts at login."""
    if sys.platform == "win32":
        from app.desktop.start_at_login.windows import RunKey  # noqa: PLC0415 - of one system

        return RunKey()
    if sys.platform == "darwin":
        from app.desktop.start_at_login.macos import LaunchAgent  # noqa: PLC0415 - of one system

        return LaunchAgent()
    from app.desktop.start_at_login.linux import Autostart  # noqa: PLC0415 - of one system

    return Autostart()
